"""What tests of the whole program share: the sample catalogue, sites made of it, a server, and a browser."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parent.parent
SAMPLE = ROOT / "tests" / "sample" / "records"
BELOW = "/some/where"
"""The path that a site is served below, where it is not at its host's root."""

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden pages anew instead of comparing")


@pytest.fixture(scope="session")
def sample_records() -> Path:
    return SAMPLE


@pytest.fixture(scope="session")
def sample_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the sample catalogue, for the root of a host."""
    return built(tmp_path_factory.mktemp("sample") / "site")


@pytest.fixture(scope="session")
def sample_site_below(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the sample catalogue, told that it will be served below `BELOW`."""
    return built(tmp_path_factory.mktemp("below") / "site", "--base-url", f"https://example.org{BELOW}/")


def built(out: Path, *options: str) -> Path:
    """Build in a process of its own: this one has threads, which must not be copied."""
    command = [sys.executable, "-m", "sitegen", "build", str(SAMPLE), "-o", str(out), *options]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(ROOT)})
    return out


class _Handler(SimpleHTTPRequestHandler):
    """Serves a folder below a path, and its 404 page for all that is not there, as hosts of static sites do."""

    def __init__(self, *arguments: object, below: str, **options: object) -> None:
        self._below = below
        super().__init__(*arguments, **options)  # type: ignore[arg-type] # passed on as they came

    def translate_path(self, path: str) -> str:
        if not path.startswith(f"{self._below}/"):
            return str(Path(self.directory) / "nothing-here")
        return super().translate_path(path.removeprefix(self._below))

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        if code != 404:
            super().send_error(code, message, explain)
            return
        page = (Path(self.directory) / "404.html").read_bytes()
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_: object) -> None:
        """Say nothing: the tests do."""


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Path, str], str]]:
    """Serve a folder below a path ("" for the root), and give the address of its home, with a slash at its end."""
    servers: list[ThreadingHTTPServer] = []

    def start(folder: Path, below: str = "") -> str:
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(folder), below=below))
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}{below}/"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="session")
def sample_url(serve: Callable[[Path, str], str], sample_site: Path) -> str:
    return serve(sample_site, "")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium, without a window."""
    path = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    if path is None:
        pytest.fail("the tests need Chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, headless=True, args=CHROMIUM_ARGUMENTS)
        yield chromium
        chromium.close()
