"""Drawings that any page can hold: well-formed, escaped, with unique ids, and nothing that a strict policy forbids."""

import re
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.chart.layout import SIZES_PX
from sitegen.chart.markup import safe, shortened
from sitegen.chart.model import Chart, Series
from sitegen.chart.scale import text_width
from sitegen.chart.svg import svg
from tests.chart.charts import CHARTS, HOSTILE, RANKING, SWEEP

every_chart = pytest.mark.parametrize("chart", CHARTS.values(), ids=CHARTS)


def parsed(chart: Chart) -> ElementTree.Element:
    return ElementTree.fromstring(f"<div>{svg(chart)}</div>")


def classes(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [each for each in root.iter() if name in each.get("class", "").split()]


def words(root: ElementTree.Element, name: str) -> list[str]:
    return ["".join(each.itertext()) for each in classes(root, name)]


@every_chart
def test_ids_are_unique_begin_with_the_charts_own_and_are_there_when_referred_to(chart: Chart) -> None:
    root = parsed(chart)
    ids = [each.attrib["id"] for each in root.iter() if "id" in each.attrib]
    assert max(Counter(ids).values()) == 1
    assert all(each.startswith(f"{chart.id}-") for each in ids)
    references = {each.attrib["href"].removeprefix("#") for each in root.iter("use")}
    for each in root.iter("svg"):
        references |= set(each.get("aria-labelledby", "").split())
    assert references <= set(ids)


@every_chart
def test_a_drawing_is_one_image_with_a_name_and_a_description(chart: Chart) -> None:
    (drawing,) = classes(parsed(chart), "chart-svg")
    assert drawing.get("role") == "img"
    title, description = drawing[0], drawing[1]
    assert drawing.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    assert (title.text, description.text) == tuple(text.translate(REPLACED) for text in (chart.title, chart.summary))


REPLACED = {0: "\ufffd", 0xD800: "\ufffd"}


@every_chart
def test_nothing_in_a_drawing_needs_a_lenient_policy(chart: Chart) -> None:
    for each in parsed(chart).iter():
        assert each.tag not in {"script", "style", "a", "image", "foreignObject"}
        assert not [name for name in each.attrib if name == "style" or name.startswith("on")]
        assert each.get("href", "#").startswith("#")


@pytest.mark.parametrize("chart", [CHARTS["hostile"], CHARTS["hostile-runs"]], ids=["sweep", "ranking"])
def test_hostile_text_is_text(chart: Chart) -> None:
    markup = svg(chart)
    assert "<script" not in markup
    assert "<b>" not in markup
    assert HOSTILE.translate(REPLACED) in words(parsed(chart), "chart-svg")[0]
    markup.encode("utf-8")


@given(st.text())
def test_any_text_makes_well_formed_markup(text: str) -> None:
    name = safe(text)
    element = ElementTree.fromstring(f'<p title="{name}">{name}</p>')
    assert set(element.itertext()) <= {element.text}
    name.encode("utf-8")


@every_chart
def test_every_place_is_inside_the_plot(chart: Chart) -> None:
    root = parsed(chart)
    for mark in root.iter("use"):
        if mark.attrib["x"].endswith("%"):
            assert 0 <= float(mark.attrib["x"][:-1]) <= 100
            assert 0 <= float(mark.attrib["y"][:-1]) <= 100
    for name in ("chart-line", "chart-band"):
        for path in classes(root, name):
            if path.attrib["d"] != "M1 6h30":
                assert all(0 <= float(number) <= 100 for number in re.findall(r"-?\d+(?:\.\d+)?", path.attrib["d"]))


def test_a_marker_says_whose_figure_it_is_where_and_how_sure() -> None:
    titles = [each.findtext("title") for each in parsed(SWEEP).iter("use") if each.find("title") is not None]
    assert len(titles) == 12
    assert titles[6] == "liger · vocab 4,096: 0.532 ms (p20–p80 0.529–0.535), release 0.2.1"
    (row, *_) = [each.findtext("title") for each in parsed(RANKING).iter("use")]
    assert row == "liger_in_place: 120 µs (p20–p80 110–135), rank 1–2"


def test_axes_say_what_and_in_which_unit() -> None:
    root = parsed(SWEEP)
    assert words(root, "chart-axis") == ["vocab"]
    assert words(root, "chart-quantity") == ["Median latency (ms)"]
    assert words(parsed(RANKING), "chart-axis") == ["Median latency (µs)"]


def test_a_larger_figure_stands_higher_and_further_right() -> None:
    root = parsed(SWEEP)
    marks = [each for each in root.iter("use") if each.get("y", "").endswith("%")]
    heights = [float(mark.attrib["y"][:-1]) for mark in marks[6:]]
    assert heights == sorted(heights, reverse=True)
    places = [float(mark.attrib["x"][:-1]) for mark in marks[6:]]
    assert places == sorted(places)
    rows = [float(mark.attrib["x"][:-1]) for mark in parsed(RANKING).iter("use")]
    assert rows == sorted(rows)


def test_a_point_of_unknown_spread_is_open_and_interrupts_the_band() -> None:
    root = parsed(CHARTS["gap"])
    assert len(classes(root, "chart-open")) == 2
    (band,) = classes(root, "chart-band")
    assert band.attrib["d"].count("M") == 2
    assert words(root, "chart-note") == ["band: p20–p80", "open marker: spread not known"]


def test_without_any_spread_there_is_no_band_and_no_whisker() -> None:
    for name in ("unknown", "scores"):
        root = parsed(CHARTS[name])
        assert not classes(root, "chart-band")
        assert not classes(root, "chart-whisker")
        assert words(root, "chart-note") == ["open marker: spread not known"]


def test_a_single_point_shows_with_its_spread_and_without_a_line() -> None:
    root = parsed(CHARTS["single"])
    assert len([each for each in root.iter("use") if each.get("x", "").endswith("%")]) == 2
    assert len(classes(root, "chart-band")) == 2
    assert all(path.attrib["d"] == "M1 6h30" for path in classes(root, "chart-line"))


def test_the_key_names_every_series_with_its_line_and_marker() -> None:
    root = parsed(SWEEP)
    entries = [each for each in root.iter("li") if each.get("data-series")]
    assert [(each.get("data-series"), each.get("class")) for each in entries] == [
        ("huggingface", "series-1"),
        ("liger", "series-0"),
    ]
    dashes = [path.get("stroke-dasharray") for path in classes(root, "chart-line")]
    assert dashes == ["7 3", None, "7 3", None]  # the key's two, then the drawing's two
    assert [entry.find("svg/use").get("href") for entry in entries] == ["#forward-1-square", "#forward-1-circle"]  # type: ignore[union-attr]


def test_a_series_looks_the_same_whatever_it_is_shown_with() -> None:
    alone = replace(SWEEP, series=SWEEP.series[1:])
    assert classes(parsed(SWEEP), "series-0")[0].attrib == classes(parsed(alone), "series-0")[0].attrib


def test_a_ranking_writes_each_figure_with_its_spread() -> None:
    assert words(parsed(RANKING), "chart-value")[0] == "120 (110–135)"
    mixed = words(parsed(CHARTS["mixed"]), "chart-value")
    assert mixed == ["120 (spread not known)", "122 (114–132)", "173 (171–174)", "178 (177–182)"]


def test_long_labels_lose_what_they_share_and_keep_it_to_be_read() -> None:
    root = parsed(CHARTS["scores"])
    label = classes(root, "chart-label")[0]
    assert label.text == "…submission 555004…"
    assert label.findtext("title") == "causal_conv1d · submission 555004 · leaderboard score"


@given(st.lists(st.text(max_size=80), min_size=1, max_size=6))
def test_labels_are_no_wider_than_their_margin(labels: list[str]) -> None:
    room = SIZES_PX[-1][1]
    for short, label in zip(shortened(labels, room), labels, strict=True):
        assert text_width(short) <= room
        assert short == label or "…" in short


def test_labels_that_fit_stay_as_they_are() -> None:
    assert shortened(["liger", "torch"], 190) == ["liger", "torch"]


def test_a_narrow_plot_keeps_fewer_labels() -> None:
    (axis,) = classes(parsed(SWEEP), "chart-x")
    assert [text.get("class", "always") for text in axis] == ["always", "chart-roomy"] * 3


def test_a_sweep_of_two_lines_stays_small() -> None:
    assert len(svg(SWEEP).encode()) < 4600


def test_a_chart_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one value"):
        svg(replace(SWEEP, series=(Series("liger", ()),)))


@pytest.mark.parametrize("name", CHARTS)
def test_drawing_again_gives_the_same_bytes(name: str) -> None:
    assert svg(CHARTS[name]) == svg(CHARTS[name])
