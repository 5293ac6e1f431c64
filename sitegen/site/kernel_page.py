"""A kernel: which implementation of it, where, and where the winner flips."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sitegen import words
from sitegen.catalogue import Kernel
from sitegen.chart.compose import JudgedSweep, axis_value, sweep_charts, workloads_chart
from sitegen.judge import Standing, ratio, stretches
from sitegen.load.model import Gpu, Run
from sitegen.quantity import Unit, counted
from sitegen.site import address
from sitegen.site.across import AcrossTable, across
from sitegen.site.cell import FigureCell, Part, RatioCell, Text, answer, figure_cell, places, ratio_cell, unit_of
from sitegen.site.document import OperationView, ProtocolView, operation_view, protocol_view
from sitegen.site.drawing import Drawing, draw
from sitegen.site.facts import group_facts, run_facts
from sitegen.site.judged import Judged, failed
from sitegen.site.shell import About, Book, Files
from sitegen.site.unranked import UnrankedRow, unranked_row


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer for one pass on one GPU. `key` is that pass, with its metric where it is not a latency."""

    key: str
    href: str
    parts: Text


@dataclass(frozen=True, slots=True)
class PassSection:
    """One pass on one GPU: the answer, where it flips, and the charts."""

    id: str
    title: str
    note: str
    parts: Text
    flips: tuple[Text, ...]
    drawings: tuple[Drawing, ...]
    left_out: str


@dataclass(frozen=True, slots=True)
class GpuSection:
    """A kernel on one GPU, pass by pass."""

    id: str
    name: str
    href: str
    answers: tuple[Answer, ...]
    passes: tuple[PassSection, ...]


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A group in the kernel's table. `to_next` is the ratio to `next`, the best that does not share the first rank."""

    gpu: str
    pass_name: str
    workload: str
    href: str
    leaders: str
    tied: bool
    figure: FigureCell
    to_baseline: RatioCell | None
    to_next: RatioCell | None
    next: str
    entries: int
    sort: int


@dataclass(frozen=True, slots=True)
class GroupTable:
    """The groups of one metric, statistic and unit; all figures in `unit`, with at most `places` decimals.

    `gpus` and `passes` count those of its rows; `compared` and `baseline` say whether any row has such a ratio.
    """

    id: str
    title: str
    quantity: str
    unit: str
    spread: str
    places: int
    gpus: int
    passes: int
    compared: bool
    baseline: bool
    rows: tuple[GroupRow, ...]


@dataclass(frozen=True, slots=True)
class KernelView:
    """A kernel's page."""

    name: str
    source: str
    operation: OperationView | None
    gpus: tuple[GpuSection, ...]
    tables: tuple[GroupTable, ...]
    baseline: str
    across: AcrossTable | None
    unranked: tuple[UnrankedRow, ...]
    protocols: tuple[ProtocolView, ...]


def kernel_page(book: Book, kernel: Kernel) -> Files:
    """A kernel's page and its JSON."""
    judged = book.judged
    at = address.kernel(kernel.source, kernel.name)
    standings = judged.of(kernel.groups)
    runs = kernel.runs
    view = KernelView(
        name=kernel.name,
        source=judged.source_name(kernel.source),
        operation=operation_view(judged, runs),
        gpus=tuple(gpu_sections(standings, at)),
        tables=tuple(_tables(standings, at)),
        baseline=", else ".join(judged.baselines(kernel.source)),
        across=across(standings, at),
        unranked=tuple(unranked_row(run, at) for run in failed(kernel)),
        protocols=tuple(protocol_view(judged, digest) for digest in dict.fromkeys(run.protocol for run in runs)),
    )
    facts = {
        "kernel": kernel.name,
        "source": kernel.source,
        "page": at,
        "groups": [group_facts(standing) for standing in standings],
        "ungrouped": [run_facts(run, None) for run in kernel.ungrouped],
    }
    return book.page(at, "kernel.html", view, facts, About("kernels", kernel.name, _description(kernel, judged)))


def _description(kernel: Kernel, judged: Judged) -> str:
    gpus = {run.gpu for run in kernel.runs}
    return (
        f"Which implementation of {kernel.name} ({judged.source_name(kernel.source)}) to use: "
        f"{counted(len(kernel.groups), 'comparison group')} on {counted(len(gpus), 'GPU')}, ranked with their doubt."
    )


def by_pass(standings: Iterable[Standing]) -> dict[tuple[str, ...], list[Standing]]:
    """Standings by what must agree besides kernel, workload and GPU: pass, protocol, metric and statistic."""
    found: dict[tuple[str, ...], list[Standing]] = {}
    for standing in standings:
        key = standing.group.key
        found.setdefault((key.pass_name, key.protocol, key.metric, key.statistic), []).append(standing)
    return found


