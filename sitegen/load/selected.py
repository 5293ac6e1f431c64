"""Some files of records alone, such as those that a commit is about to bring."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sitegen.load.files import find
from sitegen.load.merge import merge
from sitegen.load.reading import Reader

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sitegen.load.model import Loaded
    from sitegen.problem import Problem

_NO_RECORDS = "no-records"


def load_selected(chosen: Iterable[Path]) -> Loaded:
    """The records and documents in some files, and in all files below some folders, read once each.

    Nothing else is looked at: not whether other files repeat them. Files without a record are no problem here.
    """
    paths: set[Path] = set()
    problems: list[Problem] = []
    for path in chosen:
        if path.is_dir():
            found = find(path)
            paths.update(path / below for below in found.paths)
            problems.extend(found.problems)
        else:
            paths.add(path)
    folder, names = _from_one_place(sorted(paths))
    loaded = merge(folder, map(Reader(folder).read, names), problems)
    return replace(loaded, problems=tuple(each for each in loaded.problems if each.code != _NO_RECORDS))


def _from_one_place(paths: Sequence[Path]) -> tuple[Path, list[str]]:
    """A folder that all paths begin at, and each of them from there: the current one, unless a path is absolute."""
    if not any(path.is_absolute() for path in paths):
        return Path(), [path.as_posix() for path in paths]
    whole = sorted({path.absolute() for path in paths})
    root = Path(whole[0].anchor)
    return root, [path.relative_to(path.anchor).as_posix() for path in whole]
