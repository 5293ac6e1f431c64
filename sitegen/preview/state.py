"""What the site is now: the version that everyone is shown, and waiting for a newer one."""

import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from sitegen.problem import Problem, Severity
from sitegen.site import Site


@dataclass(frozen=True, slots=True)
class Version:
    """The site as of one build, and what keeps it from being as its inputs say.

    `build` grows with each version. `pages` is the build in which anything but style sheets last changed: a page that
    was made since then need not be loaded again. `site` is None as long as none could be made. `failed` are all
    problems, warnings too, where an error keeps the site as it was; otherwise there are none.
    """

    build: int
    pages: int
    site: Site | None
    failed: tuple[Problem, ...]


def errors(problems: tuple[Problem, ...]) -> bool:
    """Whether one of the problems is an error."""
    return any(problem.severity is Severity.ERROR for problem in problems)


class State:
    """Holds the present version, for any number of threads. `server` tells this state from that of another process."""

    def __init__(self) -> None:
        self.server = secrets.token_hex(8)
        self._changed = threading.Condition()
        self._version = Version(0, 0, None, ())
        self._replaced: dict[str, bytes] = {}
        self._ended = False

    @property
    def version(self) -> Version:
        """The present version."""
        return self._version

    def put(self, site: Site | None, failed: tuple[Problem, ...], *, restyled: bool = False) -> Version:
        """Make a version the present one. `restyled` says that nothing but style sheets changed in the site."""
        with self._changed:
            before = self._version
            build = before.build + 1
            same = site is not None and (site is before.site or restyled)
            self._keep_assets(before.site, site)
            self._version = Version(build, before.pages if same else build, site, failed)
            self._changed.notify_all()
            return self._version

    def _keep_assets(self, before: Site | None, after: Site | None) -> None:
        """Keep the static files of the version before: a page of it may just be on its way to the browser."""
        if before is not None and after is not None and before.assets is not after.assets:
            self._replaced = {asset.address: asset.content for asset in before.assets.files}

    def replaced(self, at: str) -> bytes | None:
        """A static file that the version before had at an address."""
        return self._replaced.get(at)

    def wait(self, build: int, seconds: float) -> Version:
        """The present version, as soon as it is another than that `build`, or the time is over, or the state ended."""
        with self._changed:
            self._changed.wait_for(lambda: self._version.build != build or self._ended, seconds)
            return self._version

    def end(self) -> None:
        """Let all that wait go."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()


def style_sheets(site: Site) -> Mapping[str, str]:
    """The address of each style sheet of a site, by the part of its name that does not change with its content."""
    return {
        asset.address.rpartition("/")[2].partition(".")[0]: asset.address
        for asset in site.assets.files
        if asset.address.endswith(".css")
    }


def mount(site: Site) -> str:
    """The path that a site is served below, as it will be published, with a slash at both ends."""
    return urlsplit(site.pages.book.judged.settings.base_url).path.rstrip("/") + "/"
