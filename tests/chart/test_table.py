"""The text twin of a chart says every figure of the drawing, with its doubt."""

from dataclasses import replace

from sitegen.chart.model import Series
from sitegen.chart.table import table
from tests.chart.charts import CHARTS, HOSTILE, RANKING, SWEEP


def texts(name: str) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table(CHARTS[name]).rows]


def test_a_sweep_has_a_row_for_each_place_and_a_column_for_each_line() -> None:
    found = table(SWEEP)
    assert found.head == ("vocab", "huggingface (ms)", "liger (ms)")
    assert found.caption == "vocab, at 16,384 tokens, fp32: median latency in ms, with p20–p80 in brackets"
    assert [row[0].text for row in found.rows] == ["4,096", "8,192", "16,384", "32,768", "65,536", "131,072"]
    assert [cell.text for cell in found.rows[0]] == ["4,096", "0.875 (0.873–0.877)", "0.532 (0.529–0.535)"]
    assert (found.rows[0][2].href, found.rows[0][2].note) == ("../runs/ab/4096.html", "release 0.2.1")


def test_what_was_not_measured_is_said_in_words() -> None:
    assert [row[1] for row in texts("short")][2:4] == ["1.95 (1.95–1.96)", "not measured"]


def test_a_spread_that_is_not_known_is_said_in_words() -> None:
    assert texts("gap")[0] == ["4,096", "0.532 (spread not known)"]
    assert table(CHARTS["unknown"]).caption.endswith("median latency in ms")


def test_a_ranking_has_a_row_for_each_run() -> None:
    found = table(RANKING)
    assert found.head == ("run", "Median latency (µs)")
    assert [[cell.text for cell in row] for row in found.rows][:2] == [
        ["liger_in_place", "120 (110–135)"],
        ["liger", "122 (114–132)"],
    ]
    assert found.rows[0][1].note == "rank 1–2"


def test_two_runs_at_one_place_are_both_named() -> None:
    twice = replace(SWEEP.series[1], points=SWEEP.series[1].points[:1] * 2)
    (row,) = table(replace(SWEEP, series=(twice,))).rows
    assert row[1].text == "0.532 (0.529–0.535); 0.532 (0.529–0.535)"


def test_rows_are_as_long_as_the_head() -> None:
    for chart in CHARTS.values():
        found = table(chart)
        assert {len(row) for row in found.rows} == {len(found.head)}


def test_text_is_left_for_the_template_to_escape() -> None:
    sweep = replace(SWEEP, series=(Series(HOSTILE, SWEEP.series[0].points),))
    assert table(sweep).head[1] == f"{HOSTILE} (ms)"
