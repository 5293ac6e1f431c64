"""Sharing work out over copies of this process, which have the catalogue without being sent it."""

import ctypes
import gc
import multiprocessing
import os
import pickle
import signal
import struct
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, NoReturn, TypeVar

from sitegen.publish.error import BrokenProcessError

Told = TypeVar("Told")

Share = tuple[int, int]
"""From which item to before which: `items[first:last]`."""

_MOST_SHARES = 4000  # their numbers, of 4 bytes each, must fit into a pipe that nobody reads yet
_LARGEST_SHARE = 64
_NUMBER = struct.Struct("=I")
_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class _Failure:
    """What a worker sends before it gives up: its error, pickled, and the error's traceback as text."""

    pickled: bytes
    text: str


class _ElsewhereError(Exception):
    """Never raised: the cause that shows where in a worker an error came from."""

    def __str__(self) -> str:
        return f"in a worker process:\n\n{self.args[0]}"


def can_fork() -> bool:
    """Whether this system can copy a process."""
    return "fork" in multiprocessing.get_all_start_methods()


def shares(count: int, jobs: int) -> list[Share]:
    """`count` items cut into shares, small enough that no worker is left alone with the last of them."""
    size = max(1, min(_LARGEST_SHARE, count // (jobs * 8)), -(-count // _MOST_SHARES))
    return [(first, min(first + size, count)) for first in range(0, count, size)]


def share_out(work: Callable[[Share], Told], parts: Sequence[Share], jobs: int, told: Callable[[Told], None]) -> None:
    """Do `work` on each of `parts` in this process and `jobs` - 1 copies of it, and hand what it gives to `told` here.

    Whoever is free takes the next part. This process works too, rather than wait: a copy that has touched what it was
    given takes as much memory. Raises what `work` raised, from a copy with its traceback as the cause, and
    `BrokenProcessError` where a copy was killed. Every copy has ended when this returns or raises. To be called while
    this process has one thread.
    """
    queue = _filled(len(parts))
    workers: dict[Connection, BaseProcess] = {}
    context = multiprocessing.get_context("fork")
    with _frozen():
        try:
            for _ in range(jobs - 1):
                ours, theirs = context.Pipe(duplex=False)
                worker = context.Process(
                    target=_worker, args=(work, parts, queue, theirs, (*workers, ours)), daemon=True
                )
                with _interrupts_held():
                    worker.start()
                    workers[ours] = worker
                theirs.close()
            listening = dict(workers)
            for part in _taken(parts, queue):
                told(work(part))
                _collect(listening, told, wait_s=0)
            while listening:
                _collect(listening, told, wait_s=None)
        finally:
            os.close(queue)
            _end(workers)


def _filled(count: int) -> int:
    """A pipe that holds the number of each part and then ends: reading four bytes takes the next one."""
    queue, feed = os.pipe()
    os.write(feed, b"".join(map(_NUMBER.pack, range(count))))
    os.close(feed)
    return queue


def _taken(parts: Sequence[Share], queue: int) -> Iterator[Share]:
    """The parts that this process takes from the queue, one at a time until there are none."""
    while number := os.read(queue, _NUMBER.size):
        yield parts[_NUMBER.unpack(number)[0]]


def _worker(
    work: Callable[[Share], object],
    parts: Sequence[Share],
    queue: int,
    tell: Connection,
    inherited: Sequence[Connection],
) -> None:
    """Run in the copy: take parts until there are none, and say what came of each."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asked has it too, and ends its workers
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    _end_with_parent()
    for connection in inherited:  # else this copy would keep the pipes of a dead parent open, and never notice
        connection.close()
    with suppress(BrokenPipeError):  # nobody is there to listen: end quietly
        for part in _taken(parts, queue):
            try:
                told = work(part)
            except Exception as error:  # noqa: BLE001 - raised again by the process that asked
                tell.send(_failure(error))
                return
            tell.send(told)


def _end_with_parent() -> None:
    """Be killed when the process that asked is, where the system can do that: it then holds the lock no longer."""
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        parent = multiprocessing.parent_process()
        if parent is not None and os.getppid() != parent.pid:  # it died before that
            os._exit(1)


def _failure(error: Exception) -> _Failure:
    text = "".join(traceback.format_exception(error))
    try:
        pickled = pickle.dumps(error)
        pickle.loads(pickled)  # noqa: S301 - our own bytes, to see whether they can be read on the other side
    except Exception:  # noqa: BLE001 - an exception may fail to be copied in any way
        pickled = pickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"))
    return _Failure(pickled, text)


def _collect(listening: dict[Connection, BaseProcess], told: Callable[[Any], None], wait_s: float | None) -> None:
    """Hear what the copies say, waiting so long for the first of it, and forget those that have ended."""
    ready = wait(list(listening), wait_s)
    for connection in [each for each in listening if each in ready]:
        try:
            message = connection.recv()
        except (EOFError, OSError):  # at its end, or cut off within a message
            _see_off(listening.pop(connection))
            continue
        if isinstance(message, _Failure):
            _raise(message)
        told(message)


def _see_off(worker: BaseProcess) -> None:
    worker.join()
    code = worker.exitcode or 0
    if code < 0:
        name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
        raise BrokenProcessError(
            f"a worker process was killed ({name}), perhaps because memory ran out. Try again with fewer workers: -j 1."
        )
    if code > 0:
        raise BrokenProcessError(f"a worker process ended with status {code} and said nothing. Try again with -j 1.")


def _raise(failure: _Failure) -> NoReturn:
    error = pickle.loads(failure.pickled)  # noqa: S301 - from our own copy, by a pipe that nobody else has
    raise error from _ElsewhereError(failure.text)


def _end(workers: dict[Connection, BaseProcess]) -> None:
    for connection, worker in workers.items():
        connection.close()
        worker.terminate()
    for worker in workers.values():
        worker.join()


@contextmanager
def _frozen() -> Iterator[None]:
    """Keep the collector away from all that exists: it would touch, and so copy, every page that processes share."""
    already = gc.get_freeze_count()
    gc.freeze()
    try:
        yield
    finally:
        if not already:
            gc.unfreeze()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back while a worker starts: none is half made then, and none has our own answer to it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
