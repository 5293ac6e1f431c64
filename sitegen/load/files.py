"""Which files there are to read: every `*.json` below a folder, in order, whatever its links and permissions."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sitegen.problem import Problem, Severity, order


@dataclass(frozen=True, slots=True)
class Found:
    """The files to read, as paths relative to the folder with `/` between their parts, sorted; and what went wrong."""

    paths: tuple[str, ...]
    problems: tuple[Problem, ...]


def as_typed(folder: Path, path: str) -> str:
    """The file at `path` below `folder`, as the user would type it, with escapes for what a terminal cannot print."""
    name = (folder / path).as_posix()
    if name.isprintable():
        return name
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in name)


def find(folder: Path) -> Found:
    """Every `*.json` below `folder`, without hidden files and folders.

    Links to folders are followed, and a folder that is reached twice is read once.
    """
    if not folder.is_dir():
        return Found((), (_no_folder(folder),))
    search = _Search(folder)
    search.walk()
    return Found(tuple(sorted(search.paths)), tuple(sorted(search.problems, key=order)))


def _no_folder(folder: Path) -> Problem:
    code, message, hint = "folder-missing", "There is no such folder.", "Give the folder that holds the records."
    if folder.exists():
        code, message, hint = "not-a-folder", "This is a file, not a folder.", "Give the folder that the file is in."
    return Problem(Severity.ERROR, code, as_typed(folder, ""), "", message, hint)


MAX_BYTES: Final = 16 * 2**20
"""A file larger than this is not read: a record is a few kilobytes."""

_BLOCK: Final = 2**16
_READ_ONLY: Final = os.O_RDONLY | getattr(os, "O_BINARY", 0)


def contents(path: str) -> bytes:
    """The bytes of a file, or of one that is too large somewhat more than `MAX_BYTES` of them.

    It does without the layers of a file object, which takes half the time. Raises `OSError`.
    """
    descriptor = os.open(path, _READ_ONLY)
    try:
        block = os.read(descriptor, _BLOCK)
        blocks = [block]
        while len(block) == _BLOCK and len(blocks) * _BLOCK <= MAX_BYTES:
            block = os.read(descriptor, _BLOCK)
            blocks.append(block)
        return b"".join(blocks)
    finally:
        os.close(descriptor)


class _Search:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.paths: list[str] = []
        self.problems: list[Problem] = []
        self.seen: set[tuple[int, int]] = set()

    def walk(self) -> None:
        waiting = [""]
        while waiting:
            waiting.extend(reversed(self.read_folder(waiting.pop())))

    def read_folder(self, path: str) -> list[str]:
        """Take the files of one folder, and give the folders in it, sorted: links are met in the same order always."""
        try:
            if self.again(self.folder / path):
                return []
            with os.scandir(self.folder / path) as entries:
                visible = sorted((entry for entry in entries if not entry.name.startswith(".")), key=lambda e: e.name)
        except OSError as error:
            self.report("folder-unreadable", path, f"The folder cannot be read: {error.strerror}.", _PERMISSIONS)
            return []
        folders = []
        for entry in visible:
            below = f"{path}/{entry.name}" if path else entry.name
            try:
                is_folder, is_file = entry.is_dir(), entry.is_file()
            except OSError as error:  # a link that leads round to itself, or through a folder that may not be entered
                self.report("file-unreadable", below, f"This cannot be followed: {error.strerror}.", _LINK)
                continue
            if is_folder:
                folders.append(below)
            elif entry.name.endswith(".json"):
                self.take(below, is_file=is_file)
        return folders

    def again(self, folder: Path) -> bool:
        status = folder.stat()
        identity = (status.st_dev, status.st_ino)
        known = identity in self.seen
        self.seen.add(identity)
        return known

    def take(self, path: str, *, is_file: bool) -> None:
        if not is_file:
            message = "This is not a file that can be read: a link that leads nowhere, or a device."
            self.report("file-unreadable", path, message, _LINK)
        elif not _is_text(path):
            self.report("file-name", path, "The name of this file is not UTF-8 text.", "Rename the file.")
        else:
            self.paths.append(path)

    def report(self, code: str, path: str, message: str, hint: str) -> None:
        self.problems.append(Problem(Severity.ERROR, code, as_typed(self.folder, path), "", message, hint))


_PERMISSIONS = "Check its permissions."
_LINK = "Remove it, or mend the link."


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
