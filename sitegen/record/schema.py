"""The JSON Schema of the format, made from the models that read it."""

from typing import Any

from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from sitegen.record import SINGLE_DOCUMENTS, Part, Record

DIALECT = "https://json-schema.org/draft/2020-12/schema"


class _Generator(GenerateJsonSchema):
    """Without a title for every field: pydantic would make each of them from its name."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 -- the base class calls it so
        return False


def json_schema() -> dict[str, Any]:
    """The schema, draft 2020-12, of a file of records: a record, or one of the documents that stand alone.

    Every call gives the same. Digests and sizes are checked by the loader alone, as no schema can.
    """
    models: list[type[Part]] = [Record, *(SINGLE_DOCUMENTS[kind] for kind in sorted(SINGLE_DOCUMENTS))]
    references, schema = models_json_schema(
        [(model, "validation") for model in models],
        schema_generator=_Generator,
        ref_template="#/$defs/{model}",
    )
    return {
        "$schema": DIALECT,
        "title": "A file of a catalogue of GPU kernel benchmarks",
        "description": "A benchmark record, or a document that records point at by digest.",
        "anyOf": [references[model, "validation"] for model in models],
        "$defs": {name: schema["$defs"][name] for name in sorted(schema["$defs"])},
    }
