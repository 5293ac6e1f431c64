"""The commands that make a push publish the site, and the hooks and going back that come with them."""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from sitegen.cli.terminal import complain, plain
from sitegen.hosting import (
    PROGRAM,
    Hook,
    HostFile,
    HostingError,
    Releases,
    Workflow,
    gate,
    github,
    gitlab,
    hooks,
    installed_from,
    path_in_repository,
    publish_push,
    updates,
    write_files,
)

OK, PROBLEM = 0, 1


def host(given: argparse.Namespace) -> int:
    """Run the command of hosting that was parsed, and give its exit status.

    A `PublishError` and an `OSError` are left to whoever calls.
    """
    command = {"init": _init, "hook": _hook, "rollback": _rollback}[given.command]
    try:
        return command(given)
    except HostingError as error:
        complain(str(error))
        return PROBLEM


def _init(given: argparse.Namespace) -> int:
    """Write the files for a host, and say what they are and what to do next."""
    if given.host == "hook":
        return _init_hook(given)
    asked = Workflow(path_in_repository(given.records), given.branch, given.install or installed_from())
    if not asked.install:
        raise HostingError(
            "This sitegen was not installed from a repository, so a workflow cannot tell where to get it. Say it with "
            '--install: what pip is to be given, such as "sitegen @ git+https://…@COMMIT", or the path of a wheel '
            "that the repository holds."
        )
    if given.host == "github":
        _write([github(asked, given.into)], force=given.force)
        _say('Next: choose "GitHub Actions" as the source of Pages in the repository\'s settings, and push the file.')
    else:
        _write([gitlab(asked, given.into)], force=given.force)
        _say("Next: push the file. For comments on merge requests, add the variable SITEGEN_TOKEN that it speaks of.")
    return OK


def _init_hook(given: argparse.Namespace) -> int:
    hook = Hook(given.branch, path_in_repository(given.records), given.site, given.base_url or "", given.keep)
    _write(hooks(given.repository, hook, with_gate=given.gate), force=given.force)
    site = plain(str(given.site))
    _say(f"Next: push to {plain(given.branch)}. The site will be in {site}, which a web server can serve as it is.")
    _say(f"To go back to the release before: sitegen rollback {site}")
    return OK


def _hook(given: argparse.Namespace) -> int:
    """Do what a hook of a repository is to do, in the folder and with the input that git gives it."""
    told = Hook(given.branch, given.records, given.site, given.base_url or "", given.keep)
    act = gate if given.name == "pre-receive" else publish_push
    # A ref's name need not be text: it is compared byte for byte, whatever the locale.
    push = updates(map(os.fsdecode, sys.stdin.buffer.readlines()))
    try:
        return act(told, Path.cwd(), push, tell=_tell, run=_run)
    except HostingError as error:
        _tell(str(error))
        return PROBLEM


def _rollback(given: argparse.Namespace) -> int:
    """Put an earlier release back, or list those that are kept."""
    releases = Releases(given.site)
    if given.list:
        current = releases.state().current
        listed = [*releases.kept(), *([current] if current else [])]
        for release in sorted(listed, key=lambda each: each.number):
            _say(f"{release.number:>5}  {release.commit[:12]}{'  published' if release == current else ''}")
        return OK
    if not releases.folder.is_dir():
        raise HostingError(f"{given.site}: has no releases. A hook keeps them, which sitegen init hook writes.")
    with releases.held(lambda: _say("A build is running; waiting for it.")):
        release = releases.go_back(given.release)
    _say(f"{plain(str(given.site))} is release {release.number} again, made from {release.commit[:12]}.")
    return OK


def _write(files: list[HostFile], *, force: bool) -> None:
    for line in write_files(files, force=force):
        _say(plain(line))


def _run(arguments: Sequence[str], folder: Path) -> int:
    """Run a command of ours, and tell each of its lines."""
    command = [*PROGRAM, *arguments]
    with subprocess.Popen(  # noqa: S603 - ourselves, without a shell
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        for line in process.stdout or ():
            _tell(line.decode(errors="backslashreplace").rstrip("\n"))
    return process.returncode


def _tell(line: str) -> None:
    """Tell whoever pushed. Where they have gone, what was begun goes on without them."""
    with suppress(BrokenPipeError):
        _say(f"sitegen: {plain(line)}")
        sys.stdout.flush()


def _say(line: str) -> None:
    print(line)  # noqa: T201 - the command line speaks
