"""The list of kernels."""

from dataclasses import dataclass

from sitegen.catalogue import Kernel, pass_order
from sitegen.judge import tally
from sitegen.quantity import counted
from sitegen.site import address
from sitegen.site.cell import newest
from sitegen.site.facts import Facts
from sitegen.site.judged import Judged
from sitegen.site.shell import About, Book, Files


@dataclass(frozen=True, slots=True)
class KernelRow:
    """A kernel in the list. `leader` is who leads on most of `compared` workloads, "" where nobody does."""

    name: str
    href: str
    source: str
    gpus: int
    passes: str
    workloads: int
    groups: int
    runs: int
    leader: str
    share: str
    share_sort: float
    newest: str


@dataclass(frozen=True, slots=True)
class KernelsView:
    """The list of kernels."""

    rows: tuple[KernelRow, ...]


def kernels_page(book: Book) -> Files:
    """The list of kernels and its JSON."""
    judged = book.judged
    at = address.KERNELS
    rows = tuple(_row(judged, kernel, address.root(at)) for kernel in judged.catalogue.kernels.values())
    facts = [_facts(kernel) for kernel in judged.catalogue.kernels.values()]
    description = f"The {counted(len(rows), 'kernel')} of the catalogue, and which implementation leads on each."
    return book.page(
        at, "kernels.html", KernelsView(rows), {"kernels": facts}, About("kernels", "Kernels", description)
    )


def _facts(kernel: Kernel) -> Facts:
    return {
        "source": kernel.source,
        "kernel": kernel.name,
        "page": address.kernel(kernel.source, kernel.name),
        "groups": len(kernel.groups),
        "runs": len(kernel.runs),
    }


def _row(judged: Judged, kernel: Kernel, root: str) -> KernelRow:
    runs = kernel.runs
    tallies = [each for each in tally(judged.of(kernel.groups)) if each.compared]
    total = sum(len(judged.standings[group.id].entries) > 1 for group in kernel.groups)
    best = tallies[0] if tallies and (tallies[0].leads or tallies[0].probable) else None
    ahead = best.leads + best.probable if best else 0
    passes = sorted({run.pass_name for run in runs}, key=pass_order)
    return KernelRow(
        name=kernel.name,
        href=root + address.kernel(kernel.source, kernel.name),
        source=judged.source_name(kernel.source),
        gpus=len({run.gpu for run in runs}),
        passes=", ".join(each or "not stated" for each in passes),
        workloads=len({run.workload for run in runs}),
        groups=len(kernel.groups),
        runs=len(runs),
        leader=best.implementation if best else "",
        share=f"{ahead:,} of {total:,}" if total else "none",
        share_sort=ahead / total if total else -1.0,
        newest=newest(runs),
    )
