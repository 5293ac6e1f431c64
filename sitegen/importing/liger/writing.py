"""Putting records into a folder: only what differs is written, whole or not at all, and never over a stranger."""

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, TypeAlias

from sitegen.problem import Problem, Severity
from sitegen.quantity import counted

_Document: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Written:
    """How many files were written, how many already said the same, and what could not be written."""

    written: int
    unchanged: int
    problems: tuple[Problem, ...]


def write_all(into: Path, documents: Mapping[PurePosixPath, _Document]) -> Written:
    """Writes each document to its place below `into`, in order of the places; what fails does not stop the others."""
    written, unchanged, problems = 0, 0, []
    failed: dict[str, list[Path]] = {}
    for place, document in sorted(documents.items()):
        path = into / place
        try:
            changed = _write(path, document)
        except _NotOursError as error:
            problems.append(_problem(path, "not-imported", str(error), "Move it away, and import again."))
        except OSError as error:
            failed.setdefault(error.strerror or str(error), []).append(path)
        else:
            written += changed
            unchanged += not changed
    for reason, paths in failed.items():
        # A full disk fails for every file, and is one problem.
        more = f" Nor can {counted(len(paths) - 1, 'other file')}." if len(paths) > 1 else ""
        hint = "Check the folder, its permissions and the space on its disk, and import again."
        problems.append(_problem(paths[0], "not-written", f"The file cannot be written: {reason}.{more}", hint))
    return Written(written, unchanged, tuple(problems))


class _NotOursError(Exception):
    """The place is taken by something that this import did not make."""


def _problem(path: Path, code: str, message: str, hint: str) -> Problem:
    return Problem(Severity.ERROR, code, str(path), "", message, hint)


def encoded(document: _Document) -> bytes:
    """The bytes of a record file: a line for each value, so that a change shows where it is."""
    return (json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


def _write(path: Path, document: _Document) -> bool:
    """Whether the file had to be written."""
    content = encoded(document)
    try:
        present = path.read_bytes()
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
    except IsADirectoryError as error:
        raise _NotOursError("There is a folder in the place of an imported record.") from error
    else:
        if present == content:
            return False
        if not _same_kind(present, document):
            raise _NotOursError("There is another file in the place of an imported record.")
    _replace(path, content)
    return True


def _same_kind(present: bytes, document: _Document) -> bool:
    """Whether the bytes are an older state of the same document, by its kind and name."""
    try:
        there = json.loads(present)
        there, ours = there.get("run", there), document.get("run", document)
        return bool(there["kind"] == ours["kind"] and there["metadata"]["name"] == ours["metadata"]["name"])
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return False


def _replace(path: Path, content: bytes) -> None:
    """The file is there as a whole or not at all: written beside its place, then moved into it."""
    # Hidden, so that a reader of the folder never takes it for a record.
    temporary = path.parent / f".import-{secrets.token_hex(8)}.tmp"
    try:
        with temporary.open("xb") as file:
            file.write(content)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
