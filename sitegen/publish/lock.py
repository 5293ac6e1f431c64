"""One build at a time for each output folder."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sitegen.publish.error import BuildInProgressError


@contextmanager
def locked(path: Path, out: Path) -> Iterator[None]:
    """Hold the lock file `path` for as long as the block runs, and remove it afterwards.

    The system frees the lock when its last holder dies, however it dies; worker processes hold it too. Raises
    `BuildInProgressError` where another build has it, and `OSError` where the file cannot be made.
    """
    if sys.platform == "win32":  # no flock: there, two builds meet where the second cannot make its folder
        yield
        return
    handle = _acquire(path, out)
    try:
        yield
    finally:
        # Removed while it is held, so that nobody can lock a file that has no name any more without noticing.
        path.unlink(missing_ok=True)
        os.close(handle)


if sys.platform != "win32":
    import fcntl

    def _acquire(path: Path, out: Path) -> int:
        while True:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if _still_named(path, handle):
                    return handle
            except BlockingIOError:
                os.close(handle)
                message = (
                    f"{out}: another build is writing this site. Wait for it to end, or choose another folder with -o."
                )
                raise BuildInProgressError(message) from None
            os.close(handle)


def _still_named(path: Path, handle: int) -> bool:
    """Whether the file that is locked is the one of that name: its last holder may just have removed it."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False
