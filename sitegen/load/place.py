"""Where in a text of JSON a place is. It is asked only once something is known to be wrong, so it may take its time.

The texts here have been read once already: they are JSON, but for keys that an object has twice.
"""

import json
import re
from collections.abc import Iterator

Path = tuple[str | int, ...]

_blank = re.compile(r"[ \t\n\r]*")
# Integers are not made, since Python refuses those of thousands of digits.
_read_value = json.JSONDecoder(parse_int=len).raw_decode


def _past_blank(text: str, offset: int) -> int:
    blank = _blank.match(text, offset)
    return blank.end() if blank else offset


def _members(text: str, start: int) -> Iterator[tuple[str | int, int, int]]:
    """The key or index, its offset, and its value's offset, of each member of the object or list at `start`."""
    opening = text[start]
    if opening not in "{[":
        return
    offset = _past_blank(text, start + 1)
    index = 0
    while text[offset] not in "}]":
        key: str | int = index
        value = offset
        if opening == "{":
            key, end = _read_value(text, offset)
            value = _past_blank(text, _past_blank(text, end) + 1)
        yield key, offset, value
        offset = _past_blank(text, _read_value(text, value)[1])
        if text[offset] == ",":
            offset = _past_blank(text, offset + 1)
        index += 1


def line_of(text: str, path: Path) -> int:
    """The line, from 1, of the place at `path`; of the nearest place around it that the text does have."""
    value = found = _past_blank(text, 0)
    for part in path:
        for key, offset, below in _members(text, value):
            if key == part:
                value, found = below, offset
                break
        else:
            break
    return line_at(text, found)


def line_at(text: str, offset: int) -> int:
    """The line, from 1, that the character at `offset` is on."""
    return text.count("\n", 0, offset) + 1


def repeated_keys(text: str) -> list[tuple[Path, int]]:
    """The paths of the keys that their object has had before, and the lines of the repetition, in the text's order."""
    found: list[tuple[int, Path]] = []
    waiting: list[tuple[Path, int]] = [((), _past_blank(text, 0))]
    while waiting:
        path, start = waiting.pop()
        seen = set()
        for key, offset, value in _members(text, start):
            here = (*path, key)
            if key in seen:
                found.append((offset, here))
            seen.add(key)
            waiting.append((here, value))
    return [(path, line_at(text, offset)) for offset, path in sorted(found, key=lambda entry: entry[0])]
