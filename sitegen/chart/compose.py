"""Charts made from judged groups: sweeps along the axis that their workloads vary, and rankings of runs."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from sitegen import words
from sitegen.catalogue import WorkloadSweep, find_sweeps
from sitegen.chart.model import Point, Ranking, Row, Series, Sweep
from sitegen.judge import Entry, Standing
from sitegen.load.model import Figure, Run
from sitegen.quantity import NANOSECONDS, counted, number, unit_for

Linker = Callable[[Run], str]
"""The way from the page that shows a chart to a run's own page."""


@dataclass(frozen=True, slots=True)
class JudgedSweep:
    """A sweep of workloads with the standing at each of its points, and its chart."""

    sweep: WorkloadSweep
    points: tuple[tuple[float, Standing], ...]
    chart: Sweep


def in_ns(figure: Figure) -> tuple[float, float | None, float | None]:
    """A figure's value, low and high in nanoseconds, whatever unit of time it is in."""
    scale = NANOSECONDS[figure.unit]
    return (
        figure.value * scale,
        None if figure.low is None else figure.low * scale,
        None if figure.high is None else figure.high * scale,
    )


def sweep_charts(
    standings: Sequence[Standing], prefix: str, link: Linker
) -> tuple[tuple[JudgedSweep, ...], tuple[Standing, ...]]:
    """The sweeps of groups that agree in everything but the workload, and the groups that lie on none.

    `prefix` begins each chart's id, and is unique on its page.
    """
    at = {standing.group.workload.digest: standing for standing in standings}
    sweeps, singles = find_sweeps(standing.group.workload for standing in standings)
    judged = []
    for place, sweep in enumerate(sweeps, 1):
        points = tuple((x, at[workload.digest]) for x, workload in sweep.points)
        judged.append(JudgedSweep(sweep, points, _sweep_chart(f"{prefix}-{place}", sweep, points, link)))
    return tuple(judged), tuple(at[workload.digest] for workload in singles)


def _sweep_chart(name: str, sweep: WorkloadSweep, points: tuple[tuple[float, Standing], ...], link: Linker) -> Sweep:
    lines: dict[str, list[Point]] = {}
    for x, standing in points:
        for entry in standing.entries:
            lines.setdefault(_series_name(entry, standing), []).append(_point(x, entry, link))
    series = tuple(Series(each, tuple(lines[each])) for each in sorted(lines))
    figures = [entry.figure for _, standing in points for entry in standing.entries]
    values = [in_ns(figure)[0] for figure in figures]
    key = points[0][1].group.key
    quantity = words.quantity(key.metric, key.statistic)
    ends = (points[0][0], points[-1][0])
    return Sweep(
        id=name,
        title=_sweep_title(sweep, points),
        summary=(
            f"{quantity} of {counted(len(series), 'implementation')} at {counted(len(points), 'value')} of "
            f"{sweep.axis}, from {axis_value(ends[0])} to {axis_value(ends[1])}; {key.gpu.name}, "
            f"{words.pass_word(key.pass_name)}."
        ),
        axis=sweep.axis,
        value_label=quantity,
        spread=spread_name(figures),
        unit=unit_for(values),
        series=series,
        log_x=ends[0] > 0 and ends[1] / ends[0] >= 4,
        log_y=max(values) / min(values) > 10,
    )


def _sweep_title(sweep: WorkloadSweep, points: tuple[tuple[float, Standing], ...]) -> str:
    workload = points[0][1].group.workload
    others = [axis_words(name, value) for name, value in sweep.others] + ([workload.dtype] if workload.dtype else [])
    return f"{sweep.axis}, at {', '.join(others)}" if others else sweep.axis


def axis_value(value: float | str) -> str:
    """A value on an axis as text: whole numbers without a point, thousands grouped."""
    return value if isinstance(value, str) else number(value)


def axis_words(name: str, value: float | str) -> str:
    """An axis with its value: "vocab 4,096"."""
    return f"{name} {axis_value(value)}"


