"""Files that are written for a host: never over somebody's own work, unless that is asked for."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sitegen.hosting.error import HostingError


@dataclass(frozen=True, slots=True)
class HostFile:
    """A file to write: where, with what in it, and whether it is a program."""

    path: Path
    content: str
    program: bool = False


def write_files(files: Iterable[HostFile], *, force: bool) -> list[str]:
    """Write the files, and say of each in one line what became of it.

    A file that says something else already is left alone: `HostingError` is raised, and none is written, unless
    `force`. Raises `HostingError` too where the file system refuses.
    """
    files = list(files)
    found = [_found(file.path) for file in files]
    for file, there in zip(files, found, strict=True):
        if there is not None and there != file.content.encode() and not force:
            raise HostingError(
                f"{file.path}: is there already and says something else. "
                "Move it away, or replace it by giving --force as well."
            )
    return [_write(file, there) for file, there in zip(files, found, strict=True)]


def _found(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise HostingError(f"{path}: cannot be read: {error.strerror}. Move it away.") from error


def _write(file: HostFile, there: bytes | None) -> str:
    content = file.content.encode()
    try:
        if there != content:
            file.path.parent.mkdir(parents=True, exist_ok=True)
            new = file.path.with_name(f".{file.path.name}.new")
            new.write_bytes(content)
            new.chmod(0o755 if file.program else 0o644)
            new.replace(file.path)
        elif file.program:
            file.path.chmod(0o755)
    except OSError as error:
        raise HostingError(f"{file.path}: cannot be written: {error.strerror}.") from error
    if there == content:
        return f"{file.path} says so already."
    return f"Wrote {file.path}." if there is None else f"Wrote {file.path} in place of another."
