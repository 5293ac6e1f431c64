"""What is there for hosts: headers for every address, redirects, and a list of all pages with the dates of records."""

import re
from collections.abc import Callable
from fnmatch import fnmatchcase
from xml.etree import ElementTree as ET

import pytest

from sitegen.catalogue import build, update
from sitegen.settings import Settings
from sitegen.site import Site, host_files, recompose_site
from tests.making import A100, H100, catalogue, failed, loaded, run, sized
from tests.site.pages import files

SiteOf = Callable[..., Site]
BASE = Settings(base_url="https://example.org/kernels")
SPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
DAY = 86_400_000


@pytest.fixture
def some() -> list[object]:
    """Runs on two GPUs, of different days."""
    return [
        run("liger", observed_ms=1 * DAY),
        run("torch", observed_ms=3 * DAY),
        run("liger", gpu=H100, observed_ms=2 * DAY),
        failed("torch", gpu=H100, kernel="jsd", observed_ms=4 * DAY),
    ]


def rules(headers: bytes) -> dict[str, dict[str, str]]:
    """The headers by the pattern of their rule."""
    found: dict[str, dict[str, str]] = {}
    pattern = ""
    for line in headers.decode().splitlines():
        if line.startswith("  "):
            name, _, value = line.strip().partition(": ")
            found[pattern][name] = value
        else:
            pattern = line
            assert pattern not in found
            found[pattern] = {}
    return found


def dated(sitemap: bytes) -> dict[str, str | None]:
    root = ET.fromstring(sitemap)
    return {str(each.findtext(f"{SPACE}loc")): each.findtext(f"{SPACE}lastmod") for each in root}


@pytest.mark.parametrize(("settings", "root"), [(Settings(), "/"), (BASE, "/kernels/")])
def test_every_address_is_kept_for_ever_or_asked_for_again(
    site_of: SiteOf, some: list[object], settings: Settings, root: str
) -> None:
    site = site_of(catalogue(*some), settings)
    said = rules(files(site)["_headers"])
    for at in [at for page in site.pages.values() for at, _ in page.files()] + [""]:
        kept = [rule for pattern, rule in said.items() if fnmatchcase(root + at, pattern) and "Cache-Control" in rule]
        if at in {".nojekyll", "_headers", "_redirects"}:  # for the host alone
            continue
        assert len(kept) == 1, at
        expected = "public, max-age=31536000, immutable" if at.startswith("assets/") else "no-cache"
        assert kept[0]["Cache-Control"] == expected, at
        if at.startswith("assets/"):
            assert re.search(r"\.[0-9a-f]{10}\.", at)


def test_the_policy_in_the_headers_is_that_of_the_pages_and_more(site_of: SiteOf, some: list[object]) -> None:
    written = files(site_of(catalogue(*some)))
    policy = rules(written["_headers"])["/*"]["Content-Security-Policy"]
    stated = re.search(rb'http-equiv="Content-Security-Policy" content="([^"]*)"', written["index.html"])
    assert stated is not None
    assert policy == stated[1].decode() + "; frame-ancestors 'none'"
    assert stated[1].decode() == host_files.CONTENT_SECURITY_POLICY


def test_no_header_is_said_twice_of_one_address(site_of: SiteOf, some: list[object]) -> None:
    said = rules(files(site_of(catalogue(*some)))["_headers"])
    everywhere = said.pop("/*")
    assert all(not everywhere.keys() & rule.keys() for rule in said.values())
    assert everywhere["X-Content-Type-Options"] == "nosniff"


def test_the_sitemap_has_every_page_and_the_date_of_its_newest_record(site_of: SiteOf, some: list[object]) -> None:
    site = site_of(catalogue(*some), BASE)
    written = files(site)
    said = dated(written["sitemap.xml"])
    pages = {at for at in written if at.endswith(".html") and at != "404.html"}
    assert set(said) == {"https://example.org/kernels/" + at.removesuffix("index.html") for at in pages}
    for at in pages:
        canonical = re.search(rb'rel="canonical" href="([^"]*)"', written[at])
        assert canonical is not None
        assert canonical[1].decode() in said
    (jsd,) = [at for at in said if at.endswith("/jsd.html")]
    (a100,) = [at for at in said if "/hardware/nvidia-a100" in at]
    assert said["https://example.org/kernels/"] == "1970-01-05T00:00:00Z"
    assert said[jsd] == "1970-01-05T00:00:00Z"
    assert said[a100] == "1970-01-04T00:00:00Z"
    runs = sorted(str(date) for at, date in said.items() if "/runs/" in at)
    assert runs == [f"1970-01-0{day}T00:00:00Z" for day in (2, 3, 4, 5)]


def test_without_an_absolute_address_there_is_no_sitemap(site_of: SiteOf, some: list[object]) -> None:
    written = files(site_of(catalogue(*some)))
    assert not [at for at in written if "sitemap" in at]
    assert written["robots.txt"] == b"User-agent: *\nAllow: /\n"
    assert written[".nojekyll"] == b""


def test_robots_are_told_where_the_sitemap_is(site_of: SiteOf, some: list[object]) -> None:
    robots = files(site_of(catalogue(*some), BASE))["robots.txt"].decode()
    assert robots.splitlines()[-1] == "Sitemap: https://example.org/kernels/sitemap.xml"


def test_a_long_sitemap_is_split_and_has_an_index(
    site_of: SiteOf, some: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = dated(files(site_of(catalogue(*some), BASE))["sitemap.xml"])
    monkeypatch.setattr(host_files, "MOST_IN_A_SITEMAP", 7)
    written = files(site_of(catalogue(*some), BASE))
    index = dated(written["sitemap.xml"])
    parts = [dated(written[at.rpartition("/")[2]]) for at in index]
    assert len(parts) == -(-len(whole) // 7)
    assert all(0 < len(part) <= 7 for part in parts)
    assert {at: date for part in parts for at, date in part.items()} == whole
    assert list(index.values()) == [max(filter(None, part.values())) for part in parts]


def test_a_catalogue_without_records_has_a_sitemap_without_dates(site_of: SiteOf) -> None:
    said = dated(files(site_of(catalogue(), BASE))["sitemap.xml"])
    assert "https://example.org/kernels/" in said
    assert set(said.values()) == {None}


def test_a_sitemap_follows_the_records(site_of: SiteOf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_files, "MOST_IN_A_SITEMAP", 20)
    many = [run(name, gpu=A100, **sized("hidden", size)) for name in ("liger", "torch") for size in (8, 16, 32)]
    few = many[::3]
    small, large = build(loaded(few)), build(loaded(many))
    for before, after in ((small, large), (large, small)):
        changed = update(before, after.loaded)
        assert files(recompose_site(site_of(before, BASE), changed)) == files(site_of(changed, BASE))
