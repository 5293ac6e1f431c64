"""Publishing: the folder that comes out, what becomes of the one before, and what is left when it fails."""

import errno
import os
import pwd
import resource
import signal
import stat
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sitegen import publish as publishing
from sitegen.publish import (
    MARKER,
    BrokenProcessError,
    BuildInProgressError,
    Published,
    UnsafeOutputError,
    WriteError,
    exchange,
    publish,
    safe_output,
)
from sitegen.publish.lock import locked
from tests.publish.fake_site import FakePage, FakeSite, site_of

JOBS = [1, 3]


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def beside(folder: Path) -> list[str]:
    """What lies beside a site: nothing, once a build has ended."""
    return sorted(path.name for path in folder.parent.iterdir() if path != folder)


def in_a_worker(action: Callable[[], None]) -> FakeSite:
    """A site whose first page in a worker does this; the process that asked waits until the worker has ended."""
    parent = os.getpid()

    def act() -> None:
        if os.getpid() == parent:
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
        else:
            action()

    site = site_of(200, "new")
    for page in site.pages.values():
        page.before = act
    return site


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "place").mkdir()
    return tmp_path / "place" / "site"


@pytest.mark.parametrize("jobs", JOBS)
def test_every_file_of_every_page_is_written_and_counted(out: Path, jobs: int) -> None:
    site = site_of(100)
    told = publish(site, out, jobs=jobs)
    expected = {address: content for page in site.pages.values() for address, content in page.contents.items()}
    written = tree(out)
    marker = written.pop(MARKER)
    assert written == expected
    assert told == Published(len(expected) + 1, sum(map(len, expected.values())) + len(marker), 0)
    assert beside(out) == []


def test_one_process_and_many_write_the_same_bytes(tmp_path: Path) -> None:
    publish(site_of(300), tmp_path / "one", jobs=1)
    publish(site_of(300), tmp_path / "many", jobs=4)
    assert tree(tmp_path / "one") == tree(tmp_path / "many")


def test_a_new_site_replaces_the_old_one_whole(out: Path) -> None:
    publish(site_of(20, "old"), out)
    publish(site_of(10, "new"), out)
    assert len(tree(out)) == 2 * 11 + 1
    assert (out / "runs/0/0000.html").read_bytes() == b"new 0"
    assert beside(out) == []


@pytest.mark.parametrize("jobs", JOBS)
def test_unchanged_files_keep_their_times_and_changed_ones_do_not(out: Path, jobs: int) -> None:
    publish(site_of(20), out)
    long_ago = 1_000_000_000
    for path in out.rglob("*"):
        os.utime(path, ns=(long_ago, long_ago))
    site = site_of(20)
    site.pages["runs/3/0003.html"].contents["runs/3/0003.html"] = b"page !"
    told = publish(site, out, jobs=jobs)
    changed = {path.name for path in out.rglob("*") if path.is_file() and path.stat().st_mtime_ns != long_ago}
    assert changed == {"0003.html", MARKER}
    assert told.unchanged == told.files - 2
    assert all(path.stat().st_nlink == 1 for path in out.rglob("*") if path.is_file())


