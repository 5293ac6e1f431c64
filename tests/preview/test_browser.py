"""A real browser beside the files: what is saved is on the page, and what the reader did to the page stays."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.preview.command import Command
from tests.preview.conftest import LONG_S, Preview, Start, with_median

expect.set_options(timeout=LONG_S * 1000)

RECORD = "liger/layer_norm/001-forward-liger.json"
EVERY_RULE = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}

# Counts how often a page was loaded in this tab, and keeps what its policy forbade.
LISTEN = """
sessionStorage.setItem("loads", Number(sessionStorage.getItem("loads")) + 1);
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => window.violations.push(event.violatedDirective));
"""


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 500})
    context.set_default_timeout(LONG_S * 1000)
    context.add_init_script(LISTEN)
    yield context
    context.close()


def loads(page: Page) -> int:
    return int(page.evaluate("sessionStorage.getItem('loads')"))


def followed(page: Page, address: str) -> None:
    """Open a page, and wait until it has heard from the server."""
    with page.expect_response(lambda response: "/_sitegen/poll" in response.url):
        page.goto(address)


def group_of(preview: Preview, file: str = RECORD) -> str:
    """The address of the group that a record's run is in."""
    site = preview.session.state.version.site
    assert site is not None
    catalogue = site.pages.book.judged.catalogue
    run = next(run for run in catalogue.loaded.runs if run.file == file)
    group = catalogue.group_of[run.digest]
    return f"{preview.url}groups/{group.id[:2]}/{group.id}.html"


def save(preview: Preview, text: str, file: str = RECORD) -> None:
    path = preview.records / file
    beside = path.with_suffix(".new")
    beside.write_text(text)
    beside.replace(path)


def notice(page: Page):  # type: ignore[no-untyped-def] # a locator
    return page.locator("#sitegen-notice")


def violations(page: Page, part: str | None = None) -> list[tuple[str, str]]:
    """What of a page, or of a part of it, is not accessible, as the name of a rule and the place."""
    found = Axe().run(page, context=part, options=EVERY_RULE).response["violations"]
    return [(each["id"], str(node["target"])) for each in found for node in each["nodes"]]


def test_a_figure_changes_as_its_record_is_saved(preview: Preview, context: BrowserContext, record: Path) -> None:
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    followed(page, group_of(preview))
    main = page.locator("main")
    expect(main).not_to_contain_text("777 ms")
    save(preview, with_median(record.read_text(), 777_000_000))
    expect(main).to_contain_text("777")
    assert loads(page) == 2
    assert said == []
    assert page.evaluate("window.violations") == []


def test_the_page_of_a_run_follows_its_record(preview: Preview, context: BrowserContext, record: Path) -> None:
    page = context.new_page()
    site = preview.session.state.version.site
    assert site is not None
    run = next(run for run in site.pages.book.judged.catalogue.loaded.runs if run.file == RECORD)
    followed(page, f"{preview.url}runs/{run.digest[7:9]}/{run.digest[7:]}.html")
    save(preview, with_median(record.read_text(), 31_337))
    expect(page.locator("main")).to_contain_text("31,337")


