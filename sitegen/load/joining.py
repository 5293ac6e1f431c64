"""Runs joined by digest with the documents that they point at, where the folder has them. Nothing requires any."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from sitegen.load.files import as_typed
from sitegen.load.model import Run
from sitegen.load.reading import FileResult
from sitegen.problem import Problem, Severity, pointer_to
from sitegen.record import ImplementationRevision, OperationSpec, WorkloadCase, WorkloadSuite

Workload = WorkloadCase | WorkloadSuite


@dataclass(frozen=True, slots=True)
class Documents:
    """The single documents of a folder, each by its digest; `kinds` has the kind of every one of them."""

    workloads: Mapping[str, Workload]
    implementations: Mapping[str, tuple[ImplementationRevision, ...]]
    operations: Mapping[str, OperationSpec]
    kinds: Mapping[str, str]

    @classmethod
    def of(cls, results: Iterable[FileResult]) -> Self:
        """The documents in what the files hold. Of two with one digest the first by path stands.

        Revisions of an implementation may differ in their metadata, so all that do are kept, in order of path.
        """
        workloads: dict[str, Workload] = {}
        implementations: dict[str, tuple[ImplementationRevision, ...]] = {}
        operations: dict[str, OperationSpec] = {}
        kinds: dict[str, str] = {}
        for result in sorted(results, key=lambda result: (result.digest, result.path)):
            kinds[result.digest] = type(result.document).__name__
            match result.document:
                case WorkloadCase() | WorkloadSuite() as workload:
                    workloads.setdefault(result.digest, workload)
                case ImplementationRevision() as revision:
                    known = implementations.get(result.digest, ())
                    if revision not in known:
                        implementations[result.digest] = (*known, revision)
                case OperationSpec() as operation:
                    operations.setdefault(result.digest, operation)
                case _:
                    pass
        return cls(workloads, implementations, operations, kinds)

    def enriched(self, run: Run, *, names_workload: bool) -> Run:
        """The run with the names that its documents give, for what its source leaves unnamed."""
        workload = None if names_workload else self.workloads.get(run.workload)
        if workload is not None and (label := workload_label(workload)):
            run = replace(run, workload_label=label)
        # The source names its implementations itself where the digest is not what tells them apart.
        if run.implementation_key == run.implementation_digest:
            revisions = self.implementations.get(run.implementation_digest)
            if revisions:
                run = replace(run, implementation=revisions[0].metadata.shown)
        return run

    def wrong_kinds(self, run: Run, folder: Path) -> Iterator[Problem]:
        """A warning for each digest of the run that leads to a document of another kind than it should."""
        if self.kinds.get(run.workload, "WorkloadCase") not in ("WorkloadCase", "WorkloadSuite"):
            yield self._wrong_kind(run, folder, "workloadDigest", run.workload, "a workload")
        if self.kinds.get(run.implementation_digest, "ImplementationRevision") != "ImplementationRevision":
            yield self._wrong_kind(run, folder, "implementationDigest", run.implementation_digest, "an implementation")

    def _wrong_kind(self, run: Run, folder: Path, field: str, digest: str, expected: str) -> Problem:
        message = f"{field} is the digest of a document of kind {self.kinds[digest]}, which is not {expected}."
        hint = "Point the run at the document that it was made with."
        pointer = pointer_to("run", "spec", field)
        return Problem(Severity.WARNING, "wrong-document", as_typed(folder, run.file), pointer, message, hint)


def workload_label(workload: Workload) -> str:
    """A workload in the words of its own document: its axes in the author's order, or how many cases a suite has."""
    if isinstance(workload, WorkloadSuite):
        count = len(workload.spec.cases)
        return f"suite of {count} case{'' if count == 1 else 's'}" if count else ""
    return ", ".join(f"{axis}={_plain(value)}" for axis, value in workload.spec.axes.items())


def _plain(value: float | str) -> float | str:
    """A whole number without a fraction: 1 and 1.0 are one number, and have one digest."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT else value


_EXACT = 2**53
