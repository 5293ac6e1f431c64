"""A preview of the sample records in this process, on a socket of its own."""

import http.client
import json
import queue
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sitegen.preview import Answers, LookFiles, News, Server, Session
from tests.conftest import ROOT, SAMPLE

LONG_S = 20.0
"""How long to wait for what must come: a test that waits that long has failed."""


@dataclass(frozen=True)
class Reply:
    """What the server answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


class Preview:
    """A folder with records, templates, static files and settings, and the preview of them."""

    def __init__(
        self,
        place: Path,
        *,
        records: Path | None = None,
        base_url: str | None = None,
        poll: bool = False,
        host: str = "127.0.0.1",
        port: int = 0,
    ) -> None:
        self.place = place
        self.records = records or place / "records"
        self.templates = place / "templates"
        self.static = place / "static"
        self.config = place / "sitegen.toml"
        self.news: queue.Queue[News] = queue.Queue()
        self.server = Server(host, port)
        look = LookFiles(self.config, (self.templates,), self.static, base_url)
        self.session = Session(self.records, look, tell=self.news.put, poll=poll)
        self.server.answers = Answers(self.session)
        self._serving = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)

    def start(self) -> "Preview":
        self.session.load()
        self.polls = self.session.start()
        self.first = self.news.get_nowait()
        self._serving.start()
        return self

    def stop(self) -> None:
        self.session.end()
        if self._serving.is_alive():
            self.server.shutdown()
        self.server.server_close()

    @property
    def url(self) -> str:
        return self.server.origin + self.session.mount

    @property
    def build(self) -> int:
        return self.session.state.version.build

    def after(self, change: Callable[[], object]) -> News:
        """Make a change, and give what is told of it."""
        change()
        return self.news.get(timeout=LONG_S)

    def get(self, path: str = "/", *, method: str = "GET", host: str | None = None, **headers: str) -> Reply:
        """Ask for a path exactly as it is written."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=LONG_S)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            connection.putheader("Host", f"127.0.0.1:{self.server.port}" if host is None else host)
            for name, value in headers.items():
                connection.putheader(name, value)
            connection.endheaders()
            answer = connection.getresponse()
            return Reply(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    def poll(self, query: str = "") -> dict[str, Any]:
        return json.loads(self.get(f"/_sitegen/poll{query}").body)  # type: ignore[no-any-return] # an object


SCRIPT = re.compile(
    rb'<script src="/_sitegen/reload\.js" data-server="\w+" data-pages="\d+" data-page="\w+" defer></script>'
)


def without_script(page: bytes) -> bytes:
    """A page as it is published: the one script that the preview adds is taken away."""
    whole, count = SCRIPT.subn(b"", page)
    assert count == 1
    return whole


Start = Callable[..., Preview]


def a_place(folder: Path, records: str = "liger/layer_norm") -> Path:
    """A folder with some of the sample's records, and the program's own templates and static files."""
    shutil.copytree(SAMPLE / records, folder / "records" / records)
    shutil.copytree(ROOT / "templates", folder / "templates")
    shutil.copytree(ROOT / "static", folder / "static")
    return folder


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return a_place(tmp_path)


@pytest.fixture
def start(place: Path) -> Iterator[Start]:
    """Starts previews of `place`, and ends them with the test."""
    started: list[Preview] = []

    def make(**options: Any) -> Preview:
        started.append(Preview(place, **options))
        return started[-1].start()

    yield make
    for preview in started:
        preview.stop()


@pytest.fixture
def preview(start: Start) -> Preview:
    return start()


@pytest.fixture(scope="session")
def still(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Preview]:
    """A preview whose files nobody changes."""
    preview = Preview(a_place(tmp_path_factory.mktemp("still"))).start()
    yield preview
    preview.stop()


@pytest.fixture
def record(place: Path) -> Path:
    """One of the records: the run of an implementation on the smallest workload."""
    return place / "records/liger/layer_norm/001-forward-liger.json"


def with_median(text: str, median: int) -> str:
    """A record whose median, and the spread around it, are other ones."""
    document = json.loads(text)
    spec = document["run"]["spec"]
    spec["timing"]["latencyNs"]["median"] = median
    for measurement in spec["measurements"]:
        if measurement["metric"] == "latency":
            measurement["value"] = median + {"p20": -100, "p80": 100}[measurement["statistic"]]
    return json.dumps(document, indent=2)
