"""The front page: what is here, and what is new."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitegen import words
from sitegen.catalogue import Kernel, pass_order
from sitegen.judge import Outcome, Standing, Verdict, outcome
from sitegen.load.model import Gpu, Run
from sitegen.quantity import counted, multiples
from sitegen.site import address
from sitegen.site.cell import FigureCell, Part, Text, figure_cell, moment, unit_of
from sitegen.site.facts import Facts, catalogue_facts, counts
from sitegen.site.judged import Judged
from sitegen.site.shell import About, Book, Files

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
    """A kernel on a GPU: the speedups over the baseline, "" without one; `level` 0 to 4 tints it by the best."""

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
class Grid:
    """The kernels of one source, on the GPUs that it measured; its speedups are over `baseline`, "" for none."""

    id: str
    name: str
    baseline: str
    columns: tuple[Column, ...]
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
    """The front page. `left_out` counts the kernels that the grids have no room for."""

    intro: Text
    stats: tuple[tuple[str, str, str], ...]
    grids: tuple[Grid, ...]
    left_out: int
    newest: tuple[RunRow, ...]


def home_page(book: Book) -> Files:
    """The front page and its JSON."""
    judged = book.judged
    grids, left_out, cells = _grids(judged)
    view = HomeView(
        intro=_intro(judged),
        stats=_stats(judged),
        grids=grids,
        left_out=left_out,
        newest=tuple(_run_row(run, judged) for run in newest_runs(judged.catalogue.loaded.runs, NEWEST)),
    )
    title = judged.settings.title
    facts = {**catalogue_facts(judged), "coverage": cells}
    return book.page(address.HOME, "home.html", view, facts, About("home", title, judged.settings.description))


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
    if not compared:
        return ("Nothing is compared yet: every implementation was measured alone under its key.",)
    return (
        "Of ",
        Part(counted(len(compared), "comparison"), "strong"),
        " of two or more implementations under one exact key, ",
        Part(counted(sure, "has a clear winner", "have a clear winner"), "strong"),
        f", {counted(ties, 'is a tie', 'are ties')}, and {counted(unsure, 'has', 'have')} a best figure ",
        "without a known spread to be sure of it.",
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


def _grids(judged: Judged) -> tuple[tuple[Grid, ...], int, list[Facts]]:
    """A grid for each source, how many kernels they leave out, and what their cells say for programs."""
    catalogue = judged.catalogue
    kernels = list(catalogue.kernels.values())
    if len(kernels) > GRID_ROWS:
        most = sorted(kernels, key=lambda kernel: (-len(kernel.groups), kernel.source, kernel.name))[:GRID_ROWS]
        chosen = {(kernel.source, kernel.name) for kernel in most}
        kernels = [kernel for kernel in kernels if (kernel.source, kernel.name) in chosen]
    grids: list[Grid] = []
    facts: list[Facts] = []
    # First the sources that compare most: one whose kernels each have one implementation has little to say here.
    for source in sorted(catalogue.sources, key=lambda source: (-_compared(judged, source), source)):
        own = [kernel for kernel in kernels if kernel.source == source]
        if own:
            grid, found = _grid(judged, source, own, f"grid-{len(grids) + 1}")
            grids.append(grid)
            facts += found
    return tuple(grids), len(catalogue.kernels) - len(kernels), facts


def _grid(judged: Judged, source: str, kernels: list[Kernel], name: str) -> tuple[Grid, list[Facts]]:
    here = {
        (kernel.name, gpu): kernel
        for gpu, found in judged.catalogue.gpus.items()
        for kernel in found
        if kernel.source == source
    }
    gpus = [gpu for gpu in judged.catalogue.gpus if any((kernel.name, gpu) in here for kernel in kernels)]
    rows: list[GridRow] = []
    facts: list[Facts] = []
    for kernel in kernels:
        cells = [_cell(here.get((kernel.name, gpu)), gpu, judged) for gpu in gpus]
        rows.append(GridRow(kernel.name, address.kernel(source, kernel.name), tuple(cell for cell, _ in cells)))
        facts += [fact for _, fact in cells if fact]
    columns = tuple(Column(gpu.product, gpu.form_factor, address.gpu(gpu)) for gpu in gpus)
    baseline = ", else ".join(judged.baselines(source))
    return Grid(name, judged.source_name(source), baseline, columns, tuple(rows)), facts


def _compared(judged: Judged, source: str) -> int:
    return sum(
        standing.group.key.source == source and len(standing.entries) > 1 for standing in judged.standings.values()
    )


def _cell(kernel: Kernel | None, gpu: Gpu, judged: Judged) -> tuple[GridCell | None, Facts | None]:
    """A kernel on a GPU: how the best of each group stands to the baseline, from the least of them to the most."""
    if kernel is None:
        return None, None
    href = f"{address.kernel(kernel.source, kernel.name)}#{address.gpu_anchor(gpu)}"
    fact: Facts = {"source": kernel.source, "kernel": kernel.name, "gpu": gpu.name, "groups": len(kernel.groups)}
    standings = judged.of(kernel.groups)
    pass_name = _whole_pass(standings)
    best = sorted(
        pair
        for standing in standings
        if standing.group.key.pass_name == pass_name and (pair := _best_over_baseline(standing))
    )
    where = f"{kernel.name} on {gpu.name}: "
    if not standings:
        # The kernel's page has no section for a GPU on which nothing ranks.
        href = address.kernel(kernel.source, kernel.name)
        return GridCell("—", href, 0, where + "only runs that failed or cannot be ranked"), fact
    if not best:
        why = "only the baseline was ranked" if any(each.baseline for each in standings) else "no baseline"
        return GridCell("", href, 0, f"{where}{counted(len(standings), 'group')}, {why}"), fact
    least, (most, sure, name) = best[0][0], best[-1]
    label = (
        f"{where}{words.pass_words(pass_name)}, the best of each of {counted(len(best), 'group')} is "
        f"{multiples([least, most])} as fast as the baseline; the most is {name}"
        f"{'' if sure else f', {Verdict.UNSURE}: {words.SPREAD_UNKNOWN}'}"
    )
    fact |= {"pass": pass_name or None, "best": most, "least": least, "implementation": name, "spreadKnown": sure}
    return GridCell(_span(least, most, sure), href, level(most), label), fact


def _whole_pass(standings: Sequence[Standing]) -> str:
    """The pass that a cell speaks of: ratios of two passes do not mix. The most whole of those beside a baseline.

    A fused loss may make its gradients on the way forward: its backward pass alone then seems many times as fast.
    """
    found = {standing.group.key.pass_name for standing in standings if _best_over_baseline(standing)}
    return min(found, key=lambda name: (name != "full", pass_order(name)), default="")


def _span(least: float, most: float, sure: bool) -> str:
    """Two ratios in the room of a cell: "1.4–2.9×", "1.4–~2.9×" where the spread of the most is not known."""
    low, high = multiples([least]), ("" if sure else "~") + multiples([most])
    return high if low == high.removeprefix("~") else f"{low[:-1]}–{high}"


def _best_over_baseline(standing: Standing) -> tuple[float, bool, str] | None:
    """The greatest ratio to the baseline in a group, whether spreads allow a verdict on it, and whose it is."""
    found = [
        (entry.to_baseline.value, entry.to_baseline.verdict is not Verdict.UNSURE, entry.run.implementation)
        for entry in standing.entries
        if entry.to_baseline
    ]
    return max(found, default=None)


def level(ratio: float) -> int:
    """How deep a speedup is tinted, by doublings: 0 where nothing beats the baseline, 1 below 2×, up to 4 from 8×."""
    return 0 if ratio <= 1 else 1 + sum(ratio >= step for step in (2, 4, 8))


def _run_row(run: Run, judged: Judged) -> RunRow:
    # The figure of a run that cannot be ranked may be in any unit, or of a wrong result: its reason stands instead.
    figure = None if run.unranked else run.figure
    unit = unit_of([figure]) if figure else None
    return RunRow(
        kernel=run.kernel,
        kernel_href=address.kernel(run.source, run.kernel),
        implementation=run.implementation,
        href=address.run(run),
        pass_name=run.pass_name,
        workload=judged.catalogue.workloads[run.workload].words,
        gpu=run.gpu.name,
        figure=figure_cell(figure, unit) if figure and unit else None,
        unit=unit.name if unit else "",
        statistic=figure.statistic if figure else "",
        reason=run.unranked,
        when=moment(run.observed_ms),
    )
