"""Charts as they are made from judged groups: nothing lost, nothing named twice, every one understood by Plotly."""

import html
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import plotly.graph_objects as go
import pytest

from sitegen.catalogue import build
from sitegen.chart.compose import BEST_ROWS, MOST_ROWS, group_chart, in_ns, sweep_charts, workloads_chart
from sitegen.judge import Standing
from sitegen.load import load
from sitegen.load.model import Run
from sitegen.settings import Settings
from sitegen.site import Site, build_site
from sitegen.site.judged import Judged, judged
from sitegen.site.kernel_page import by_gpu, by_pass
from tests.making import catalogue, digest, judged_of, latency, run, score, sized, standing
from tests.site.pages import Element, files, read


@pytest.fixture(scope="module")
def sample(sample_records: Path) -> Judged:
    return judged(build(load(sample_records)), Settings())


@pytest.fixture(scope="module")
def pages(sample_records: Path) -> dict[str, Element]:
    site = build_site(build(load(sample_records)), Settings())
    return {at: read(content) for at, content in files(site).items() if at.endswith(".html")}


def link(each: Run) -> str:
    return each.digest


def sections(found: Judged) -> list[list[Standing]]:
    """The groups of each kernel, GPU and pass."""
    return [
        listed
        for kernel in found.catalogue.kernels.values()
        for here in by_gpu(found.of(kernel.groups)).values()
        for listed in by_pass(here).values()
    ]


def test_every_figure_of_the_sample_is_one_that_plotly_knows(pages: dict[str, Element]) -> None:
    figures = [json.loads(block.text) for page in pages.values() for block in page.all("script", kind="chart-figure")]
    assert len(figures) > 50
    for figure in figures:
        made = go.Figure(figure)
        assert made.data
        # Plotly reads markup in its texts: the only one is ours.
        assert set(re.findall("<[^>]*>", json.dumps(figure))) <= {"<br>"}


def test_every_chart_has_a_drawing_a_sentence_and_a_table(pages: dict[str, Element]) -> None:
    for at, page in pages.items():
        for chart in page.all("figure", kind="chart"):
            assert chart.one("p", kind="chart-summary").text.endswith(".")
            assert list(chart.all("svg"))
            # On a group's page the ranked table above the chart says the same.
            assert list(chart.all("table")) or (at.startswith("groups/") and list(page.all("table", id="ranking")))


def test_no_id_is_given_twice_on_a_page_and_every_reference_is_met(pages: dict[str, Element]) -> None:
    for at, page in pages.items():
        ids = Counter(element.attributes["id"] for element in page.all("") if "id" in element.attributes)
        assert [name for name, count in ids.items() if count > 1] == [], at
        for element in page.all(""):
            wanted = element.attributes.get("aria-labelledby", "").split()
            if element.attributes.get("href", "").startswith("#"):
                wanted.append(element.attributes["href"][1:])
            assert set(wanted) <= set(ids), at


def test_a_links_fragment_is_on_the_page_that_it_leads_to(pages: dict[str, Element]) -> None:
    ids = {
        at: {each.attributes["id"] for each in page.all("") if "id" in each.attributes} for at, page in pages.items()
    }
    seen = 0
    for at, page in pages.items():
        for each in page.all("a"):
            target, _, fragment = html.unescape(each.attributes.get("href", "")).partition("#")
            if fragment and target and "//" not in target:
                parts = [*at.split("/")[:-1], *target.split("/")]
                while ".." in parts:
                    place = parts.index("..")
                    del parts[place - 1 : place + 1]
                assert fragment in ids["/".join(parts)], each.attributes["href"]
                seen += 1
    assert seen > 20


def test_every_group_is_on_a_sweep_or_left_for_the_rest(sample: Judged) -> None:
    for listed in sections(sample):
        sweeps, singles = sweep_charts(listed, "s", link)
        on = {each.group.id for sweep in sweeps for _, each in sweep.points}
        assert on | {each.group.id for each in singles} == {each.group.id for each in listed}
        assert not on & {each.group.id for each in singles}
        assert len({sweep.chart.id for sweep in sweeps}) == len(sweeps)


def test_a_sweep_shows_every_ranked_run_of_its_groups_at_its_value(sample: Judged) -> None:
    charts = [sweep for listed in sections(sample) for sweep in sweep_charts(listed, "s", link)[0]]
    assert len(charts) > 8
    for sweep in charts:
        shown = {
            (point.href, point.x, point.value_ns, point.low_ns, point.high_ns)
            for series in sweep.chart.series
            for point in series.points
        }
        ranked = {(entry.run.digest, x, *in_ns(entry.figure)) for x, found in sweep.points for entry in found.entries}
        assert shown == ranked
        for series in sweep.chart.series:
            assert [point.x for point in series.points] == sorted(point.x for point in series.points)


