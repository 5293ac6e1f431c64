"""Every link inside the site leads somewhere, wherever the site is put."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest

from tests.conftest import BELOW
from tests.whole.links import Links, read


@cache
def page(path: Path) -> Links:
    return read(path)


def pages(site: Path) -> Iterator[str]:
    return (path.relative_to(site).as_posix() for path in sorted(site.rglob("*.html")))


def broken(site: Path, base: str) -> list[str]:
    """What is wrong with the links of a site that is reached at `base`, which ends in a slash."""
    wrong = []
    for address in pages(site):
        for where, link in page(site / address).found:
            target, fragment = urldefrag(urljoin(base + address, link))
            if not target.startswith(base):
                if urlsplit(link).scheme not in {"http", "https", "data"}:
                    wrong.append(f"{address}: {where} {link!r} leads out of the site")
                elif not where.startswith("<a "):
                    wrong.append(f"{address}: {where} {link!r} loads from elsewhere")
                continue
            # Only an absolute address, which no folder on a disk has, may leave index.html to the host.
            index = "index.html" if target.endswith("/") and link == target else ""
            file = site / unquote(target.removeprefix(base) + index)
            if not file.is_file():
                wrong.append(f"{address}: {where} {link!r} leads to no file")
            elif fragment and unquote(fragment) not in page(file).ids:
                wrong.append(f"{address}: {where} {link!r} names no place in its page")
    return wrong


def test_every_link_resolves_at_the_root_of_a_host(sample_site: Path) -> None:
    assert broken(sample_site, "http://site.example/") == []


def test_every_link_resolves_below_a_path(sample_site_below: Path) -> None:
    assert broken(sample_site_below, f"https://example.org{BELOW}/") == []


@pytest.mark.parametrize("base", ["http://site.example/deep/down/", "folder"])
def test_every_link_but_those_of_the_404_page_resolves_anywhere(sample_site: Path, base: str) -> None:
    base = f"{sample_site.as_uri()}/" if base == "folder" else base
    assert [wrong for wrong in broken(sample_site, base) if not wrong.startswith("404.html: ")] == []


def test_the_404_page_works_at_any_depth(sample_site_below: Path) -> None:
    for depth in ("", "a/", "a/b/c/"):
        for where, link in page(sample_site_below / "404.html").found:
            target = urldefrag(urljoin(f"https://example.org{BELOW}/{depth}missing", link)).url
            if link.startswith("#"):
                continue
            assert target.startswith(f"https://example.org{BELOW}/"), f"{where} {link}"


def test_every_id_is_unique_on_its_page(sample_site: Path) -> None:
    for address in pages(sample_site):
        ids = page(sample_site / address).ids
        assert sorted(set(ids)) == sorted(ids), address


def test_no_link_is_a_script(sample_site: Path) -> None:
    schemes = {urlsplit(link).scheme for address in pages(sample_site) for _, link in page(sample_site / address).found}
    assert schemes <= {"", "http", "https", "data"}


def test_every_page_links_its_data_and_every_data_file_is_json(sample_site: Path) -> None:
    without = {address for address in pages(sample_site) if not (sample_site / address).with_suffix(".json").is_file()}
    assert without <= {"404.html", "method/index.html"}
    for address in set(pages(sample_site)) - without:
        name = Path(address).with_suffix(".json").name
        assert ("<link href>", name) in page(sample_site / address).found, address
    for path in sample_site.rglob("*.json"):
        json.loads(path.read_bytes())


@pytest.mark.parametrize("table", ["groups", "runs"])
def test_every_line_of_the_data_names_a_page(sample_site: Path, table: str) -> None:
    rows = [json.loads(line) for line in (sample_site / f"data/{table}.jsonl").read_text().splitlines()]
    listed = [row["page"] for row in rows]
    assert sorted(listed) == [address for address in pages(sample_site) if address.startswith(f"{table}/")]
