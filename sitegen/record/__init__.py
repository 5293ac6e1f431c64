"""The record format as models: strict, frozen, and nothing of them lost.

A record is one `Record`: a run with its protocol and its environment. The other documents stand alone.
"""

from typing import Final

from sitegen.record.envelope import Document, Metadata, Part, SourceRef
from sitegen.record.implementation import ImplementationRevision
from sitegen.record.run import BenchmarkRun, LatencyNs, Measurement, SourceNative, Timing
from sitegen.record.setting import BenchmarkProtocol, ExecutionEnvironment
from sitegen.record.text import API_VERSION, STATUSES, kind_of, milliseconds
from sitegen.record.workload import OperationSpec, Tensor, WorkloadCase, WorkloadSuite


class Record(Part):
    """One file, one run: what was measured, how it was timed, and on what."""

    run: BenchmarkRun
    protocol: BenchmarkProtocol
    environment: ExecutionEnvironment


SINGLE_DOCUMENTS: Final[dict[str, type[Document]]] = {
    "ImplementationRevision": ImplementationRevision,
    "OperationSpec": OperationSpec,
    "WorkloadCase": WorkloadCase,
    "WorkloadSuite": WorkloadSuite,
}
"""The documents that may stand alone in a file, by kind."""

__all__ = [
    "API_VERSION",
    "SINGLE_DOCUMENTS",
    "STATUSES",
    "BenchmarkProtocol",
    "BenchmarkRun",
    "Document",
    "ExecutionEnvironment",
    "ImplementationRevision",
    "LatencyNs",
    "Measurement",
    "Metadata",
    "OperationSpec",
    "Part",
    "Record",
    "SourceNative",
    "SourceRef",
    "Tensor",
    "Timing",
    "WorkloadCase",
    "WorkloadSuite",
    "kind_of",
    "milliseconds",
]
