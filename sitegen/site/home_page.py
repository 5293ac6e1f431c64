"""The front page: what is here, and what is new."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitegen.catalogue import Kernel
from sitegen.judge import Outcome, Standing, outcome
from sitegen.load.model import Gpu, Run
from sitegen.quantity import counted, multiple, multiples
from sitegen.site import address
from sitegen.site.cell import FigureCell, Part, Text, figure_cell, moment, unit_of
from sitegen.site.facts import Facts, catalogue_facts, counts
from sitegen.site.judged import Judged
from sitegen.site.shell import Book, Files

GRID_ROWS = 200
NEWEST = 10


@dataclass(frozen=True, slots=True)
class Column:
    """A GPU at the head of the grid."""

    name: str
    detail: str
    href: str


@dataclass(frozen=True, slots=True)
class GridCell:
    """A kernel on a GPU: the best speedup over the baseline, "" where there is none; `level` 0 to 4 tints it."""

    text: str
    href: str
    level: int
    label: str


@dataclass(frozen=True, slots=True)
class GridRow:
    """A kernel with a cell for each column, None where nothing was measured."""

    name: str
    href: str
    cells: tuple[GridCell | None, ...]


@dataclass(frozen=True, slots=True)
class GridGroup:
    """The kernels of one source; `note` says what they are compared with."""

    name: str
    note: str
    rows: tuple[GridRow, ...]


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run among the newest."""

    kernel: str
    kernel_href: str
    implementation: str
    href: str
    pass_name: str
    workload: str
    gpu: str
    figure: FigureCell | None
    unit: str
    statistic: str
    reason: str
    when: str


@dataclass(frozen=True, slots=True)
class HomeView:
    """The front page. `left_out` counts the kernels that the grid has no room for."""

    intro: Text
    stats: tuple[tuple[str, str, str], ...]
    columns: tuple[Column, ...]
    grid: tuple[GridGroup, ...]
    left_out: int
    newest: tuple[RunRow, ...]


def home_page(book: Book) -> Files:
    """The front page and its JSON."""
    judged = book.judged
    columns, grid, left_out, cells = _grid(judged)
    view = HomeView(
        intro=_intro(judged),
        stats=_stats(judged),
        columns=columns,
        grid=grid,
        left_out=left_out,
        newest=tuple(_run_row(run, judged) for run in newest_runs(judged.catalogue.loaded.runs, NEWEST)),
    )
    title = judged.settings.title
    facts = {**catalogue_facts(judged), "coverage": cells}
    return book.page(address.HOME, "home.html", "home", view, title, judged.settings.description, facts)


def newest_runs(runs: Sequence[Run], count: int) -> list[Run]:
    """The `count` newest runs, the newest first."""
    return sorted(runs, key=lambda run: (-run.observed_ms, run.digest))[:count]


def _intro(judged: Judged) -> Text:
    """What is here, in one sentence: made of the counts, with the doubt in it."""
    total = counts(judged)
    if not total["runs"]:
        return ("No record was found, so there is nothing to compare yet.",)
    compared = [standing for standing in judged.standings.values() if len(standing.entries) > 1]
    sure = sum(outcome(standing, standing.leader) is Outcome.LEADS for standing in compared)
    ties = sum(outcome(standing, standing.leader) is Outcome.TIES for standing in compared)
    unsure = len(compared) - sure - ties
    return (
        "Of ",
        Part(counted(len(compared), "comparison"), "strong"),
        " of two or more implementations under one exact key, ",
        Part(f"{sure:,} have a clear winner", "strong"),
        f", {ties:,} are ties, and {unsure:,} have a best figure whose spread is not known.",
    )


def _stats(judged: Judged) -> tuple[tuple[str, str, str], ...]:
    total = counts(judged)
    shown = [
        (f"{total['kernels']:,}", "kernels", address.KERNELS),
        (f"{total['hardware']:,}", "GPUs", address.HARDWARE),
        (f"{total['groups']:,}", "comparison groups", address.KERNELS),
        (f"{total['runs']:,}", "runs", address.DATA),
        (f"{total['failed']:,}", "failed runs", ""),
        (f"{total['implementations']:,}", "implementations", address.IMPLEMENTATIONS),
    ]
    return tuple(shown)


