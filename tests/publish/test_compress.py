"""Compressed copies: beside text that is worth it, the same bytes each time, and what they unpack to."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import brotli
import pytest

from sitegen.publish import MARKER, Making, publish, read_manifest
from sitegen.publish.compress import SMALLEST
from sitegen.publish.verify import damage, unlike
from tests.publish.fake_site import FakePage, FakeSite

BOTH = Making(precompress=("gzip", "br"))
LINE = b"a line of text, and another one\n"
TEXT = LINE * 2000


class InParts:
    """A page that is made in parts."""

    def files(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        yield "data.csv", iter([LINE] * 2000)
        yield "short.csv", iter([LINE])


@pytest.fixture
def site() -> FakeSite:
    pages = {
        "index.html": FakePage({"index.html": TEXT, "index.json": b"{}"}),
        "edge.html": FakePage({"edge.html": b"x" * SMALLEST, "below.html": b"x" * (SMALLEST - 1)}),
        "a.png": FakePage({"a.png": TEXT, "_headers": TEXT}),
    }
    return FakeSite({**pages, "data.csv": InParts()})  # type: ignore[dict-item] # a page is what gives files


def test_text_that_is_worth_it_has_copies(site: FakeSite, tmp_path: Path) -> None:
    out = tmp_path / "site"
    told = publish(site, out, making=BOTH)
    copies = {path.name for path in out.iterdir() if path.suffix in {".gz", ".br"}}
    assert copies == {f"{name}{kind}" for name in ("index.html", "edge.html", "data.csv") for kind in (".gz", ".br")}
    assert told.files == 8 + len(copies) + 1
    for name in ("index.html", "data.csv"):
        assert gzip.decompress((out / f"{name}.gz").read_bytes()) == TEXT
        assert brotli.decompress((out / f"{name}.br").read_bytes()) == TEXT
        assert (out / f"{name}.gz").stat().st_size < 1000
    assert (out / "index.html").read_bytes() == TEXT


def test_a_gzip_copy_names_no_time_and_no_file(site: FakeSite, tmp_path: Path) -> None:
    publish(site, tmp_path / "site", making=BOTH)
    head = (tmp_path / "site/index.html.gz").read_bytes()[:8]
    assert head[3] == 0  # no flag: no name, no comment
    assert head[4:8] == b"\0\0\0\0"


def test_copies_are_the_same_bytes_each_time(site: FakeSite, tmp_path: Path) -> None:
    for name, jobs in (("one", 1), ("two", 3)):
        publish(site, tmp_path / name, jobs=jobs, making=BOTH)
    assert (tmp_path / "one" / MARKER).read_bytes() == (tmp_path / "two" / MARKER).read_bytes()
    told = publish(site, tmp_path / "one", making=BOTH)
    assert told.unchanged == told.files


def test_only_the_kinds_that_were_asked_for(site: FakeSite, tmp_path: Path) -> None:
    publish(site, tmp_path / "site", making=Making(precompress=("gzip",)))
    assert {path.suffix for path in (tmp_path / "site").iterdir()} & {".gz", ".br"} == {".gz"}
    publish(site, tmp_path / "site")
    assert not {path.suffix for path in (tmp_path / "site").iterdir()} & {".gz", ".br"}


def test_copies_are_verified_with_the_rest(site: FakeSite, tmp_path: Path) -> None:
    out = tmp_path / "site"
    publish(site, out, making=BOTH)
    manifest = read_manifest(out)
    assert damage(out, manifest) == []
    assert unlike(manifest, site) == []
    (out / "index.html.br").write_bytes(b"")
    assert [each.file for each in damage(out, manifest)] == ["index.html.br"]
