"""The hooks of a repository on one's own server: small scripts that call this program with what it was told."""

import shlex
import sys
from pathlib import Path

from sitegen.hosting.error import HostingError
from sitegen.hosting.files import HostFile
from sitegen.hosting.git import git
from sitegen.hosting.receive import Hook
from sitegen.publish import safe_output
from sitegen.render import template_folder

PROGRAM = (sys.executable, "-P", "-m", "sitegen")
"""This program, run by the interpreter that runs it now, which does not look for modules in the current folder."""


def hooks(repository: Path, hook: Hook, *, with_gate: bool) -> list[HostFile]:
    """The hooks for a bare repository. `hook.site` must be given.

    Raises `HostingError` where it is no bare repository or the branch's name is none, and `PublishError` where the
    site's folder may not be replaced.
    """
    if hook.site is None:
        raise AssertionError("a hook without a site")
    if not repository.is_dir() or git(repository, "rev-parse", "--is-bare-repository").strip() != b"true":
        raise HostingError(
            f"{repository}: is no bare repository. Make one with git init --bare, and let people push to it."
        )
    try:
        git(repository, "check-ref-format", hook.ref)
    except HostingError:
        raise HostingError(f"{hook.branch!r}: is no name of a branch. Give one with --branch.") from None
    safe_output(hook.site, [repository])
    folder = repository / git(repository, "rev-parse", "--git-path", "hooks").decode().rstrip("\n")
    told = ["--branch", hook.branch, "--records", hook.records]
    site = ["--site", str(hook.site.resolve()), "--keep", str(hook.keep)]
    base_url = ["--base-url", hook.base_url] if hook.base_url else []
    files = [_hook(folder, "post-receive", [*told, *site, *base_url])]
    if with_gate:
        files.append(_hook(folder, "pre-receive", told))
    return files


def _hook(folder: Path, name: str, told: list[str]) -> HostFile:
    # `--branch=-x` is an option with its value, where `--branch -x` would be two options.
    pairs = [f"{option}={value}" for option, value in zip(told[::2], told[1::2], strict=True)]
    command = shlex.join([*PROGRAM, "hook", name, *pairs])
    text = (template_folder("templates") / "hosting" / f"{name}.sh").read_text(encoding="utf-8")
    return HostFile(folder / name, text.replace("<<command>>", command), program=True)
