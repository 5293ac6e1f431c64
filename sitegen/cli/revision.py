"""Records as a revision of the git repository has them, without touching the work tree."""

import os
import posixpath
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from sitegen.load.files import as_typed
from sitegen.problem import Problem, Severity

_FILES: Final = frozenset({b"100644", b"100755"})
_LINK: Final = b"120000"


class RevisionError(Exception):
    """The revision cannot be read. Its text is one line for the user."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A revision: `name` with its commit as a reader names it, and the tree of its records, "" where it has none."""

    name: str
    tree: str


def find_revision(name: str, records: Path) -> Revision:
    """The revision that `name` leads to in the repository that the current folder lies in.

    `records` is the folder of the records. Raises `RevisionError` where there is no such revision or no repository.
    """
    inside = _inside(name, records)
    if name.startswith("-") or not (tree := _asked("rev-parse", "--verify", "--quiet", f"{name}^{{tree}}")):
        raise RevisionError(f"{name}: no such folder, and no such revision of the repository. Fetch it, or correct it.")
    commit = _asked("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    shown = f"{name} ({commit[:12]})" if commit and not commit.startswith(name) else name[:12] if commit else name
    if inside:
        tree = _asked("rev-parse", "--verify", "--quiet", f"{tree}:{inside}")
    return Revision(shown, tree)


def write_revision(revision: Revision, into: Path) -> tuple[Problem, ...]:
    """Write the JSON files of a revision's records below a folder, byte for byte, and say what is left out.

    Raises `RevisionError` where git cannot give them.
    """
    if not revision.tree:
        return ()
    files: list[tuple[str, str]] = []
    problems = []
    for mode, blob, path in _listed(revision.tree):
        if mode in _FILES and path.endswith(".json"):
            files.append((blob, path))
        elif mode not in _FILES:
            problems.append(_left_out(into, path, is_link=mode == _LINK))
    for (_, path), content in zip(files, _contents([blob for blob, _ in files]), strict=True):
        file = into / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return tuple(problems)


def _left_out(into: Path, path: str, *, is_link: bool) -> Problem:
    what = "a link" if is_link else "a repository of its own"
    message = f"This is {what}, which is not followed in a revision."
    hint = "Compare two folders where what it leads to matters."
    return Problem(Severity.WARNING, "not-followed", as_typed(into, path), "", message, hint)


def _inside(name: str, records: Path) -> str:
    """The folder of the records as a path from the top of the repository, "" for the top itself."""
    found = _run(("rev-parse", "--git-dir"))
    if found.returncode:
        raise RevisionError(f"{name}: no such folder, and no revision can be looked for: git says {_complaint(found)}")
    top = _asked("rev-parse", "--show-toplevel")  # which a bare repository has none of
    base = _asked("rev-parse", "--show-prefix")
    path = os.path.relpath(records, top) if records.is_absolute() and top else base + records.as_posix()
    inside = posixpath.normpath(path)
    if inside == ".." or inside.startswith(("../", "/")):
        raise RevisionError(f"{records}: lies outside the repository. Give its folder of records with --records.")
    return "" if inside == "." else inside


def _listed(tree: str) -> Iterator[tuple[bytes, str, str]]:
    """Mode, object and path of everything below a tree that is not hidden."""
    for entry in _git("ls-tree", "-r", "-z", "--full-tree", tree).split(b"\0")[:-1]:
        about, _, path = entry.partition(b"\t")
        mode, _, blob = about.split(b" ")
        name = os.fsdecode(path)
        # A name such as ".." is none that git would check out, and is hidden like all that begins with a point.
        if not any(part.startswith(".") or not part for part in name.split("/")):
            yield mode, blob.decode(), name


def _contents(blobs: Sequence[str]) -> Iterator[bytes]:
    """The content of each object, in their order, of one process for all of them."""
    with tempfile.TemporaryFile() as asked:
        asked.write("".join(f"{blob}\n" for blob in blobs).encode())
        asked.seek(0)
        with subprocess.Popen(
            ["git", "cat-file", "--batch"],  # noqa: S607 - the git that the user has
            stdin=asked,
            stdout=subprocess.PIPE,
            env=_environment(),
        ) as process:
            if process.stdout is not None:
                for blob in blobs:
                    yield _content(process.stdout, blob)


def _content(stream: IO[bytes], blob: str) -> bytes:
    head = stream.readline().split()
    if len(head) != 3 or head[1] != b"blob":
        raise RevisionError(f"git cannot give the file {blob} of the revision. Fetch the history whole.")
    content = stream.read(int(head[2]) + 1)
    return content[:-1]


def _asked(*arguments: str) -> str:
    """The one line that git answers, "" where it refuses."""
    done = _run(arguments)
    return os.fsdecode(done.stdout).removesuffix("\n") if done.returncode == 0 else ""


def _git(*arguments: str) -> bytes:
    done = _run(arguments)
    if done.returncode:
        raise RevisionError(f"git {arguments[0]}: {_complaint(done)}")
    return done.stdout


def _complaint(done: "subprocess.CompletedProcess[bytes]") -> str:
    """The first line of what git says is wrong: advice follows it."""
    said = done.stderr.decode(errors="replace").strip().splitlines()
    return said[0] if said else f"nothing, and ended with status {done.returncode}"


def _run(arguments: Sequence[str]) -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run(  # noqa: S603 - a list of words, of which those of the user follow ours
            ["git", *arguments],  # noqa: S607 - the git that the user has
            capture_output=True,
            check=False,
            env=_environment(),
        )
    except FileNotFoundError:
        raise RevisionError("git is not installed: it reads the revisions. Install it, or give two folders.") from None


def _environment() -> dict[str, str]:
    return {**os.environ, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
