"""One document: from JSON to its model and its identity, with all that is wrong with it."""

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from pydantic import ValidationError

from sitegen.identity import NotCanonicalError, digest
from sitegen.load.check import faults_of, unknown_fields
from sitegen.load.parse import Fault
from sitegen.load.place import Path
from sitegen.load.quoting import one_line
from sitegen.record import Document

D = TypeVar("D", bound=Document)

_LARGEST_INTEGER: Final = 2**53 - 1
_text = json.JSONEncoder(ensure_ascii=False, check_circular=False, sort_keys=True).encode


@dataclass(frozen=True, slots=True)
class Read(Generic[D]):
    """A document that was read. `document` is None where it has an error, and `digest` "" then.

    `metadata` is a checksum over the document's metadata: documents of one digest may differ in it.
    """

    document: D | None
    digest: str
    metadata: int
    faults: tuple[Fault, ...]


def read_document(model: type[D], value: Any, at: Path) -> Read[D]:
    """The document that `value` is, the JSON at the path `at` of its file."""
    try:
        document = model.model_validate(value)
    except ValidationError as error:
        faults = faults_of(error, value, at)
        # Of another version or kind nothing else needs to be right.
        decisive = [fault for fault in faults if fault.code in {"unknown-version", "wrong-kind"}]
        return Read(None, "", 0, tuple(decisive or faults))
    try:
        identity = digest(value)
    except NotCanonicalError:
        return Read(None, "", 0, tuple(_inexact(value["spec"], (*at, "spec"))))
    checksum = zlib.crc32(_text(value["metadata"]).encode())
    return Read(document, identity, checksum, tuple(unknown_fields(document, at)))


def _inexact(value: Any, at: Path) -> Iterator[Fault]:
    """The integers that not every JSON reader reads alike."""
    if isinstance(value, dict | list):
        for key, member in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _inexact(member, (*at, key))
    elif isinstance(value, int) and abs(value) > _LARGEST_INTEGER:
        message = f"{one_line(str(at[-1]))} is an integer beyond 2^53, which has no exact form."
        yield Fault("number-too-large", message, "Write it as a text if it must be exact.", at)
