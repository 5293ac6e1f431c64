"""Where the parts of a chart stand: scales, ticks and labels, the same for every way of drawing it. Pure numbers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from sitegen.chart.model import Point, Ranking, Row, Sweep
from sitegen.chart.scale import Scale, Tick, powers_of_two, scale_of, text_width, ticks_along, ticks_at, ticks_up
from sitegen.quantity import Unit

HEIGHT_PX: Final = 260
"""How high the plot of a sweep is, without what stands around it."""

NARROW_PX: Final = 220
"""The least width of a plot that has no labels beside it: on a phone of 320 pixels."""

MIDDLE_PX: Final = 300
"""The least width of a plot in a column of 480 pixels, with labels beside it."""

WIDE_PX: Final = 420
"""The least width of a plot in a column of 640 pixels, with labels beside it."""

SIZES_PX: Final = (("s", 76.0), ("m", 120.0), ("l", 190.0))
"""The margins that labels can have, by the end of their class in `static/charts.css`."""

_LEAST: Final = 1.1  # a tenth: less than that is seldom worth a choice, and must not fill a chart
_LABEL_PX: Final = 14.0
_NUDGE_PX: Final = 11.0


@dataclass(frozen=True, slots=True)
class SweepLayout:
    """The axes of a sweep. `places` gives each x its place along the axis, from 0 to 1."""

    across: Scale
    up: Scale
    places: Mapping[float, float]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]


@dataclass(frozen=True, slots=True)
class Ends:
    """Where each series' name stands beside the end of its line: `tops` in pixels below the plot's top, by name.

    `size` is one of `SIZES_PX`. Both are empty where the ends leave no room to name them.
    """

    size: str
    tops: Mapping[str, float]


def lay_out(sweep: Sweep) -> SweepLayout:
    """The axes of `sweep`, the vertical one in its unit. Raises ValueError for a sweep without a point."""
    points = [point for series in sweep.series for point in series.points]
    xs = {point.x for point in points}
    across = scale_of(xs, log=sweep.log_x)
    up = scale_of(_values(points, sweep.unit), log=sweep.log_y, least=_LEAST)
    few = len(xs) <= 2
    x_ticks = ticks_at(across, sorted(xs)) if few else ticks_along(across, WIDE_PX, binary=powers_of_two(xs))
    return SweepLayout(across, up, {x: across.at(x) for x in xs}, x_ticks, ticks_up(up, HEIGHT_PX))


def lay_out_ranking(ranking: Ranking) -> tuple[Scale, tuple[Tick, ...]]:
    """The horizontal axis of `ranking`, in its unit, and its ticks. Raises ValueError for a ranking without a row."""
    across = scale_of(_values(ranking.rows, ranking.unit), log=ranking.log_x, least=_LEAST)
    return across, ticks_along(across, NARROW_PX)


def segments(points: Sequence[Point]) -> list[list[tuple[float, float, float]]]:
    """The stretches of `points` whose spread is known, as x, low and high: each is one piece of the band."""
    pieces: list[list[tuple[float, float, float]]] = [[]]
    for point in points:
        if point.low_ns is None or point.high_ns is None:
            pieces.append([])
        else:
            pieces[-1].append((point.x, point.low_ns, point.high_ns))
    return [piece for piece in pieces if piece]


def ends(sweep: Sweep, up: Scale) -> Ends:
    """Where the lines' names stand, if every line reaches the last x and its end can be told from the others'."""
    none = Ends("", {})
    last = max(point.x for series in sweep.series for point in series.points)
    size = size_for(max(text_width(series.name) for series in sweep.series))
    if not size or any(not series.points or series.points[-1].x != last for series in sweep.series):
        return none
    heights = sorted(
        (HEIGHT_PX * (1 - up.at(series.points[-1].value_ns / sweep.unit.ns)), series.name) for series in sweep.series
    )
    if any(b[0] - a[0] < _LABEL_PX - _NUDGE_PX for a, b in pairwise(heights)):
        return none
    tops = _apart([height for height, _ in heights])
    if any(abs(top - height) > _NUDGE_PX for top, (height, _) in zip(tops, heights, strict=True)):
        return none
    return Ends(size, {name: top for top, (_, name) in zip(tops, heights, strict=True)})


def size_for(width: float) -> str:
    """The smallest margin that holds text of `width` pixels, "" for none."""
    return next((size for size, room in SIZES_PX if width <= room), "")


def _values(points: Iterable[Point | Row], unit: Unit) -> Iterable[float]:
    """Everything that an axis of values has to hold, in `unit`."""
    for point in points:
        yield point.value_ns / unit.ns
        if point.low_ns is not None and point.high_ns is not None:
            yield point.low_ns / unit.ns
            yield point.high_ns / unit.ns


def _apart(heights: Sequence[float]) -> list[float]:
    """`heights`, which rise, moved no more than it takes for each to be a label below the one before.

    Labels that touch form a block, spread evenly about the middle of the places that they would have.
    """
    blocks: list[list[float]] = []
    for height in heights:
        blocks.append([height])
        while len(blocks) > 1 and _first(blocks[-1]) < _first(blocks[-2]) + _LABEL_PX * len(blocks[-2]):
            touching = blocks.pop()
            blocks[-1].extend(touching)
    return [_first(block) + _LABEL_PX * place for block in blocks for place in range(len(block))]


def _first(block: Sequence[float]) -> float:
    """Where the first label of `block` stands."""
    return sum(block) / len(block) - _LABEL_PX * (len(block) - 1) / 2
