"""What is wrong with a document, in words that its author can act on."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from sitegen.load.parse import Fault
from sitegen.load.place import Path
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
    name = str(path[-1]) if path else "document"
    given = detail["input"]
    kind, context = detail["type"], detail.get("ctx", {})
    if kind == "missing":
        return Fault("missing-field", f"The field {name} is missing.", "Add it.", path)
    if kind == "literal_error":
        return _not_allowed(name, given, path)
    if kind == "string_pattern_mismatch":
        return _malformed(name, given, str(context.get("pattern")), path)
    if kind == "not_a_time":
        hint = "Write it in UTC with a Z at its end, as in 2025-04-28T04:46:14Z, and check that the day exists."
        return Fault("bad-time", f"{quoted(given)} is not a time in UTC.", hint, path)
    if kind in {"greater_than", "greater_than_equal"}:
        least = context.get("gt", context.get("ge"))
        words = "must be above 0" if kind == "greater_than" else f"must not be below {least}"
        return Fault("out-of-range", f"{name} is {given}, and {words}.", "Write what was measured.", path)
    if kind == "less_than":
        limit = "2^53" if context.get("lt") == LATENCY_LIMIT else context.get("lt")
        return Fault("out-of-range", f"{name} is {given}, and must be below {limit}.", _NANOSECONDS, path)
    if kind in {"string_too_short", "string_too_long"}:
        words = "is empty" if kind == "string_too_short" else f"is longer than {context.get('max_length')} characters"
        return Fault("bad-text", f"{name} {words}.", "Write it in full." if given == "" else "Shorten it.", path)
    return _wrong_type(name, given, kind, path)


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


def _wrong_type(name: str, given: Any, kind: str, path: Path) -> Fault:
    expected = _EXPECTED.get(kind, "of another type")
    message = f"{name} is {kind_of(given)}, and must be {expected}."
    hint = _NANOSECONDS if expected == "a whole number" else f"Make it {expected}."
    return Fault("wrong-type", message, hint, path)


def _not_allowed(name: str, given: Any, path: Path) -> Fault:
    if name == "status":
        hint = f"Use one of: {', '.join(STATUSES)}."
        return Fault("unknown-status", f"{quoted(given)} is not a status.", hint, path)
    if name == "apiVersion":
        return Fault("unknown-version", f"{quoted(given)} is not a version that is read.", f"Use {API_VERSION}.", path)
    hint = "Put each document under its own key: run, protocol, environment."
    return Fault("wrong-kind", f"A document of kind {quoted(given)} does not belong here.", hint, path)


def _malformed(name: str, given: Any, pattern: str, path: Path) -> Fault:
    if pattern == DIGEST_PATTERN:
        hint = 'A digest is "sha256:" and 64 hex digits in lower case.'
        return Fault("bad-digest", f"{quoted(given)} is not a digest.", hint, path)
    if pattern == NAME_PATTERN:
        hint = "Use letters, digits, dots, dashes and underscores, and begin with a letter or digit."
        return Fault("unsafe-name", f"{quoted(given)} is not a safe name.", hint, path)
    return Fault("bad-text", f"{name} is {quoted(given)}, which is not of its form.", f"Its form is {pattern}.", path)


def quoted(value: Any, longest: int = 80) -> str:
    """A value from a record on one line, not too long, in quotes if it is a text."""
    text = "".join(letter if letter.isprintable() else "\ufffd" for letter in str(value))
    short = text if len(text) <= longest else text[: longest - 1] + "…"
    return f'"{short}"' if isinstance(value, str) else short


def unknown_fields(part: Part, at: Path = ()) -> Iterator[Fault]:
    """A fault for each field that the format does not know, in a model that was read from the JSON at the path `at`."""
    for key in part.__pydantic_extra__ or ():
        message = f"The format has no field {quoted(key)} here; it is kept, and shown only in the raw record."
        hint = "Correct its name if it was meant to be another."
        yield Fault("unknown-field", message, hint, (*at, key), severity=Severity.WARNING)
    for name, field in type(part).model_fields.items():
        value = getattr(part, name)
        if isinstance(value, Part | tuple | dict):
            yield from _unknown_inside(value, (*at, field.alias or name))


def _unknown_inside(value: Part | tuple[Any, ...] | dict[str, Any], at: Path) -> Iterator[Fault]:
    if isinstance(value, Part):
        yield from unknown_fields(value, at)
        return
    for key, member in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(member, Part):
            yield from unknown_fields(member, (*at, key))
