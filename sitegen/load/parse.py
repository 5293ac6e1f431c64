"""From the bytes of a file to JSON, refusing what JSON readers would not all read alike."""

import codecs
import json
import math
import re
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from sitegen.load.files import MAX_BYTES
from sitegen.load.place import Path, line_at, line_of, repeated_keys
from sitegen.load.quoting import quoted
from sitegen.problem import Severity

MAX_DEPTH: Final = 64
"""No document nests a tenth as deep; a bound keeps everything that walks a record from running out of stack."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, where, and what to do: a `Problem` that does not know its file yet, nor always its line."""

    code: str
    message: str
    hint: str
    path: Path = ()
    line: int | None = None
    severity: Severity = Severity.ERROR


class NotJsonError(ValueError):
    """The bytes are not JSON that everyone would read alike. `faults` says why, and is not empty."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(faults[0].message)
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file as text, without a byte order mark, and as JSON."""

    text: str
    value: Any


def parse(data: bytes) -> Parsed:
    """The JSON in `data`. Raises `NotJsonError`."""
    text = _decode(data)
    _check_depth(text)
    try:
        value = _decoder.decode(text)
    except _RefusedError as error:
        raise NotJsonError(*_refused(text, error)) from None
    except json.JSONDecodeError as error:
        raise NotJsonError(_malformed(text, error)) from None
    except (ValueError, RecursionError):
        # The one other ValueError is Python's own bound on the digits of an integer.
        raise NotJsonError(_too_many_digits(text)) from None
    if _surrogate.search(text):
        _check_surrogates(text, value)
    return Parsed(text, value)


class _RefusedError(Exception):
    """Python's reader would take this; `str` is the constant or number, "" for a key that an object has twice."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _RefusedError("")
    return members


def _constant(name: str) -> NoReturn:
    raise _RefusedError(name)


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise _RefusedError(text)
    return number


_decoder = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_finite)
# What was refused may stand beside an integer of thousands of digits, which Python will not make.
_lenient = json.JSONDecoder(parse_int=len)
_surrogate = re.compile(r"\\u[dD][89a-fA-F]")

_WIDE: Final = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
    (b"{\0\0\0", "UTF-32"),
    (b"\0\0\0{", "UTF-32"),
    (b"{\0", "UTF-16"),
    (b"\0{", "UTF-16"),
)
_SAVE = "Save the file as UTF-8."


def _decode(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise NotJsonError(Fault("too-large", "The file is larger than 16 MiB.", "A record is a few kilobytes."))
    for mark, encoding in _WIDE:
        if data.startswith(mark):
            raise NotJsonError(Fault("wrong-encoding", f"The file is {encoding} text, not UTF-8.", _SAVE))
    try:
        text = data.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NotJsonError(Fault("wrong-encoding", "The file is not UTF-8 text.", _SAVE, line=line)) from None
    if not text.strip():
        raise NotJsonError(Fault("empty-file", "The file is empty.", "Write the record into it, or remove it."))
    return text


def _check_depth(text: str) -> None:
    # Counting every bracket is cheap and rules most files out; brackets inside texts only cost the slower way.
    if text.count("{") + text.count("[") <= MAX_DEPTH:
        return
    depth = 0
    for token in _bracket.finditer(text):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(token[0], 0)
        if depth > MAX_DEPTH:
            message = f"The file nests objects and lists more than {MAX_DEPTH} deep."
            raise NotJsonError(
                Fault("too-deep", message, "A record nests ten deep.", line=line_at(text, token.start()))
            )


_bracket = re.compile(r'[{}\[\]]|"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)


def _refused(text: str, error: _RefusedError) -> list[Fault]:
    """What is wrong where reading was stopped: there, or at a place further on where the text is no JSON at all."""
    try:
        value = _lenient.decode(text)
    except json.JSONDecodeError as malformed:
        return [_malformed(text, malformed)]
    number = str(error)
    if not number:
        return [_repeated(path, line) for path, line in repeated_keys(text)]
    message, hint = f"{number} is not a number in JSON.", "Leave the field out where nothing was measured."
    if number[-1].isdecimal():
        message, hint = "The number is too large for any reader of JSON.", "Write the number that was measured."
    return [
        Fault("not-a-number", message, hint, path, line_of(text, path))
        for path, found in _texts_and_numbers(value)
        if isinstance(found, float) and not math.isfinite(found)
    ]


def _repeated(path: Path, line: int) -> Fault:
    message = f"The key {quoted(path[-1])} stands twice in one object."
    return Fault("duplicate-key", message, "Keep one of the two.", path, line)


def _malformed(text: str, error: json.JSONDecodeError) -> Fault:
    if text.lstrip().startswith("<"):
        hint = "It was probably saved from an error page: fetch the record again."
        return Fault("not-json", "The file is not JSON: it looks like an HTML page.", hint, line=1)
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        hint = "Fetch or write the file again, whole."
        return Fault("truncated", "The file ends in the middle: it is cut off.", hint, line=error.lineno)
    what = error.msg[0].lower() + error.msg[1:]
    message = f"The file is not JSON: {what} at column {error.colno}."
    return Fault("not-json", message, "Correct the line.", line=error.lineno)


def _too_many_digits(text: str) -> Fault:
    digits = re.search(r"[0-9]{4000}", text)
    line = line_at(text, digits.start()) if digits else None
    return Fault(
        "number-too-large", "A number has thousands of digits.", "Write the number that was measured.", (), line
    )


def _texts_and_numbers(value: Any, path: Path = ()) -> list[tuple[Path, Any]]:
    """Every key and every value that is neither an object nor a list, with its path."""
    if isinstance(value, dict):
        found: list[tuple[Path, Any]] = []
        for key, member in value.items():
            found.append(((*path, key), key))
            found.extend(_texts_and_numbers(member, (*path, key)))
        return found
    if isinstance(value, list):
        return [entry for index, item in enumerate(value) for entry in _texts_and_numbers(item, (*path, index))]
    return [(path, value)]


def _check_surrogates(text: str, value: Any) -> None:
    for path, found in _texts_and_numbers(value):
        if isinstance(found, str) and not _is_unicode(found):
            message = "A text holds half of a surrogate pair, which is no character."
            hint = "Write the whole character, or remove the escape."
            raise NotJsonError(Fault("lone-surrogate", message, hint, path, line_of(text, path)))


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