def _grid(judged: Judged) -> tuple[tuple[Column, ...], tuple[GridGroup, ...], int, list[Facts]]:
    catalogue = judged.catalogue
    gpus = list(catalogue.gpus)
    kernels = list(catalogue.kernels.values())
    if len(kernels) > GRID_ROWS:
        most = sorted(kernels, key=lambda kernel: (-len(kernel.groups), kernel.source, kernel.name))[:GRID_ROWS]
        chosen = {(kernel.source, kernel.name) for kernel in most}
        kernels = [kernel for kernel in kernels if (kernel.source, kernel.name) in chosen]
    on = {(kernel.source, kernel.name, gpu): kernel for gpu, here in catalogue.gpus.items() for kernel in here}
    groups, facts = [], []
    for source in catalogue.sources:
        rows = []
        for kernel in kernels:
            if kernel.source == source:
                cells = [_cell(on.get((source, kernel.name, gpu)), gpu, judged) for gpu in gpus]
                rows.append(GridRow(kernel.name, address.kernel(source, kernel.name), tuple(c for c, _ in cells)))
                facts += [fact for _, fact in cells if fact]
        if rows:
            groups.append(GridGroup(judged.source_name(source), _baseline_note(judged, source), tuple(rows)))
    columns = tuple(Column(gpu.product, gpu.form_factor, address.gpu(gpu)) for gpu in gpus)
    return columns, tuple(groups), len(catalogue.kernels) - len(kernels), facts


def _baseline_note(judged: Judged, source: str) -> str:
    names = judged.baselines(source)
    return f"speedup over {', else '.join(names)}" if names else "no baseline is set for this source"


def _cell(kernel: Kernel | None, gpu: Gpu, judged: Judged) -> tuple[GridCell | None, Facts | None]:
    """A kernel on a GPU: the best ratio to the baseline that is sure, over all of its groups there."""
    if kernel is None:
        return None, None
    href = f"{address.kernel(kernel.source, kernel.name)}#{address.gpu_anchor(gpu)}"
    fact: Facts = {"source": kernel.source, "kernel": kernel.name, "gpu": gpu.name, "groups": len(kernel.groups)}
    standings = judged.of(kernel.groups)
    best = [pair for standing in standings for pair in best_ratios(standing)]
    where = f"{kernel.name} on {gpu.name}: "
    if not standings:
        return GridCell("—", href, 0, where + "only runs that failed or cannot be ranked"), fact
    if not best:
        return GridCell("", href, 0, f"{where}{counted(len(standings), 'group')}, no baseline"), fact
    top, name = max(best)
    least = min(best)[0]
    label = (
        f"{where}{name} is {multiple(top)} as fast as the baseline at best; the best of each of "
        f"{counted(len(best), 'group')} is {multiples([least, top])}"
    )
    fact |= {"best": top, "least": least, "implementation": name}
    return GridCell(multiple(top), href, level(top), label), fact


def best_ratios(standing: Standing) -> list[tuple[float, str]]:
    """The best ratio to the baseline in a group that has one, with whose it is; no ratio where spreads allow none."""
    found = [
        (entry.to_baseline.value, entry.run.implementation)
        for entry in standing.entries
        if entry.to_baseline and entry.to_baseline.verdict != "not enough data"
    ]
    return [max(found)] if found else []


def level(ratio: float) -> int:
    """How deep a speedup is tinted: 0 where nothing beats the baseline, up to 4 from 8×."""
    return sum(ratio >= step for step in (1.05, 1.5, 3, 8))


def _run_row(run: Run, judged: Judged) -> RunRow:
    unit = unit_of([run.figure]) if run.figure else None
    return RunRow(
        kernel=run.kernel,
        kernel_href=address.kernel(run.source, run.kernel),
        implementation=run.implementation,
        href=address.run(run),
        pass_name=run.pass_name,
        workload=judged.catalogue.workloads[run.workload].words,
        gpu=run.gpu.name,
        figure=figure_cell(run.figure, unit) if run.figure and unit else None,
        unit=unit.name if unit else "",
        statistic=run.figure.statistic if run.figure else "",
        reason=run.unranked,
        when=moment(run.observed_ms),
    )