def by_gpu(standings: Iterable[Standing]) -> dict[Gpu, list[Standing]]:
    """Standings by GPU, in their order."""
    found: dict[Gpu, list[Standing]] = {}
    for standing in standings:
        found.setdefault(standing.group.key.gpu, []).append(standing)
    return found


def gpu_sections(standings: Sequence[Standing], at: str) -> Iterable[GpuSection]:
    """The sections of a kernel's page at `at`: one for each GPU, with one for each pass on it."""
    root = address.root(at)
    for gpu, here in by_gpu(standings).items():
        anchor = address.gpu_anchor(gpu)
        sections = [
            _pass_section(f"{anchor}-{number}", key, listed, root)
            for number, (key, listed) in enumerate(by_pass(here).items(), 1)
        ]
        answers = tuple(Answer(section.title, f"#{section.id}", section.parts) for section in sections)
        yield GpuSection(anchor, gpu.name, root + address.gpu(gpu), answers, tuple(sections))


def _pass_section(anchor: str, key: tuple[str, ...], standings: list[Standing], root: str) -> PassSection:
    def link(run: Run) -> str:
        return root + address.run(run)

    pass_name, _, metric, statistic = key
    sweeps, singles = sweep_charts(standings, anchor, link)
    drawings = [draw(each.chart) for each in sweeps]
    left_out = ""
    if singles:
        chart, shown = workloads_chart(singles, f"{anchor}-w", link)
        drawings.append(draw(chart))
        if shown < len(singles):
            left_out = f"The chart shows {shown} of {len(singles)} workloads; the table below lists all of them."
    quantity = words.quantity(metric, statistic)
    workloads = counted(len(standings), "workload")
    return PassSection(
        id=anchor,
        title=words.pass_word(pass_name)
        if metric == "latency"
        else f"{words.pass_word(pass_name)}, {quantity.lower()}",
        note=f"{quantity.lower()}, {workloads}" if metric == "latency" else workloads,
        parts=answer(standings),
        flips=tuple(flip for each in sweeps if (flip := flip_text(each))),
        drawings=tuple(drawings),
        left_out=left_out,
    )


def flip_text(judged: JudgedSweep) -> Text:
    """Where the winner changes along a sweep, in words; empty where it does not, or where nothing is compared."""
    compared = [(x, standing) for x, standing in judged.points if len(standing.entries) > 1]
    runs = stretches(compared)
    if len(runs) < 2:
        return ()
    parts: list[str | Part] = [f"Along {judged.chart.title}: "]
    for number, run in enumerate(runs):
        parts.append("; " if number else "")
        if len(run.leaders) > 1:
            parts.append("a tie of ")
        for place, name in enumerate(run.leaders):
            parts += [" and " if place else "", Part(name, "name")]
        start, end = axis_value(run.start), axis_value(run.end)
        parts.append(f" at {start}" if run.points == 1 else f" from {start} to {end}")
    return (*(part for part in parts if part), ".")


def _tables(standings: Sequence[Standing], at: str) -> Iterable[GroupTable]:
    alike: dict[tuple[str, str], list[Standing]] = {}
    for standing in standings:
        alike.setdefault((standing.group.key.metric, standing.group.key.statistic), []).append(standing)
    for number, ((metric, statistic), listed) in enumerate(alike.items(), 1):
        unit = unit_of(standing.leader.figure for standing in listed)
        spreads = sorted({standing.leader.figure.spread for standing in listed} - {""})
        quantity = words.quantity(metric, statistic)
        rows = tuple(_row(standing, unit, at, place) for place, standing in enumerate(listed))
        yield GroupTable(
            id="groups" if number == 1 else f"groups-{number}",
            title=f"All comparison groups, {quantity.lower()}",
            quantity=words.statistic(statistic).capitalize() if metric == "latency" else quantity,
            unit=unit.name,
            spread=", ".join(spreads) or "spread",
            places=places(row.figure for row in rows),
            gpus=len({row.gpu for row in rows}),
            passes=len({row.pass_name for row in rows}),
            compared=any(row.to_next for row in rows),
            baseline=any(row.to_baseline for row in rows),
            rows=rows,
        )


def _row(standing: Standing, unit: Unit, at: str, place: int) -> GroupRow:
    key, leader = standing.group.key, standing.leader
    after = standing.entries[len(standing.leaders) :]
    return GroupRow(
        gpu=key.gpu.name,
        pass_name=words.pass_word(key.pass_name),
        workload=standing.group.workload.words,
        href=address.root(at) + address.group(standing.group),
        leaders=", ".join(entry.run.implementation for entry in standing.leaders),
        tied=leader.tied,
        figure=figure_cell(leader.figure, unit),
        to_baseline=ratio_cell(leader.to_baseline),
        to_next=ratio_cell(ratio(leader.figure, after[0].figure)) if after else None,
        next=after[0].run.implementation if after else "",
        entries=len(standing.entries),
        sort=place,
    )
