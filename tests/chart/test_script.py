"""What `charts.js` adds to a chart in a real browser, under the policy that every page of the site has."""

import shutil
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

import plotly
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page

from sitegen.chart.figure import figure, to_json
from sitegen.chart.svg import svg
from tests.chart.charts import CHARTS

ROOT = Path(__file__).parents[2]
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
LISTEN = """
window.heard = [];
document.addEventListener("securitypolicyviolation", (event) => heard.push(event.effectiveDirective));
window.shifted = 0;
new PerformanceObserver((list) => list.getEntries().forEach((each) => { shifted += each.value; }))
  .observe({ type: "layout-shift", buffered: true });
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of charts, one that lacks its Plotly, and a page for links to lead to."""
    made = tmp_path_factory.mktemp("charts")
    (made / "kernels").mkdir()
    (made / "runs" / "ab").mkdir(parents=True)
    (made / "assets").mkdir()
    for name in ("site.css", "charts.css", "charts.js"):
        shutil.copy(ROOT / "static" / name, made / "assets")
    shutil.copy(Path(plotly.__file__).parent / "package_data" / "plotly.min.js", made / "assets" / "plotly.js")
    (made / "kernels" / "all.html").write_text(page("plotly.js"), "utf-8")
    (made / "kernels" / "lacking.html").write_text(page("lacking.js"), "utf-8")
    (made / "runs" / "ab" / "32768.html").write_text("<!doctype html><title>The run</title>", "utf-8")
    return made


def page(plotly_script: str) -> str:
    charts = "".join(
        f'<figure class="chart" id="{chart.id}" data-chart><figcaption>{escape(chart.id)}</figcaption>'
        f'<div class="chart-drawing">{svg(chart)}</div>'
        f'<script type="application/json" class="chart-figure">{to_json(figure(chart))}</script></figure>'
        for name, chart in CHARTS.items()
        if not name.startswith("hostile")
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"><title>Charts</title>'
        f'<link rel="icon" href="data:,"><meta name="plotly" content="../assets/{plotly_script}">'
        f'<link rel="stylesheet" href="../assets/site.css"><link rel="stylesheet" href="../assets/charts.css">'
        f'<script src="../assets/charts.js" defer></script></head><body><main>{charts}</main></body></html>'
    )


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport={"width": 1000, "height": 800}, color_scheme="light")
    made.add_init_script(LISTEN)
    yield made
    made.close()


@pytest.fixture(scope="module")
def url(serve: Callable[[Path, str], str], folder: Path) -> str:
    return f"{serve(folder, '')}kernels/all.html"


@pytest.fixture
def tab(context: BrowserContext) -> Iterator[Page]:
    made = context.new_page()
    yield made
    made.close()


def drawn(tab: Page, url: str, name: str = "forward-1") -> Locator:
    """The chart called `name` on the page at `url`, once Plotly has drawn it."""
    tab.goto(url)
    return live(tab, name)


def live(tab: Page, name: str) -> Locator:
    chart = tab.locator(f"#{name}")
    chart.scroll_into_view_if_needed()
    chart.locator(".chart-plot.is-live .main-svg").first.wait_for()
    return chart


def tool(chart: Locator, name: str) -> Locator:
    return chart.locator(".chart-tools button", has_text=name)


def entry(chart: Locator, name: str) -> Locator:
    return chart.locator(".chart-key button", has_text=name)


def lines(chart: Locator) -> Locator:
    return chart.locator(".chart-live .scatterlayer .trace .lines path.js-line")


@pytest.mark.parametrize("place", ["server", "folder"])
def test_every_chart_is_drawn_quietly_under_the_policy_and_nothing_moves(
    place: str, tab: Page, url: str, folder: Path
) -> None:
    said: list[str] = []
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    address = url if place == "server" else f"{folder.as_uri()}/kernels/all.html"
    tab.goto(address)
    for name, chart in CHARTS.items():
        if not name.startswith("hostile"):
            live(tab, chart.id)
    assert said == []
    assert tab.evaluate("heard") == []
    assert tab.evaluate("shifted") == 0
    origin = address.removesuffix("kernels/all.html")
    assert [each for each in asked if not each.startswith((origin, "data:"))] == []
    assert sum(each.endswith("plotly.js") for each in asked) == 1
    assert tab.locator("style").count() == 0


def test_the_drawing_stays_where_plotly_cannot_be_had(tab: Page, url: str) -> None:
    tab.goto(url.replace("all.html", "lacking.html"))
    chart = tab.locator("#forward-1")
    tab.locator('#forward-1[data-chart-state="static"]').wait_for()
    assert chart.locator(".chart-live").count() == 0
    assert chart.locator(".chart-svg use").first.is_visible()


def test_the_scale_switches_and_a_link_restores_it(tab: Page, url: str) -> None:
    chart = drawn(tab, f"{url}?kept=1#forward-1")
    assert tool(chart, "Linear").get_attribute("aria-pressed") == "false"
    tool(chart, "Linear").click()
    assert tab.url == f"{url}?kept=1&linear=forward-1#forward-1"
    tab.reload()
    chart = live(tab, "forward-1")
    assert tool(chart, "Linear").get_attribute("aria-pressed") == "true"
    assert chart.locator(".ytick").first.text_content() == "0"
    tool(chart, "Linear").click()
    assert tab.url == f"{url}?kept=1#forward-1"
    assert chart.locator(".ytick").first.text_content() == "0.5"


