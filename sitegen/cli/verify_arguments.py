"""The options of `sitegen verify`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # argparse's own classes take a type only in its stubs
    import argparse
    from collections.abc import Callable

    _Commands = argparse._SubParsersAction[argparse.ArgumentParser]


def add_verify(commands: _Commands, *shared: Callable[[argparse.ArgumentParser], None]) -> None:
    """Add the command to the others; `shared` add the options that other commands have too."""
    verify = commands.add_parser(
        "verify",
        help="say whether a published site is whole, and what some records make",
        description=(
            "Read every file of a published site and say which are missing, altered or extra, by its own manifest. "
            "With records, also say whether it is the site that they make."
        ),
        allow_abbrev=False,
    )
    verify.add_argument("site", type=Path, metavar="SITE", help="folder of the site")
    verify.add_argument(
        "--records", type=Path, metavar="RECORDS", help="folder of records whose site to compare with the published one"
    )
    for add in shared:
        add(verify)
    verify.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="how to list what differs: lines to read, or one JSON document (default: %(default)s)",
    )
