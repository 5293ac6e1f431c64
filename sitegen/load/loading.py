"""A folder of records, read whole: by this process, or by several at once."""

import gc
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from sitegen.load.files import find
from sitegen.load.merge import merge
from sitegen.load.model import Loaded
from sitegen.load.parallel import SHARE, can_fork, read_with_processes
from sitegen.load.reading import FileResult, Reader

Progress = Callable[[int, int], None]

_STEP: Final = 100


def load(folder: Path, *, jobs: int = 1, progress: Progress | None = None) -> Loaded:
    """Every record and document below `folder`, and everything that is wrong with them.

    `jobs` is how many processes read at once; one does where the system cannot fork or the files are few. `progress` is
    called now and then with how many files have been read, and of how many. Nothing is raised for what the folder or
    its files hold. What is loaded is kept from the garbage collector, which would walk it again and again.
    """
    with collector_at_rest():
        found = find(folder)
        contents: list[bytes] = []
        results = _noted(_read(folder, found.paths, jobs), contents)
        loaded = merge(folder, _reported(results, len(found.paths), progress), found.problems)
        return replace(loaded, digest=_digest(contents))


def _noted(results: Iterable[FileResult], contents: list[bytes]) -> Iterator[FileResult]:
    for result in results:
        contents.append(result.content)
        yield result


def _digest(contents: list[bytes]) -> str:
    return "sha256:" + hashlib.sha256(b"".join(sorted(contents))).hexdigest()


def _read(folder: Path, paths: Sequence[str], jobs: int) -> Iterator[FileResult]:
    if jobs > 1 and len(paths) > SHARE and can_fork():
        return read_with_processes(folder, paths, jobs)
    return map(Reader(folder).read, paths)


def _reported(results: Iterable[FileResult], total: int, progress: Progress | None) -> Iterable[FileResult]:
    if progress is None:
        return results
    return _with_progress(results, total, progress)


def _with_progress(results: Iterable[FileResult], total: int, progress: Progress) -> Iterator[FileResult]:
    for done, result in enumerate(results, 1):
        yield result
        if done % _STEP == 0 or done == total:
            progress(done, total)


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """No garbage collection of what is made meanwhile, now or later: records make large structures without cycles."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if enabled:
            gc.enable()
