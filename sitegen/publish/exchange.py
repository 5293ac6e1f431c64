"""Putting a finished folder where another one stands, so that a reader finds the one or the other at every moment."""

import contextlib
import ctypes
import errno
import os
import shutil
from pathlib import Path

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_CANNOT = {errno.ENOSYS, errno.EINVAL, errno.EPERM}


def exchange(first: Path, second: Path) -> bool:
    """Swap two folders in one step, by Linux's renameat2(2); False where the system or the file system cannot.

    Raises `OSError` where it can and did not.
    """
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    if renameat2(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _RENAME_EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in _CANNOT:
        return False
    raise OSError(number, os.strerror(number), str(second))


def put_in_place(new: Path, out: Path, aside: Path, kept: Path | None = None) -> None:
    """Make `new` the folder at `out`, and move what stood there to `kept`, or remove it.

    `aside` and `kept` are free names on the same file system: where two folders cannot be swapped, the old one is moved
    to `aside` first, and `bring_back` undoes a death between the two steps. Raises `OSError`; `out` is then as it was.
    """
    if not out.exists():
        new.rename(out)
        return
    if exchange(new, out):
        _see_off(new, kept)
        return
    try:
        out.rename(aside)
        new.rename(out)
    except BaseException:
        bring_back(out, aside)
        raise
    _see_off(aside, kept)


def _see_off(old: Path, kept: Path | None) -> None:
    """Keep the site that was there under another name, or remove it.

    The new one is in its place already, so a refusal is no reason to stop: the old one then keeps the name that it has.
    """
    if kept is None:
        remove(old)
    else:
        with contextlib.suppress(OSError):
            old.rename(kept)


def bring_back(out: Path, aside: Path) -> None:
    """Put the old site back where a build died after moving it aside."""
    if aside.is_dir() and not aside.is_symlink() and not out.exists():
        aside.rename(out)


def remove(leftover: Path) -> None:
    """Remove a folder that nobody needs, as far as that can be done: the next build tries again."""
    if leftover.is_symlink() or leftover.is_file():
        with contextlib.suppress(OSError):
            leftover.unlink()
    else:
        shutil.rmtree(leftover, ignore_errors=True)
