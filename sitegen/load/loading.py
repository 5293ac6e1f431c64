"""A folder of records, read whole: by this process, or by several at once."""

import gc
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, fields
from pathlib import Path
from typing import Any

from sitegen.load.files import find
from sitegen.load.merge import merge
from sitegen.load.model import Figure, Gpu, Loaded, Run
from sitegen.load.reading import FileResult, Reader

Progress = Callable[[int, int], None]


def load(folder: Path, *, jobs: int = 1, progress: Progress | None = None) -> Loaded:
    """Every record and document below `folder`, and everything that is wrong with them.

    `jobs` is how many processes read at once; where the system cannot fork, one does. `progress` is called now and then
    with how many files have been read, and of how many. Nothing is raised for what the folder or its files hold.
    """
    with collector_at_rest():
        found = find(folder)
        return merge(folder, read_all(folder, found.paths, progress=progress), found.problems)


def read_all(folder: Path, paths: Sequence[str], *, progress: Progress | None = None) -> Iterator[FileResult]:
    reader = Reader(folder)
    for path in paths:
        yield reader.read(path)


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """No garbage collection meanwhile, and none of what is made meanwhile afterwards.

    Records make large structures without cycles; walking them again and again costs several times their reading.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if enabled:
            gc.enable()
