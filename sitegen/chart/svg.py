"""A chart as markup that needs no script: a drawing that fits any width, and a key that says what its marks mean.

The drawing has no `viewBox`, which would shrink its text along with its lines. Its places are percentages of the plot,
text and markers keep their size in pixels, and lines lie in an inner drawing that stretches under strokes that do not.
So one drawing reads as well at 320 pixels as at 1,280. Margins, and what a narrow plot leaves out, are in
`static/charts.css`.
"""

import re
from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise
from typing import Final

from sitegen.chart.model import Chart, Point, Ranking, Row, Series, Sweep
from sitegen.chart.scale import (
    Scale,
    Tick,
    fits,
    number,
    powers_of_two,
    scale_of,
    text_width,
    thinned,
    ticks_along,
    ticks_up,
)
from sitegen.chart.style import DASHES, MARKERS, series_style
from sitegen.chart.table import SPREAD_NOT_KNOWN, sentence
from sitegen.quantity import Unit

HEIGHT_PX: Final = 260
"""How high the plot of a sweep is, without what stands around it."""

# The least widths of a plot in charts.css: on a phone, in a column, alone on a page.
_NARROW_PX, _MIDDLE_PX, _WIDE_PX = 220, 300, 460
_LABEL_PX: Final = 14.0
_NUDGE_PX: Final = 11.0
_SIZES: Final = (("s", 70.0), ("m", 120.0), ("l", 190.0))

_UNPRINTABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def svg(chart: Chart) -> str:
    """The drawing of `chart` and its key, safe to put into a page: every text in it is escaped.

    `chart.id` must be fit for an HTML id, and begins every id within.
    """
    return _sweep(chart) if isinstance(chart, Sweep) else _ranking(chart)


def safe(text: str) -> str:
    """`text` escaped for markup, with what no document may hold replaced."""
    return escape(text if text.isprintable() else _UNPRINTABLE.sub("\ufffd", text))


def scales(sweep: Sweep) -> tuple[Scale, Scale]:
    """The horizontal and the vertical scale of a sweep, the latter in its unit."""
    points = [point for series in sweep.series for point in series.points]
    return scale_of((point.x for point in points), log=sweep.log_x), _scale_of_values(
        points, sweep.unit, log=sweep.log_y
    )


def scale_of_ranking(ranking: Ranking) -> Scale:
    """The horizontal scale of a ranking, in its unit."""
    return _scale_of_values(ranking.rows, ranking.unit, log=ranking.log_x)


def segments(points: Sequence[Point]) -> list[list[Point]]:
    """The stretches of `points` whose spread is known, each of which is one piece of the band."""
    pieces: list[list[Point]] = [[]]
    for point in points:
        if point.low_ns is None or point.high_ns is None:
            pieces.append([])
        else:
            pieces[-1].append(point)
    return [piece for piece in pieces if piece]


def _scale_of_values(points: Iterable[Point | Row], unit: Unit, *, log: bool) -> Scale:
    values = [p.value_ns / unit.ns for p in points]
    values += [bound / unit.ns for p in points for bound in (p.low_ns, p.high_ns) if bound is not None]
    return scale_of(values, log=log)


def _sweep(sweep: Sweep) -> str:
    across, up = scales(sweep)
    xs = {point.x: _percent(across.at(point.x)) for series in sweep.series for point in series.points}
    x_ticks = ticks_along(across, _WIDE_PX, binary=sweep.log_x and powers_of_two(xs))
    y_ticks = ticks_up(up, HEIGHT_PX)
    ends, size = _ends(sweep, up)
    lines, marks = [], []
    for series in sweep.series:
        style = series_style(series.name)
        begin = f'<g class="series-{style.colour}">'
        lines.append(f"{begin}{_band(series, xs, up, sweep.unit)}{_line(series, xs, up, sweep.unit, style.dash)}</g>")
        marks.append(f"{begin}{_marks(sweep, series, xs, up, style.marker)}{ends.get(series.name, '')}</g>")
    return (
        f"{_key(sweep)}"
        f'<div class="chart-plot chart-sweep{size}"><svg class="chart-svg" height="{HEIGHT_PX}" {_named(sweep)}'
        f"{_markers(sweep.id, (series.name for series in sweep.series))}"
        f'<svg viewBox="0 0 100 100" preserveAspectRatio="none">{_grid(x_ticks, y_ticks)}{"".join(lines)}</svg>'
        f"{_along(x_ticks)}{_up(y_ticks)}"
        f'<text class="chart-title" x="50%" y="100%" dy="38">{safe(sweep.axis)}</text>'
        f'<text class="chart-title-y" dy="-12">{_value_title(sweep)}</text>'
        f"{''.join(marks)}</svg></div>"
    )


