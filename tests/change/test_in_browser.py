"""The page of a difference in a real browser, opened from a file."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from sitegen.change import as_page, compare
from sitegen.render import Renderer, template_folder
from tests.change.sides import at, side
from tests.conftest import ROOT
from tests.making import failed, latency, run, sized

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with an alarm, a tie, improvements, a group that goes, and runs that come, one without a rank."""
    alone = run("torch", latency(10, 9, 11), **sized("hidden", 7))
    leads, slow = at(0, "huggingface", 100, 95, 105), at(0, "liger", 120, 118, 122)
    old = side("old", leads, slow, alone, records={leads.digest: '{"run": {"metadata": 1}}'})
    new = side("new", leads, slow, at(1, "liger", 80, 78, 82), at(1, "huggingface", 81, 79, 83), failed("x" * 90))
    style = (ROOT / "static/site.css").read_text(encoding="utf-8")
    path = tmp_path_factory.mktemp("difference") / "report.html"
    path.write_bytes(as_page(compare(old, new), Renderer((template_folder("templates"),)), style))
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_it_is_quiet_alone_accessible_and_no_wider_than_the_window(
    page_file: Path, browser: Browser, width: int, scheme: str
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type] # one of two words
    try:
        page = context.new_page()
        said: list[str] = []
        asked: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(page_file.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        # The style sheet was let in: without it the page has the browser's own margin.
        assert page.evaluate("getComputedStyle(document.body).marginTop") == "0px"
        assert said == []
        assert asked == [page_file.as_uri()]
        assert page.locator("h2").count() >= 5
        found = Axe().run(page, options=RULES)
        assert found.violations_count == 0, found.generate_report()
    finally:
        context.close()