def test_a_chart_is_in_nanoseconds_whatever_its_figures_are_in() -> None:
    found = standing(run("a", score(0.00105)), run("b", score(0.0012)))
    chart = group_chart(found, "runs", link)
    assert [row.value_ns for row in chart.rows] == pytest.approx([1_050_000, 1_200_000])
    assert chart.unit.name == "ms"
    assert chart.value_label == "Geometric mean score"


def test_of_too_many_runs_the_best_are_drawn_and_it_says_so() -> None:
    found = standing(*(run(f"i{number}", latency(1000 + number)) for number in range(MOST_ROWS + 1)))
    chart = group_chart(found, "runs", link)
    assert [row.label for row in chart.rows] == [f"i{number}" for number in range(MOST_ROWS)]
    assert chart.title == "The best 40 runs, each with its spread"
    assert chart.summary == "Median latency of the best 40 of 41 implementations under one key."


def test_implementations_of_one_name_are_told_apart() -> None:
    keys = [digest("one"), digest("other")]
    found = standing(*(run("fused", latency(100 + place), implementation_key=key) for place, key in enumerate(keys)))
    labels = [row.label for row in group_chart(found, "runs", link).rows]
    assert labels == [f"fused ({key[7:15]})" for key in keys]


def test_a_spread_that_nobody_gave_is_not_named() -> None:
    chart = group_chart(standing(run("a", latency(1)), run("b", latency(2))), "runs", link)
    assert chart.spread == ""
    assert [(row.low_ns, row.high_ns) for row in chart.rows] == [(None, None)] * 2


def listed_standings(groups: int, implementations: int) -> list[Standing]:
    runs = [
        run(f"i{number}", latency(1000 + number), workload=digest(str(place)), workload_label=f"case {place}")
        for place in range(groups)
        for number in range(implementations)
    ]
    return list(judged_of(*runs).standings.values())


@pytest.mark.parametrize(
    ("groups", "implementations", "shown", "rows", "title"),
    [
        (3, 2, 3, 6, "Workload by workload"),
        (1, 3, 1, 3, "case 0"),
        (20, 2, 20, 40, "Workload by workload"),
        (30, 2, 20, 40, "Workload by workload"),
        (6, 30, 4, 40, f"Workload by workload, the best {BEST_ROWS} of each"),
        (1, 60, 1, 10, f"case 0, the best {BEST_ROWS} of each"),
    ],
)
def test_a_chart_of_workloads_says_what_it_leaves_out(
    groups: int, implementations: int, shown: int, rows: int, title: str
) -> None:
    chart, found = workloads_chart(listed_standings(groups, implementations), "w", link)
    assert (found, len(chart.rows), chart.title) == (shown, rows, title)
    assert len(chart.rows) <= MOST_ROWS
    assert len({row.label for row in chart.rows}) == len(chart.rows)


def test_a_long_tie_at_the_end_is_left_out_no_less_openly() -> None:
    tied = [run(f"i{number}", latency(1000, 990, 1010), workload_label="case 1") for number in range(60)]
    chart, _ = workloads_chart([standing(*tied)], "w", link)
    assert chart.title == f"case 1, the best {BEST_ROWS} of each"


def test_a_kernel_page_says_what_its_charts_leave_out(site_of: Callable[..., Site]) -> None:
    runs = [
        run(name, latency(1000), workload=digest(str(place)), workload_label=f"case {place}")
        for place in range(30)
        for name in ("a", "b")
    ]
    site = site_of(catalogue(*runs))
    (at,) = [at for at in site.pages if at.startswith("kernels/liger")]
    page = read(site.render(at) or b"")
    assert "The chart shows 20 of 30 workloads; the table below lists all of them." in page.text
    assert len(list(page.one("table", id="groups").one("tbody").all("tr"))) == 30


@pytest.mark.parametrize(("values", "log"), [((100, 900), False), ((100, 1001), True)])
def test_values_over_more_than_a_decade_are_drawn_on_a_log_scale(values: tuple[int, int], log: bool) -> None:
    rows = [standing(run("a", latency(value), **sized("n", 2**place))) for place, value in enumerate(values)]
    ((sweep,), _) = sweep_charts(rows, "s", link)
    assert sweep.chart.log_y is log


def test_one_unit_for_each_table_and_chart(pages: dict[str, Element]) -> None:
    """A unit stands in the head of a column, and in no cell of it."""
    units = re.compile(r"\d (ns|µs|ms|s)\b")
    for at, page in pages.items():
        if at.startswith(("kernels/", "groups/")):
            for table in page.all("table"):
                cells = [cell.text for cell in table.one("tbody").all("td", kind="value")]
                assert not [cell for cell in cells if units.search(cell)], at