def _ranking(ranking: Ranking) -> str:
    across = scale_of_ranking(ranking)
    ticks = ticks_along(across, _NARROW_PX)
    count = len(ranking.rows)
    known = any(row.low_ns is not None for row in ranking.rows)
    lines, rows = [], []
    for place, row in enumerate(ranking.rows):
        y = _percent((place + 0.5) / count)
        value = row.value_ns / ranking.unit.ns
        lines.append(f"M0 {y}H100")
        rows.append(_row(ranking, row, across, _percent(across.at(value)), y, known=known))
    longest = max((text_width(row.label) for row in ranking.rows), default=0.0)
    return (
        f'<div class="chart-plot chart-ranking chart-labels-{_size(longest) or "l"}{"" if known else " chart-bare"}">'
        f'<svg class="chart-svg" height="{count}em" {_named(ranking)}'
        f"{_markers(ranking.id, (row.series for row in ranking.rows))}"
        f'<svg viewBox="0 0 100 100" preserveAspectRatio="none">{_grid(ticks, ())}'
        f'<path class="chart-rows" d="{"".join(lines)}"/></svg>'
        f'{_along(ticks)}<text class="chart-title" x="50%" y="100%" dy="38">{_value_title(ranking)}</text>'
        f"{''.join(rows)}</svg></div>{_key(ranking)}"
    )


def _row(ranking: Ranking, row: Row, across: Scale, x: str, y: str, *, known: bool) -> str:
    style = series_style(row.series)
    unit = ranking.unit
    whisker, open_marker, text = "", ' class="chart-open"', unit.show(row.value_ns)
    if row.low_ns is not None and row.high_ns is not None:
        low, high = (_percent(across.at(bound / unit.ns)) for bound in (row.low_ns, row.high_ns))
        whisker = f'<line class="chart-whisker" x1="{low}%" x2="{high}%" y1="{y}%" y2="{y}%"/>'
        open_marker, text = "", f"{text} ({unit.show(row.low_ns)}–{unit.show(row.high_ns)})"
    elif known:
        text = f"{text} ({SPREAD_NOT_KNOWN})"
    label = _cut(row.label, _SIZES[-1][1])
    full = "" if label == row.label else f"<title>{safe(row.label)}</title>"
    told = f"{row.label}: {sentence(row.value_ns, row.low_ns, row.high_ns, unit, ranking.spread)}"
    return (
        f'<g class="series-{style.colour}">{whisker}'
        f'<use href="#{ranking.id}-{style.marker}" x="{x}%" y="{y}%"{open_marker}>'
        f"<title>{safe(_with_note(told, row.note))}</title></use>"
        f'<text class="chart-label" x="-12" y="{y}%">{safe(label)}{full}</text>'
        f'<text class="chart-value" x="100%" y="{y}%">{text}</text></g>'
    )


def _band(series: Series, xs: dict[float, str], up: Scale, unit: Unit) -> str:
    """The spread, one closed outline for each stretch of points that have one; a lone point's is a hairline."""
    outline = []
    for piece in segments(series.points):
        edge = [f"{xs[p.x]} {_percent(1 - up.at((p.high_ns or 0.0) / unit.ns))}" for p in piece]
        edge += [f"{xs[p.x]} {_percent(1 - up.at((p.low_ns or 0.0) / unit.ns))}" for p in reversed(piece)]
        outline.append(f"M{'L'.join(edge)}z")
    return f'<path class="chart-band" d="{"".join(outline)}"/>' if outline else ""


def _line(series: Series, xs: dict[float, str], up: Scale, unit: Unit, dash: str) -> str:
    if len(series.points) < 2:
        return ""
    places = "L".join(f"{xs[point.x]} {_percent(1 - up.at(point.value_ns / unit.ns))}" for point in series.points)
    return f'<path class="chart-line" d="M{places}"{_dashed(dash)}/>'


def _marks(sweep: Sweep, series: Series, xs: dict[float, str], up: Scale, marker: str) -> str:
    unit, spread = sweep.unit, sweep.spread
    begin = f"{safe(series.name)} · {safe(sweep.axis)} "
    marks = []
    for point in series.points:
        told = f"{number(point.x)}: {sentence(point.value_ns, point.low_ns, point.high_ns, unit, spread)}"
        y = _percent(1 - up.at(point.value_ns / unit.ns))
        unknown = ' class="chart-open"' if point.low_ns is None else ""
        marks.append(
            f'<use href="#{sweep.id}-{marker}" x="{xs[point.x]}%" y="{y}%"{unknown}>'
            f"<title>{begin}{safe(_with_note(told, point.note))}</title></use>"
        )
    return "".join(marks)


def _ends(sweep: Sweep, up: Scale) -> tuple[dict[str, str], str]:
    """Each series' name beside the end of its line, and the class that makes room for them.

    None where a line ends early, where two ends are too close to be told apart, or where a name is too long: the key
    names every series too.
    """
    last = max(point.x for series in sweep.series for point in series.points)
    size = _size(max(text_width(series.name) for series in sweep.series))
    if not size or any(not series.points or series.points[-1].x != last for series in sweep.series):
        return {}, ""
    places = sorted(
        (HEIGHT_PX * (1 - up.at(series.points[-1].value_ns / sweep.unit.ns)), series.name) for series in sweep.series
    )
    if any(b[0] - a[0] < _LABEL_PX - _NUDGE_PX for a, b in pairwise(places)):
        return {}, ""
    tops = _apart([place for place, _ in places])
    if any(abs(top - place) > _NUDGE_PX for top, (place, _) in zip(tops, places, strict=True)):
        return {}, ""
    return {
        name: f'<text class="chart-end" x="100%" y="{_percent(top / HEIGHT_PX)}%">{safe(name)}</text>'
        for top, (_, name) in zip(tops, places, strict=True)
    }, f" chart-ends-{size}"


