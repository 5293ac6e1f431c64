"""A record once more, whole: for the one page that shows all of it."""

import codecs
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from sitegen.load.files import contents


class RecordChangedError(Exception):
    """A file that was read before cannot be read as a record now: it was removed or changed meanwhile."""


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A record as its file has it: `text` without a byte order mark, and the three documents as JSON objects."""

    text: str
    run: Mapping[str, Any]
    protocol: Mapping[str, Any]
    environment: Mapping[str, Any]


def read_record(path: Path | str) -> RecordFile:
    """The record in a file that has been loaded before, so that nothing is checked again.

    Raises `RecordChangedError` where the file no longer holds a record.
    """
    try:
        text = contents(str(path)).removeprefix(codecs.BOM_UTF8).decode()
        value = from_json(text)
        return RecordFile(text, value["run"], value["protocol"], value["environment"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        message = f"{path}: this record was changed while the site was made; make the site again."
        raise RecordChangedError(message) from error
