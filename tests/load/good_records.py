"""Folders of records to load, made from a few good ones, with which one thing or another is wrong."""

import copy
import json
from pathlib import Path
from typing import Any

from sitegen.identity import digest
from sitegen.load import Loaded, load

FIXTURES = Path(__file__).parent / "fixtures"
ABSENT = object()


def good(name: str) -> Any:
    """A good record (liger, score, failed) or document (workload, suite, implementation, submission, operation)."""
    return json.loads((FIXTURES / f"{name}.json").read_text("utf-8"))


class Folder:
    """A folder of files to load."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def put(self, name: str, content: Any) -> Path:
        """Write bytes or text as they are, and anything else as JSON."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not isinstance(content, bytes):
            text = content if isinstance(content, str) else json.dumps(content, indent=2, ensure_ascii=False)
            content = text.encode()
        path.write_bytes(content)
        return path

    def load(self) -> Loaded:
        return load(self.path)

    def load_one(self, content: Any) -> Loaded:
        """What a folder with this one file holds."""
        self.put("record.json", content)
        return self.load()


def changed(document: Any, *path: str | int, to: Any) -> Any:
    """A copy of a document with another value at a place, or with nothing there."""
    document = copy.deepcopy(document)
    inner = document
    for part in path[:-1]:
        inner = inner[part]
    if to is ABSENT:
        del inner[path[-1]]
    else:
        inner[path[-1]] = to
    return document


def sealed(record: Any) -> Any:
    """A copy of a record whose run states the digests that its protocol and environment have."""
    record = copy.deepcopy(record)
    for part in ("protocol", "environment"):
        record["run"]["spec"][f"{part}Digest"] = digest(record[part])
    return record
