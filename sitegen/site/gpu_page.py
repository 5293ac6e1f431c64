"""One GPU: what wins on it, kernel by kernel, and what it would cost to use one implementation everywhere."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sitegen import words
from sitegen.catalogue import Kernel, pass_order
from sitegen.chart.compose import sweep_charts, workloads_chart
from sitegen.judge import Cost, Outcome, Standing, Tally, costs, outcome, tally
from sitegen.load.model import Gpu, Run
from sitegen.quantity import counted, multiple, multiples
from sitegen.site import address
from sitegen.site.cell import MOST_CLAIMS, Fact, Part, Text, newest
from sitegen.site.document import software_words
from sitegen.site.drawing import Drawing, draw
from sitegen.site.facts import gpu_facts
from sitegen.site.judged import Judged, failed
from sitegen.site.kernel_page import by_pass
from sitegen.site.shell import About, Book, Files
from sitegen.site.unranked import UnrankedRow, unranked_row

MOST_CHARTS = 100
"""How many kernels a page draws; the page of each kernel has its charts too."""


@dataclass(frozen=True, slots=True)
class PassRow:
    """A kernel and pass on one GPU: who leads on how much, how far ahead of the baseline, and the rest in words."""

    kernel: str
    href: str
    source: str
    pass_name: str
    leader: str
    share: str
    share_sort: float
    speedups: str
    speedups_sort: float
    baseline: str
    is_baseline: bool
    rest: str


@dataclass(frozen=True, slots=True)
class KernelChart:
    """One pass of a kernel on one GPU as a chart; `note` says which, and what it leaves out."""

    kernel: str
    href: str
    note: str
    drawing: Drawing


@dataclass(frozen=True, slots=True)
class CostRow:
    """What it would cost to use one implementation in every group that measured it here."""

    implementation: str
    href: str
    source: str
    coverage: str
    coverage_sort: float
    mean: str
    mean_sort: float
    worst: str
    worst_sort: float
    worst_href: str
    worst_where: str
    beaten: int


@dataclass(frozen=True, slots=True)
class GpuView:
    """One GPU's page."""

    name: str
    parts: Text
    facts: tuple[Fact, ...]
    costs: tuple[CostRow, ...]
    sources: int
    passes: tuple[PassRow, ...]
    charts: tuple[KernelChart, ...]
    charts_left: int
    unranked: tuple[UnrankedRow, ...]


def gpu_page(book: Book, gpu: Gpu) -> Files:
    """One GPU's page and its JSON."""
    judged = book.judged
    at = address.gpu(gpu)
    kernels = judged.catalogue.gpus[gpu]
    standings = [standing for kernel in kernels for standing in judged.of(kernel.groups)]
    ranked = [kernel for kernel in kernels if kernel.groups]
    view = GpuView(
        name=gpu.name,
        parts=_summary(standings),
        facts=_facts(judged, gpu, kernels),
        costs=tuple(_cost_row(cost, judged, at) for cost in costs(_whole(judged, kernels)) if cost.groups > 1),
        sources=len({kernel.source for kernel in kernels}),
        passes=_compared_first(row for kernel in kernels for row in _pass_rows(judged, kernel, at)),
        charts=tuple(
            _kernel_chart(judged, kernel, at, f"k{number}") for number, kernel in enumerate(ranked[:MOST_CHARTS], 1)
        ),
        charts_left=max(len(ranked) - MOST_CHARTS, 0),
        unranked=tuple(unranked_row(judged, run, at) for kernel in kernels for run in failed(kernel)),
    )
    facts = {
        **gpu_facts(gpu),
        "name": gpu.name,
        "page": at,
        "architectures": judged.catalogue.architectures(gpu),
        "kernels": [
            {
                "source": kernel.source,
                "kernel": kernel.name,
                "page": address.kernel(kernel.source, kernel.name),
                "groups": [group.id for group in kernel.groups],
                "ungrouped": [run.digest for run in kernel.ungrouped],
            }
            for kernel in kernels
        ],
    }
    description = (
        f"Which kernel implementation wins on {gpu.name}: {counted(len(kernels), 'kernel')}, ranked with spreads."
    )
    return book.page(at, "gpu.html", view, facts, About("hardware", gpu.name, description))


