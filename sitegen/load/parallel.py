"""Files read by several processes at once, each of them a share at a time."""

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from operator import attrgetter
from pathlib import Path
from sys import intern
from typing import Any, Final

from sitegen.load.model import Figure, Gpu, Run
from sitegen.load.reading import FileResult, Reader

SHARE: Final = 256
"""How many files a process reads before it hands over what it found."""

_Packed = tuple[Any, ...]
_run_fields = attrgetter(*Run.__match_args__)
_figure_fields = attrgetter(*Figure.__match_args__)
_result_fields = attrgetter(*FileResult.__match_args__)
_RUN: Final = FileResult.__match_args__.index("run")
_GPU: Final = Run.__match_args__.index("gpu")
_FIGURE: Final = Run.__match_args__.index("figure")


def can_fork() -> bool:
    """Whether this system can start a process as a copy of this one."""
    return "fork" in multiprocessing.get_all_start_methods()


def read_with_processes(folder: Path, paths: Sequence[str], jobs: int) -> Iterator[FileResult]:
    """What the files at `paths` below `folder` hold, in that order, read by `jobs` processes.

    If a process is killed or cannot be started, this one reads what is left.
    """
    shares = [paths[start : start + SHARE] for start in range(0, len(paths), SHARE)]
    unpack = _Unpacker()
    done = 0
    executor = ProcessPoolExecutor(jobs, multiprocessing.get_context("fork"), _start, (folder,))
    try:
        for packed in executor.map(_read_share, shares):
            yield from map(unpack.result, packed)
            done += 1
    except (BrokenProcessPool, OSError):
        reader = Reader(folder)
        for share in shares[done:]:
            yield from map(reader.read, share)
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


class _Process:
    """What a reading process has; it is set once, when the process starts."""

    reader: Reader


def _start(folder: Path) -> None:
    # Ctrl-C reaches every process; the first one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _Process.reader = Reader(folder)


def _read_share(paths: Sequence[str]) -> list[_Packed]:
    return [_pack(_Process.reader.read(path)) for path in paths]


def _pack(result: FileResult) -> _Packed:
    """A result as plain tuples, which are sent in a fraction of the time that frozen objects take."""
    packed = list(_result_fields(result))
    if result.run is not None:
        run = list(_run_fields(result.run))
        run[_FIGURE] = result.run.figure and _figure_fields(result.run.figure)
        packed[_RUN] = run
    return tuple(packed)


class _Unpacker:
    """Makes results of tuples again, with one object for each text and GPU that many of them share."""

    def __init__(self) -> None:
        self._gpus: dict[Gpu, Gpu] = {}

    def result(self, packed: _Packed) -> FileResult:
        run = packed[_RUN]
        parts: list[Any] = [*packed]
        parts[_RUN] = run and self._run(run)
        return FileResult(*parts)

    def _run(self, packed: list[Any]) -> Run:
        figure = packed[_FIGURE]
        if figure is not None:
            metric, statistic, unit, value, low, high, spread = figure
            packed[_FIGURE] = Figure(intern(metric), intern(statistic), intern(unit), value, low, high, intern(spread))
        packed[_GPU] = self._gpus.setdefault(packed[_GPU], packed[_GPU])
        fields: list[Any] = [intern(value) if type(value) is str else value for value in packed]
        return Run(*fields)
