"""`sitegen serve` from outside: what it prints, how it ends, and when it does not begin."""

import http.client
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from sitegen.cli import main
from tests.conftest import ROOT
from tests.preview.command import Command
from tests.preview.conftest import a_place, with_median

Run = Callable[..., Command]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return a_place(tmp_path)


@pytest.fixture
def run(place: Path) -> Iterator[Run]:
    started: list[Command] = []

    def start(*options: str, **environment: str) -> Command:
        started.append(Command(place, *options, **environment))
        return started[-1]

    yield start
    for command in started:
        command.process.kill()
        command.process.wait()
        assert command.process.stdout is not None
        command.process.stdout.close()


def status(url: str) -> int:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc)
    connection.request("GET", parts.path)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def test_it_says_where_it_is_and_ctrl_c_ends_it(run: Run) -> None:
    command = run("--port", "0")
    url = command.until(r"^Serving (http://127\.0\.0\.1:\d+/) until Ctrl-C\.$")[1]
    assert re.fullmatch(r"Read 38 records in \d+ comparison groups in \d+\.\d\d s: no problems\.\n", command.lines[0])
    assert len(command.lines) == 2
    assert status(url) == 200
    assert command.end() == 0
    assert len(command.lines) == 2, "no traceback, nor anything else"
    with socket.create_server(("127.0.0.1", urlsplit(url).port or 0)):
        pass  # the port is free


def test_ctrl_c_ends_it_while_tabs_wait(run: Run) -> None:
    command = run("--port", "0")
    url = urlsplit(command.until("^Serving (.*) until")[1])
    connection = http.client.HTTPConnection(url.netloc)
    connection.request("GET", "/_sitegen/poll")
    server = re.search(rb'"server": "(\w+)"', connection.getresponse().read())
    assert server is not None
    connection.request("GET", f"/_sitegen/poll?server={server[1].decode()}&build=1")
    assert command.end() == 0
    connection.close()
    assert len(command.lines) == 2


def test_it_says_what_changed_and_what_is_wrong(run: Run, place: Path) -> None:
    command = run("--port", "0")
    command.until("^Serving")
    record = place / "records/liger/layer_norm/001-forward-liger.json"
    name, text = "records/liger/layer_norm/001-forward-liger.json", record.read_text()
    record.write_text(with_median(text, 31_000))
    command.until(rf"^{re.escape(name)}: shown after \d+ ms, 38 records in \d+ comparison groups\.$")
    record.write_text(text[:500])
    command.until(rf"^{re.escape(name)}:\d+: error\[truncated\]: .*cut off\. .*whole\.$")
    command.until(r"^The site stays as it was: 1 error\.$")
    record.write_text(text)
    command.until(rf"^{re.escape(name)}: shown after")
    assert command.end() == 0


def test_it_begins_with_what_is_wrong(run: Run, place: Path) -> None:
    record = place / "records/liger/layer_norm/001-forward-liger.json"
    text = record.read_text()
    record.write_text("")
    command = run("--port", "0")
    command.until(r"error\[empty-file\]")
    command.until(r"^There is no site to show yet: 1 error\.$")
    url = command.until("^Serving (.*) until")[1]
    assert status(url) == 503
    record.write_text(text)
    command.until("shown after")
    assert status(url) == 200


def test_it_opens_the_browser(run: Run, place: Path) -> None:
    opened = place / "opened"
    os.mkfifo(opened)
    browser = place / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > "{opened}"\n')
    browser.chmod(0o755)
    command = run("--port", "0", "--open", "--base-url", "https://example.org/kernels", BROWSER=f"{browser} %s")
    url = command.until("^Serving (.*) until")[1]
    assert opened.read_text() == f"{url}\n"
    assert url.endswith("/kernels/")


def test_what_is_not_as_usual_is_said(run: Run) -> None:
    command = run("--port", "0", "--host", "0.0.0.0", "--poll")
    url = command.until("^Serving (.*) until")[1]
    assert url.startswith("http://127.0.0.1:")
    assert command.lines[1] == "Warning: others on the network can see this preview, because it listens on 0.0.0.0.\n"
    assert command.lines[2] == "Polling for changes, as asked for: they are seen somewhat later.\n"


class TestBeginning:
    """When it does not begin: a status, and one line."""

    def test_a_port_that_is_taken(
        self, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.chdir(place)
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            assert main(["serve", "--port", str(port)]) == 1
        said = capsys.readouterr()
        assert said.err == f"sitegen: error: Port {port} is in use. Choose another with --port, or leave it out.\n"
        assert said.out == ""

    @pytest.mark.parametrize(
        ("options", "says"),
        [
            (["nowhere"], "nowhere: no such folder"),
            (["--config", "nowhere.toml"], "nowhere.toml: no such file"),
        ],
    )
    def test_what_is_not_there(
        self,
        options: list[str],
        says: str,
        place: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.chdir(place)
        assert main(["serve", *options]) == 2
        assert says in capsys.readouterr().err

    @pytest.mark.parametrize("port", ["-1", "65536", "http"])
    def test_what_is_no_port(self, port: str, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit) as caught:
            main(["serve", "--port", port])
        assert caught.value.code == 2
        assert f"{port!r} is not a port" in capsys.readouterr().err

    def test_a_site_among_the_records(self, run: Run, place: Path) -> None:
        command = [sys.executable, "-m", "sitegen", "build", "-o", "site"]
        subprocess.run(command, cwd=place, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True, capture_output=True)
        (place / "site").rename(place / "records/site")
        serve = run("--port", "0")
        serve.until(r"^sitegen: error: records/site: is a site that sitegen built, and lies among the records\. Move")
        assert serve.process.wait() == 1