def _summary(standings: Sequence[Standing]) -> Text:
    compared = [standing for standing in standings if len(standing.entries) > 1]
    if not compared:
        return ("Nothing was compared here: every implementation was measured alone under its key.",)
    sure = [each for each in tally(compared) if each.leads]
    clauses: list[Text] = [
        (Part(each.implementation, "name"), " leads ", Part(f"{each.leads:,}", "strong")) for each in sure[:MOST_CLAIMS]
    ]
    if others := sure[MOST_CLAIMS:]:
        leads = sum(each.leads for each in others)
        clauses.append((f"{counted(len(others), 'other leads', 'others lead')} {leads:,}",))
    outcomes = [outcome(standing, standing.leader) for standing in compared]
    if ties := outcomes.count(Outcome.TIES):
        clauses.append((f"{counted(ties, 'is a tie', 'are ties')} for first",))
    if unsure := outcomes.count(Outcome.PROBABLE):
        clauses.append((f"{counted(unsure, 'has', 'have')} a best figure without a known spread to be sure of it",))
    parts = [part for clause in clauses for part in ("; ", *clause)][1:]
    return ("Of ", Part(counted(len(compared), "comparison"), "strong"), " on this GPU, ", *parts, ".")


def _facts(judged: Judged, gpu: Gpu, kernels: Sequence[Kernel]) -> tuple[Fact, ...]:
    runs = [run for kernel in kernels for run in kernel.runs]
    environments = judged.catalogue.loaded.environments
    software = sorted({software_words(environments[digest]) for digest in {run.environment for run in runs}})
    return (
        Fact("Vendor", gpu.vendor),
        Fact("Product", gpu.product),
        Fact("Form factor", gpu.form_factor or "not stated"),
        Fact("Architecture", ", ".join(judged.catalogue.architectures(gpu)) or "not stated"),
        Fact("Kernels", f"{len(kernels):,}"),
        Fact("Runs", f"{len(runs):,}", note=f"newest {newest(runs)}"),
        Fact("Software", "; ".join(software)),
    )


def _cost_row(cost: Cost, judged: Judged, at: str) -> CostRow:
    root = address.root(at)
    worst = cost.worst_at.group
    return CostRow(
        implementation=cost.implementation,
        href=root + address.implementation(cost.source, cost.implementation_key),
        source=judged.source_name(cost.source),
        coverage=f"{cost.groups:,} of {cost.possible:,}",
        coverage_sort=cost.groups,
        mean=multiple(cost.mean),
        mean_sort=cost.mean,
        worst=multiple(cost.worst),
        worst_sort=cost.worst,
        worst_href=root + address.group(worst),
        worst_where=f"{worst.key.kernel}, {words.pass_word(worst.key.pass_name)}",
        beaten=cost.beaten,
    )


def _pass_rows(judged: Judged, kernel: Kernel, at: str) -> list[PassRow]:
    return [
        _pass_row(judged, kernel, key[0], standings, at) for key, standings in by_pass(judged.of(kernel.groups)).items()
    ]


def _compared_first(rows: Iterable[PassRow]) -> tuple[PassRow, ...]:
    """Rows in their order, but what was only measured alone after what was compared."""
    return tuple(sorted(rows, key=lambda row: row.share_sort < 0))


