"""Pieces of markup that every drawing has: names, markers, grid, axis labels and the key. All text is escaped here."""

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from sitegen.chart.layout import MIDDLE_PX, NARROW_PX
from sitegen.chart.model import Chart, Point, Row, Sweep
from sitegen.chart.scale import Tick, text_width, thinning
from sitegen.chart.style import DASHES, MARKERS, series_style
from sitegen.chart.table import sentence
from sitegen.quantity import Unit
from sitegen.words import SPREAD_UNKNOWN

_UNPRINTABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

_WORD: Final = re.compile(r"(?<= )\w")


def safe(text: str) -> str:
    """`text` escaped for markup, with the letters that no document may hold replaced."""
    return escape(printable(text))


def printable(text: str) -> str:
    """`text` with the letters that no document may hold replaced."""
    return text if text.isprintable() else _UNPRINTABLE.sub("\ufffd", text)


def percent(part: float) -> str:
    """A part of the plot as a percentage, to four digits: fine enough for a plot of 5,000 pixels."""
    return f"{100 * part:.4g}"


def shortened(labels: Sequence[str], width: float) -> list[str]:
    """`labels`, where one is wider than `width` pixels without words that all begin with or all end in.

    As many of the words before what differs are kept as fit. What is still too wide keeps its two ends around an
    ellipsis: labels end in what tells them apart.
    """
    if all(text_width(label) <= width for label in labels):
        return list(labels)
    head, tail = _shared(labels), len(_shared([label[::-1] for label in labels]))
    cores = [label[len(head) : len(label) - tail] for label in labels]
    if len(labels) > 1 and all(core.strip() for core in cores):
        for words in [head, *("…" + head[word.start() :] for word in _WORD.finditer(head, 1)), "…" if head else ""]:
            labels = [f"{words}{core}{'…' if tail else ''}" for core in cores]
            if all(text_width(label) <= width for label in labels):
                return labels
    return [_cut(label, width) for label in labels]


def _shared(labels: Sequence[str]) -> str:
    """What all of `labels` begin with, up to its last space."""
    first, last = min(labels), max(labels)  # what these two share, all that lie between them share
    same = next((at for at, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), len(first))
    return first[: first.rfind(" ", 0, same) + 1]


def _cut(label: str, width: float) -> str:
    wide = text_width(label)
    if wide <= width:
        return label
    kept = int(len(label) * width / wide)
    while True:
        end = kept // 2
        short = f"{label[: kept - end].rstrip()}…{label[len(label) - end :].lstrip()}"
        if kept <= 1 or text_width(short) <= width:
            return short
        kept -= 1


def named(chart: Chart) -> str:
    """The attributes and first children that give a drawing its name and its description."""
    return (
        f'role="img" aria-labelledby="{chart.id}-title {chart.id}-desc">'
        f'<title id="{chart.id}-title">{safe(chart.title)}</title>'
        f'<desc id="{chart.id}-desc">{safe(chart.summary)}</desc>'
    )


def quantity(chart: Chart) -> str:
    """What the axis of values says: the quantity with its unit."""
    return f"{safe(chart.value_label)} ({chart.unit.name})"


def told(point: Point | Row, unit: Unit, spread: str) -> str:
    """What a marker says of its figure, with the note where there is one; `spread` is escaped already."""
    text = sentence(point.value_ns, point.low_ns, point.high_ns, unit, spread)
    return f"{text}, {safe(point.note)}" if point.note else text


def markers(chart_id: str, names: Iterable[str]) -> str:
    """The outlines that the marks of the series called `names` refer to."""
    used = sorted({series_style(name).marker for name in names})
    paths = [f'<path id="{chart_id}-{marker}" d="{MARKERS[marker]}"/>' for marker in used]
    return f"<defs>{''.join(paths)}</defs>"


def dashed(dash: str) -> str:
    """The attribute that makes a line a dashed one."""
    return f' stroke-dasharray="{DASHES[dash]}"' if DASHES[dash] else ""


def grid(x_ticks: Iterable[Tick], y_ticks: Iterable[Tick]) -> str:
    """Hairlines across the plot at every tick."""
    lines = [f"M{percent(tick.at)} 0V100" for tick in x_ticks] + [f"M0 {percent(1 - tick.at)}H100" for tick in y_ticks]
    return f'<path class="chart-grid" d="{"".join(lines)}"/>'


def along(ticks: tuple[Tick, ...]) -> str:
    """The labels below the plot; those that a narrower plot has no room for say so by their class."""
    middle = thinning(ticks, MIDDLE_PX)
    narrow = thinning(ticks, NARROW_PX, middle)
    texts = []
    for place, tick in enumerate(ticks):
        room = "" if place % narrow == 0 else ' class="chart-roomy"' if place % middle == 0 else ' class="chart-wide"'
        texts.append(f'<text x="{percent(tick.at)}%" y="100%" dy="18"{room}>{tick.label}</text>')
    return f'<g class="chart-x">{"".join(texts)}</g>'


def beside(ticks: Iterable[Tick]) -> str:
    """The labels to the left of the plot."""
    texts = [f'<text x="-8" y="{percent(1 - tick.at)}%" dy="4">{tick.label}</text>' for tick in ticks]
    return f'<g class="chart-y">{"".join(texts)}</g>'


def key(chart: Chart) -> str:
    """A sample of each line of a sweep with its name, then what bands, whiskers and open markers mean."""
    entries: list[str] = []
    points: Sequence[Point | Row]
    if isinstance(chart, Sweep):
        points = [point for series in chart.series for point in series.points]
        entries += [_sample(chart.id, series.name) for series in chart.series]
        mark = "band"
    else:
        points, mark = chart.rows, "whisker"
    unknown = sum(point.low_ns is None for point in points)
    if unknown < len(points):
        entries.append(f'<li class="chart-note">{mark}: {safe(chart.spread) or "spread"}</li>')
    if unknown:
        entries.append(f'<li class="chart-note">open marker: {SPREAD_UNKNOWN}</li>')
    return f'<ul class="chart-key">{"".join(entries)}</ul>' if entries else ""


def _sample(chart_id: str, name: str) -> str:
    style, text = series_style(name), safe(name)
    return (
        f'<li class="series-{style.colour}" data-series="{text}">'
        f'<svg class="chart-sample" width="32" height="12" aria-hidden="true">'
        f'<path class="chart-line" d="M1 6h30"{dashed(style.dash)}/>'
        f'<use href="#{chart_id}-{style.marker}" x="16" y="6"/></svg><span>{text}</span></li>'
    )
