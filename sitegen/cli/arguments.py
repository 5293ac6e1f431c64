"""The commands and options, and what they say of themselves."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from sitegen import __version__
from sitegen.cli.diff_arguments import add_diff
from sitegen.cli.init_arguments import add_hosting
from sitegen.cli.verify_arguments import add_verify

RECORDS = Path("records")
OUT = Path("site")
CONFIG = Path("sitegen.toml")
FORMATS = ("text", "json", "github", "gitlab")

if TYPE_CHECKING:  # argparse's own classes take a type only in its stubs
    _Commands = argparse._SubParsersAction[argparse.ArgumentParser]


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line; `command` is None where none was given."""
    whole = argparse.ArgumentParser(
        prog="sitegen",
        description="Make a website from a folder of GPU kernel benchmark records.",
        epilog="Exit status: 0 when all is well, 1 for a problem in the input, 2 for wrong use, 130 when interrupted.",
        allow_abbrev=False,
    )
    whole.add_argument("--version", action="version", version=f"sitegen {__version__}")
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    _add_build(commands)
    _add_check(commands)
    _add_serve(commands)
    add_verify(commands, _add_config, _add_jobs)
    add_diff(commands, RECORDS, _add_jobs)
    _add_import(commands)
    add_hosting(commands, _add_base_url)
    commands.add_parser(
        "schema",
        help="print the JSON Schema of the record format",
        description="Print the JSON Schema of a benchmark record, for editors and other programs.",
        allow_abbrev=False,
    )
    return whole


def _add_build(commands: _Commands) -> None:
    build = commands.add_parser(
        "build",
        help="read the records and write the whole website",
        description=(
            "Read every record below a folder and write the whole website. The new site takes the place of the old "
            "one in one step, when it is complete. With an error in the records nothing is published, and the old "
            "site stays."
        ),
        allow_abbrev=False,
    )
    _add_records(build)
    build.add_argument(
        "-o",
        "--out",
        type=Path,
        default=OUT,
        metavar="OUT",
        help="folder to write the site to: absent, empty, or an earlier site of ours (default: %(default)s)",
    )
    build.add_argument(
        "--force",
        action="store_true",
        help="replace OUT with all that is in it, whatever that is; never a home, a repository, or what holds an input",
    )
    build.add_argument(
        "--keep-old",
        type=Path,
        metavar="FOLDER",
        help="move the site that was there to this free name on the same file system, instead of removing it",
    )
    _add_base_url(build)
    _add_config(build)
    which = build.add_mutually_exclusive_group()
    _add_strict(which)
    which.add_argument(
        "--skip-bad", action="store_true", help="leave out records with errors, list them, and publish the rest"
    )
    build.add_argument(
        "--precompress",
        type=_precompress,
        default=(),
        metavar="KINDS",
        help="write compressed copies beside text files, for servers that send them: gzip, br, or gzip,br",
    )
    _add_jobs(build)
    _add_format(build)


def _add_check(commands: _Commands) -> None:
    check = commands.add_parser(
        "check",
        help="read and judge the records, and write nothing",
        description=(
            "Read and judge every record below a folder, list what is wrong with them, and write nothing. With files, "
            "or with several folders, these alone are read."
        ),
        allow_abbrev=False,
    )
    check.add_argument(
        "records",
        type=Path,
        nargs="*",
        default=[RECORDS],
        metavar="RECORDS",
        help=f"folder of records, read with all its sub-folders, or files of records (default: {RECORDS})",
    )
    _add_config(check)
    _add_strict(check)
    _add_jobs(check)
    _add_format(check)


def _add_serve(commands: _Commands) -> None:
    serve = commands.add_parser(
        "serve",
        help="show the site on this machine, and every change of it",
        description=(
            "Show the site in a browser on this machine. Pages change as records, templates, static files and settings "
            "do. What is wrong with them stands over the page, and the site stays as it was until it is right."
        ),
        allow_abbrev=False,
    )
    _add_records(serve)
    serve.add_argument(
        "--port",
        type=_port,
        metavar="PORT",
        help="port to listen on, 0 for any that is free (default: 8000, or the next one that is free)",
    )
    serve.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="HOST",
        help="address to listen on; with another than this machine's own, others can see the site "
        "(default: %(default)s)",
    )
    serve.add_argument("--open", action="store_true", help="open the site in the browser")
    serve.add_argument(
        "--poll",
        action="store_true",
        help="look at the files again and again, where the system does not tell of changes",
    )
    _add_base_url(serve)
    _add_config(serve)
    _add_jobs(serve)


def _add_import(commands: _Commands) -> None:
    importing = commands.add_parser(
        "import",
        help="turn somebody else's table into records",
        description="Turn a table of benchmark results from another project into records in our format.",
        allow_abbrev=False,
    )
    tables = importing.add_subparsers(dest="table_of", metavar="SOURCE", title="sources", required=True)
    liger = tables.add_parser(
        "liger",
        help="the benchmark table of Liger-Kernel",
        description=(
            "Turn a Liger-Kernel benchmark table into records, one file a run, and the documents that they point at. "
            "Doing it again changes nothing."
        ),
        allow_abbrev=False,
    )
    liger.add_argument("table", type=Path, metavar="TABLE.csv", help="the table, as Liger-Kernel's scripts write it")
    liger.add_argument("--into", type=Path, required=True, metavar="RECORDS", help="folder to write the records to")


def _add_records(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "records",
        type=Path,
        nargs="?",
        default=RECORDS,
        metavar="RECORDS",
        help="folder of records, read with all its sub-folders; hidden files are left out (default: %(default)s)",
    )


def _add_base_url(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--base-url",
        type=_url,
        metavar="URL",
        help="where the site will be reached, such as https://example.org/kernels/; all links work without it",
    )


def _add_config(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help=f"settings: the site's title and address, and the baselines (default: {CONFIG}, if there is one)",
    )


def _add_strict(command: argparse._ActionsContainer) -> None:
    command.add_argument("--strict", action="store_true", help="count warnings as errors")


def _add_jobs(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "-j",
        "--jobs",
        type=_jobs,
        default=_processors(),
        metavar="N",
        help="how many processes to use (default: one for each processor, here %(default)s)",
    )


def _add_format(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--format",
        choices=FORMATS,
        default="text",
        help="how to list problems: lines to read, one JSON document, annotations for GitHub, or a code quality report "
        "for GitLab (default: %(default)s)",
    )


def _jobs(text: str) -> int:
    try:
        jobs = int(text)
    except ValueError:
        jobs = 0
    if not 1 <= jobs <= 1024:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of processes: give one from 1 to 1024")
    return jobs


def _port(text: str) -> int:
    try:
        port = int(text)
    except ValueError:
        port = -1
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: give a number from 0 to 65535")
    return port


def _url(text: str) -> str:
    from sitegen.settings import absolute_url  # noqa: PLC0415 - with it comes pydantic, which --help need not wait for

    try:
        return absolute_url(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is {error}") from None


def _precompress(text: str) -> tuple[str, ...]:
    from sitegen.publish.compress import KINDS, can_pack  # noqa: PLC0415 - only those who ask for copies wait for it

    asked = text.split(",")
    for kind in asked:
        if kind not in KINDS:
            raise argparse.ArgumentTypeError(f"{kind!r} is not a kind of compression: give {', '.join(KINDS)}, or both")
        if not can_pack(kind):
            raise argparse.ArgumentTypeError(f"{kind} needs the package brotli: pip install 'sitegen[brotli]'")
    return tuple(kind for kind in KINDS if kind in asked)


def _processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
