"""A chart as markup that needs no script: a drawing that fits any width, and a key that says what its marks mean.

The drawing has no `viewBox`, which would shrink its text along with its lines. Its places are percentages of the plot,
text and markers keep their size in pixels, and lines lie in an inner drawing that stretches under strokes that do not.
So one drawing reads as well at 320 pixels as at 1,280. Margins, and what a narrow plot leaves out, are in
`static/charts.css`.
"""

from collections.abc import Mapping

from sitegen.chart.layout import HEIGHT_PX, SIZES_PX, ends, lay_out, lay_out_ranking, segments, size_for
from sitegen.chart.markup import (
    along,
    beside,
    dashed,
    grid,
    key,
    markers,
    named,
    percent,
    quantity,
    safe,
    shortened,
    told,
)
from sitegen.chart.model import Chart, Ranking, Row, Series, Sweep
from sitegen.chart.scale import Scale, text_width
from sitegen.chart.style import series_style
from sitegen.chart.table import reading
from sitegen.quantity import Unit, number


def svg(chart: Chart) -> str:
    """The drawing of `chart` and its key, safe to put into a page: every text in it is escaped.

    `chart.id` must be fit for an HTML id without spaces, and begins every id within. Raises ValueError for a chart
    without a point.
    """
    return _sweep(chart) if isinstance(chart, Sweep) else _ranking(chart)


def _sweep(sweep: Sweep) -> str:
    layout, unit = lay_out(sweep), sweep.unit
    xs = {x: percent(place) for x, place in layout.places.items()}
    labels = ends(sweep, layout.up)
    lines, marks = [], []
    for series in sweep.series:
        style = series_style(series.name)
        begin = f'<g class="series-{style.colour}">'
        ys = [percent(1 - layout.up.at(point.value_ns / unit.ns)) for point in series.points]
        lines.append(f"{begin}{_band(series, xs, layout.up, unit)}{_line(series, xs, ys, style.dash)}</g>")
        label = ""
        if series.name in labels.tops:
            y = percent(labels.tops[series.name] / HEIGHT_PX)
            label = f'<text class="chart-end" x="100%" y="{y}%">{safe(series.name)}</text>'
        marks.append(f"{begin}{_marks(sweep, series, xs, ys, style.marker)}{label}</g>")
    return (
        f"{key(sweep)}"
        f'<div class="chart-plot{labels.size and f" chart-ends-{labels.size}"}">'
        f'<svg class="chart-svg" height="{HEIGHT_PX}" {named(sweep)}'
        f"{markers(sweep.id, [series.name for series in sweep.series])}"
        f'<svg viewBox="0 0 100 100" preserveAspectRatio="none">{grid(layout.x_ticks, layout.y_ticks)}'
        f"{''.join(lines)}</svg>{along(layout.x_ticks)}{beside(layout.y_ticks)}"
        f'<text class="chart-axis" x="50%" y="100%" dy="38">{safe(sweep.axis)}</text>'
        f'<text class="chart-quantity" x="-56" y="-14">{quantity(sweep)}</text>'
        f"{''.join(marks)}</svg></div>"
    )


def _band(series: Series, xs: Mapping[float, str], up: Scale, unit: Unit) -> str:
    """The spread, one closed outline for each stretch of points that have one; a lone point's is a hairline."""
    outline = []
    for piece in segments(series.points):
        edge = [f"{xs[x]} {percent(1 - up.at(high / unit.ns))}" for x, _, high in piece]
        edge += [f"{xs[x]} {percent(1 - up.at(low / unit.ns))}" for x, low, _ in reversed(piece)]
        outline.append(f"M{'L'.join(edge)}z")
    return f'<path class="chart-band" d="{"".join(outline)}"/>' if outline else ""


def _line(series: Series, xs: Mapping[float, str], ys: list[str], dash: str) -> str:
    if len(ys) < 2:
        return ""
    places = "L".join([f"{xs[point.x]} {y}" for point, y in zip(series.points, ys, strict=True)])
    return f'<path class="chart-line" d="M{places}"{dashed(dash)}/>'


def _marks(sweep: Sweep, series: Series, xs: Mapping[float, str], ys: list[str], marker: str) -> str:
    """A marker for each point, which says its figure; open where the spread is not known."""
    unit, spread = sweep.unit, safe(sweep.spread)
    begin = safe(f"{series.name} · {sweep.axis} ")
    marks = []
    for point, y in zip(series.points, ys, strict=True):
        unknown = ' class="chart-open"' if point.low_ns is None else ""
        marks.append(
            f'<use href="#{sweep.id}-{marker}" x="{xs[point.x]}%" y="{y}%"{unknown}>'
            f"<title>{begin}{number(point.x)}: {told(point, unit, spread)}</title></use>"
        )
    return "".join(marks)


def _ranking(ranking: Ranking) -> str:
    across, ticks = lay_out_ranking(ranking)
    count = len(ranking.rows)
    known = any(row.low_ns is not None for row in ranking.rows)
    places = [percent((place + 0.5) / count) for place in range(count)]
    labels = shortened([row.label for row in ranking.rows], SIZES_PX[-1][1])
    size = size_for(max(text_width(label) for label in labels)) or SIZES_PX[-1][0]
    rows = [
        _row(ranking, row, label, across, y, known=known)
        for row, label, y in zip(ranking.rows, labels, places, strict=True)
    ]
    return (
        f'<div class="chart-plot chart-ranking chart-labels-{size}{"" if known else " chart-bare"}">'
        f'<svg class="chart-svg" height="{count}em" {named(ranking)}'
        f"{markers(ranking.id, [row.series for row in ranking.rows])}"
        f'<svg viewBox="0 0 100 100" preserveAspectRatio="none">{grid(ticks, ())}'
        f'<path class="chart-rows" d="{"".join([f"M0 {y}H100" for y in places])}"/></svg>'
        f'{along(ticks)}<text class="chart-axis" x="50%" y="100%" dy="38">{quantity(ranking)}</text>'
        f"{''.join(rows)}</svg></div>{key(ranking)}"
    )


def _row(ranking: Ranking, row: Row, label: str, across: Scale, y: str, *, known: bool) -> str:
    """One run at the height `y`: whisker, marker, label and figure. `known` says whether any run has a spread."""
    style, unit = series_style(row.series), ranking.unit
    text = reading(row.value_ns, row.low_ns, row.high_ns, unit) if known else unit.show(row.value_ns)
    whisker, unknown = "", ' class="chart-open"'
    if row.low_ns is not None and row.high_ns is not None:
        low, high = percent(across.at(row.low_ns / unit.ns)), percent(across.at(row.high_ns / unit.ns))
        whisker = f'<line class="chart-whisker" x1="{low}%" x2="{high}%" y1="{y}%" y2="{y}%"/>'
        unknown = ""
    full = "" if label == row.label else f"<title>{safe(row.label)}</title>"
    return (
        f'<g class="series-{style.colour}">{whisker}<use href="#{ranking.id}-{style.marker}" '
        f'x="{percent(across.at(row.value_ns / unit.ns))}%" y="{y}%"{unknown}>'
        f"<title>{safe(row.label)}: {told(row, unit, safe(ranking.spread))}</title></use>"
        f'<text class="chart-label" x="-12" y="{y}%">{safe(label)}{full}</text>'
        f'<text class="chart-value" x="100%" y="{y}%">{text}</text></g>'
    )
