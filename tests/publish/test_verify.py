"""The manifest, and what is said of a folder that is not as it says."""

import hashlib
import json
import os
from pathlib import Path

import pytest

from sitegen import __version__
from sitegen.publish import MARKER, Making, ManifestError, publish, read_manifest
from sitegen.publish.verify import Difference, Kind, damage, unlike
from tests.publish.fake_site import FakePage, FakeSite, site_of

MAKING = Making("sha256:" + "0" * 64, "https://example.org/kernels")
JOBS = [1, 3]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    publish(site_of(100), tmp_path / "site", making=MAKING)
    return tmp_path / "site"


def test_every_file_is_listed_with_its_size_and_digest(out: Path) -> None:
    listed = json.loads((out / MARKER).read_bytes())
    files = {path.relative_to(out).as_posix(): path for path in out.rglob("*") if path.is_file()}
    del files[MARKER]
    assert listed["files"] == {
        address: {"size": path.stat().st_size, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
        for address, path in files.items()
    }
    assert list(listed["files"]) == sorted(files)
    assert listed["count"] == len(files)
    assert listed["bytes"] == sum(path.stat().st_size for path in files.values())
    assert (listed["version"], listed["records"]) == (__version__, MAKING.records)
    assert read_manifest(out).making == MAKING


def test_the_manifest_is_the_same_whoever_writes_it(out: Path, tmp_path: Path) -> None:
    site = site_of(100)
    site.pages = dict(reversed(site.pages.items()))
    publish(site, tmp_path / "again", jobs=4, making=MAKING)
    assert (tmp_path / "again" / MARKER).read_bytes() == (out / MARKER).read_bytes()


def test_a_manifest_that_is_as_it_was_keeps_its_time(out: Path) -> None:
    os.utime(out / MARKER, ns=(5, 7))
    assert publish(site_of(100), out, making=MAKING).unchanged == 2 * 101 + 1
    assert (out / MARKER).stat().st_mtime_ns == 7


def test_an_odd_name_is_listed_as_it_is(tmp_path: Path) -> None:
    odd = 'a "name"\n\u2028ü.html'
    publish(FakeSite({odd: FakePage({odd: b"x"})}), tmp_path / "site")
    assert set(read_manifest(tmp_path / "site").files) == {odd}
    assert damage(tmp_path / "site", read_manifest(tmp_path / "site")) == []


@pytest.mark.parametrize("jobs", JOBS)
def test_a_site_that_is_whole_has_no_damage(out: Path, jobs: int) -> None:
    assert damage(out, read_manifest(out), jobs) == []


@pytest.mark.parametrize("jobs", JOBS)
def test_each_damage_is_named(out: Path, jobs: int) -> None:
    (out / "index.html").write_bytes(b"home!")
    (out / "index.json").write_bytes(b"[]")  # of the same size
    (out / "runs/3/0003.html").unlink()
    (out / "runs/3/new.html").touch()
    (out / "runs/3/folder").symlink_to(out / "runs/4")
    content = (out / "runs/5/0005.html").read_bytes()
    (out / "runs/5/0005.html").unlink()
    (out / "copy").write_bytes(content)
    (out / "runs/5/0005.html").symlink_to(out / "copy")
    (out / "empty").mkdir()
    assert damage(out, read_manifest(out), jobs) == [
        Difference("copy", Kind.EXTRA),
        Difference("index.html", Kind.ALTERED),
        Difference("index.json", Kind.ALTERED),
        Difference("runs/3/0003.html", Kind.MISSING),
        Difference("runs/3/folder", Kind.EXTRA),
        Difference("runs/3/new.html", Kind.EXTRA),
        Difference("runs/5/0005.html", Kind.ALTERED),
    ]


@pytest.mark.parametrize("jobs", JOBS)
def test_a_site_of_the_same_pages_is_the_same(out: Path, jobs: int) -> None:
    assert unlike(read_manifest(out), site_of(100), jobs) == []


def test_what_another_site_would_have_is_named(out: Path) -> None:
    site = site_of(99)
    site.pages["runs/3/0003.html"].contents["runs/3/0003.html"] = b"page !"
    site.pages["z.html"] = FakePage({"z.html": b"z"})
    assert unlike(read_manifest(out), site) == [
        Difference("runs/3/0003.html", Kind.OTHER),
        Difference("runs/3/0099.html", Kind.STALE),
        Difference("runs/3/0099.json", Kind.STALE),
        Difference("z.html", Kind.LACKING),
    ]


@pytest.mark.parametrize(
    ("manifest", "says"),
    [
        (None, "holds no sitegen.json"),
        ('{"generator": "sitegen", "files": 3}', "not a whole manifest"),
        ('{"generator": "sitegen",', "not a whole manifest"),
        ("[]", "not a whole manifest"),
        ("\udcff", "not a whole manifest"),
    ],
)
def test_a_folder_without_a_manifest_that_can_be_read_is_refused(
    tmp_path: Path, manifest: str | None, says: str
) -> None:
    if manifest is not None:
        (tmp_path / MARKER).write_bytes(manifest.encode(errors="surrogateescape"))
    with pytest.raises(ManifestError, match=says):
        read_manifest(tmp_path)