def _pass_row(judged: Judged, kernel: Kernel, pass_name: str, standings: list[Standing], at: str) -> PassRow:
    total = sum(len(standing.entries) > 1 for standing in standings)
    first = next(iter(tally(standings)))
    ahead = first.leads + first.probable
    ratios = (*first.speedups, *first.probable_speedups)
    return PassRow(
        kernel=kernel.name,
        href=_kernel_href(kernel, standings[0].group.key.gpu, at),
        source=judged.source_name(kernel.source),
        pass_name=words.pass_word(pass_name),
        leader=first.implementation if ahead else "",
        share=f"{ahead:,} of {total:,}" if total else "",
        share_sort=ahead / total if total else -1.0,
        speedups=_span(first),
        speedups_sort=max(ratios, default=0.0),
        baseline=first.baseline,
        is_baseline=any(
            standing.baseline is standing.leader and standing.leader.run.implementation_key == first.implementation_key
            for standing in standings
            if len(standing.entries) > 1
        ),
        rest=_rest(standings, first),
    )


def _span(leader: Tally) -> str:
    """How far the leader is ahead of the baseline, least to most; an end whose spread is not known is marked "~"."""
    ends = [(ratio, "") for ratio in leader.speedups] + [(ratio, "~") for ratio in leader.probable_speedups]
    if not ends:
        return ""
    low, high = (mark + multiples([ratio]) for ratio, mark in (min(ends), max(ends)))
    return high if low == high else f"{low} to {high}"


def _whole(judged: Judged, kernels: Sequence[Kernel]) -> list[Standing]:
    """The groups of one pass of each kernel, the most whole that was timed: what a step of work costs."""
    chosen: list[Standing] = []
    for kernel in kernels:
        standings = judged.of(kernel.groups)
        names = {standing.group.key.pass_name for standing in standings if len(standing.entries) > 1}
        whole = min(names, key=lambda name: (name != "full", pass_order(name)), default="")
        chosen += [standing for standing in standings if standing.group.key.pass_name == whole]
    return chosen


def _rest(standings: Sequence[Standing], first: Tally) -> str:
    """What a row's leader does not say: who else leads, ties, and how many leads are without a known spread."""
    compared = [standing for standing in standings if len(standing.entries) > 1]
    if not compared:
        return "measured alone"
    ahead = [standing for standing in compared if outcome(standing, standing.leader) is not Outcome.TIES]
    others: dict[str, int] = {}
    for standing in ahead:
        name = standing.leader.run.implementation
        if standing.leader.run.implementation_key != first.implementation_key:
            others[name] = others.get(name, 0) + 1
    parts = [f"{name} on {count}" for name, count in sorted(others.items(), key=lambda item: (-item[1], item[0]))]
    if len(compared) > len(ahead):
        parts.append(counted(len(compared) - len(ahead), "tie"))
    unsure = sum(outcome(standing, standing.leader) is Outcome.PROBABLE for standing in ahead)
    if unsure:
        parts.append(f"{words.SPREAD_UNKNOWN} on {unsure}")
    return "; ".join(parts)


def _kernel_href(kernel: Kernel, gpu: Gpu, at: str) -> str:
    return f"{address.root(at)}{address.kernel(kernel.source, kernel.name)}#{address.gpu_anchor(gpu)}"


def _kernel_chart(judged: Judged, kernel: Kernel, at: str, name: str) -> KernelChart:
    standings = judged.of(kernel.groups)
    passes = by_pass(standings)
    key, shown = max(passes.items(), key=lambda item: (len(item[1]), item[0][0] == "forward", item[0]))
    drawing, note = _drawing(shown, key[0], len(standings), name, address.root(at))
    return KernelChart(kernel.name, _kernel_href(kernel, shown[0].group.key.gpu, at), note, drawing)


def _drawing(shown: Sequence[Standing], pass_name: str, total: int, name: str, root: str) -> tuple[Drawing, str]:
    """The chart of one pass: its longest sweep, or its workloads; with what of all groups it leaves out, in words."""

    def link(run: Run) -> str:
        return root + address.run(run)

    sweeps, singles = sweep_charts(shown, name, link)
    if sweeps:
        longest = max(sweeps, key=lambda each: len(each.points))
        drawn = len(longest.points)
        drawing = draw(longest.chart)
    else:
        chart, drawn = workloads_chart(singles, name, link)
        drawing = draw(chart)
    left = f"{words.pass_word(pass_name)}; {drawn} of {counted(total, 'comparison group')} shown"
    return drawing, left
