"""Runs that cannot be ranked, as rows: shown with the reason, never with a rank."""

from dataclasses import dataclass

from sitegen import words
from sitegen.load.model import Run
from sitegen.site import address
from sitegen.site.cell import moment
from sitegen.site.judged import Judged


@dataclass(frozen=True, slots=True)
class UnrankedRow:
    """One run and why it has no rank."""

    implementation: str
    href: str
    status: str
    reason: str
    when: str
    gpu: str
    pass_name: str
    workload: str
    kernel: str
    kernel_href: str


def unranked_row(judged: Judged, run: Run, at: str) -> UnrankedRow:
    """The row of a run on the page at `at`."""
    root = address.root(at)
    return UnrankedRow(
        implementation=run.implementation,
        href=root + address.run(run),
        status=run.status.replace("_", " "),
        reason=run.unranked,
        when=moment(run.observed_ms),
        gpu=run.gpu.name,
        pass_name=words.pass_word(run.pass_name),
        workload=judged.catalogue.workloads[run.workload].words,
        kernel=run.kernel,
        kernel_href=root + address.kernel(run.source, run.kernel),
    )
