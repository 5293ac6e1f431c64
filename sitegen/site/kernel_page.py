"""A kernel: which implementation of it, where, and where the winner flips."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sitegen import words
from sitegen.catalogue import Kernel
from sitegen.chart.compose import JudgedSweep, axis_value, sweep_charts, workloads_chart
from sitegen.judge import Outcome, Standing, outcome, stretches
from sitegen.load.model import Gpu, Run
from sitegen.quantity import counted
from sitegen.site import address
from sitegen.site.across import AcrossTable, across
from sitegen.site.cell import Part, Text, answer, date, listed, newest
from sitegen.site.document import OperationView, ProtocolView, operation_view, protocol_view
from sitegen.site.drawing import Drawing, draw
from sitegen.site.facts import group_facts, run_facts
from sitegen.site.group_table import GroupTable, group_tables
from sitegen.site.judged import Judged, failed
from sitegen.site.shell import About, Book, Files
from sitegen.site.unranked import UnrankedRow, unranked_row


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer for one pass on one GPU, and where it flips. `key` is the pass, with a metric other than latency."""

    key: str
    href: str
    parts: Text
    flips: tuple[Text, ...]


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
    """A kernel on one GPU, pass by pass. `measured` says when the runs that rank were made, and of which releases."""

    id: str
    name: str
    measured: str
    href: str
    answers: tuple[Answer, ...]
    passes: tuple[PassSection, ...]


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
        tables=tuple(group_tables(standings, at)),
        baseline=", else ".join(judged.baselines(kernel.source)),
        across=across(standings, at),
        unranked=tuple(unranked_row(judged, run, at) for run in failed(kernel)),
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
        answers = tuple(Answer(section.title, f"#{section.id}", section.parts, section.flips) for section in sections)
        yield GpuSection(anchor, gpu.name, measured(here), root + address.gpu(gpu), answers, tuple(sections))


def measured(standings: Iterable[Standing]) -> str:
    """When the runs that rank were made, and of which releases: "measured 2024-09-03, release 0.2.1"."""
    runs = [entry.run for standing in standings for entry in standing.entries]
    first, last = date(min(run.observed_ms for run in runs)), newest(runs)
    days = first if first == last else f"{first} to {last}"
    releases = {run.release: run.observed_ms for run in sorted(runs, key=lambda run: run.observed_ms) if run.release}
    names = list(releases)
    if not names:
        return f"measured {days}"
    if len(names) > MOST_RELEASES:
        return f"measured {days}, {len(names)} releases, newest {names[-1]}"
    return f"measured {days}, {'release' if len(names) == 1 else 'releases'} {', '.join(names)}"


MOST_RELEASES = 3
MOST_SINGLES = 6
"""How many workloads with a ranking each are drawn, each for itself, where no axis orders them."""


def _pass_section(anchor: str, key: tuple[str, ...], standings: list[Standing], root: str) -> PassSection:
    def link(run: Run) -> str:
        return root + address.run(run)

    pass_name, _, metric, statistic = key
    sweeps, singles = sweep_charts(standings, anchor, link)
    drawings = [draw(each.chart) for each in sweeps]
    left_out = ""
    if len(singles) > 1 and min(len(standing.entries) for standing in singles) > 2:
        # Long rankings in one chart would need both names in each label: a chart for each has room for them.
        for number, single in enumerate(singles[:MOST_SINGLES], 1):
            drawings.append(draw(workloads_chart([single], f"{anchor}-w{number}", link)[0]))
        if len(singles) > MOST_SINGLES:
            left_out = f"{MOST_SINGLES} of {len(singles)} workloads are drawn; the table below lists all of them."
    elif singles:
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
    # Where every two neighbours share a name, a tie gained or lost one: the winner did not flip.
    flips = any(not set(one.leaders) & set(other.leaders) for one, other in pairwise(runs))
    what = "The winner flips" if flips else "First place changes"
    parts: list[str | Part] = [f"{what} along {judged.chart.title}: "]
    for number, run in enumerate(runs):
        parts.append("; " if number else "")
        if len(run.leaders) > 1:
            parts.append("a tie of ")
        parts += listed(run.leaders)
        start, end = axis_value(run.start), axis_value(run.end)
        parts.append(f" at {start}" if run.points == 1 else f" from {start} to {end}")
        unsure = sum(
            outcome(standing, standing.leader) is Outcome.PROBABLE
            for x, standing in compared
            if run.start <= x <= run.end
        )
        if unsure:
            where = "" if unsure == run.points else f" at {unsure} of {run.points}"
            parts.append(f" ({words.SPREAD_UNKNOWN}{where})")
    return (*(part for part in parts if part), ".")
