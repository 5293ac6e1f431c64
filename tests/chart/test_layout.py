"""Names beside the ends of lines: only where each can be told from the others."""

from dataclasses import replace
from itertools import pairwise

import pytest

from sitegen.chart.layout import HEIGHT_PX, ends, lay_out, lay_out_ranking, segments, size_for
from sitegen.chart.model import Point, Series, Sweep
from tests.chart.charts import CHARTS, RANKING, SWEEP, without_spread


def with_ends(*values: float) -> Sweep:
    """A sweep whose lines all begin at 1 ms and end at `values`, in milliseconds."""
    series = tuple(
        Series(f"line {place}", (Point(1, 1e6, None, None), Point(2, value * 1e6, None, None)))
        for place, value in enumerate(values)
    )
    return replace(SWEEP, series=series)


def tops(sweep: Sweep) -> list[float]:
    return sorted(ends(sweep, lay_out(sweep).up).tops.values())


def test_names_stand_where_their_lines_end() -> None:
    layout = lay_out(SWEEP)
    found = ends(SWEEP, layout.up)
    assert found.size == "s"
    for series in SWEEP.series:
        place = HEIGHT_PX * (1 - layout.up.at(series.points[-1].value_ns / SWEEP.unit.ns))
        assert found.tops[series.name] == pytest.approx(place)


def test_names_that_would_touch_are_moved_apart_and_keep_their_order() -> None:
    places = tops(with_ends(10, 11, 100))
    assert len(places) == 3
    assert all(b - a >= 14 - 1e-9 for a, b in pairwise(places))


@pytest.mark.parametrize(
    ("sweep", "why"),
    [
        (with_ends(10, 10.01, 100), "two ends that look like one"),
        (with_ends(10, 11, 12, 13, 14, 15), "too many to move apart"),
        (CHARTS["short"], "a line that ends early"),
        (replace(SWEEP, series=(replace(SWEEP.series[0], name="n" * 60),)), "a name too long for any margin"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_without_room_no_line_is_named_at_its_end(sweep: Sweep, why: str) -> None:
    assert ends(sweep, lay_out(sweep).up).tops == {}, why


def test_a_band_has_a_piece_for_each_stretch_of_known_spreads() -> None:
    points = without_spread(SWEEP.series[1].points, 0, 3)
    assert [[x for x, _, _ in piece] for piece in segments(points)] == [[8192, 16384], [65536, 131072]]
    assert segments(without_spread(points, *range(6))) == []


def test_few_places_are_ticked_at_their_own_values() -> None:
    sweep = CHARTS["single"]
    assert isinstance(sweep, Sweep)
    assert [tick.label for tick in lay_out(sweep).x_ticks] == ["16,384"]


def test_an_axis_holds_the_spreads_too() -> None:
    across, _ = lay_out_ranking(RANKING)
    assert across.at(110.042) > 0
    assert across.at(181.517) < 1


def test_margins_are_as_small_as_their_labels_allow() -> None:
    assert [size_for(width) for width in (10, 76, 77, 190, 191)] == ["s", "s", "m", "l", ""]
