"""Which folders a build may replace."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from sitegen.publish.error import UnsafeOutputError
from sitegen.publish.manifest import MARKER, is_ours

_REPOSITORY = (".git", ".hg", ".svn", ".jj")
_BARE_REPOSITORY = ("HEAD", "objects", "refs")
_FIRST_PERSON = 1000  # lower numbers are services, but for 0


def safe_output(out: Path, inputs: Iterable[Path] = (), *, force: bool = False) -> Path:
    """The real path of an output folder that may be replaced: absent, empty, or ours, and clear of every input.

    With `force`, what is in it is no hindrance, as long as no repository and no other file system is. Raises
    `UnsafeOutputError` for any other.
    """
    real = _resolved(out)
    _not_a_place_of_its_own(out, real)
    for given in inputs:
        _clear_of(out, real, given)
    if not real.exists():
        _below_a_folder(out, real)
        return real
    if not real.is_dir():
        raise UnsafeOutputError(f"{out}: is a file, not a folder. Choose another with -o.")
    if _is_repository(real):
        raise UnsafeOutputError(
            f"{out}: is the root of a repository, which a build would replace. Choose a folder in it with -o."
        )
    if real.is_mount():
        raise UnsafeOutputError(
            f"{out}: is where a file system is mounted, and cannot be replaced. Choose a folder in it with -o."
        )
    if any(real.iterdir()) and not is_ours(real):
        if not force:
            raise UnsafeOutputError(
                f"{out}: is not empty, and no {MARKER} in it says that sitegen made it. "
                "Empty it, choose another folder with -o, or replace all that is in it with --force."
            )
        _not_too_much(out, real)
    return real


def _resolved(out: Path) -> Path:
    try:
        real = out.resolve()
        round_to_itself = real.is_symlink()
    except RuntimeError:  # what Python says of it before 3.13
        round_to_itself = True
    if round_to_itself:
        raise UnsafeOutputError(f"{out}: is a link that leads round to itself. Remove it, or choose another with -o.")
    return real


def _below_a_folder(out: Path, real: Path) -> None:
    above = next(folder for folder in real.parents if folder.exists())
    if not above.is_dir():
        raise UnsafeOutputError(f"{out}: lies below {above}, which is a file. Choose another folder with -o.")


def _not_a_place_of_its_own(out: Path, real: Path) -> None:
    if real.parent == real:
        raise UnsafeOutputError(f"{out}: is the root of the file system. Choose another folder with -o.")
    for place, name in _places():
        if place.resolve().is_relative_to(real):
            raise UnsafeOutputError(
                f"{out}: is or holds {name}, which a build would replace. Choose another folder with -o."
            )


def _places() -> Iterator[tuple[Path, str]]:
    with suppress(RuntimeError):  # a user without one
        yield Path.home(), "your home folder"
    yield Path.cwd(), "the folder that you are in"
    for home in _homes():
        yield home, "a home folder"


def _homes() -> Iterator[Path]:
    """The home folders of people, and of the superuser."""
    try:
        import pwd  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    for person in pwd.getpwall():
        home = Path(person.pw_dir)
        if (person.pw_uid == 0 or person.pw_uid >= _FIRST_PERSON) and home != Path(home.anchor) and home.is_dir():
            yield home


def _is_repository(folder: Path) -> bool:
    return any((folder / name).exists() for name in _REPOSITORY) or all(
        (folder / name).exists() for name in _BARE_REPOSITORY
    )


def _not_too_much(out: Path, real: Path) -> None:
    """Refuse a folder that holds more than anybody means to replace by a site."""
    if real.parent == Path(real.anchor):
        raise UnsafeOutputError(
            f"{out}: lies directly below the root of the file system, as the system's own folders do. "
            "Empty it, or choose another folder with -o."
        )
    device = real.stat().st_dev
    for place, _, _ in os.walk(real):
        folder = Path(place)
        if _is_repository(folder):
            raise UnsafeOutputError(
                f"{out}: holds a repository, {folder}, which a build would remove. Choose another folder with -o."
            )
        if folder.stat().st_dev != device:
            raise UnsafeOutputError(
                f"{out}: holds another file system, {folder}, which a build would empty. Choose another folder with -o."
            )


def _clear_of(out: Path, real: Path, given: Path) -> None:
    try:
        source = given.resolve()
    except RuntimeError:  # a link that leads round to itself holds nothing
        return
    if source.is_relative_to(real):
        raise UnsafeOutputError(
            f"{out}: is or holds {given}, which the site is made from. Choose another folder with -o."
        )
    if source.is_dir() and real.is_relative_to(source):
        raise UnsafeOutputError(
            f"{out}: lies inside {given}, which the site is made from. Choose another folder with -o."
        )
