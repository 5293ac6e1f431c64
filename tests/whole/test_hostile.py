"""What strangers wrote is shown as they wrote it, and does nothing."""

import html
import json
import re
from pathlib import Path

import pytest

MARKUP = ("<script>window.__owned", "<img src=x", 'href="javascript:', "href='javascript:", 'href="data:text')


@pytest.fixture(scope="module")
def hostile_pages(sample_site: Path) -> dict[str, str]:
    """The text of every page that shows any of it."""
    pages = {
        path.relative_to(sample_site).as_posix(): path.read_text(encoding="utf-8")
        for path in sample_site.rglob("*.html")
    }
    found = {address: text for address, text in pages.items() if "__owned" in text or "onerror=" in text}
    assert len(found) > 8, "the sample's hostile records are shown"
    return found


@pytest.mark.parametrize("markup", MARKUP)
def test_no_markup_of_theirs_is_markup_of_ours(hostile_pages: dict[str, str], markup: str) -> None:
    assert [address for address, text in hostile_pages.items() if markup in text.lower()] == []


def test_it_can_be_read_where_it_belongs(hostile_pages: dict[str, str]) -> None:
    shown = {address: html.unescape(re.sub(r"<[^>]*>", "", text)) for address, text in hostile_pages.items()}
    kernel = [address for address, text in shown.items() if address.startswith("kernels/kernel-garden/")]
    assert any("<img src=x onerror=alert(1)>" in shown[address] for address in kernel)
    assert any("{{ 7*7 }}" in text and "{% raw %}" in text for text in shown.values()), "templates are not templates"


def test_blocks_of_data_in_a_page_cannot_be_left(sample_site: Path) -> None:
    for path in sample_site.rglob("*.html"):
        for block in re.findall(
            r'<script type="application/json"[^>]*>(.*?)</script>', path.read_text(encoding="utf-8"), re.DOTALL
        ):
            assert "<" not in block, path
            json.loads(block)


def test_no_page_leaves_the_site(sample_site: Path) -> None:
    outside = [path for path in sample_site.parent.rglob("*") if not path.is_relative_to(sample_site)]
    assert outside == []


def test_kernels_that_slug_alike_have_a_page_each(sample_site: Path) -> None:
    rows = [json.loads(line) for line in (sample_site / "data/groups.jsonl").read_text(encoding="utf-8").splitlines()]
    alike = {row["kernel"] for row in rows if row["kernel"] in {"a_b", "a-b", "A B", "a b"}}
    assert len(alike) == 4
    pages = [
        path for path in (sample_site / "kernels/kernel-garden").glob("*.html") if path.stem.lower().startswith("a-b")
    ]
    pages += (sample_site / "kernels/kernel-garden").glob("a_b*.html")
    assert len({path.name.lower() for path in pages}) == 4
