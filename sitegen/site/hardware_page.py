"""The GPUs, and what wins on each of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitegen import words
from sitegen.catalogue import Kernel
from sitegen.chart.compose import sweep_charts, workloads_chart
from sitegen.judge import Cost, Outcome, Standing, costs, outcome, tally
from sitegen.load.model import Gpu, Run
from sitegen.quantity import counted, multiple
from sitegen.site import address
from sitegen.site.cell import Fact, Part, Text, answer, newest
from sitegen.site.document import software_words
from sitegen.site.drawing import Drawing, draw
from sitegen.site.facts import Facts, gpu_facts
from sitegen.site.judged import Judged, failed
from sitegen.site.kernel_page import MOST_ROWS, by_pass
from sitegen.site.shell import Book, Files
from sitegen.site.unranked import UnrankedRow, unranked_row


@dataclass(frozen=True, slots=True)
class GpuRow:
    """A GPU in the list."""

    name: str
    href: str
    vendor: str
    architecture: str
    form_factor: str
    sources: str
    kernels: int
    groups: int
    runs: int
    newest: str


@dataclass(frozen=True, slots=True)
class HardwareView:
    """The list of GPUs."""

    rows: tuple[GpuRow, ...]


@dataclass(frozen=True, slots=True)
class KernelOnGpu:
    """A kernel on one GPU: the answer, pass by pass, and a chart of one of them. `more` says what the chart leaves out."""

    name: str
    source: str
    href: str
    answers: tuple[tuple[str, Text], ...]
    groups: int
    drawing: Drawing | None
    more: str


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
    kernels: tuple[KernelOnGpu, ...]
    unranked: tuple[UnrankedRow, ...]


def hardware_page(book: Book) -> Files:
    """The list of GPUs and its JSON."""
    judged = book.judged
    rows = tuple(_gpu_row(judged, gpu, kernels) for gpu, kernels in judged.catalogue.gpus.items())
    facts = [
        {**gpu_facts(gpu), "name": gpu.name, "page": row.href, "kernels": row.kernels, "runs": row.runs}
        for gpu, row in zip(judged.catalogue.gpus, rows, strict=True)
    ]
    title, description = "Hardware", f"The {counted(len(rows), 'GPU')} that kernels were measured on."
    at = address.HARDWARE
    root = address.root(at)
    view = HardwareView(tuple(GpuRow(**{**_fields(row), "href": root + row.href}) for row in rows))
    return book.page(at, "hardware.html", "hardware", view, title, description, {"hardware": facts})


def _fields(row: GpuRow) -> Facts:
    return {name: getattr(row, name) for name in row.__slots__}


def _gpu_row(judged: Judged, gpu: Gpu, kernels: Sequence[Kernel]) -> GpuRow:
    runs = [run for kernel in kernels for run in kernel.runs]
    return GpuRow(
        name=gpu.name,
        href=address.gpu(gpu),
        vendor=gpu.vendor,
        architecture=", ".join(judged.catalogue.architectures(gpu)) or "not stated",
        form_factor=gpu.form_factor or "not stated",
        sources=", ".join(sorted({judged.source_name(kernel.source) for kernel in kernels})),
        kernels=len(kernels),
        groups=sum(len(kernel.groups) for kernel in kernels),
        runs=len(runs),
        newest=newest(runs),
    )


def gpu_page(book: Book, gpu: Gpu) -> Files:
    """One GPU's page and its JSON."""
    judged = book.judged
    at = address.gpu(gpu)
    kernels = judged.catalogue.gpus[gpu]
    standings = [standing for kernel in kernels for standing in judged.of(kernel.groups)]
    view = GpuView(
        name=gpu.name,
        parts=_summary(standings),
        facts=_facts(judged, gpu, kernels),
        costs=tuple(_cost_row(cost, judged, at) for cost in costs(standings) if cost.groups > 1),
        kernels=tuple(_kernel(judged, kernel, at, f"k{number}") for number, kernel in enumerate(kernels, 1)),
        unranked=tuple(unranked_row(run, at) for kernel in kernels for run in failed(kernel)),
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
    return book.page(at, "gpu.html", "hardware", view, gpu.name, description, facts)


def _summary(standings: Sequence[Standing]) -> Text:
    compared = [standing for standing in standings if len(standing.entries) > 1]
    if not compared:
        return ("Nothing was compared here: every implementation was measured alone under its key.",)
    leads: dict[str, int] = {}
    for standing in compared:
        if outcome(standing, standing.leader) in {Outcome.LEADS, Outcome.PROBABLE}:
            name = standing.leader.run.implementation
            leads[name] = leads.get(name, 0) + 1
    total = counted(len(compared), "comparison")
    first = sorted(leads.items(), key=lambda item: (-item[1], item[0]))[:3]
    parts: list[str | Part] = ["Of ", Part(total, "strong"), " on this GPU, "]
    for place, (name, count) in enumerate(first):
        parts += ["; " if place else "", Part(name, "name"), " leads ", Part(f"{count:,}", "strong")]
    ties = len(compared) - sum(leads.values())
    parts.append(f"; {counted(ties, 'tie')} for first." if first else f"all are ties for first ({ties:,}).")
    return tuple(part for part in parts if part)


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


def _kernel(judged: Judged, kernel: Kernel, at: str, name: str) -> KernelOnGpu:
    root = address.root(at)
    standings = judged.of(kernel.groups)
    passes = by_pass(standings)
    href = root + address.kernel(kernel.source, kernel.name)
    answers = tuple((words.pass_word(key[0]), answer(tally(listed))) for key, listed in passes.items())
    drawing, more = None, "Only runs that failed or cannot be ranked."
    if passes:
        key, shown = max(passes.items(), key=lambda item: (len(item[1]), item[0][0] == "forward", item[0]))
        drawing, more = _drawing(shown, key[0], len(standings), name, root)
        if shown:
            href += f"#{address.gpu_anchor(shown[0].group.key.gpu)}"
    return KernelOnGpu(kernel.name, judged.source_name(kernel.source), href, answers, len(standings), drawing, more)


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
        first: list[Standing] = []
        for standing in singles:
            if first and sum(len(each.entries) for each in (*first, standing)) > MOST_ROWS:
                break
            first.append(standing)
        drawn = len(first)
        drawing = draw(workloads_chart(first, name, "Workloads", link))
    left = f"{words.pass_word(pass_name)}; {drawn} of {counted(total, 'comparison group')} shown"
    return drawing, left
