"""Which folders a build may replace."""

import json
from collections.abc import Iterable
from pathlib import Path

from sitegen.publish.error import UnsafeOutputError

MARKER = "sitegen.json"
"""The file that says of a folder that it is a site of ours, and what is in it."""

_GENERATOR = "sitegen"
_REPOSITORY = (".git", ".hg", ".svn", ".jj")


def marker(version: str, files: int, size: int) -> bytes:
    """The marker of a site of that many files and bytes, made by that version."""
    says = {"generator": _GENERATOR, "version": version, "files": files, "bytes": size}
    return json.dumps(says, indent=1).encode() + b"\n"


def is_ours(folder: Path) -> bool:
    """Whether the folder holds a site that a build of ours made."""
    try:
        says = json.loads((folder / MARKER).read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(says, dict) and says.get("generator") == _GENERATOR


def safe_output(out: Path, inputs: Iterable[Path] = ()) -> Path:
    """The real path of an output folder that may be replaced: absent, empty, or ours, and clear of every input.

    Raises `UnsafeOutputError` for any other.
    """
    real = out.resolve()
    _not_a_place_of_its_own(out, real)
    for given in inputs:
        _clear_of(out, real, given)
    if not real.exists():
        return real
    if not real.is_dir():
        raise UnsafeOutputError(f"{out}: is a file, not a folder. Choose another with -o.")
    if any((real / name).exists() for name in _REPOSITORY):
        raise UnsafeOutputError(
            f"{out}: is the root of a repository, which a build would replace. Choose a folder in it with -o."
        )
    if real.is_mount():
        raise UnsafeOutputError(
            f"{out}: is where a file system is mounted, and cannot be replaced. Choose a folder in it with -o."
        )
    if any(real.iterdir()) and not is_ours(real):
        raise UnsafeOutputError(
            f"{out}: is not empty, and no {MARKER} in it says that sitegen made it. "
            "Empty it, or choose another folder with -o."
        )
    return real


def _not_a_place_of_its_own(out: Path, real: Path) -> None:
    if real.parent == real:
        raise UnsafeOutputError(f"{out}: is the root of the file system. Choose another folder with -o.")
    for place, name in ((Path.home(), "your home folder"), (Path.cwd(), "the folder that you are in")):
        if place.resolve().is_relative_to(real):
            raise UnsafeOutputError(
                f"{out}: is or holds {name}, which a build would replace. Choose another folder with -o."
            )


def _clear_of(out: Path, real: Path, given: Path) -> None:
    source = given.resolve()
    if source.is_relative_to(real):
        raise UnsafeOutputError(
            f"{out}: is or holds {given}, which the site is made from. Choose another folder with -o."
        )
    if source.is_dir() and real.is_relative_to(source):
        raise UnsafeOutputError(
            f"{out}: lies inside {given}, which the site is made from. Choose another folder with -o."
        )
