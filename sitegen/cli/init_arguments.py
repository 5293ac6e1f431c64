"""The commands and options of hosting: what makes a push publish the site, and goes back to an earlier one."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # argparse's own classes take a type only in its stubs
    _Commands = argparse._SubParsersAction[argparse.ArgumentParser]

_Add = Callable[[argparse.ArgumentParser], None]


def add_hosting(commands: _Commands, add_base_url: _Add) -> None:
    """Add the commands to the others. `add_base_url` adds the option that other commands have too."""
    init = commands.add_parser(
        "init",
        help="write what publishes the site on every push: GitHub, GitLab, or your own server",
        description="Write the files with which a push to a repository of records publishes the site.",
        allow_abbrev=False,
    )
    hosts = init.add_subparsers(dest="host", metavar="HOST", title="hosts", required=True)
    _add_workflow(hosts, "github", "GitHub", ".github/workflows/site.yml")
    _add_workflow(hosts, "gitlab", "GitLab", ".gitlab-ci.yml")
    _add_init_hook(hosts, add_base_url)
    _add_hook(commands, add_base_url)
    _add_rollback(commands)


def _add_workflow(hosts: _Commands, host: str, name: str, file: str) -> None:
    workflow = hosts.add_parser(
        host,
        help=f"a workflow for {name}: {file}",
        description=(
            f"Write {file}, with which {name} checks the records that somebody would bring in, says what they change, "
            "and publishes the site from its branch."
        ),
        allow_abbrev=False,
    )
    workflow.add_argument(
        "--into",
        type=Path,
        default=Path(),
        metavar="FOLDER",
        help="root of the repository to write the file to (default: the current folder)",
    )
    workflow.add_argument(
        "--install",
        default="",
        metavar="REQUIREMENT",
        help='what pip is given to install sitegen, such as "sitegen @ git+https://…@COMMIT" '
        "(default: where this one was installed from, if that was a repository)",
    )
    _add_what_is_published(workflow)
    _add_force(workflow)


def _add_init_hook(hosts: _Commands, add_base_url: _Add) -> None:
    hook = hosts.add_parser(
        "hook",
        help="hooks for a bare repository on your own server",
        description=(
            "Write a post-receive hook that builds what is pushed to a branch and puts it in the place of the site, "
            "and keeps earlier sites to go back to with sitegen rollback."
        ),
        allow_abbrev=False,
    )
    hook.add_argument("repository", type=Path, metavar="BARE.git", help="the bare repository that people push to")
    hook.add_argument("--site", type=Path, required=True, metavar="DIR", help="folder that the site is published to")
    hook.add_argument(
        "--gate", action="store_true", help="also write a pre-receive hook, which refuses a push of wrong records"
    )
    _add_keep(hook)
    add_base_url(hook)
    _add_what_is_published(hook)
    _add_force(hook)


def _add_hook(commands: _Commands, add_base_url: _Add) -> None:
    # Without a help text it is not listed: a repository calls it, nobody else.
    hook = commands.add_parser(
        "hook",
        description="Do what a hook of a repository is to do, in its folder. The hooks of sitegen init call it.",
        allow_abbrev=False,
    )
    hook.add_argument("name", choices=("pre-receive", "post-receive"), help="the hook that calls")
    hook.add_argument("--site", type=Path, metavar="DIR", help="folder that the site is published to")
    _add_keep(hook)
    add_base_url(hook)
    _add_what_is_published(hook)


def _add_rollback(commands: _Commands) -> None:
    rollback = commands.add_parser(
        "rollback",
        help="go back to an earlier release of a site that a hook published",
        description=(
            "Put the release before the present one back in the place of a site, or the one of that number. The one "
            "that it replaces is kept, and stays so until a push changes what the site is made from."
        ),
        allow_abbrev=False,
    )
    rollback.add_argument("site", type=Path, metavar="DIR", help="folder that the site is published to")
    rollback.add_argument("release", type=int, nargs="?", metavar="RELEASE", help="number of the release")
    rollback.add_argument("--list", action="store_true", help="list the releases that are kept, and change nothing")


def _add_what_is_published(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--branch", default="main", metavar="NAME", help="branch that the site is made from (default: %(default)s)"
    )
    command.add_argument(
        "--records",
        default="records",
        metavar="RECORDS",
        help="folder of the records in the repository (default: %(default)s)",
    )


def _add_keep(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--keep",
        type=_count,
        default=5,
        metavar="N",
        help="how many earlier releases to keep (default: %(default)s)",
    )


def _add_force(command: argparse.ArgumentParser) -> None:
    command.add_argument("--force", action="store_true", help="replace files that are there and say something else")


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of releases: give one from 0 to 9999")
    return int(text)
