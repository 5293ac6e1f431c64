"""The command line: arguments in, lines and an exit status out."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from sitegen.cli.arguments import parser
from sitegen.cli.terminal import clear_line

__all__ = ["main"]

OK, PROBLEM, INTERRUPTED = 0, 1, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and give its exit status: 0, 1 for a problem in the input, 2 for wrong use, 130 for Ctrl-C.

    Wrong use raises `SystemExit`, as argparse does. What is not the user's doing raises what it raises: it is our bug.
    """
    # Python has no stream where one was closed before it began (>&-): what it would say goes nowhere.
    sys.stdout, sys.stderr = (stream or _nowhere() for stream in (sys.stdout, sys.stderr))
    for stream in (sys.stdout, sys.stderr):
        # A name or a title may hold what the terminal's encoding has no letter for: shown escaped, rather than refused.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr] # pytest's streams have it too
    try:
        status = _run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        clear_line(sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone. Python would complain again when it flushes at its own end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PROBLEM
    return status


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


def _run(arguments: Sequence[str] | None) -> int:
    given = parser().parse_args(arguments)
    if given.command is None:
        parser().print_help()
        return OK
    # Each command is imported when it is asked for, so that --help and a wrong option need not wait for the others.
    from sitegen.cli.commands import run  # noqa: PLC0415

    return run(given)
