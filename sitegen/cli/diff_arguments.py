"""The command that compares two sets of records, and its options."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # argparse's own classes take a type only in its stubs
    _Commands = argparse._SubParsersAction[argparse.ArgumentParser]

_Add = Callable[[argparse.ArgumentParser], None]

FORMATS = ("text", "markdown", "json", "html")
KINDS = ("regression", "removed", "altered", "leader", "tie", "problem")


def add_diff(commands: _Commands, records: Path, add_jobs: _Add) -> None:
    """Add the command to the others. `records` is the folder if none is named; `add_jobs` adds what others have too."""
    diff = commands.add_parser(
        "diff",
        help="say what changes between two sets of records",
        description=(
            "Say what changes in the catalogue between two sets of records, each a folder, or a revision of the git "
            "repository that the current folder lies in: runs and groups that came or went, changes of leader, ties, "
            "regressions. The work tree is not touched. A name that is a folder is taken as the folder."
        ),
        allow_abbrev=False,
    )
    diff.add_argument("old", metavar="OLD", help="the records before: a folder, or a revision such as main")
    diff.add_argument("new", metavar="NEW", help="the records after: a folder, or a revision such as HEAD")
    diff.add_argument(
        "--records",
        type=Path,
        default=records,
        metavar="RECORDS",
        help="where the records lie in a revision (default: %(default)s)",
    )
    diff.add_argument(
        "--format",
        choices=FORMATS,
        default="text",
        help="lines to read, Markdown for a comment, one JSON document with everything, or one HTML page "
        "(default: %(default)s)",
    )
    diff.add_argument(
        "--fail-on",
        type=_kinds,
        default=(),
        metavar="KINDS",
        help=f"end with status 1 where any of these happened, with commas between: {', '.join(KINDS)}",
    )
    diff.add_argument("-o", "--out", type=Path, metavar="FILE", help="file to write to (default: the terminal)")
    add_jobs(diff)


def _kinds(text: str) -> tuple[str, ...]:
    asked = {word.strip() for word in text.split(",")}
    if unknown := sorted(asked - set(KINDS)):
        raise argparse.ArgumentTypeError(f"{unknown[0]!r} is not one of {', '.join(KINDS)}")
    return tuple(kind for kind in KINDS if kind in asked)
