"""The JSON Schema of the format."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sitegen.record.schema import json_schema
from tests.load.good_records import good

ROOT = Path(__file__).parents[2]


def inside(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for member in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from inside(member)


def test_every_reference_leads_to_a_definition() -> None:
    schema = json_schema()
    references = {part["$ref"] for part in inside(schema) if isinstance(part.get("$ref"), str)}
    assert {f"#/$defs/{name}" for name in schema["$defs"]} >= references
    assert {"#/$defs/Record", "#/$defs/WorkloadCase", "#/$defs/ImplementationRevision"} <= references


def test_it_says_what_the_models_demand() -> None:
    definitions = json_schema()["$defs"]
    spec = definitions["BenchmarkRunSpec"]
    assert spec["properties"]["workloadDigest"]["pattern"] == "^sha256:[0-9a-f]{64}$"
    assert "revoked" in spec["properties"]["status"]["enum"]
    assert spec["properties"]["observedAt"]["pattern"].endswith("Z$")
    assert set(spec["required"]) == {
        "environmentDigest",
        "implementationDigest",
        "observedAt",
        "protocolDigest",
        "sourceNative",
        "status",
        "workloadDigest",
    }
    median = definitions["LatencyNs"]["properties"]["median"]["anyOf"][0]
    assert (median["type"], median["exclusiveMinimum"], median["exclusiveMaximum"]) == ("integer", 0, 2**53)


def test_unknown_fields_are_allowed_everywhere() -> None:
    objects = [part for part in inside(json_schema()["$defs"]) if part.get("type") == "object"]
    assert objects
    assert all(part.get("additionalProperties", True) is not False for part in objects)


def test_it_is_the_same_whatever_the_hash_seed() -> None:
    program = "import json; from sitegen.record.schema import json_schema; print(json.dumps(json_schema()))"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert json.loads(outputs.pop()) == json_schema()


@pytest.mark.parametrize(
    "name", ["liger", "score", "failed", "workload", "suite", "implementation", "submission", "operation"]
)
def test_good_documents_are_valid_and_bad_ones_are_not(name: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    document = good(name)
    assert validator.is_valid(document)
    document.get("run", document)["apiVersion"] = "v0"
    assert not validator.is_valid(document)
