"""Runs, and catalogues of them, made in a line each: the tests of the pure middle need many."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from sitegen.catalogue import Catalogue, Group, build
from sitegen.judge import Standing, judge
from sitegen.load.model import Figure, Gpu, Loaded, Run
from sitegen.record import BenchmarkProtocol, ExecutionEnvironment, WorkloadCase
from sitegen.settings import Settings
from sitegen.site.judged import Judged, judged

A100 = Gpu("nvidia", "NVIDIA A100", "SXM4-80GB")
H100 = Gpu("nvidia", "NVIDIA H100 80GB HBM3", "")
LIGER = "liger-kernel-bench"
VERSION = "kernelindex.dev/v1alpha1"


def digest(name: str) -> str:
    """A digest that stands for what has that name."""
    return "sha256:" + hashlib.sha256(name.encode()).hexdigest()


def latency(value: float, low: float | None = None, high: float | None = None, **changes: Any) -> Figure:
    """A median latency in nanoseconds, with the spread p20–p80 where there is one."""
    spread = "" if low is None else "p20–p80"
    return replace(Figure("latency", "median", "ns", value, low, high, spread), **changes)


def score(value: float, **changes: Any) -> Figure:
    """A geometric mean score in seconds."""
    return replace(Figure("score", "geomean", "s", value), **changes)


BASE = Run(
    digest="",
    file="",
    title="",
    source=LIGER,
    kernel="rms_norm",
    pass_name="forward",
    workload=digest("workload"),
    workload_label="hidden1024-bf16",
    gpu=A100,
    protocol=digest("protocol"),
    environment=digest("environment"),
    implementation="liger",
    implementation_key="",
    implementation_digest="",
    status="passed",
    figure=latency(532416, 529101, 534765),
    unranked="",
    observed_ms=1_725_377_499_000,
    release="",
)


def run(implementation: str = "liger", figure: Figure | None = BASE.figure, **changes: Any) -> Run:
    """A run, which has its digest and its file from all that it is."""
    made = replace(BASE, implementation=implementation, figure=figure, **changes)
    named = changes.get("implementation_key", implementation)
    made = replace(
        made,
        title=changes.get("title", f"{made.kernel} · {implementation}"),
        implementation_key=named,
        implementation_digest=changes.get("implementation_digest", digest(named)),
    )
    own = changes.get("digest", digest(repr(made)))
    return replace(made, digest=own, file=changes.get("file", f"{own[7:19]}.json"))


def failed(implementation: str = "liger", figure: Figure | None = None, **changes: Any) -> Run:
    """A run that stopped with an error."""
    return run(implementation, figure, **{"status": "runtime_error", "unranked": "it failed while running", **changes})


def sized(axis: str, value: int, **changes: Any) -> dict[str, Any]:
    """The fields of a run on the workload that has that value on that axis."""
    label = f"{axis}{value}-bf16"
    return {"workload": digest(label), "workload_label": label, **changes}


def protocol(name: str = "protocol", statistic: str = "median", **changes: Any) -> BenchmarkProtocol:
    """A protocol that ranks by `statistic`."""
    spec = {"harness": {"name": "bench"}, "measurement": {"timer": "cuda_events", "primaryStatistic": statistic}}
    document = {
        "apiVersion": VERSION,
        "kind": "BenchmarkProtocol",
        "metadata": {"name": "protocol", "title": name},
        "spec": {**spec, **changes},
    }
    return BenchmarkProtocol.model_validate(document)


def environment(gpu: Gpu = A100, architecture: str = "sm_80", **software: Any) -> ExecutionEnvironment:
    """An environment with that GPU."""
    hardware = {"vendor": gpu.vendor, "product": gpu.product, "architecture": architecture}
    if gpu.form_factor:
        hardware["formFactor"] = gpu.form_factor
    document = {
        "apiVersion": VERSION,
        "kind": "ExecutionEnvironment",
        "metadata": {"name": "environment"},
        "spec": {"hardware": hardware, "software": software},
    }
    return ExecutionEnvironment.model_validate(document)


def workload(axes: dict[str, Any], *, tensors: dict[str, Any] | None = None, **spec: Any) -> WorkloadCase:
    """The document of a workload."""
    document = {
        "apiVersion": VERSION,
        "kind": "WorkloadCase",
        "metadata": {"name": "workload"},
        "spec": {"axes": axes, "tensors": tensors or {}, **spec},
    }
    return WorkloadCase.model_validate(document)


def loaded(runs: Iterable[Run], **documents: Any) -> Loaded:
    """What a folder with these runs would give: each run once, in order of digest, with the documents in it."""
    listed = tuple(sorted({each.digest: each for each in runs}.values(), key=lambda each: each.digest))
    everything = {
        "protocols": {each.protocol: protocol() for each in listed},
        "environments": {each.environment: environment(each.gpu) for each in listed},
        **documents,
    }
    return Loaded(folder="records", records=len(listed), runs=listed, **everything)


def catalogue(*runs: Run, **documents: Any) -> Catalogue:
    """The catalogue of these runs."""
    return build(loaded(runs, **documents))


def group(*runs: Run) -> Group:
    """The one group that these runs make."""
    (only,) = catalogue(*runs).groups
    return only


def standing(*runs: Run, baselines: Sequence[str] = ()) -> Standing:
    """The one group that these runs make, judged."""
    return judge(group(*runs), baselines)


def judged_of(*runs: Run, settings: Settings | None = None, **documents: Any) -> Judged:
    """The catalogue of these runs, judged."""
    return judged(catalogue(*runs, **documents), settings or Settings())
