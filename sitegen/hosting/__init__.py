"""Hosting: what makes a push a new version of the site, on GitHub, on GitLab, or on one's own server."""

from sitegen.hosting.error import HostingError
from sitegen.hosting.files import HostFile, write_files
from sitegen.hosting.hook import PROGRAM, hooks
from sitegen.hosting.origin import installed_from
from sitegen.hosting.receive import Hook, gate, publish_push, updates
from sitegen.hosting.releases import Release, Releases
from sitegen.hosting.workflow import Workflow, github, gitlab, path_in_repository

__all__ = [
    "PROGRAM",
    "Hook",
    "HostFile",
    "HostingError",
    "Release",
    "Releases",
    "Workflow",
    "gate",
    "github",
    "gitlab",
    "hooks",
    "installed_from",
    "path_in_repository",
    "publish_push",
    "updates",
    "write_files",
]
