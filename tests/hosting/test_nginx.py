"""A site that is swapped again and again while nginx serves it: never a miss, never a mixture of two releases."""

import http.client
import os
import shutil
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitegen.hosting import Releases
from sitegen.publish import publish
from tests.publish.fake_site import FakePage, FakeSite

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
SWAPS, READS = 20, 1000
PAGES = [f"{folder}/page-{number}.html" for folder in ("runs/ab", "groups/cd", "kernels") for number in range(3)]

CONFIGURATION = """
daemon off;
master_process off;
pid {place}/nginx.pid;
error_log stderr notice;
events {{ worker_connections 64; }}
http {{
    access_log off;
    client_body_temp_path {place}/body;
    proxy_temp_path {place}/proxy;
    fastcgi_temp_path {place}/fastcgi;
    uwsgi_temp_path {place}/uwsgi;
    scgi_temp_path {place}/scgi;
    server {{ listen unix:{place}/socket; root {root}; }}
}}
"""

pytestmark = pytest.mark.skipif(NGINX is None, reason="needs nginx: apt-get install nginx-light")


class Connection(http.client.HTTPConnection):
    """HTTP by a socket in a folder, so that no port is taken."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost")
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(30)
        self.sock.connect(str(self._path))


def release(number: int) -> FakeSite:
    """A site whose every page says one number all through, and is larger than a buffer."""
    return FakeSite({page: FakePage({page: f"{number:06d}\n".encode() * 20_000}) for page in PAGES})


@pytest.fixture
def site(tmp_path: Path) -> Path:
    publish(release(0), tmp_path / "www/site")
    return tmp_path / "www/site"


@pytest.fixture
def nginx(site: Path) -> Iterator[Path]:
    """The socket of an nginx that serves the site, and listens already."""
    with tempfile.TemporaryDirectory() as folder:  # not tmp_path: a socket's path must be short
        place = Path(folder)
        (place / "nginx.conf").write_text(CONFIGURATION.format(place=place, root=site), encoding="utf-8")
        command = [NGINX or "", "-p", folder, "-c", f"{folder}/nginx.conf"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            said = []
            for line in process.stderr or ():
                said.append(line)
                if "event method" in line:  # which it chooses after it has begun to listen
                    break
            else:
                pytest.fail("".join(said))
            yield place / "socket"
            process.terminate()
            process.communicate()


class Reader:
    """Reads page after page, and keeps what each answer was: its status, and the numbers that stand in it."""

    def __init__(self, path: Path) -> None:
        self._connection = Connection(path)
        self._read = threading.Condition()
        self._done = False
        self.answers: list[tuple[int, set[bytes]]] = []
        self._thread = threading.Thread(target=self._go)
        self._thread.start()

    def _go(self) -> None:
        while not self._done or len(self.answers) < READS:
            self._connection.request("GET", f"/{PAGES[len(self.answers) % len(PAGES)]}")
            answer = self._connection.getresponse()
            with self._read:
                self.answers.append((answer.status, set(answer.read().split())))
                self._read.notify()
        self._connection.close()

    def wait_for(self, more: int) -> None:
        """Return when so many more pages have been read."""
        with self._read:
            asked = len(self.answers) + more
            assert self._read.wait_for(lambda: len(self.answers) >= asked, timeout=60)

    def end(self) -> None:
        self._done = True
        self._thread.join()


def test_a_thousand_reads_during_twenty_swaps(site: Path, nginx: Path) -> None:
    releases = Releases(site)
    reader = Reader(nginx)
    try:
        with releases.held(lambda: None):
            for number in range(1, SWAPS + 1):
                reader.wait_for(READS // SWAPS // 2)
                publish(release(number), site, kept=releases.place_for_current())
                releases.published(f"{number:040x}", str(number), keep=3)
                reader.wait_for(READS // SWAPS // 2)
    finally:
        reader.end()
    assert len(reader.answers) >= READS
    assert {status for status, _ in reader.answers} == {200}
    assert all(len(numbers) == 1 for _, numbers in reader.answers), "a page of two releases"
    seen = [int(min(numbers)) for _, numbers in reader.answers]
    assert seen == sorted(seen), "a page that is older than one read before it"
    assert set(seen) == set(range(SWAPS + 1))


def test_going_back_and_forth_is_no_miss_either(site: Path, nginx: Path) -> None:
    releases = Releases(site)
    with releases.held(lambda: None):
        for number in (1, 2):
            publish(release(number), site, kept=releases.place_for_current())
            releases.published(f"{number:040x}", str(number), keep=3)
        reader = Reader(nginx)
        try:
            for swap in range(SWAPS):
                reader.wait_for(READS // SWAPS)
                releases.go_back(1 + swap % 2)
        finally:
            reader.end()
    assert {status for status, _ in reader.answers} == {200}
    assert {len(numbers) for _, numbers in reader.answers} == {1}
    assert {int(min(numbers)) for _, numbers in reader.answers} == {1, 2}