def test_unchanged_files_keep_their_times_where_files_cannot_be_linked(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(site_of(3), out)
    os.utime(out / "index.html", ns=(5, 7))

    def no_links(source: str, _: str) -> None:
        raise OSError(errno.EPERM, "Operation not permitted", source)

    monkeypatch.setattr(os, "link", no_links)
    publish(site_of(3), out)
    assert (out / "index.html").stat().st_mtime_ns == 7
    assert (out / "index.html").read_bytes() == b"home"


class TestInParts:
    """A file that is made in parts, and never whole in memory."""

    @staticmethod
    def site(*parts: bytes) -> FakeSite:
        class Page:
            def files(self) -> Iterator[tuple[str, Iterator[bytes]]]:
                yield "runs.csv", iter(parts)

        return FakeSite({"runs.csv": Page()})  # type: ignore[dict-item] # a page is what gives files

    def test_it_is_written_and_counted(self, out: Path) -> None:
        told = publish(self.site(b"a,b\n", b"", b"1,2\n" * 500_000), out)
        assert (out / "runs.csv").read_bytes() == b"a,b\n" + b"1,2\n" * 500_000
        assert told.bytes == sum(len(content) for content in tree(out).values())

    def test_it_keeps_its_time_where_it_is_unchanged(self, out: Path) -> None:
        publish(self.site(b"a,b\n", b"1,2\n" * 500_000), out)
        os.utime(out / "runs.csv", ns=(5, 7))
        told = publish(self.site(b"a,b\n1,2\n", b"1,2\n" * 499_999), out)
        assert (out / "runs.csv").stat().st_mtime_ns == 7
        assert told.unchanged == 2

    @pytest.mark.parametrize("parts", [[b"a,b\n1,3\n"], [b"a,b\n"], [b"a,b\n1,2\n", b"3"], []])
    def test_it_is_new_where_it_is_not(self, out: Path, parts: list[bytes]) -> None:
        publish(self.site(b"a,b\n", b"1,2\n"), out)
        os.utime(out / "runs.csv", ns=(5, 7))
        publish(self.site(*parts), out)
        assert (out / "runs.csv").read_bytes() == b"".join(parts)
        assert (out / "runs.csv").stat().st_mtime_ns != 7

    def test_an_error_in_a_part_is_told_as_it_is(self, out: Path) -> None:
        class Page:
            def files(self) -> Iterator[tuple[str, Iterator[bytes]]]:
                yield "runs.csv", (bytes([1 // number]) for number in (1, 0))

        with pytest.raises(ZeroDivisionError):
            publish(FakeSite({"runs.csv": Page()}), out)  # type: ignore[dict-item] # as above
        assert not out.exists()


@pytest.mark.parametrize("jobs", JOBS)
def test_files_and_folders_have_their_modes_whatever_the_umask(out: Path, jobs: int) -> None:
    before = os.umask(0o077)
    try:
        publish(site_of(20), out, jobs=jobs)
        assert os.umask(0o077) == 0o077
    finally:
        os.umask(before)
    modes = {(path.is_dir(), stat.S_IMODE(path.lstat().st_mode)) for path in [out, *out.rglob("*")]}
    assert modes == {(True, 0o755), (False, 0o644)}


def test_a_file_with_another_mode_or_a_link_is_written_anew(out: Path) -> None:
    publish(site_of(3), out)
    (out / "index.html").chmod(0o600)
    (out / "index.json").unlink()
    (out / "elsewhere").write_bytes(b"{}")
    (out / "index.json").symlink_to("elsewhere")
    publish(site_of(3), out)
    assert stat.S_IMODE((out / "index.html").lstat().st_mode) == 0o644
    assert stat.S_ISREG((out / "index.json").lstat().st_mode)
    assert not (out / "elsewhere").exists()


def test_progress_counts_up_to_all_pages(out: Path) -> None:
    told: list[tuple[int, int]] = []
    publish(site_of(200), out, jobs=2, progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1] == (201, 201)


def test_a_site_without_pages_is_a_marker_alone(out: Path) -> None:
    publish(FakeSite(), out, jobs=4)
    assert list(tree(out)) == [MARKER]


class TestThatFails:
    """A build that fails leaves the old site as it was, and nothing beside it."""

    @pytest.fixture
    def old(self, out: Path) -> dict[str, bytes]:
        publish(site_of(40, "old"), out)
        return tree(out)

    def test_in_a_page(self, out: Path, old: dict[str, bytes]) -> None:
        def fail() -> None:
            raise LookupError("no such kernel")

        site = site_of(200, "new")
        site.pages["runs/7/0103.html"].before = fail
        with pytest.raises(LookupError, match="no such kernel"):
            publish(site, out)
        assert tree(out) == old
        assert beside(out) == []

    def test_in_a_worker(self, out: Path, old: dict[str, bytes]) -> None:
        def fail() -> None:
            raise LookupError("no such kernel")

        with pytest.raises(LookupError, match="no such kernel") as caught:
            publish(in_a_worker(fail), out, jobs=2)
        assert "in fail\n" in str(caught.value.__cause__)
        assert tree(out) == old
        assert beside(out) == []

    def test_in_a_worker_with_an_error_that_cannot_be_copied(self, out: Path, old: dict[str, bytes]) -> None:
        class LocalError(Exception):
            pass

        def fail() -> None:
            raise LocalError("made here")

        with pytest.raises(RuntimeError, match="LocalError: made here"):
            publish(in_a_worker(fail), out, jobs=2)
        assert tree(out) == old

    def test_by_the_death_of_a_worker(self, out: Path, old: dict[str, bytes]) -> None:
        with pytest.raises(BrokenProcessError, match="SIGKILL"):
            publish(in_a_worker(lambda: os.kill(os.getpid(), signal.SIGKILL)), out, jobs=2)
        assert tree(out) == old
        assert beside(out) == []

    def test_while_workers_are_busy(self, out: Path, old: dict[str, bytes]) -> None:
        parent = os.getpid()

        def fail_here_and_hang_there() -> None:
            if os.getpid() == parent:
                raise LookupError("no such kernel")
            signal.pause()

        site = site_of(200, "new")
        for page in site.pages.values():
            page.before = fail_here_and_hang_there
        with pytest.raises(LookupError):
            publish(site, out, jobs=3)
        assert tree(out) == old
        assert beside(out) == []

    @pytest.mark.parametrize("jobs", JOBS)
    def test_on_a_full_disk(self, out: Path, old: dict[str, bytes], jobs: int) -> None:
        # A limit on the size of files stands for the disk: the write is refused half way, with another number.
        size = resource.getrlimit(resource.RLIMIT_FSIZE)
        handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        site = site_of(40, "new")
        site.pages["big.html"] = FakePage({"big.html": b"x" * 2_000_000})
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, size[1]))
            with pytest.raises(
                WriteError, match=r"big\.html: cannot be written: File too large\. The site that was there"
            ):
                publish(site, out, jobs=jobs)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, size)
            signal.signal(signal.SIGXFSZ, handler)
        assert tree(out) == old
        assert beside(out) == []

    def test_by_two_pages_at_one_address(self, out: Path, old: dict[str, bytes]) -> None:
        pages = {"a.html": FakePage({"a.html": b"1", "a.json": b"2"}), "a.json": FakePage({"a.json": b"3"})}
        with pytest.raises(FileExistsError, match=r"two pages at one address: a\.json"):
            publish(FakeSite(pages), out)
        assert tree(out) == old

    @pytest.mark.parametrize(
        "address", ["../out.html", "a/../../out.html", "/out.html", "a//b.html", "a/", ".", "a\\..\\b", "a\0b", ""]
    )
    def test_by_an_address_that_leads_out(self, out: Path, old: dict[str, bytes], address: str) -> None:
        with pytest.raises(ValueError, match="not the address of a"):
            publish(FakeSite({address: FakePage({address: b"x"})}), out)
        assert tree(out) == old
        assert beside(out) == []

    def test_when_it_cannot_be_put_in_place(
        self, out: Path, old: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: Path) -> bool:
            raise OSError(errno.EBUSY, "Device or resource busy")

        monkeypatch.setattr(exchange, "exchange", refuse)
        with pytest.raises(WriteError, match="busy"):
            publish(site_of(3, "new"), out)
        assert tree(out) == old
        assert beside(out) == []


class TestWithoutAnExchange:
    """Where two folders cannot be swapped in one step, the old one is moved aside first."""

    @pytest.fixture(autouse=True)
    def _no_exchange(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(exchange, "exchange", lambda *_: False)

    def test_the_new_site_is_put_in_place(self, out: Path) -> None:
        publish(site_of(5, "old"), out)
        publish(site_of(5, "new"), out)
        assert (out / "runs/0/0000.html").read_bytes() == b"new 0"
        assert beside(out) == []

    def test_the_old_site_comes_back_when_the_second_step_fails(
        self, out: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        publish(site_of(5, "old"), out)
        old = tree(out)
        rename = Path.rename

        def refuse_the_new(path: Path, target: Path) -> Path:
            if path.name.endswith("-new"):
                raise OSError(errno.EIO, "Input/output error")
            return rename(path, target)

        monkeypatch.setattr(Path, "rename", refuse_the_new)
        with pytest.raises(WriteError, match="Input/output error"):
            publish(site_of(5, "new"), out)
        assert tree(out) == old
        assert beside(out) == []

    def test_the_next_build_brings_back_a_site_that_a_dead_one_moved_aside(self, out: Path) -> None:
        publish(site_of(5, "old"), out)
        os.utime(out / "index.html", ns=(5, 7))
        out.rename(out.with_name(".site.sitegen-old"))
        publish(site_of(5, "new"), out)
        assert (out / "index.html").stat().st_mtime_ns == 7
        assert beside(out) == []


def test_what_a_dead_build_left_is_removed_by_the_next(out: Path) -> None:
    half = out.with_name(".site.sitegen-new")
    half.mkdir()
    (half / "stale.html").write_text("half")
    out.with_name(".site.sitegen-old").symlink_to("/nowhere")
    out.with_name(".site.sitegen-lock").touch()
    publish(site_of(2), out)
    assert beside(out) == []
    assert not (out / "stale.html").exists()


def test_what_cannot_be_removed_is_named(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = out.parent / ".site.sitegen-new"
    left.mkdir()
    monkeypatch.setattr("sitegen.publish.remove", lambda _: None)  # as where it belongs to another user
    with pytest.raises(WriteError, match=rf"{left} is in the way\. Remove it"):
        publish(site_of(1), out)
    assert not out.exists()


def test_two_builds_of_one_folder_do_not_meet(out: Path) -> None:
    publish(site_of(2, "old"), out)
    old = tree(out)
    with locked(out.with_name(".site.sitegen-lock"), out), pytest.raises(BuildInProgressError, match="another build"):
        publish(site_of(2, "new"), out)
    assert tree(out) == old
    publish(site_of(2, "new"), out)
    assert tree(out) != old


class TestRefusals:
    """Folders that a build must not replace."""

    def test_a_folder_that_holds_something_else(self, out: Path) -> None:
        out.mkdir()
        (out / "thesis.txt").write_text("do not lose")
        with pytest.raises(UnsafeOutputError, match="not empty"):
            publish(site_of(1), out)
        assert [path.name for path in out.iterdir()] == ["thesis.txt"]

    @pytest.mark.parametrize("marker", ["", "[]", '{"generator": "other"}', "{"])
    def test_a_folder_whose_marker_is_not_ours(self, out: Path, marker: str) -> None:
        out.mkdir()
        (out / MARKER).write_text(marker)
        with pytest.raises(UnsafeOutputError, match="not empty"):
            publish(site_of(1), out)

    def test_with_force_it_is_replaced(self, out: Path) -> None:
        (out / "deep").mkdir(parents=True)
        (out / "deep/draft.txt").write_text("no longer wanted")
        publish(site_of(1), out, force=True)
        assert (out / "index.html").is_file()
        assert not (out / "deep").exists()
        assert beside(out) == []

    @pytest.mark.parametrize("kind", [".git", "deep/er/.git", "deep/.jj"])
    def test_but_no_repository_is(self, out: Path, kind: str) -> None:
        (out / kind).mkdir(parents=True)
        with pytest.raises(UnsafeOutputError, match="repository"):
            publish(site_of(1), out, force=True)
        assert (out / kind).is_dir()

    def test_nor_a_bare_repository(self, out: Path) -> None:
        for name in ("objects", "refs"):
            (out / "catalogue.git" / name).mkdir(parents=True)
        (out / "catalogue.git/HEAD").write_text("ref: refs/heads/main")
        for folder in (out, out / "catalogue.git"):
            with pytest.raises(UnsafeOutputError, match="repository"):
                publish(site_of(1), folder, force=True)

    def test_nor_what_lies_directly_below_the_root(self) -> None:
        folder = Path("/usr")
        with pytest.raises(UnsafeOutputError, match="directly below the root"):
            safe_output(folder, force=True)

    def test_nor_a_home_nor_an_input(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "people/ada/records").mkdir(parents=True)
        monkeypatch.setenv("HOME", str(tmp_path / "people/ada"))
        for folder in ("people", "people/ada"):
            with pytest.raises(UnsafeOutputError, match="your home"):
                publish(site_of(1), tmp_path / folder, force=True)
        monkeypatch.setenv("HOME", str(tmp_path))
        with pytest.raises(UnsafeOutputError, match="which the site is made from"):
            publish(site_of(1), tmp_path / "people/ada", force=True, inputs=[tmp_path / "people/ada/records"])

    def test_nor_the_home_of_somebody_else(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "people/bob").mkdir(parents=True)
        person = pwd.struct_passwd(("bob", "x", 1001, 1001, "", str(tmp_path / "people/bob"), "/bin/sh"))
        monkeypatch.setattr(pwd, "getpwall", lambda: [person])
        for folder in ("people", "people/bob"):
            with pytest.raises(UnsafeOutputError, match="a home folder"):
                publish(site_of(1), tmp_path / folder, force=True)

    def test_an_empty_folder_is_taken(self, out: Path) -> None:
        out.mkdir()
        publish(site_of(1), out)
        assert (out / "index.html").is_file()

    def test_a_file(self, out: Path) -> None:
        out.write_text("x")
        with pytest.raises(UnsafeOutputError, match="is a file"):
            publish(site_of(1), out)

    def test_what_lies_below_a_file(self, out: Path) -> None:
        out.write_text("x")
        with pytest.raises(UnsafeOutputError, match=r"lies below .*site, which is a file"):
            publish(site_of(1), out / "in" / "it")

    @pytest.mark.parametrize("below", [".", "deeper"])
    def test_a_link_that_leads_round_to_itself(self, tmp_path: Path, below: str) -> None:
        (tmp_path / "one").symlink_to("two")
        (tmp_path / "two").symlink_to("one")
        with pytest.raises(UnsafeOutputError, match="leads round to itself"):
            publish(site_of(1), tmp_path / "one" / below)
        publish(site_of(1), tmp_path / "site", inputs=[tmp_path / "one"])

    def test_the_root_of_the_file_system(self) -> None:
        with pytest.raises(UnsafeOutputError, match="root of the file system"):
            publish(site_of(1), Path("/"))

    @pytest.mark.parametrize("up", [".", ".."])
    def test_a_home_and_what_holds_it(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, up: str) -> None:
        home = tmp_path / "people" / "ada"
        home.mkdir(parents=True)
        monkeypatch.setenv("HOME", str(home))
        with pytest.raises(UnsafeOutputError, match="home"):
            publish(site_of(1), home / up)

    def test_the_current_folder(self, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        out.mkdir()
        monkeypatch.chdir(out)
        with pytest.raises(UnsafeOutputError, match="the folder that you are in"):
            publish(site_of(1), Path())

    @pytest.mark.parametrize("kind", [".git", ".hg", ".svn", ".jj"])
    def test_the_root_of_a_repository_even_with_a_site_in_it(self, out: Path, kind: str) -> None:
        publish(site_of(1), out)
        (out / kind).mkdir()
        with pytest.raises(UnsafeOutputError, match="root of a repository"):
            publish(site_of(1), out)
        assert (out / kind).is_dir()

    @pytest.mark.parametrize("place", [".", "deeper", "..", "../records"])
    def test_what_the_site_is_made_from(self, tmp_path: Path, place: str) -> None:
        records = tmp_path / "all" / "records"
        records.mkdir(parents=True)
        with pytest.raises(UnsafeOutputError, match="which the site is made from"):
            publish(site_of(1), records / place, inputs=[records])

    def test_a_link_into_what_the_site_is_made_from(self, tmp_path: Path) -> None:
        (tmp_path / "records").mkdir()
        (tmp_path / "site").symlink_to("records")
        with pytest.raises(UnsafeOutputError, match="which the site is made from"):
            publish(site_of(1), tmp_path / "site", inputs=[tmp_path / "records"])

    def test_a_link_to_a_site_of_ours_is_followed(self, tmp_path: Path) -> None:
        publish(site_of(1, "old"), tmp_path / "real")
        (tmp_path / "site").symlink_to("real")
        publish(site_of(1, "new"), tmp_path / "site")
        assert (tmp_path / "site").is_symlink()
        assert (tmp_path / "real/runs/0/0000.html").read_bytes() == b"new 0"


# A page that hangs, and says where it does: the build is told to stop once a worker is in the middle of its work.
INTERRUPTED = textwrap.dedent(
    """
    import signal, sys
    from pathlib import Path
    from sitegen.publish import publish
    from tests.publish.fake_site import site_of

    def hang():
        print(flush=True)
        signal.pause()

    site = site_of(100, "new")
    site.pages["runs/7/0023.html"].before = hang
    try:
        publish(site, Path(sys.argv[1]), jobs=int(sys.argv[2]))
    except KeyboardInterrupt:
        sys.exit(77)
    """
)


def interrupted(out: Path, jobs: int, number: signal.Signals) -> int:
    """Start a build, send it a signal when it is half way, and give its exit status."""
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, str(out), str(jobs)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        start_new_session=True,
    ) as build:
        assert build.stdout is not None
        assert build.stdout.readline() == b"\n"
        if number is signal.SIGINT:
            os.killpg(build.pid, number)  # as a terminal does: to every process of the group
        else:
            build.send_signal(number)
        # The pipe ends when its last holder has: no worker outlives the build for long.
        assert build.stdout.read() == b""
        return build.wait()


@pytest.mark.parametrize("jobs", JOBS)
def test_an_interrupted_build_ends_its_workers_and_leaves_the_old_site(out: Path, jobs: int) -> None:
    publish(site_of(10, "old"), out)
    old = tree(out)
    assert interrupted(out, jobs, signal.SIGINT) == 77
    assert tree(out) == old
    assert beside(out) == []


def test_a_build_that_is_killed_leaves_the_old_site_and_the_next_one_cleans_up(out: Path) -> None:
    publish(site_of(10, "old"), out)
    old = tree(out)
    assert interrupted(out, 1, signal.SIGKILL) == -signal.SIGKILL
    assert tree(out) == old
    assert beside(out) == [".site.sitegen-lock", ".site.sitegen-new"]
    publish(site_of(10, "new"), out)
    assert beside(out) == []


def test_the_module_names_all_that_it_offers() -> None:
    assert all(hasattr(publishing, name) for name in publishing.__all__)
