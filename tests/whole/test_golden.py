"""A few pages, whole: what they say and how, to be read in review. `pytest --update-golden` writes them anew."""

import re
from functools import partial
from pathlib import Path

import pytest

from tests.browser.kinds import addresses
from tests.whole.links import linked

GOLDEN = Path(__file__).parent / "golden"
KINDS = ("group", "group with a tie", "group with a failed run", "kernel of scores", "run", "run that failed")
PAGES = [*((kind, suffix) for kind in KINDS for suffix in (".html", ".json")), ("404", ".html")]


def plain(text: str) -> str:
    """The page without what changes with every change of a style sheet or of our version."""
    text = re.sub(r"(assets/[\w-]+)\.[0-9a-f]{10}\.", r"\1.HASH.", text)
    return re.sub(r"sitegen \d+\.\d+\.\d+[\w.+-]*", "sitegen VERSION", text)


@pytest.mark.parametrize(("kind", "suffix"), PAGES)
def test_a_page_is_what_it_was(kind: str, suffix: str, sample_site: Path, request: pytest.FixtureRequest) -> None:
    page = (sample_site / addresses(sample_site, partial(linked, sample_site))[kind]).with_suffix(suffix)
    golden = GOLDEN / f"{kind.replace(' ', '-')}{suffix}"
    text = plain(page.read_text(encoding="utf-8"))
    if request.config.getoption("--update-golden"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")
