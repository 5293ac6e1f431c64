"""In what two records of one digest differ. The digest covers apiVersion, kind and spec, so the rest may."""

import json
from collections.abc import Iterator
from typing import Any, Final

from sitegen.change.model import Difference
from sitegen.load import RecordFile
from sitegen.problem import pointer_to

_DOCUMENTS: Final = ("run", "protocol", "environment")
_ABSENT: Final = object()

Path = tuple[str | int, ...]


def differences(before: RecordFile, after: RecordFile) -> tuple[Difference, ...]:
    """Every place in which the records differ as JSON, whatever their spacing and the order of their keys."""
    if before.text == after.text:
        return ()
    found = _walk(json.loads(before.text), json.loads(after.text), ())
    return tuple(sorted(found, key=lambda each: each.pointer))


def _walk(before: Any, after: Any, at: Path) -> Iterator[Difference]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in {**before, **after}:
            yield from _walk(before.get(key, _ABSENT), after.get(key, _ABSENT), (*at, key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _walk(one, other, (*at, place))
    elif not _same(before, after):
        editorial = len(at) > 1 and at[0] in _DOCUMENTS and at[1] == "metadata"
        yield Difference(pointer_to(*at), _text(before), _text(after), editorial)


def _same(before: Any, after: Any) -> bool:
    """Whether two values are one in JSON: 1 and 1.0 are, 1 and true are not."""
    return isinstance(before, bool) == isinstance(after, bool) and bool(before == after)


def _text(value: Any) -> str | None:
    return None if value is _ABSENT else json.dumps(value, ensure_ascii=False, sort_keys=True)
