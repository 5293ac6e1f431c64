"""What an address is answered with: pages, with the one script that reloads them, files, and what has changed."""

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import parse_qs, unquote_to_bytes

from sitegen.load import RecordChangedError
from sitegen.preview.notice import notice
from sitegen.preview.session import Session
from sitegen.preview.state import Version, mount, style_sheets
from sitegen.problem import Problem

OWN: Final = "/_sitegen/"
"""What belongs to the preview and not to the site, from the root of the host."""

POLL_S: Final = 25.0
"""How long a poll waits for a change: less than whatever lies between may have patience for."""

HTML: Final = "text/html; charset=utf-8"
PLAIN: Final = "text/plain; charset=utf-8"
_JSON: Final = "application/json"
# Our own table: what the system's registry says of a suffix is different on every machine.
TYPES: Final = {
    ".html": HTML,
    ".json": _JSON,
    ".jsonl": "application/jsonl",
    ".csv": "text/csv; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": PLAIN,
    ".xml": "application/xml",
}
_UNKNOWN_TYPE: Final = "application/octet-stream"
_OWN_FILES: Final = ("reload.js", "notice.css")


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer: its status, type and body, and where it leads on to another address, that one."""

    status: int
    type: str
    body: bytes
    location: str = ""


class Answers:
    """Answers for the site of a session. Safe to use from several threads."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def answer(self, target: str, *, wait: bool) -> Answer:
        """The answer to the target of a request, as it came; a poll is answered when something changes, if `wait`."""
        path, _, query = target.partition("?")
        name = _decoded(path)
        if name is None:
            return _refused(400, "This is not an address of the site.")
        if name.startswith(OWN):
            return self._own(name.removeprefix(OWN), query, wait=wait)
        return self._of_site(name, query)

    def _of_site(self, name: str, query: str) -> Answer:
        version = self._session.state.version
        site = version.site
        if site is None:
            return self._no_site(version)
        below = mount(site)
        if not name.startswith(below):
            if name in {"/", below.removesuffix("/")}:
                return _leads_to(below, query)
            return self._page("404.html", 404)
        at = name.removeprefix(below)
        if at == "" or at.endswith("/"):
            at += "index.html"
        elif f"{at}/index.html" in site.pages:
            return _leads_to(f"{below}{at}/", query)
        return self._page(at, 200)

    def _page(self, at: str, status: int) -> Answer:
        """A page or a file of the site; its own page for what is not there."""
        try:
            version, content = self._session.render(at)
        except RecordChangedError as error:
            version = self._session.state.version
            return Answer(503, HTML, self._with_script(version, notice(version.failed, str(error))))
        if version.site is None:
            return self._no_site(version)
        if content is None:
            content = self._session.state.replaced(at)
        if content is not None:
            kind = TYPES.get(PurePosixPath(at).suffix, _UNKNOWN_TYPE)
            return Answer(status, kind, self._with_script(version, content) if kind == HTML else content)
        if (moved := self._session.moved(at)) is not None:
            return _leads_to(self._session.mount + moved, "")
        return self._page("404.html", 404) if at != "404.html" else _refused(404, "There is nothing at this address.")

    def _no_site(self, version: Version) -> Answer:
        return Answer(503, HTML, self._with_script(version, notice(version.failed)))

    def _with_script(self, version: Version, page: bytes) -> bytes:
        """A page with the script that reloads it, which is told what page it is in."""
        own = hashlib.sha256(page).hexdigest()[:16]
        about = f'data-server="{self._session.state.server}" data-pages="{version.pages}" data-page="{own}"'
        script = f'<script src="{OWN}reload.js" {about} defer></script>'.encode()
        before, end, after = page.rpartition(b"</body>")
        return b"".join((before, script, end, after)) if end else page + script

    def _own(self, name: str, query: str, *, wait: bool) -> Answer:
        if name == "poll":
            return self._poll(query, wait=wait)
        if name in _OWN_FILES:
            return Answer(200, TYPES[PurePosixPath(name).suffix], _own_file(name))
        return _refused(404, "There is nothing at this address.")

    def _poll(self, query: str, *, wait: bool) -> Answer:
        """What is now, as JSON: at once, or where the query names this server and build, after the next change."""
        state = self._session.state
        asked = parse_qs(query)
        build = asked.get("build", [""])[0]
        known = wait and asked.get("server") == [state.server] and build.isascii() and build.isdecimal()
        version = state.wait(int(build), POLL_S) if known else state.version
        return Answer(200, _JSON, json.dumps(_news(state.server, version), ensure_ascii=True).encode())


def _news(server: str, version: Version) -> dict[str, object]:
    site = version.site
    sheets = {} if site is None else {name: mount(site) + at for name, at in style_sheets(site).items()}
    return {
        "server": server,
        "build": version.build,
        "pages": version.pages,
        "styles": sheets,
        "problems": [_told(problem) for problem in version.failed] if site else [],
    }


def _told(problem: Problem) -> dict[str, str]:
    line = f":{problem.line}" if problem.line else ""
    return {
        "severity": str(problem.severity),
        "code": problem.code,
        "file": problem.file + line,
        "place": problem.place,
        "message": problem.message,
        "hint": problem.hint,
    }


def _decoded(path: str) -> str | None:
    """The path of a request without its escapes; None where it is none, or would lead out of the site."""
    if not path.startswith("/"):
        return None
    try:
        name = unquote_to_bytes(path).decode()
    except UnicodeDecodeError:
        return None
    parts = name.split("/")[1:]
    if "\\" in name or not name.isprintable() or any(part in {".", ".."} for part in parts) or "" in parts[:-1]:
        return None
    return name


def _leads_to(path: str, query: str) -> Answer:
    return Answer(302, PLAIN, b"", f"{path}?{query}" if query else path)


def _refused(status: int, line: str) -> Answer:
    return Answer(status, PLAIN, f"{line}\n".encode())


@cache
def _own_file(name: str) -> bytes:
    return (files("sitegen.preview") / name).read_bytes()