def test_a_series_is_hidden_from_the_key_by_keyboard_and_a_link_restores_it(tab: Page, url: str) -> None:
    chart = drawn(tab, url)
    assert lines(chart).count() == 4  # two bands, two lines
    entry(chart, "huggingface").focus()
    tab.keyboard.press("Enter")
    assert tab.url.endswith("?hide=forward-1.huggingface")
    assert entry(chart, "huggingface").get_attribute("aria-pressed") == "false"
    tab.reload()
    chart = live(tab, "forward-1")
    assert lines(chart).count() == 2
    assert chart.locator(".chart-end", has_text="huggingface").is_hidden()
    entry(chart, "huggingface").click()
    assert lines(chart).count() == 4
    assert "hide" not in tab.url


def test_colours_follow_the_theme(tab: Page, url: str) -> None:
    chart = drawn(tab, url)
    colour = "(path) => getComputedStyle(path).stroke"
    assert lines(chart).last.evaluate(colour) == "rgb(0, 109, 179)"
    tab.evaluate("document.documentElement.dataset.theme = 'dark'")
    tab.wait_for_function(
        "() => [...document.querySelectorAll('#forward-1 .js-line')].at(-1).style.stroke === 'rgb(79, 163, 253)'"
    )
    tab.evaluate("document.documentElement.dataset.theme = 'light'")


def test_zooming_gives_new_ticks_and_reset_takes_them_back(tab: Page, url: str) -> None:
    chart = drawn(tab, url)
    before = chart.locator(".ytick").all_text_contents()
    whole = chart.locator(".chart-live").evaluate(
        "box => box._fullLayout.xaxis.range[1] - box._fullLayout.xaxis.range[0]"
    )
    box = chart.locator(".nsewdrag").first.bounding_box()
    assert box is not None
    tab.mouse.move(box["x"] + 100, box["y"] + 80)
    tab.mouse.down()
    tab.mouse.move(box["x"] + 400, box["y"] + 200, steps=4)
    tab.mouse.up()
    chart.locator(".chart-plot.is-moved").wait_for()
    low, high = chart.locator(".chart-live").evaluate("box => box._fullLayout.xaxis.range")
    assert high - low < 0.9 * whole
    assert chart.locator(".ytick").all_text_contents() != before
    assert chart.locator(".chart-end").first.is_hidden()
    tool(chart, "Reset").click()
    chart.locator(".chart-plot:not(.is-moved)").wait_for()
    assert chart.locator(".ytick").all_text_contents() == before


def test_a_point_says_its_figure_and_leads_to_its_run(tab: Page, url: str) -> None:
    chart = drawn(tab, url)
    box = chart.locator(".chart-live .scatterlayer .trace").last.locator(".points path").nth(3).bounding_box()
    assert box is not None
    place = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    tab.mouse.move(*place)
    hover = chart.locator(".hoverlayer .hovertext")
    hover.wait_for()
    assert hover.text_content() == "liger · vocab 32,7682.84 ms (p20–p80 2.81–2.94), release 0.2.1"
    tab.mouse.click(*place)
    tab.wait_for_url("**/runs/ab/32768.html")


def test_charts_are_downloaded_without_a_violation(tab: Page, url: str) -> None:
    tab.goto(url)
    png = b"\x89PNG"
    for name, label, beginning in (("forward-1", "PNG", png), ("forward-1", "SVG", b"<svg"), ("mixed", "PNG", png)):
        chart = live(tab, name)
        with tab.expect_download() as download:
            tool(chart, label).click()
        assert download.value.suggested_filename == f"{name}.{label.lower()}"
        content = Path(download.value.path()).read_bytes()
        assert content.startswith(beginning)
        assert len(content) > 5000
    assert tab.evaluate("heard") == []


def test_print_shows_the_drawing_that_fits_the_paper(tab: Page, url: str) -> None:
    chart = drawn(tab, url)
    tab.emulate_media(media="print")
    assert chart.locator(".chart-live").is_hidden()
    assert chart.locator(".chart-tools").is_hidden()
    assert chart.locator(".chart-svg use").first.is_visible()


def test_the_plot_stays_in_place_when_the_window_narrows(tab: Page, url: str) -> None:
    chart = drawn(tab, url)
    tab.set_viewport_size({"width": 360, "height": 700})
    tab.wait_for_function("() => document.querySelector('#forward-1 .main-svg').getBoundingClientRect().width <= 360")
    plot = chart.locator(".chart-svg").bounding_box()
    grid = chart.locator(".chart-live .nsewdrag").first.bounding_box()
    assert plot is not None
    assert grid is not None
    assert [round(grid[side]) for side in ("x", "y", "width", "height")] == [  # type: ignore[literal-required]
        round(plot[side])  # type: ignore[literal-required]
        for side in ("x", "y", "width", "height")
    ]
    assert [text for text in chart.locator(".xtick").all_text_contents() if text] == ["4,096", "16,384", "65,536"]


def test_a_finger_does_not_drag_at_first_and_needs_two_taps_to_follow_a_point(browser: Browser, url: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 700}, has_touch=True, is_mobile=True)
    tab = context.new_page()
    chart = drawn(tab, url)
    assert {tool(chart, name).get_attribute("aria-pressed") for name in ("Zoom", "Pan")} == {"false"}
    box = chart.locator(".chart-live .scatterlayer .trace").last.locator(".points path").nth(3).bounding_box()
    assert box is not None
    place = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    tab.touchscreen.tap(*place)
    chart.locator(".hoverlayer .hovertext").wait_for()
    assert tab.url == url
    tab.touchscreen.tap(*place)
    tab.wait_for_url("**/runs/ab/32768.html")
    context.close()