def test_what_is_wrong_stands_over_the_page_until_it_is_mended(
    preview: Preview, context: BrowserContext, record: Path
) -> None:
    text = record.read_text()
    page = context.new_page()
    followed(page, group_of(preview))
    before = page.locator("main table").first.inner_text()
    save(preview, text.replace('"passed"', '"fine"'))
    over = notice(page)
    expect(over).to_contain_text("1 problem keeps the site as it was")
    for words in (f"{record}:", "error[unknown-status]", "run.spec.status", "fine"):
        expect(over).to_contain_text(words)
    expect(over).to_be_visible()
    other = preview.records / "liger/layer_norm/003-forward-liger.json"
    whole = other.read_text()
    other.write_text("{")
    expect(over).to_contain_text("2 problems keep the site as it was")
    expect(over.locator("li")).to_have_count(2)
    expect(over).to_contain_text("error[truncated]")
    assert loads(page) == 1
    page.reload()
    expect(notice(page).locator("li")).to_have_count(2)
    assert page.locator("main table").first.inner_text() == before
    assert violations(page, "#sitegen-notice") == []
    other.write_text(whole)
    expect(notice(page).locator("li")).to_have_count(1)
    save(preview, text)
    expect(notice(page)).to_have_count(0)
    assert page.evaluate("window.violations") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_when_the_first_load_failed_the_page_shows_what_is_wrong(
    start: Start, browser: Browser, record: Path, scheme: str
) -> None:
    text = record.read_text()
    record.write_text('{"run": <b onclick="x()">')
    preview = start()
    context = browser.new_context(color_scheme=scheme)  # type: ignore[arg-type] # one of its words
    page = context.new_page()
    with page.expect_response(lambda response: "/_sitegen/poll" in response.url):
        page.goto(f"{preview.url}kernels/index.html")
    expect(page.locator("h1")).to_have_text("There is no site to show yet")
    expect(page.locator("li")).to_have_count(1)
    expect(page.locator("li")).to_contain_text("error[not-json]")
    expect(notice(page)).to_have_count(0)
    assert violations(page) == []
    record.write_text("")
    expect(page.locator("li")).to_contain_text("error[empty-file]")
    record.write_text(text)
    expect(page.locator("h1")).to_have_text("Kernels")
    context.close()


def test_a_template_that_fails_is_told_with_its_line(preview: Preview, context: BrowserContext) -> None:
    page = context.new_page()
    followed(page, f"{preview.url}kernels/index.html")
    path = preview.templates / "kernels.html"
    text = path.read_text()
    path.write_text(text + "\n{% block other %}{{ nothing }}{% endblock")
    over = notice(page)
    expect(over).to_contain_text("error[template-syntax]")
    expect(over).to_contain_text(f"{path}:{len(text.splitlines()) + 2}")
    path.write_text(text.replace("{% block main %}", '{% block main %}<p id="new">New</p>', 1))
    expect(page.locator("#new")).to_be_visible()
    expect(over).to_have_count(0)


UNTIL_SCROLLED = "async (y) => { while (Math.abs(scrollY - y) > 2) await new Promise(requestAnimationFrame); }"


def test_the_view_survives_a_reload(preview: Preview, context: BrowserContext, record: Path) -> None:
    page = context.new_page()
    followed(page, f"{preview.url}kernels/index.html")
    page.locator(".theme-switch").click()
    page.get_by_role("searchbox").first.press_sequentially("layer")
    theme = page.evaluate("document.documentElement.dataset.theme")
    assert theme in {"light", "dark"}
    # Saved while somebody types: the filter is in the address before the page is loaded again.
    with page.expect_event("load"):
        save(preview, with_median(record.read_text(), 777_000_000))
    expect(page.get_by_role("searchbox").first).to_have_value("layer")
    expect(page.get_by_role("searchbox").first).to_be_focused()
    assert page.evaluate("document.documentElement.dataset.theme") == theme

    site = preview.session.state.version.site
    assert site is not None
    followed(page, preview.url + next(at for at in site.pages if at.startswith("kernels/liger-kernel-bench/")))
    details = page.locator("details")
    assert details.count() > 0
    details.last.evaluate("each => each.open = true")
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight / 3)")
    scrolled = page.evaluate("scrollY")
    assert scrolled > 0
    with page.expect_event("load"):
        save(preview, with_median(record.read_text(), 778_000_000))
    assert details.last.evaluate("each => each.open")
    page.evaluate(UNTIL_SCROLLED, scrolled)


def test_a_style_sheet_is_swapped_without_a_reload(preview: Preview, context: BrowserContext) -> None:
    pages = [context.new_page() for _ in range(2)]
    for page in pages:
        followed(page, f"{preview.url}kernels/index.html")
        page.evaluate("window.kept = true")
    path = preview.static / "site.css"
    for colour in ("rgb(1, 2, 3)", "rgb(4, 5, 6)"):
        path.write_text(path.read_text() + f"\nbody {{ color: {colour} }}\n")
        for page in pages:
            expect(page.locator("body")).to_have_css("color", colour)
            assert page.evaluate("window.kept")
    expect(pages[0].locator("link[rel=stylesheet][href*='site.']")).to_have_count(1)
    assert [page.evaluate("window.violations") for page in pages] == [[], []]


