"""Writing the files of pages into a new folder, beside the site that they will replace."""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sitegen.publish.error import WriteError
from sitegen.publish.listing import Lister
from sitegen.publish.model import Content

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_OLD = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)
_FILE_MODE = 0o644
_PART = 1 << 20


class Writer(Lister):
    """Writes pages below `new`; a file that `old` holds with the same bytes is shared with it, and so keeps its time.

    A shared file is one more name of the old one, so both folders are whole at every moment. `out` is the name that the
    user knows the folder by, for messages; `old` is None where there is no old site. The caller has set a umask that
    leaves 0644 and 0755 as they are. Copies of the kinds `precompress` are written beside text files.
    """

    def __init__(self, new: Path, old: Path | None, out: Path, precompress: Sequence[str] = ()) -> None:
        super().__init__(precompress)
        self._new = str(new)
        self._old = None if old is None else str(old)
        self._out = out
        self._folders = {""}

    def write(self, address: str, content: Content) -> None:
        """Write one file, given whole or in parts.

        Raises `WriteError` where the file system refuses, `ValueError` for an address that leads out of the folder, and
        `FileExistsError` for one that is written already: neither can come of a `Site`.
        """
        folder, _, name = address.rpartition("/")
        if folder not in self._folders:
            self._make(folder)
        if address[:1] in ("", "/") or name in ("", ".", "..") or "\\" in name or "\0" in name:
            raise ValueError(f"not the address of a file: {address!r}")
        super().write(address, content)

    def _whole(self, address: str, content: bytes) -> None:
        with self._refusals(address):
            if self._old is not None and self._share(address, content):
                self.unchanged += 1
            else:
                _write(f"{self._new}/{address}", content)

    def _parts(self, address: str, parts: Iterable[bytes]) -> None:
        """Write a file that is never whole in memory, and only then see whether the old one holds the same."""
        with self._refusals(address):
            handle = os.open(f"{self._new}/{address}", _NEW, _FILE_MODE)
        with open(handle, "wb") as file:  # noqa: PTH123 - a descriptor, not a path
            for part in parts:  # what making a part raises is no refusal of the file system
                with self._refusals(address):
                    file.write(part)
            with self._refusals(address):
                file.flush()
        if self._old is not None and _same(f"{self._old}/{address}", f"{self._new}/{address}"):
            with self._refusals(address):
                os.utime(f"{self._new}/{address}", ns=_times(f"{self._old}/{address}"))
            self.unchanged += 1

    @contextmanager
    def _refusals(self, address: str) -> Iterator[None]:
        """Turn a refusal of the file system into the line that the user reads."""
        try:
            yield
        except FileExistsError:
            raise FileExistsError(f"two pages at one address: {address}") from None
        except OSError as error:
            raise refused(self._out, address, error) from error

    def _make(self, folder: str) -> None:
        parts = folder.split("/")
        if any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts):
            raise ValueError(f"not the address of a folder: {folder!r}")
        with self._refusals(folder):
            Path(self._new, folder).mkdir(parents=True, exist_ok=True)
        self._folders.update("/".join(parts[:count]) for count in range(1, len(parts) + 1))

    def _share(self, address: str, content: bytes) -> bool:
        """Give the old file a second name in the new folder, where it holds the same bytes."""
        old = f"{self._old}/{address}"
        if not _holds(old, content):
            return False
        try:
            os.link(old, f"{self._new}/{address}")
        except FileExistsError:
            raise
        except OSError:  # a file system without links, or a file with too many: the copy is given the old one's time
            _write(f"{self._new}/{address}", content)
            os.utime(f"{self._new}/{address}", ns=_times(old))
        return True


def refused(out: Path, address: str, error: OSError) -> WriteError:
    """The error for a file of the site that the file system refused."""
    return WriteError(
        f"{out / address}: cannot be written: {error.strerror or error}. The site that was there is untouched."
    )


def _holds(path: str, content: bytes) -> bool:
    """Whether a plain file of the right mode holds exactly `content`."""
    handle = _open_plain(path, len(content))
    if handle is None:
        return False
    try:
        # One byte more than is expected, so that a file that is growing is not taken for the same.
        return os.read(handle, len(content) + 1) == content
    except OSError:
        return False
    finally:
        os.close(handle)


def _same(old: str, new: str) -> bool:
    """Whether `old` is a plain file of the right mode that holds what the file `new` does."""
    handle = _open_plain(old, Path(new).stat().st_size)
    if handle is None:
        return False
    with open(handle, "rb") as one, Path(new).open("rb") as other:  # noqa: PTH123 - a descriptor, not a path
        while part := one.read(_PART):
            if other.read(_PART) != part:
                return False
    return True


def _open_plain(path: str, size: int) -> int | None:
    """A plain file of that size and of the right mode, opened to be read; None for anything else."""
    try:
        handle = os.open(path, _OLD)
    except OSError:
        return None
    status = os.fstat(handle)
    right_mode = os.name != "posix" or stat.S_IMODE(status.st_mode) == _FILE_MODE
    if status.st_size == size and stat.S_ISREG(status.st_mode) and right_mode:
        return handle
    os.close(handle)
    return None


def _times(path: str) -> tuple[int, int]:
    """When the file was last read and written, in nanoseconds."""
    status = Path(path).stat()
    return status.st_atime_ns, status.st_mtime_ns


def _write(path: str, content: bytes) -> None:
    handle = os.open(path, _NEW, _FILE_MODE)
    try:
        written = os.write(handle, content)
        while written < len(content):
            written += os.write(handle, memoryview(content)[written:])
    finally:
        os.close(handle)
