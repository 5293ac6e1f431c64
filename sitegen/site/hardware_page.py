"""The list of GPUs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sitegen.catalogue import Kernel
from sitegen.load.model import Gpu
from sitegen.quantity import counted
from sitegen.site import address
from sitegen.site.cell import newest
from sitegen.site.facts import gpu_facts
from sitegen.site.judged import Judged
from sitegen.site.shell import About, Book, Files


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
    view = HardwareView(tuple(replace(row, href=root + row.href) for row in rows))
    return book.page(at, "hardware.html", view, {"hardware": facts}, About("hardware", title, description))


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