def test_eight_tabs_follow_though_a_browser_opens_fewer_connections(
    preview: Preview, context: BrowserContext, record: Path
) -> None:
    pages = [context.new_page() for _ in range(8)]
    for page in pages:
        followed(page, preview.url)
    text = record.read_text()
    for number, median in enumerate((777_000_000, 30_000), 2):
        before = pages[0].locator("main").inner_text()
        save(preview, with_median(text, median))
        for page in pages:
            expect(page.locator("main")).not_to_have_text(before, use_inner_text=True)
            assert loads(page) == number
    before = pages[1].locator("main").inner_text()
    pages[0].close()
    save(preview, with_median(text, 777_000_000))
    for page in pages[1:]:
        expect(page.locator("main")).not_to_have_text(before, use_inner_text=True)


HIDE = """
(state) => {
  Object.defineProperty(document, "visibilityState", { get: () => state, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}
"""


def test_a_tab_that_is_not_seen_does_not_ask_and_catches_up(
    preview: Preview, context: BrowserContext, record: Path
) -> None:
    page = context.new_page()
    with page.expect_request(lambda request: "build=" in request.url):
        page.goto(group_of(preview))
    asked: list[str] = []
    with page.expect_event("requestfailed", lambda request: "/_sitegen/poll" in request.url):
        page.evaluate(HIDE, "hidden")
    page.on("request", lambda request: asked.append(request.url))
    text = record.read_text()
    for median in (777_000_000, 778_000_000):
        preview.after(lambda median=median: save(preview, with_median(text, median)))  # type: ignore[misc]
    assert page.evaluate("1 + 1") == 2
    assert asked == []
    page.evaluate(HIDE, "visible")
    expect(page.locator("main")).to_contain_text("778")
    assert loads(page) == 2


class TestAnotherServer:
    """A tab outlives the server, and finds it again."""

    @pytest.fixture
    def first(self, place: Path) -> Iterator[Command]:
        command = Command(place, "--port", "0")
        yield command
        command.end()
        assert command.process.stdout is not None
        command.process.stdout.close()

    def test_with_the_same_site_it_stays_as_it_is(
        self, first: Command, start: Start, context: BrowserContext, record: Path
    ) -> None:
        url = first.until("^Serving (.*) until")[1]
        page = context.new_page()
        followed(page, f"{url}kernels/index.html")
        page.evaluate("window.kept = true")
        first.end()
        second = start(port=urlsplit(url).port)
        save(second, record.read_text()[:300])
        expect(notice(page)).to_contain_text("error[truncated]")
        assert page.evaluate("window.kept")
        assert loads(page) == 1

    def test_with_another_site_it_is_loaded_again(
        self, first: Command, start: Start, context: BrowserContext, place: Path
    ) -> None:
        url = first.until("^Serving (.*) until")[1]
        page = context.new_page()
        followed(page, f"{url}kernels/index.html")
        first.end()
        (place / "sitegen.toml").write_text('title = "Something else"')
        start(port=urlsplit(url).port)
        expect(page.locator(".site-name")).to_have_text("Something else")
        assert loads(page) == 2


def test_below_a_path_it_follows_too(start: Start, context: BrowserContext, record: Path) -> None:
    preview = start(base_url="https://example.org/project")
    page = context.new_page()
    followed(page, group_of(preview))
    assert "/project/groups/" in page.url
    save(preview, with_median(record.read_text(), 777_000_000))
    expect(page.locator("main")).to_contain_text("777")
    followed(page, f"{preview.url}nothing/here")
    expect(page.locator("h1")).to_have_text("There is no page at this address")
    preview.config.write_text('title = "Something else"')
    expect(page.locator(".site-name")).to_have_text("Something else")
