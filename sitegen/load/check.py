"""What is wrong with a document, in words that its author can act on."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from sitegen.load.parse import Fault
from sitegen.load.place import Path
from sitegen.load.quoting import one_line, quoted
from sitegen.problem import Severity
from sitegen.record import API_VERSION, STATUSES, Part, kind_of
from sitegen.record.text import DIGEST_PATTERN, LATENCY_LIMIT, NAME_PATTERN


def faults_of(error: ValidationError, value: Any, at: Path) -> list[Fault]:
    """The faults that a model found in `value`, the JSON at the path `at` of its file."""
    found: dict[Path, Fault] = {}
    for detail in error.errors(include_url=False):
        path = _path(detail, value)
        # Where a value may be of several types there is an error for each of them; one is enough to say.
        found.setdefault(path, _fault(detail, (*at, *path)))
    return list(found.values())


def _path(detail: ErrorDetails, value: Any) -> Path:
    """The place of an error in `value`: without what pydantic adds to tell the types of a union apart."""
    path: list[str | int] = []
    for part in detail["loc"]:
        inside = part in value if isinstance(value, dict) else isinstance(value, list) and isinstance(part, int)
        if not inside:
            break
        path.append(part)
        value = value[part]
    if detail["type"] == "missing":
        path.append(detail["loc"][-1])
    return tuple(path)


def _fault(detail: ErrorDetails, path: Path) -> Fault:
    name = one_line(str(path[-1])) if path else "document"
    given, context = detail["input"], detail.get("ctx", {})
    match detail["type"]:
        case "missing":
            fault = Fault("missing-field", f"The field {name} is missing.", "Add it.")
        case "literal_error":
            fault = _not_allowed(name, given)
        case "string_pattern_mismatch":
            fault = _malformed(name, given, str(context["pattern"]))
        case "string_too_short":
            fault = Fault("bad-text", f"{name} is empty.", "Write it.")
        case "string_too_long":
            fault = Fault("bad-text", f"{name} is longer than {context['max_length']} characters.", "Shorten it.")
        case "not_a_time":
            hint = "Write it in UTC with a Z at its end, as in 2025-04-28T04:46:14Z, and check that the day exists."
            fault = Fault("bad-time", f"{quoted(given)} is not a time in UTC.", hint)
        case "greater_than" | "greater_than_equal" | "less_than":
            fault = _out_of_range(name, given, context)
        case kind:
            fault = _wrong_type(name, given, kind)
    return replace(fault, path=path)


def _out_of_range(name: str, given: Any, context: Mapping[str, Any]) -> Fault:
    if "lt" in context:
        limit = "2^53" if context["lt"] == LATENCY_LIMIT else context["lt"]
        return Fault("out-of-range", f"{name} is {quoted(given)}, and must be below {limit}.", _NANOSECONDS)
    bound = "above 0" if "gt" in context else "0 or more"
    return Fault("out-of-range", f"{name} is {quoted(given)}, and must be {bound}.", "Write what was measured.")


_NANOSECONDS: Final = "Check the unit: latencies are whole nanoseconds."

_EXPECTED: Final[Mapping[str, str]] = {
    "string_type": "a text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a number",
    "dict_type": "an object",
    "mapping_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "tuple_type": "a list",
}


def _wrong_type(name: str, given: Any, kind: str) -> Fault:
    expected = _EXPECTED.get(kind, "of another type")
    message = f"{name} is {kind_of(given)}, and must be {expected}."
    hint = _NANOSECONDS if expected == "a whole number" else f"Make it {expected}."
    return Fault("wrong-type", message, hint)


def _not_allowed(name: str, given: Any) -> Fault:
    if name == "status":
        hint = f"Use one of: {', '.join(STATUSES)}."
        return Fault("unknown-status", f"{quoted(given)} is not a status.", hint)
    if name == "apiVersion":
        return Fault("unknown-version", f"{quoted(given)} is not a version that is read.", f"Use {API_VERSION}.")
    hint = "Put each document under its own key: run, protocol, environment."
    return Fault("wrong-kind", f"A document of kind {quoted(given)} does not belong here.", hint)


def _malformed(name: str, given: Any, pattern: str) -> Fault:
    if pattern == DIGEST_PATTERN:
        hint = 'A digest is "sha256:" and 64 hex digits in lower case.'
        return Fault("bad-digest", f"{quoted(given)} is not a digest.", hint)
    if pattern == NAME_PATTERN:
        hint = "Use letters, digits, dots, dashes and underscores, and begin with a letter or digit."
        return Fault("unsafe-name", f"{quoted(given)} is not a safe name.", hint)
    return Fault("bad-text", f"{name} is {quoted(given)}, which is not of its form.", f"Its form is {pattern}.")


def unknown_fields(part: Part, at: Path = ()) -> Iterator[Fault]:
    """A fault for each field that the format does not know, in a model that was read from the JSON at the path `at`."""
    for key in part.__pydantic_extra__ or ():
        message = f"The format has no field {quoted(key)} here; it is kept, and shown only in the raw record."
        hint = "Correct its name if it was meant to be another."
        yield Fault("unknown-field", message, hint, (*at, key), severity=Severity.WARNING)
    for name, alias in _inner_fields(type(part)):
        value = getattr(part, name)
        if isinstance(value, Part):
            yield from unknown_fields(value, (*at, alias))
        elif value:
            for inner, member in value.items() if isinstance(value, dict) else enumerate(value):
                yield from unknown_fields(member, (*at, alias, inner))


@cache
def _inner_fields(model: type[Part]) -> tuple[tuple[str, str], ...]:
    """The fields of a model that are parts, or lists or mappings of parts, and what they are called on paper."""
    return tuple(
        (name, field.alias or name) for name, field in model.model_fields.items() if _holds_parts(field.annotation)
    )


def _holds_parts(annotation: Any) -> bool:
    if isinstance(annotation, type) and not get_args(annotation):
        return issubclass(annotation, Part)
    return any(_holds_parts(inner) for inner in get_args(annotation))
