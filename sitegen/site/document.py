"""The documents behind the runs as a page shows them: what is computed, of what, how it was timed, and on what."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import BaseModel

from sitegen import words
from sitegen.load.model import Run
from sitegen.record import (
    BenchmarkProtocol,
    ExecutionEnvironment,
    ImplementationRevision,
    OperationSpec,
    WorkloadCase,
    WorkloadSuite,
)
from sitegen.site.cell import Fact, Link, web
from sitegen.site.judged import Judged


@dataclass(frozen=True, slots=True)
class TensorRow:
    """A tensor of a workload or an operation; `role` is input, output or ""."""

    role: str
    name: str
    shape: str
    dtype: str


@dataclass(frozen=True, slots=True)
class OperationView:
    """What an operation computes."""

    title: str
    description: str
    facts: tuple[Fact, ...]
    tensors: tuple[TensorRow, ...]
    sources: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class ProtocolView:
    """How runs were timed, in full."""

    title: str
    digest: str
    facts: tuple[Fact, ...]
    notes: str


@dataclass(frozen=True, slots=True)
class WorkloadView:
    """The exact shapes, dtypes and scalars of a workload; `cases` are those of a suite."""

    title: str
    facts: tuple[Fact, ...]
    tensors: tuple[TensorRow, ...]
    cases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RevisionView:
    """The code that was measured."""

    title: str
    description: str
    facts: tuple[Fact, ...]
    sources: tuple[Link, ...]


def operation_view(judged: Judged, runs: Iterable[Run]) -> OperationView | None:
    """What the workloads of `runs` say is computed; None where no document says it, or where several say different."""
    loaded = judged.catalogue.loaded
    digests = set()
    for digest in {run.workload for run in runs}:
        workload = loaded.workloads.get(digest)
        if workload and workload.spec.operation_spec_digest:
            digests.add(workload.spec.operation_spec_digest)
    found = [loaded.operations[digest] for digest in sorted(digests) if digest in loaded.operations]
    return _operation(found[0]) if len(found) == 1 else None


def _operation(operation: OperationSpec) -> OperationView:
    spec = operation.spec
    axes = [
        f"{name} = {axis.value if axis.value is not None else axis.expression}" if axis.role != "variable" else name
        for name, axis in spec.axes.items()
    ]
    facts = [Fact("Family", spec.family)] if spec.family else []
    if axes:
        facts.append(Fact("Axes", ", ".join(axes), code=True))
    rows = [
        TensorRow(role, each.name, _shape(each.tensor.shape) if each.tensor else "scalar", _dtype(each))
        for role, arguments in (("input", spec.inputs), ("output", spec.outputs))
        for each in arguments
    ]
    metadata = operation.metadata
    return OperationView(metadata.shown, metadata.description, tuple(facts), tuple(rows), _sources(operation))


def _dtype(argument: object) -> str:
    part = getattr(argument, "tensor", None) or getattr(argument, "scalar", None)
    return part.dtype if part else ""


def _shape(shape: Iterable[int | str]) -> str:
    return "[" + ", ".join(str(size) for size in shape) + "]"


def _sources(document: OperationSpec | ImplementationRevision) -> tuple[Link, ...]:
    return tuple(Link(each.url, web(each.url)) for each in document.metadata.source_refs)


def protocol_view(judged: Judged, digest: str) -> ProtocolView:
    """A protocol in full, by its digest."""
    protocol: BenchmarkProtocol = judged.catalogue.loaded.protocols[digest]
    spec = protocol.spec
    facts = [
        Fact("Harness", spec.harness.name, web(spec.harness.repository)),
        Fact("Timer", spec.measurement.timer.replace("_", " ")),
        Fact("Primary statistic", words.statistic(spec.measurement.primary_statistic)),
    ]
    if spec.correctness and spec.correctness.comparator:
        facts.append(Fact("Correctness", spec.correctness.comparator, note=spec.correctness.reference))
    facts.append(digest_fact(digest, "recomputed: the same"))
    return ProtocolView(protocol.metadata.shown, digest, (*facts, *extra_facts(spec)), spec.comparability.notes)


def short_digest(digest: str) -> str:
    """A digest with its first 12 digits, as a reader names it: `sha256:b12fdfab6a33…`."""
    return f"{digest[:19]}…"


def digest_fact(digest: str, note: str = "") -> Fact:
    """A digest as a fact, to be copied in full."""
    return Fact("Digest", short_digest(digest), clip=digest, code=True, note=note)


def _whether_found(document: object) -> str:
    return "document in the catalogue" if document else "document not in the catalogue"


def workload_view(judged: Judged, digest: str) -> WorkloadView:
    """A workload, from its document where the folder holds one."""
    workload = judged.catalogue.workloads[digest]
    document = judged.catalogue.loaded.workloads.get(digest)
    facts = [Fact("Workload", workload.words)]
    facts.append(digest_fact(digest, _whether_found(document)))
    if isinstance(document, WorkloadCase):
        scalars = [
            f"{name} = {scalar.value} ({scalar.dtype})" for name, scalar in sorted(document.spec.scalars.items())
        ]
        if scalars:
            facts.append(Fact("Scalars", ", ".join(scalars), code=True))
        rows = [
            TensorRow("", name, _shape(tensor.shape), tensor.dtype)
            for name, tensor in sorted(document.spec.tensors.items())
        ]
        return WorkloadView(document.metadata.shown, (*facts, *extra_facts(document.spec)), tuple(rows), ())
    if isinstance(document, WorkloadSuite):
        cases = tuple(
            ", ".join(f"{name} {value}" for name, value in sorted(case.axes.items())) for case in document.spec.cases
        )
        return WorkloadView(document.metadata.shown, tuple(facts), (), cases)
    return WorkloadView("", tuple(facts), (), ())


def environment_facts(judged: Judged, digest: str) -> tuple[Fact, ...]:
    """What a run was made on, the software as far as it is known."""
    environment: ExecutionEnvironment = judged.catalogue.loaded.environments[digest]
    hardware, software = environment.spec.hardware, environment.spec.software
    facts = [
        Fact("Vendor", hardware.vendor),
        Fact("Product", hardware.product),
        Fact("Form factor", hardware.form_factor or "not stated"),
        Fact("Architecture", hardware.architecture),
        Fact("Software", software_words(environment)),
        digest_fact(digest, "recomputed: the same"),
    ]
    return (*facts, *extra_facts(hardware), *extra_facts(software))


def software_words(environment: ExecutionEnvironment) -> str:
    """The software of an environment in one line, or that it is not recorded."""
    software = environment.spec.software
    parts = []
    if software.framework:
        parts.append(f"{software.framework.name} {software.framework.version}".rstrip())
    if software.cuda_toolkit:
        parts.append(f"CUDA {software.cuda_toolkit}")
    parts += [f"{name} {version}" for name, version in sorted(software.libraries.items())]
    return ", ".join(parts) or "not recorded"


def revision_view(judged: Judged, digest: str) -> RevisionView:
    """The code behind an implementation's digest, as far as a document of the folder says."""
    documents = judged.catalogue.loaded.implementations.get(digest, ())
    if not documents:
        return RevisionView("", "", (digest_fact(digest, _whether_found(None)),), ())
    first, spec = documents[0], documents[0].spec
    revision = spec.project_revision
    lines = [
        Fact("Language", spec.callable.language),
        Fact("Entry point", ":".join(part for part in (spec.callable.path, spec.callable.symbol) if part), code=True),
        Fact("Licence", spec.licensing.concluded or spec.licensing.declared),
        Fact("Install", " or ".join(_installs(first)), code=True),
        Fact("Repository", revision.repository, web(revision.repository)),
        Fact("Commit", revision.commit, code=True),
        Fact("Version", revision.version),
        Fact("Dtypes", ", ".join(spec.support.dtypes)),
        Fact("Source file", spec.source.file_name if spec.source else "", code=True),
        digest_fact(digest, _whether_found(first)),
    ]
    # Documents of one digest may differ in their metadata: what only one of them says is then said of none.
    alone = len(documents) == 1
    return RevisionView(
        title=first.metadata.shown if alone else "; ".join(document.metadata.shown for document in documents),
        description=first.metadata.description if alone else "",
        facts=tuple(line for line in lines if line.text),
        sources=_sources(first),
    )


def _installs(document: ImplementationRevision) -> list[str]:
    return [
        f"{variant.install.kind} install {variant.install.package}"
        for variant in document.spec.build_variants
        if variant.install and variant.install.package
    ]


def extra_facts(part: BaseModel) -> tuple[Fact, ...]:
    """Fields that the format does not know, as they stand in the record: kept, and shown by their own names."""
    extra: Mapping[str, object] = part.model_extra or {}
    return tuple(Fact(name, str(value), code=True) for name, value in sorted(extra.items()))
