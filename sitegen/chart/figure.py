"""A chart as a Plotly figure: a plain dict, which the browser draws over the SVG once the chart is seen.

Colours are left to the page: `meta.colour` is a series' place in the palette, and the script fills in what the theme
makes of it. Axes begin at the same ranges as in the SVG, so that nothing moves when one takes the other's place.
"""

import json
import math
from html import escape
from typing import Any

from sitegen.chart.model import Chart, Point, Ranking, Row, Series, Sweep
from sitegen.chart.scale import Scale, number, powers_of_two, ticks_along
from sitegen.chart.style import DASHES, series_style
from sitegen.chart.svg import HEIGHT_PX, scale_of_ranking, scales, segments
from sitegen.chart.table import sentence

_SAFE = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def figure(chart: Chart) -> dict[str, Any]:
    """`chart` as the `data` and `layout` of a Plotly figure, with values in the chart's unit.

    Text is escaped for Plotly, which reads markup in names and titles.
    """
    return _sweep(chart) if isinstance(chart, Sweep) else _ranking(chart)


def to_json(figure: dict[str, Any]) -> str:
    """A figure as compact JSON that can stand inside `<script type="application/json">` unescaped."""
    return json.dumps(figure, ensure_ascii=False, separators=(",", ":"), allow_nan=False).translate(_SAFE)


def _sweep(sweep: Sweep) -> dict[str, Any]:
    across, up = scales(sweep)
    bands = [band for series in sweep.series if (band := _band(series, sweep))]
    x_axis = _axis(across, sweep.axis)
    xs = {point.x for series in sweep.series for point in series.points}
    if across.log and powers_of_two(xs):
        ticks = ticks_along(across, 460, binary=True)
        x_axis |= {"tickmode": "array", "tickvals": [t.value for t in ticks], "ticktext": [t.label for t in ticks]}
    return {
        "data": [*bands, *(_line(series, sweep) for series in sweep.series)],
        "layout": {
            "height": HEIGHT_PX,
            "hovermode": "closest",
            "showlegend": False,
            "xaxis": x_axis,
            "yaxis": _axis(up, f"{sweep.value_label} ({sweep.unit.name})"),
        },
    }


def _line(series: Series, sweep: Sweep) -> dict[str, Any]:
    style, unit, name = series_style(series.name), sweep.unit, _text(series.name)
    begin = f"{name} · {_text(sweep.axis)} "
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        "legendgroup": series.name,
        "x": [point.x for point in series.points],
        "y": [point.value_ns / unit.ns for point in series.points],
        "text": [f"{begin}{number(p.x)}: {_told(p, unit, sweep.spread)}" for p in series.points],
        "customdata": [point.href for point in series.points],
        "hoverinfo": "text",
        "line": {"dash": _dash(style.dash)},
        "marker": {"symbol": _symbol(style.marker, series.points)},
        "meta": {"colour": style.colour},
    }


def _band(series: Series, sweep: Sweep) -> dict[str, Any] | None:
    """The spread as a filled outline, with a gap (None) between stretches; None where no spread is known."""
    x: list[float | None] = []
    y: list[float | None] = []
    for piece in segments(series.points):
        x += [None] * bool(x) + [p.x for p in piece] + [p.x for p in reversed(piece)] + [piece[0].x]
        edge = [p.high_ns for p in piece] + [p.low_ns for p in reversed(piece)] + [piece[0].high_ns]
        y += [None] * bool(y) + [bound / sweep.unit.ns for bound in edge if bound is not None]
    if not x:
        return None
    return {
        "type": "scatter",
        "mode": "lines",
        "legendgroup": series.name,
        "x": x,
        "y": y,
        "fill": "toself",
        "hoverinfo": "skip",
        "showlegend": False,
        "meta": {"colour": series_style(series.name).colour, "band": True},
    }


def _ranking(ranking: Ranking) -> dict[str, Any]:
    rows, unit = ranking.rows, ranking.unit
    styles = [series_style(row.series) for row in rows]
    count = len(rows)
    trace: dict[str, Any] = {
        "type": "scatter",
        "mode": "markers",
        "x": [row.value_ns / unit.ns for row in rows],
        "y": list(range(count)),
        "text": [f"{_text(row.label)}: {_told(row, unit, ranking.spread)}" for row in rows],
        "customdata": [row.href for row in rows],
        "hoverinfo": "text",
        "marker": {"symbol": [_open(s.marker, row) for s, row in zip(styles, rows, strict=True)]},
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
            "xaxis": _axis(scale_of_ranking(ranking), f"{ranking.value_label} ({unit.name})"),
            "yaxis": {"range": [count - 0.5, -0.5], "fixedrange": True, "showticklabels": False, "showgrid": False},
        },
    }


def _axis(scale: Scale, title: str) -> dict[str, Any]:
    ends = [scale.low, scale.high]
    return {
        "title": {"text": _text(title)},
        "type": "log" if scale.log else "linear",
        "range": [math.log10(end) for end in ends] if scale.log else ends,
    }


def _told(point: Point | Row, unit: Any, spread: str) -> str:
    told = sentence(point.value_ns, point.low_ns, point.high_ns, unit, _text(spread))
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
    return escape(text, quote=False)
