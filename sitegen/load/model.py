"""What loading gives: runs, each reduced to what grouping needs, and the documents that they point at."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sitegen.problem import Problem
from sitegen.record import (
    BenchmarkProtocol,
    ExecutionEnvironment,
    ImplementationRevision,
    OperationSpec,
    WorkloadCase,
    WorkloadSuite,
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value and its doubt, as one object from the record to the cell of a table.

    `value`, `low` and `high` are in `unit`: "ns" for every latency, "s" for every other time, and the record's own unit
    for what is no time. `low` and `high` bound the spread, and are both None where it is not known; `spread` names the
    two bounds ("p20–p80"), or is "".
    """

    metric: str
    statistic: str
    unit: str
    value: float
    low: float | None = None
    high: float | None = None
    spread: str = ""


@dataclass(frozen=True, slots=True, order=True)
class Gpu:
    """The exact product that is part of the comparability key; `form_factor` is "" where the record gives none."""

    vendor: str
    product: str
    form_factor: str

    @property
    def name(self) -> str:
        """Product and form factor, as a reader would write them."""
        return f"{self.product} {self.form_factor}".rstrip()


@dataclass(frozen=True, slots=True)
class Run:
    """One run, without what only its own page needs: that is read again from `file`.

    `digest` is the identity of the BenchmarkRun; `protocol`, `environment`, `workload` and `implementation_digest` are
    digests too. `pass_name` is "" where the source states none. `implementation` is the name to show, and
    `implementation_key` what tells implementations of one source apart. `figure` is the primary figure, None where the
    run has none; `unranked` says why the run cannot be ranked ("" where it can). `observed_ms` is milliseconds since
    1970 in UTC, `release` the implementation's release or "".
    """

    digest: str
    file: str
    title: str
    source: str
    kernel: str
    pass_name: str
    workload: str
    workload_label: str
    gpu: Gpu
    protocol: str
    environment: str
    implementation: str
    implementation_key: str
    implementation_digest: str
    status: str
    figure: Figure | None
    unranked: str
    observed_ms: int
    release: str

    @property
    def primary(self) -> Figure:
        """The primary figure. Raises `ValueError` for a run that has none: ask only of those that can be ranked."""
        if self.figure is None:
            raise ValueError(f"the run {self.digest} has no figure")
        return self.figure


@dataclass(frozen=True, slots=True)
class Loaded:
    """Everything read from a folder of records.

    `runs` are in order of their digests, one for each digest. The mappings are by digest. Documents may agree in all
    that their digest covers and differ in their metadata, so each implementation digest has all the revisions that were
    found. `records` counts the record files that were read whole, and `problems` are in the order of `problem.order`.
    `digest` is that of all files, whatever their names and order: the SHA-256 of their own SHA-256, sorted. It is taken
    when a folder is read whole, and "" where one is kept up to date.
    """

    folder: str
    records: int
    runs: tuple[Run, ...]
    protocols: Mapping[str, BenchmarkProtocol] = field(default_factory=dict)
    environments: Mapping[str, ExecutionEnvironment] = field(default_factory=dict)
    workloads: Mapping[str, WorkloadCase | WorkloadSuite] = field(default_factory=dict)
    implementations: Mapping[str, tuple[ImplementationRevision, ...]] = field(default_factory=dict)
    operations: Mapping[str, OperationSpec] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    digest: str = field(default="", compare=False)