def _series_name(entry: Entry, standing: Standing) -> str:
    """The implementation's name; where two of a group share it, with a part of what tells them apart."""
    run = entry.run
    twins = [each for each in standing.entries if each.run.implementation == run.implementation]
    return run.implementation if len(twins) == 1 else f"{run.implementation} ({run.implementation_key[7:15]})"


def _point(x: float, entry: Entry, link: Linker) -> Point:
    value, low, high = in_ns(entry.figure)
    return Point(x, value, low, high, link(entry.run), _note(entry))


def _note(entry: Entry) -> str:
    rank = words.ranks(entry.rank, entry.last)
    return f"rank {rank}, {entry.run.release}" if entry.run.release else f"rank {rank}"


def spread_name(figures: Iterable[Figure]) -> str:
    """What the spreads of `figures` are, "" where none is known: "p20–p80"."""
    return ", ".join(sorted({figure.spread for figure in figures if figure.spread}))


def group_chart(standing: Standing, name: str, link: Linker) -> Ranking:
    """The runs of one group that rank, best first, each with its spread; of too many the best."""
    shown = standing.entries[:MOST_ROWS]
    rows = tuple(_row(_series_name(entry, standing), entry, link) for entry in shown)
    key = standing.group.key
    title, all_of_them = "The ranked runs, each with its spread", counted(len(standing.entries), "implementation")
    if len(shown) < len(standing.entries):
        title, all_of_them = (
            f"The best {len(shown)} runs, each with its spread",
            f"the best {len(shown)} of {all_of_them}",
        )
    summary = f"{words.quantity(key.metric, key.statistic)} of {all_of_them} under one key."
    return _ranking(name, title, summary, shown, rows)


def workloads_chart(standings: Sequence[Standing], name: str, link: Linker) -> tuple[Ranking, int]:
    """Runs of several groups of one kernel, GPU and pass that no axis orders, and how many of the groups are in it.

    Each group's runs stand together, best first. Where there are too many, only the best of each, then only the first
    groups; the title says the one, and whoever shows the chart the other.
    """
    most = max(len(standing.entries) for standing in standings)
    crowded = sum(len(standing.entries) for standing in standings) > MOST_ROWS
    entries: list[tuple[Standing, Entry]] = []
    shown = 0
    for standing in standings:
        own = standing.entries[:BEST_ROWS] if crowded else standing.entries
        if entries and len(entries) + len(own) > MOST_ROWS:
            break
        entries += [(standing, entry) for entry in own]
        shown += 1
    names = {_series_name(entry, standing) for standing, entry in entries}
    rows = tuple(_row(_label(standing, entry, shown, len(names)), entry, link) for standing, entry in entries)
    key = standings[0].group.key
    few = f", the best {BEST_ROWS} of each" if crowded and most > BEST_ROWS else ""
    title = f"{standings[0].group.workload.words if shown == 1 else 'Workload by workload'}{few}"
    summary = (
        f"{words.quantity(key.metric, key.statistic)} on {counted(shown, 'workload')}; {key.gpu.name}, "
        f"{words.pass_word(key.pass_name)}. Only runs of one workload can be compared."
    )
    return _ranking(name, title, summary, [entry for _, entry in entries], rows), shown


MOST_ROWS = 40
BEST_ROWS = 10


def _label(standing: Standing, entry: Entry, workloads: int, names: int) -> str:
    """What names a row: the workload and the implementation, without the one that all rows share."""
    name = _series_name(entry, standing)
    if workloads == 1:
        return name
    workload = standing.group.workload.words
    return workload if names == 1 else f"{workload} · {name}"


def _row(label: str, entry: Entry, link: Linker) -> Row:
    value, low, high = in_ns(entry.figure)
    return Row(label, entry.run.implementation, value, low, high, link(entry.run), _note(entry))


def _ranking(name: str, title: str, summary: str, entries: Sequence[Entry], rows: tuple[Row, ...]) -> Ranking:
    values = [row.value_ns for row in rows]
    key = entries[0].figure
    return Ranking(
        id=name,
        title=title,
        summary=summary,
        value_label=words.quantity(key.metric, key.statistic),
        spread=spread_name(entry.figure for entry in entries),
        unit=unit_for(values),
        rows=rows,
        log_x=max(values) / min(values) > 10,
    )
