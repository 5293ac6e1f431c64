"""Figures that Plotly takes as they are, that say what the SVG says, and that can stand inside a page."""

import json
from html import unescape
from typing import Any

import plotly.graph_objects as go
import pytest

from sitegen.chart.figure import figure, to_json
from sitegen.chart.layout import lay_out
from sitegen.chart.model import Chart
from sitegen.chart.style import series_style
from tests.chart.charts import CHARTS, HOSTILE, RANKING, SWEEP

every_chart = pytest.mark.parametrize("chart", CHARTS.values(), ids=CHARTS)


def lines(chart: Chart) -> list[dict[str, Any]]:
    return [trace for trace in figure(chart)["data"] if trace["mode"] == "lines+markers"]


def bands(chart: Chart) -> list[dict[str, Any]]:
    return [trace for trace in figure(chart)["data"] if trace.get("fill")]


@every_chart
def test_plotly_takes_every_figure_and_changes_nothing(chart: Chart) -> None:
    given = figure(chart)
    taken = json.loads(go.Figure(given).to_json())
    assert [trace["type"] for trace in taken["data"]] == ["scatter"] * len(given["data"])
    for axis in ("xaxis", "yaxis"):
        assert taken["layout"][axis]["range"] == pytest.approx(given["layout"][axis]["range"])


@every_chart
def test_a_figure_in_a_page_cannot_end_its_script(chart: Chart) -> None:
    text = to_json(figure(chart))
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == json.loads(json.dumps(figure(chart)))


def test_values_are_in_the_charts_unit_and_exact() -> None:
    (_, liger) = lines(SWEEP)
    assert liger["x"][0] == 4096
    assert liger["y"][0] == 0.532416
    assert liger["customdata"][0] == "../runs/ab/4096.html"


def test_a_figure_and_its_svg_show_the_same_part_of_the_plane() -> None:
    layout, axes = lay_out(SWEEP), figure(SWEEP)["layout"]
    assert axes["xaxis"]["type"] == axes["yaxis"]["type"] == "log"
    assert [10**end for end in axes["yaxis"]["range"]] == pytest.approx([layout.up.low, layout.up.high])
    assert axes["xaxis"]["ticktext"] == [tick.label for tick in layout.x_ticks]
    assert axes["yaxis"]["title"]["text"] == "Median latency (ms)"
    linear = figure(CHARTS["linear"])["layout"]
    assert (linear["yaxis"]["type"], linear["yaxis"]["range"][0]) == ("linear", 0)


def test_a_series_has_its_own_look() -> None:
    for trace in lines(SWEEP):
        style = series_style(trace["legendgroup"])
        assert trace["meta"] == {"colour": style.colour}
        assert trace["marker"]["symbol"] == style.marker
    assert [trace["line"]["dash"] for trace in lines(SWEEP)] == ["7px,3px", "solid"]


def test_hovering_says_the_figure_in_words() -> None:
    (_, liger) = lines(SWEEP)
    assert liger["hoverinfo"] == "text"
    assert liger["text"][0] == "liger · vocab 4,096<br>0.532 ms (p20–p80 0.529–0.535), release 0.2.1"


def test_a_band_runs_along_the_high_ends_and_back_along_the_low_ones() -> None:
    (_, band) = bands(SWEEP)
    assert (band["fill"], band["hoverinfo"], band["showlegend"]) == ("toself", "skip", False)
    assert band["x"][:6] == band["x"][6:12][::-1]
    assert (band["y"][0], band["y"][11], band["y"][12]) == (0.534765, 0.529101, 0.534765)


def test_points_of_unknown_spread_are_open_and_interrupt_the_band() -> None:
    (line,) = lines(CHARTS["gap"])
    assert line["marker"]["symbol"] == ["circle-open", "circle", "circle-open", "circle", "circle", "circle"]
    (band,) = bands(CHARTS["gap"])
    assert band["x"].count(None) == band["y"].count(None) == 1
    assert not bands(CHARTS["unknown"])


def test_a_ranking_reads_from_the_top_with_whiskers_where_known() -> None:
    (trace,) = figure(CHARTS["mixed"])["data"]
    assert trace["y"] == [0, 1, 2, 3]
    assert figure(RANKING)["layout"]["yaxis"]["range"] == [3.5, -0.5]
    assert figure(RANKING)["layout"]["yaxis"]["ticktext"] == [row.label for row in RANKING.rows]
    assert trace["error_x"]["array"][0] is None
    assert trace["error_x"]["array"][1] == pytest.approx(9.366)
    assert trace["error_x"]["arrayminus"][1] == pytest.approx(7.92)
    assert "error_x" not in figure(CHARTS["scores"])["data"][0]


def test_markup_in_names_is_shown_and_not_read_and_what_no_document_may_hold_is_replaced() -> None:
    harmless = HOSTILE.replace("\x00", "\ufffd").replace("\ud800", "\ufffd")
    for name in ("hostile", "hostile-runs"):
        given = figure(CHARTS[name])
        shown = [given["layout"]["xaxis"]["title"]["text"]]
        for trace in given["data"]:
            shown += [text.replace("<br>", "") for text in trace.get("text", [])]
        for text in shown:
            assert "<" not in text
            assert harmless in unescape(text)


@every_chart
def test_a_series_hides_with_its_band(chart: Chart) -> None:
    named = {trace["legendgroup"] for trace in lines(chart)}
    assert {trace["legendgroup"] for trace in bands(chart)} <= named
