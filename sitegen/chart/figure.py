"""A chart as a Plotly figure: a plain dict, which the browser draws over the SVG once the chart is seen.

Colours are left to the page: `meta.colour` is a series' place in the palette, and the script fills in what the theme
makes of it. Axes begin at the same ranges as in the SVG, so that nothing moves when one takes the other's place.
"""

import math
from html import escape
from typing import Any, Final

import pydantic_core

from sitegen.chart.layout import HEIGHT_PX, lay_out, lay_out_ranking, segments
from sitegen.chart.markup import printable
from sitegen.chart.model import Chart, Point, Ranking, Row, Series, Sweep
from sitegen.chart.scale import Scale, Tick
from sitegen.chart.style import DASHES, SIZES, series_style
from sitegen.chart.table import sentence
from sitegen.quantity import Unit, number

_ESCAPED: Final = tuple((letter, f"\\u{ord(letter):04x}") for letter in "<>&\u2028\u2029")


def figure(chart: Chart) -> dict[str, Any]:
    """`chart` as the `data` and `layout` of a Plotly figure, with values in the chart's unit.

    Text is escaped for Plotly, which reads markup in names and titles. Raises ValueError for a chart without a point.
    """
    return _sweep(chart) if isinstance(chart, Sweep) else _ranking(chart)


def to_json(figure: dict[str, Any]) -> str:
    """A figure as compact JSON that can stand inside `<script type="application/json">` as it is."""
    text = pydantic_core.to_json(figure, inf_nan_mode="null").decode()
    for letter, escaped in _ESCAPED:
        text = text.replace(letter, escaped)
    return text


def _sweep(sweep: Sweep) -> dict[str, Any]:
    layout = lay_out(sweep)
    bands = [band for series in sweep.series if (band := _band(series, sweep))]
    return {
        "data": [*bands, *(_line(series, sweep) for series in sweep.series)],
        "layout": {
            "height": HEIGHT_PX,
            "hovermode": "closest",
            "showlegend": False,
            "xaxis": _axis(layout.across, layout.x_ticks, sweep.axis),
            "yaxis": _axis(layout.up, layout.y_ticks, f"{sweep.value_label} ({sweep.unit.name})"),
        },
    }


def _line(series: Series, sweep: Sweep) -> dict[str, Any]:
    style, unit, name, spread = series_style(series.name), sweep.unit, _text(series.name), _text(sweep.spread)
    begin = f"{name} · {_text(sweep.axis)} "
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        "legendgroup": _text(series.name),
        "x": [point.x for point in series.points],
        "y": [point.value_ns / unit.ns for point in series.points],
        "text": [f"{begin}{number(p.x)}<br>{_told(p, unit, spread)}" for p in series.points],
        "customdata": [point.href for point in series.points],
        "hoverinfo": "text",
        "line": {"dash": _dash(style.dash)},
        "marker": {"symbol": _symbol(style.marker, series.points), "size": SIZES.get(style.marker, 8.0)},
        "meta": {"colour": style.colour},
    }


def _band(series: Series, sweep: Sweep) -> dict[str, Any] | None:
    """The spread as a filled outline, with a gap (None) between stretches; None where no spread is known."""
    x: list[float | None] = []
    y: list[float | None] = []
    for piece in segments(series.points):
        edge = [(at, high) for at, _, high in piece] + [(at, low) for at, low, _ in reversed(piece)]
        edge.append(edge[0])
        x += [None] * bool(x) + [at for at, _ in edge]
        y += [None] * bool(y) + [bound / sweep.unit.ns for _, bound in edge]
    if not x:
        return None
    return {
        "type": "scatter",
        "mode": "lines",
        "legendgroup": _text(series.name),
        "x": x,
        "y": y,
        "fill": "toself",
        "hoverinfo": "skip",
        "showlegend": False,
        "meta": {"colour": series_style(series.name).colour, "band": True},
    }


def _ranking(ranking: Ranking) -> dict[str, Any]:
    rows, unit, spread = ranking.rows, ranking.unit, _text(ranking.spread)
    across, ticks = lay_out_ranking(ranking)
    styles = [series_style(row.series) for row in rows]
    count = len(rows)
    trace: dict[str, Any] = {
        "type": "scatter",
        "mode": "markers",
        "x": [row.value_ns / unit.ns for row in rows],
        "y": list(range(count)),
        "text": [f"{_text(row.label)}<br>{_told(row, unit, spread)}" for row in rows],
        "customdata": [row.href for row in rows],
        "hoverinfo": "text",
        "marker": {
            "symbol": [_open(style.marker, row) for style, row in zip(styles, rows, strict=True)],
            "size": [SIZES.get(style.marker, 8.0) for style in styles],
        },
        "meta": {"colours": [style.colour for style in styles]},
    }
    if any(row.low_ns is not None for row in rows):
        trace["error_x"] = {
            "type": "data",
            "symmetric": False,
            "array": [None if row.high_ns is None else (row.high_ns - row.value_ns) / unit.ns for row in rows],
            "arrayminus": [None if row.low_ns is None else (row.value_ns - row.low_ns) / unit.ns for row in rows],
        }
    return {
        "data": [trace],
        "layout": {
            "hovermode": "closest",
            "showlegend": False,
            "xaxis": _axis(across, ticks, f"{ranking.value_label} ({unit.name})"),
            "yaxis": {
                "range": [count - 0.5, -0.5],
                "fixedrange": True,
                "tickmode": "array",
                "tickvals": trace["y"],
                "ticktext": [_text(row.label) for row in rows],
            },
        },
    }


def _axis(scale: Scale, ticks: tuple[Tick, ...], title: str) -> dict[str, Any]:
    ends = [scale.low, scale.high]
    return {
        "title": {"text": _text(title)},
        "type": "log" if scale.log else "linear",
        "range": [math.log10(end) for end in ends] if scale.log else ends,
        "tickmode": "array",
        "tickvals": [tick.value for tick in ticks],
        "ticktext": [tick.label for tick in ticks],
    }


def _told(point: Point | Row, unit: Unit, spread: str) -> str:
    """What hovering says of a figure; `spread` is escaped already."""
    told = sentence(point.value_ns, point.low_ns, point.high_ns, unit, spread)
    return f"{told}, {_text(point.note)}" if point.note else told


def _symbol(marker: str, points: tuple[Point, ...]) -> str | list[str]:
    """One symbol where every spread is known, else one for each point: open where it is not."""
    return [_open(marker, p) for p in points] if any(p.low_ns is None for p in points) else marker


def _open(marker: str, point: Point | Row) -> str:
    return f"{marker}-open" if point.low_ns is None else marker


def _dash(dash: str) -> str:
    """The same lengths as in the SVG."""
    return ",".join(f"{length}px" for length in DASHES[dash].split()) or "solid"


def _text(text: str) -> str:
    return escape(printable(text), quote=False)
