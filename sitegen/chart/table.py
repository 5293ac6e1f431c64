"""The text twin of a chart: the same figures as a table, for readers who do not see the drawing."""

from dataclasses import dataclass
from functools import lru_cache

from sitegen.chart.model import Chart, Point, Ranking, Row, Sweep
from sitegen.quantity import Unit, number
from sitegen.words import NOT_MEASURED, SPREAD_UNKNOWN


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its text, the page that it leads to ("" for none), and what a reader is told beside it."""

    text: str
    href: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class ChartTable:
    """A table as text, not yet escaped. The first cell of each row is its head; `head` is as long as every row."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def table(chart: Chart) -> ChartTable:
    """The figures of `chart` as a table: a row for each place on the axis of a sweep, or for each run of a ranking."""
    return _of_sweep(chart) if isinstance(chart, Sweep) else _of_ranking(chart)


@lru_cache(maxsize=8192)
def reading(value_ns: float, low_ns: float | None, high_ns: float | None, unit: Unit) -> str:
    """A figure with its spread, in `unit` and without its name: `0.532 (0.529–0.535)`, `0.532 (spread not known)`."""
    if low_ns is None or high_ns is None:
        return f"{unit.show(value_ns)} ({SPREAD_UNKNOWN})"
    return f"{unit.show(value_ns)} ({unit.between(low_ns, high_ns)})"


@lru_cache(maxsize=8192)
def sentence(value_ns: float, low_ns: float | None, high_ns: float | None, unit: Unit, spread: str) -> str:
    """A figure with all that belongs to it: `0.532 ms (p20–p80 0.529–0.535)`."""
    text = f"{unit.show(value_ns)} {unit.name}"
    if low_ns is None or high_ns is None:
        return f"{text} ({SPREAD_UNKNOWN})"
    return f"{text} ({spread + ' ' if spread else ''}{unit.between(low_ns, high_ns)})"


def _of_sweep(sweep: Sweep) -> ChartTable:
    places = sorted({point.x for series in sweep.series for point in series.points})
    columns = [_by_place(series.points, sweep.unit) for series in sweep.series]
    empty = Cell(NOT_MEASURED)
    return ChartTable(
        caption=_caption(sweep),
        head=(sweep.axis, *(f"{series.name} ({sweep.unit.name})" for series in sweep.series)),
        rows=tuple((Cell(number(x)), *(column.get(x, empty) for column in columns)) for x in places),
    )


def _by_place(points: tuple[Point, ...], unit: Unit) -> dict[float, Cell]:
    cells: dict[float, Cell] = {}
    for point in points:
        cell = _cell(point, unit)
        before = cells.get(point.x)
        cells[point.x] = cell if before is None else Cell(f"{before.text}; {cell.text}", before.href, before.note)
    return cells


def _of_ranking(ranking: Ranking) -> ChartTable:
    return ChartTable(
        caption=_caption(ranking),
        head=("run", f"{ranking.value_label} ({ranking.unit.name})"),
        rows=tuple((Cell(row.label), _cell(row, ranking.unit)) for row in ranking.rows),
    )


def _cell(point: Point | Row, unit: Unit) -> Cell:
    return Cell(reading(point.value_ns, point.low_ns, point.high_ns, unit), point.href, point.note)


def _caption(chart: Chart) -> str:
    """What the figures are: `Median latency in ms, with p20–p80 in brackets`."""
    spread = f", with {chart.spread} in brackets" if chart.spread else ""
    return f"{chart.title}: {chart.value_label[:1].lower()}{chart.value_label[1:]} in {chart.unit.name}{spread}"
