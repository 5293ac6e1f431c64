"""Workflows for hosts that build the site themselves: GitHub and GitLab."""

import json
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from sitegen.hosting.error import HostingError
from sitegen.hosting.files import HostFile
from sitegen.render import template_folder

_SLOT = re.compile(r"<<(\w+)>>")
_BRANCH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./-]*")


@dataclass(frozen=True, slots=True)
class Workflow:
    """What a workflow is told: the folder of records, the branch that is published, and what pip installs us from."""

    records: str
    branch: str
    install: str


def github(asked: Workflow, repository: Path) -> HostFile:
    """The workflow for GitHub, to be put into the checkout `repository`."""
    return HostFile(repository / ".github" / "workflows" / "site.yml", _filled("github.yml", asked))


def gitlab(asked: Workflow, repository: Path) -> HostFile:
    """The pipeline for GitLab, to be put into the checkout `repository`."""
    return HostFile(repository / ".gitlab-ci.yml", _filled("gitlab.yml", asked))


def path_in_repository(text: str) -> str:
    """`text` as a path from the root of a repository: `/` between its parts, none at its end; "." is the root.

    Raises `HostingError` for one that leads elsewhere.
    """
    path = PurePosixPath(text)
    if not text or path.is_absolute() or ".." in path.parts or not text.isprintable():
        raise HostingError(f"{text!r}: give the folder of records as a path from the root of the repository.")
    return str(path)


def _filled(template: str, asked: Workflow) -> str:
    """The template with its slots filled. A value is written as JSON, which is YAML that needs no further quoting.

    `${{` would be an expression to GitHub wherever it stands, and `$` a variable to GitLab; both take more than letters
    and digits in the name of a branch for a pattern.
    """
    if not _BRANCH.fullmatch(asked.branch):
        raise HostingError(f"{asked.branch!r}: give a branch whose name has letters, digits and . _ / - alone.")
    values = {"records": asked.records, "branch": asked.branch, "install": asked.install}
    for name, value in values.items():
        if "$" in value or not value.isprintable():
            raise HostingError(f"{value!r}: give the {name} without $ and control characters.")
    text = (template_folder("templates") / "hosting" / template).read_text(encoding="utf-8")
    quoted = {name: json.dumps(value, ensure_ascii=False) for name, value in values.items()} | {"name": asked.branch}
    return _SLOT.sub(lambda slot: quoted[slot[1]], text)
