"""A build that is killed, a disk that fills, and builds at once: the old site is whole, or the new one is.

A build is killed at what it does next to the file system, which Python tells of: no clock has a part in it.
"""

import errno
import fcntl
import itertools
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from sitegen import publish as publishing
from sitegen.cli import main
from sitegen.publish import BuildInProgressError, WriteError, exchange, publish, read_manifest
from sitegen.publish.verify import damage
from tests.conftest import SAMPLE
from tests.publish.fake_site import FakePage, site_of

MOMENTS = 50
TOUCHING = ("open", "os.", "shutil.")
"""The names of the events that Python tells of, where a file or a folder is touched."""

Build = Callable[[], object]


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def beside(out: Path) -> list[str]:
    return sorted(path.name for path in out.parent.iterdir() if path != out)


def in_a_process(build: Build, kill_at: int | None = None) -> int:
    """Build in a copy of this process, killed at its `kill_at`th touch of the file system.

    Gives how many touches there were, without those of its workers; of a build that was killed -1.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        touches = 0

        def touched(event: str, _: object) -> None:
            nonlocal touches
            if os.getpid() == me and event.startswith(TOUCHING):
                touches += 1
                if touches == kill_at:
                    os.kill(me, signal.SIGKILL)

        me = os.getpid()
        status = 1
        try:
            sys.addaudithook(touched)
            build()
            os.write(writing, str(touches).encode())
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()  # to its end: no worker is left
    _, status = os.waitpid(child, 0)
    if kill_at is None:
        assert status == 0
        return int(said)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return -1
    assert status == 0
    return int(said)


def moments(count: int) -> list[int]:
    """Touches spread over a build, the first and the last of it among them."""
    return sorted({1 + number * (count - 1) // (MOMENTS - 1) for number in range(MOMENTS)})


def one_or_other(out: Path, known: list[dict[str, bytes]]) -> int:
    """Which of the known sites is at `out`, whole."""
    assert damage(out, read_manifest(out)) == []
    return known.index(tree(out))


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("swaps", [True, False], ids=["exchange", "two renames"])
def test_a_build_killed_at_any_of_50_moments_leaves_a_whole_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int, swaps: bool
) -> None:
    if not swaps:
        monkeypatch.setattr(exchange, "exchange", lambda *_: False)
    out = tmp_path / "place" / "site"
    builds: list[Build] = [partial(publish, site_of(40, text), out, jobs=jobs) for text in ("old", "new")]
    known = []
    for build in builds:
        touches = in_a_process(build)
        known.append(tree(out))
    at = 1
    killed = after = 0
    # A build of several processes may touch more than the one that was counted: it takes pages as it finds time.
    later = itertools.takewhile(lambda _: after == 0, range(touches + 5, touches + 500, 5))
    for moment in itertools.chain(moments(touches), later):
        ended = in_a_process(builds[1 - at], moment)
        killed += ended == -1
        if not out.exists():  # between two renames: the old site lies beside, whole, and the next build puts it back
            assert not swaps
            assert one_or_other(out.with_name(".site.sitegen-old"), known) == at
            in_a_process(builds[at])
        elif one_or_other(out, known) != at:
            at = 1 - at
            after += ended == -1
    assert killed >= MOMENTS * 9 // 10
    assert after > 0, "no build was killed after the new site was in its place"
    in_a_process(builds[1 - at])
    assert one_or_other(out, known) == 1 - at
    assert beside(out) == []


def test_the_next_build_cleans_up_after_each_kill(tmp_path: Path) -> None:
    out = tmp_path / "place" / "site"
    old, new = (partial(publish, site_of(20, text), out) for text in ("old", "new"))
    in_a_process(old)
    touches = in_a_process(new)
    left = set()
    for moment in moments(touches)[::5]:
        in_a_process(old, moment)
        left.update(beside(out))
        in_a_process(new)
        assert beside(out) == []
        assert (out / "runs/0/0000.html").read_bytes() == b"new 0"
    assert left == {".site.sitegen-lock", ".site.sitegen-new"}


def test_the_command_killed_at_50_moments_leaves_a_whole_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("place").mkdir()
    out = tmp_path / "place" / "site"
    names = ("001-forward-liger", "006-forward-huggingface")
    for folder, chosen in (("one", names[:1]), ("two", names)):
        Path(folder).mkdir()
        for name in chosen:
            shutil.copy(SAMPLE / f"liger/layer_norm/{name}.json", folder)

    def build(folder: str) -> Build:
        return partial(main, ["build", folder, "-o", str(out), "-j", "2"])

    known = []
    for folder in ("one", "two"):
        touches = in_a_process(build(folder))
        known.append(tree(out))
    at = 1
    for moment in moments(touches):
        in_a_process(build("one" if at else "two"), moment)
        at = one_or_other(out, known)
    in_a_process(build("one"))
    assert one_or_other(out, known) == 0
    assert beside(out) == []


def test_a_killed_build_takes_its_workers_along(tmp_path: Path) -> None:
    """A worker that went on would hold the lock, and keep the next build from beginning."""
    out = tmp_path / "site"
    parent = os.getpid()
    reading, writing = os.pipe()
    site = site_of(200)

    def hang() -> None:
        if os.getppid() == parent:  # the build itself: once a worker hangs, be killed
            os.read(reading, 1)
            os.kill(os.getpid(), signal.SIGKILL)
        signal.signal(signal.SIGALRM, lambda *_: ((tmp_path / "outlived").touch(), os._exit(0)))
        signal.alarm(10)  # so that a failure is one, and does not wait for ever
        os.write(writing, b".")
        signal.pause()

    for page in site.pages.values():
        page.before = hang
    child = os.fork()
    if child == 0:
        try:
            publish(site, out, jobs=2)
        finally:
            os._exit(0)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    with (tmp_path / ".site.sitegen-lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # waits for its last holder
    assert not (tmp_path / "outlived").exists()
    publish(site_of(3), out)
    assert beside(out) == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = shutil.which("mount")
    if mount is None or os.geteuid() != 0:
        pytest.skip("only the superuser may mount a small file system to fill")
    done = subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        pytest.skip(f"a small file system cannot be mounted here: {done.stderr.strip()}")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_full_disk_leaves_the_old_site_whole_and_nothing_beside(small_disk: Path, jobs: int) -> None:
    out = small_disk / "site"
    publish(site_of(20, "old"), out)
    old = tree(out)
    for size in (2_000_000, 800_000, 600_000):
        site = site_of(20, "new")
        for number in range(3):
            site.pages[f"big{number}.html"] = FakePage({f"big{number}.html": b"x" * size})
        with pytest.raises(WriteError, match=f"{os.strerror(errno.ENOSPC)}. The site that was there is untouched"):
            publish(site, out, jobs=jobs)
        assert tree(out) == old
        assert damage(out, read_manifest(out)) == []
        assert beside(out) == []
    publish(site_of(20, "new"), out, jobs=jobs)
    assert (out / "runs/0/0000.html").read_bytes() == b"new 0"


def take_all_that_is_left(disk: Path) -> None:
    for number in itertools.count():
        (disk / f"full{number}").write_bytes(b"x" * 4096)


def test_where_not_even_a_folder_can_be_made_it_is_said_so(small_disk: Path) -> None:
    out = small_disk / "site"
    publish(site_of(3, "old"), out)
    old = tree(out)
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        take_all_that_is_left(small_disk)
    with pytest.raises(WriteError, match=os.strerror(errno.ENOSPC)):
        publish(site_of(3, "new"), out)
    assert tree(out) == old


def test_of_two_builds_at_once_the_second_is_told_of_the_first(tmp_path: Path) -> None:
    out = tmp_path / "place" / "site"
    publish(site_of(20, "old"), out)
    site = site_of(20, "first")
    refused = []

    def meanwhile() -> None:
        try:
            publish(site_of(20, "second"), out)
        except BuildInProgressError as error:
            refused.append(error)
        assert (out / "runs/0/0000.html").read_bytes() == b"old 0"

    site.pages["runs/7/0007.html"].before = meanwhile
    publish(site, out)
    assert len(refused) == 1
    assert (out / "runs/0/0000.html").read_bytes() == b"first 0"
    assert beside(out) == []
    assert publishing.read_manifest(out).files.keys() == tree(out).keys() - {publishing.MARKER}
