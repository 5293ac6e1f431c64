"""A server with a bare repository and a site, and somebody who pushes to it."""

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from sitegen.cli import main
from tests.conftest import ROOT, SAMPLE

RECORDS = SAMPLE / "liger/layer_norm"
FIRST, SECOND, THIRD = "001-forward-liger", "006-forward-huggingface", "002-forward-liger"

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "PYTHONPATH": str(ROOT),
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


@dataclass(frozen=True)
class Clone:
    """Somebody's clone of the repository."""

    folder: Path

    def git(self, *arguments: str) -> str:
        command = ["git", *arguments]
        done = subprocess.run(command, cwd=self.folder, env=ENVIRONMENT, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def add(self, record: str, name: str = "") -> None:
        """Put a record of the sample into `records`, under its own name or another."""
        path = self.folder / "records" / (name or f"{record}.json")
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(RECORDS / f"{record}.json", path)

    def commit(self) -> str:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "change")
        return self.git("rev-parse", "HEAD")

    def push(self, *arguments: str) -> tuple[int, str]:
        """Push, and give git's status and what the terminal shows."""
        done = self.start_push(*arguments)
        told, _ = done.communicate()
        return done.returncode, told

    def start_push(self, *arguments: str) -> subprocess.Popen[str]:
        command = ["git", "push", "origin", *(arguments or ["main"])]
        return subprocess.Popen(
            command, cwd=self.folder, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )


@dataclass(frozen=True)
class Server:
    """A bare repository with hooks, the site that they publish, and a clone to push from."""

    place: Path

    @property
    def bare(self) -> Path:
        return self.place / "bare.git"

    @property
    def site(self) -> Path:
        return self.place / "www/site"

    @property
    def clone(self) -> Clone:
        return Clone(self.place / "clone")

    @property
    def tip(self) -> str:
        return Clone(self.bare).git("rev-parse", "main")

    def runs(self) -> int:
        """How many runs the site shows."""
        return len((self.site / "data/runs.jsonl").read_text(encoding="utf-8").splitlines())

    def files(self) -> dict[str, tuple[int, int]]:
        """Every file of the site with its inode and time: equal only where nothing was published."""
        found = {path: path.stat() for path in self.site.rglob("*")}
        return {str(path): (status.st_ino, status.st_mtime_ns) for path, status in found.items()}

    def another_clone(self) -> Clone:
        Clone(self.place).git("clone", "--quiet", str(self.bare), "other")
        return Clone(self.place / "other")


def made(place: Path) -> Server:
    """A server whose repository is empty and has no hooks."""
    server = Server(place)
    Clone(place).git("init", "--quiet", "--bare", "--initial-branch=main", "bare.git")
    Clone(place).git("init", "--quiet", "--initial-branch=main", "clone")
    server.clone.git("remote", "add", "origin", "../bare.git")
    return server


def install(server: Server, *options: str) -> None:
    assert main(["init", "hook", str(server.bare), "--site", str(server.site), *options]) == 0


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A server to which one record was pushed, and what the terminal showed; to be copied, not changed."""
    server = made(tmp_path_factory.mktemp("server"))
    install(server, "--gate")
    server.clone.add(FIRST)
    server.clone.commit()
    status, told = server.clone.push()
    assert status == 0, told
    return server.place, told


@pytest.fixture
def server(published: tuple[Path, str], tmp_path: Path) -> Server:
    """A server of the test's own, with a gate, to which one record was pushed."""
    server = Server(tmp_path / "server")
    shutil.copytree(published[0], server.place, symlinks=True)
    install(server, "--gate", "--force")
    return server


@pytest.fixture
def fresh(tmp_path: Path) -> Callable[..., Server]:
    """Makes a server of the test's own that nobody has pushed to, with hooks of these options."""

    def make(*options: str) -> Server:
        server = made(tmp_path)
        install(server, *options)
        return server

    return make