def _apart(places: list[float]) -> list[float]:
    """`places`, which rise, moved no more than it takes for each to be a label's height below the one before.

    Runs of labels that touch are spread evenly about their middle.
    """
    blocks: list[list[float]] = []
    for place in places:
        blocks.append([place])
        while len(blocks) > 1 and _foot(blocks[-2]) + _LABEL_PX > _head(blocks[-1]):
            blocks[-2] += blocks.pop()
    return [_head(block) + _LABEL_PX * count for block in blocks for count in range(len(block))]


def _head(block: list[float]) -> float:
    return sum(block) / len(block) - _LABEL_PX * (len(block) - 1) / 2


def _foot(block: list[float]) -> float:
    return sum(block) / len(block) + _LABEL_PX * (len(block) - 1) / 2


def _key(chart: Chart) -> str:
    """The key: a sample of each line with its name, then what bands, whiskers and open markers mean."""
    points: Sequence[Point | Row]
    entries = []
    if isinstance(chart, Sweep):
        points = [point for series in chart.series for point in series.points]
        for series in chart.series:
            style = series_style(series.name)
            entries.append(
                f'<li class="series-{style.colour}" data-series="{safe(series.name)}">'
                f'<svg class="chart-sample" width="32" height="12" aria-hidden="true">'
                f'<path class="chart-line" d="M1 6h30"{_dashed(style.dash)}/>'
                f'<use href="#{chart.id}-{style.marker}" x="16" y="6"/></svg>{safe(series.name)}</li>'
            )
        mark = "band"
    else:
        points, mark = chart.rows, "whisker"
    unknown = sum(point.low_ns is None for point in points)
    if unknown < len(points) and chart.spread:
        entries.append(f'<li class="chart-note">{mark}: {safe(chart.spread)}</li>')
    if unknown:
        entries.append(f'<li class="chart-note">open marker: {SPREAD_NOT_KNOWN}</li>')
    return f'<ul class="chart-key">{"".join(entries)}</ul>' if entries else ""


def _named(chart: Chart) -> str:
    """The attributes and first children that give a drawing its name and its description."""
    return (
        f'role="img" aria-labelledby="{chart.id}-t {chart.id}-d">'
        f'<title id="{chart.id}-t">{safe(chart.title)}</title><desc id="{chart.id}-d">{safe(chart.summary)}</desc>'
    )


def _markers(chart_id: str, names: Iterable[str]) -> str:
    used = sorted({series_style(name).marker for name in names})
    paths = [f'<path id="{chart_id}-{marker}" d="{MARKERS[marker]}"/>' for marker in used]
    return f"<defs>{''.join(paths)}</defs>"


def _grid(x_ticks: Iterable[Tick], y_ticks: Iterable[Tick]) -> str:
    upright = "".join(f"M{_percent(tick.at)} 0V100" for tick in x_ticks)
    return f'<path class="chart-grid" d="{upright}{"".join(f"M0 {_percent(1 - tick.at)}H100" for tick in y_ticks)}"/>'


def _along(ticks: tuple[Tick, ...]) -> str:
    """The labels below the plot; those that a narrower plot has no room for say so by their class."""
    middle = ticks if fits(ticks, _MIDDLE_PX) else thinned(ticks, _MIDDLE_PX)
    narrow = thinned(middle, _NARROW_PX)
    texts = []
    for tick in ticks:
        room = "" if tick in narrow else ' class="chart-roomy"' if tick in middle else ' class="chart-wide"'
        texts.append(f'<text x="{_percent(tick.at)}%" y="100%" dy="18"{room}>{tick.label}</text>')
    return f'<g class="chart-x">{"".join(texts)}</g>'


def _up(ticks: Iterable[Tick]) -> str:
    texts = "".join(f'<text x="-8" y="{_percent(1 - tick.at)}%" dy="4">{tick.label}</text>' for tick in ticks)
    return f'<g class="chart-y">{texts}</g>'


def _value_title(chart: Chart) -> str:
    return f"{safe(chart.value_label)} ({chart.unit.name})"


def _with_note(told: str, note: str) -> str:
    return f"{told}, {note}" if note else told


def _dashed(dash: str) -> str:
    return f' stroke-dasharray="{DASHES[dash]}"' if DASHES[dash] else ""


def _size(width: float) -> str:
    """The smallest margin that holds text of `width` pixels, "" for none."""
    return next((size for size, room in _SIZES if width <= room), "")


def _cut(text: str, width: float) -> str:
    """`text`, or as much of its beginning as fits in `width` pixels with an ellipsis."""
    if text_width(text) <= width:
        return text
    kept = text
    while kept and text_width(kept) > width - 8:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


def _percent(part: float) -> str:
    """A place as a percentage, to a hundredth: fine enough for a plot of 5,000 pixels."""
    return f"{round(100 * part, 2):g}"
