"""What is asked of git: where a branch is, what a commit holds, and the files of it, as they were pushed.

Names of branches and files are bytes from strangers. They are handed to git as arguments of their own, after `--` or in
full (`refs/heads/…`), and never to a shell.
"""

import os
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sitegen.hosting.error import HostingError

NOWHERE = frozenset("0")
"""The digits of the object that stands for none: the old one of a new branch, the new one of a deleted branch."""

_FILE_MODES = (b"100644", b"100755", b"100664")


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a commit: its path, the blob with its content, and whether it is no link or submodule."""

    path: bytes
    blob: bytes
    plain: bool


def git(repository: Path, *arguments: str) -> bytes:
    """What git says when it is run in a repository. Raises `HostingError` with the first line of its complaint."""
    try:
        done = subprocess.run(["git", *arguments], cwd=repository, capture_output=True, check=False)  # noqa: S603, S607 - no shell; whoever pushes has git on the path
    except FileNotFoundError:
        raise HostingError(
            "git is not there, or the repository is not: install git, and give the folder of the repository."
        ) from None
    if done.returncode:
        said = done.stderr.decode(errors="backslashreplace").strip() or f"it ended with status {done.returncode}"
        raise HostingError(f"git {arguments[0]}: {said.splitlines()[0]}")
    return done.stdout


def tip(repository: Path, ref: str) -> str:
    """The commit that a ref names now, or "" where there is no such ref."""
    found = git(repository, "for-each-ref", "--format=%(refname) %(objectname)", "--", ref)
    for line in found.decode(errors="surrogateescape").splitlines():
        name, _, commit = line.rpartition(" ")
        if name == ref:
            return commit
    return ""


def objects(repository: Path, commit: str, paths: Sequence[str]) -> dict[str, str]:
    """The object at each of the paths that the commit has: the same object holds the same content."""
    listed = git(repository, "--literal-pathspecs", "ls-tree", "-z", "--full-tree", commit, "--", *map(_plain, paths))
    found = {}
    for line in filter(None, listed.split(b"\0")):
        about, _, path = line.partition(b"\t")
        found[os.fsdecode(path)] = about.split()[2].decode()
    if "." in paths:
        found["."] = git(repository, "rev-parse", "--verify", f"{commit}^{{tree}}").decode().strip()
    return found


def entries(repository: Path, commit: str, paths: Sequence[str]) -> list[Entry]:
    """The files of a commit at and below the paths."""
    chosen = [] if "." in paths else list(map(_plain, paths))
    listed = git(repository, "--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", commit, "--", *chosen)
    found = []
    for line in filter(None, listed.split(b"\0")):
        about, _, path = line.partition(b"\t")
        mode, _, name = about.split()[:3]
        found.append(Entry(path, name, mode in _FILE_MODES))
    return found


def check_out(repository: Path, files: Iterable[Entry], into: Path) -> None:
    """Write files of a commit below the folder `into`, byte for byte as they were pushed.

    Read from the objects themselves, so neither attributes nor settings of the repository have a say, and nothing but
    plain files is made. Raises `HostingError` for a path that leads out of the folder or cannot be written.
    """
    files = list(files)
    asked = into.with_name(f"{into.name}.objects")
    asked.write_bytes(b"".join(file.blob + b"\n" for file in files))
    command = ["git", "cat-file", "--batch"]
    with (
        asked.open("rb") as wanted,
        subprocess.Popen(command, cwd=repository, stdin=wanted, stdout=subprocess.PIPE) as process,  # noqa: S603 - as above
    ):
        if process.stdout is None:
            raise AssertionError("asked for as a pipe")
        made = {b""}
        for file in files:
            header = process.stdout.readline().split()
            if len(header) != 3:
                raise HostingError(f"{os.fsdecode(file.path)!r}: git does not have its content. Run git fsck there.")
            content = process.stdout.read(int(header[2]))
            process.stdout.read(1)
            _write(os.fsencode(into), file.path, content, made)


def _write(into: bytes, path: bytes, content: bytes, made: set[bytes]) -> None:
    parts = path.split(b"/")
    if any(part in (b"", b".", b"..") for part in parts):
        raise HostingError(f"{os.fsdecode(path)!r}: is no path of a file. Remove it from the commit.")
    folder = b"/".join(parts[:-1])
    try:
        if folder not in made:
            os.makedirs(into + b"/" + folder, exist_ok=True)  # noqa: PTH103 - a path of bytes, which need not be text
            made.add(folder)
        with open(into + b"/" + path, "xb") as out:  # noqa: PTH123 - as above
            out.write(content)
    except OSError as error:
        raise HostingError(f"{os.fsdecode(path)!r}: cannot be checked out: {error.strerror}.") from error


def _plain(path: str) -> str:
    """A path without a slash at its end, which git would take for a question about what is below it."""
    return path.rstrip("/")
