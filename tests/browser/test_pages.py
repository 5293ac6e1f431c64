"""Every kind of page in a real browser: quiet, alone, accessible, and no wider than the window."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Page, Request

from tests.browser.kinds import KINDS, addresses
from tests.whole.links import linked

WIDTHS = {1280: 900, 360: 780}
EVERY_RULE = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}  # all that another scheme can change

# Run in each page before its own scripts: keeps every violation of its content security policy.
LISTEN = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
});
"""


@dataclass
class Heard:
    """Everything that a page said while it was open."""

    messages: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def listen(self, page: Page) -> None:
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.messages.append(f"error: {error}"))
        page.on("dialog", self._dialog)
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("requestfailed", self._failed)

    def _console(self, message: ConsoleMessage) -> None:
        self.messages.append(f"{message.type}: {message.text}")

    def _dialog(self, dialog: Dialog) -> None:
        self.messages.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _failed(self, request: Request) -> None:
        self.failures.append(f"{request.url} {request.failure}")


@pytest.fixture(scope="session")
def address_of(sample_site: Path) -> dict[str, str]:
    return addresses(sample_site, partial(linked, sample_site))


@dataclass
class Opened:
    """A page that has been opened, and what it said."""

    page: Page
    heard: Heard


@pytest.fixture(scope="session")
def contexts(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """A browser context for each set of options, kept: making one costs more than opening a page."""
    made: dict[tuple[object, ...], BrowserContext] = {}

    def context(width: int, scheme: str, *, scripts: bool) -> BrowserContext:
        key = (width, scheme, scripts)
        if key not in made:
            made[key] = browser.new_context(
                viewport={"width": width, "height": WIDTHS[width]},
                color_scheme="dark" if scheme == "dark" else "light",
                java_script_enabled=scripts,
                reduced_motion="reduce",
            )
            made[key].add_init_script(LISTEN)
        return made[key]

    yield context
    for each in made.values():
        each.close()


@pytest.fixture
def opened(contexts: Callable[..., BrowserContext]) -> Iterator[Callable[..., Opened]]:
    pages: list[Page] = []

    def go(url: str, width: int = 1280, scheme: str = "light", *, scripts: bool = True) -> Opened:
        page = contexts(width, scheme, scripts=scripts).new_page()
        pages.append(page)
        heard = Heard()
        heard.listen(page)
        page.goto(url, wait_until="load")
        return Opened(page, heard)

    yield go
    for page in pages:
        page.close()


def draw_charts(page: Page) -> int:
    """Bring every chart into view, wait until it is drawn, and give how many there are."""
    charts = page.locator("figure.chart[data-chart]")
    for place in range(charts.count()):
        chart = charts.nth(place)
        if not chart.is_visible():
            continue  # inside something folded away
        chart.scroll_into_view_if_needed()
        chart.locator(".chart-plot.is-live .main-svg").first.wait_for()
    page.evaluate("window.scrollTo(0, 0)")
    return charts.count()


def too_wide(page: Page) -> list[str]:
    """How wide the page is, and what reaches beyond the window's right edge; nothing where it fits."""
    found: list[str] = page.evaluate(
        """() => {
          const width = document.documentElement.clientWidth;
          if (document.documentElement.scrollWidth <= width) return [];
          const beyond = (each) => each.getBoundingClientRect().right > width + 0.5;
          const wide = [...document.body.querySelectorAll("*")].filter(beyond).slice(0, 5);
          const shown = wide.map((each) => each.outerHTML.slice(0, 120));
          return [`${document.documentElement.scrollWidth} pixels`, ...shown];
        }"""
    )
    return found


def violations(page: Page, rules: dict[str, Any]) -> list[str]:
    """What axe objects to: the rule, and the first element that breaks it."""
    found: list[dict[str, Any]] = Axe().run(page, options=rules).response["violations"]
    return [f"{each['id']}: {each['help']}: {each['nodes'][0]['html'][:160]}" for each in found]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_with_scripts_in_light_and_in_dark(
    kind: str, width: int, sample_url: str, address_of: dict[str, str], opened: Callable[..., Opened]
) -> None:
    here = opened(sample_url + address_of[kind], width)
    draw_charts(here.page)
    assert too_wide(here.page) == []
    assert violations(here.page, EVERY_RULE) == []
    here.page.emulate_media(color_scheme="dark")
    assert violations(here.page, COLOURS) == []
    assert here.heard.messages == []
    assert here.heard.failures == []
    assert [url for url in here.heard.requests if not url.startswith((sample_url, "data:", "blob:"))] == []
    assert here.page.evaluate("window.violations") == []
    assert here.page.evaluate("window.__owned") is None


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (360, "light")])
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_without_scripts(
    kind: str, width: int, scheme: str, sample_url: str, address_of: dict[str, str], opened: Callable[..., Opened]
) -> None:
    here = opened(sample_url + address_of[kind], width, scheme, scripts=False)
    assert here.heard.messages == []
    assert [url for url in here.heard.requests if not url.startswith((sample_url, "data:"))] == []
    assert not any(url.endswith(".js") for url in here.heard.requests)
    assert too_wide(here.page) == []
    assert here.page.locator("main").inner_text().strip()
    assert not here.page.locator(".js-only").filter(visible=True).count()


@pytest.mark.parametrize("kind", ["home", "kernel", "group", "run"])
def test_a_page_opened_from_a_folder(
    kind: str, sample_site: Path, address_of: dict[str, str], opened: Callable[..., Opened]
) -> None:
    here = opened((sample_site / address_of[kind]).as_uri())
    draw_charts(here.page)
    assert here.heard.messages == []
    assert here.heard.failures == []
    assert [url for url in here.heard.requests if not url.startswith((sample_site.as_uri(), "data:", "blob:"))] == []
    here.page.locator("header nav a").first.click()
    here.page.wait_for_url("**/kernels/index.html")


def test_what_is_not_there_is_answered_by_the_404_page(
    sample_url: str, contexts: Callable[..., BrowserContext]
) -> None:
    page = contexts(1280, "light", scripts=True).new_page()
    answer = page.goto(f"{sample_url}kernels/no/such/page.html")
    assert answer is not None
    assert answer.status == 404
    page.get_by_role("link", name="front page").click()
    page.wait_for_url(f"{sample_url}index.html")
    page.close()


@pytest.mark.parametrize("kind", ["home", "kernel", "group", "run", "GPU"])
def test_the_first_view_is_light(kind: str, sample_url: str, address_of: dict[str, str], browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 300})
    page = context.new_page()
    sizes: list[int] = []
    page.on("response", lambda response: sizes.append(int(response.header_value("content-length") or 0)))
    page.goto(sample_url + address_of[kind], wait_until="load")
    context.close()
    # Counted as they lie on the disk: compressed on the wire, they are a quarter of that.
    assert 0 < sum(sizes) < 4 * 100_000
