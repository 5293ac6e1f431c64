"""The record of a run: the run itself, its protocol and its environment, with the digests that tie them together."""

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, TypeAlias

from sitegen.identity import NotCanonicalError, canonical, digest
from sitegen.importing.liger.documents import implementation, operation, protocol
from sitegen.importing.liger.hardware import environment
from sitegen.importing.liger.joining import Measured
from sitegen.importing.liger.kernels import kernel_named
from sitegen.importing.liger.naming import file_part, short_hash, slug
from sitegen.importing.liger.row import Row, RowError
from sitegen.importing.liger.table import problem
from sitegen.importing.liger.workloads import Workload, workload
from sitegen.problem import Problem
from sitegen.record import API_VERSION
from sitegen.sources import LIGER

FOLDER = PurePosixPath("liger")
"""Where everything that is imported lies below the folder of records."""

_Document: TypeAlias = dict[str, Any]

_FOLDERS = {"WorkloadCase": "workloads", "ImplementationRevision": "implementations", "OperationSpec": "operations"}


@dataclass(frozen=True, slots=True)
class Identified:
    """A document with its digest."""

    digest: str
    document: _Document


@dataclass(slots=True)
class Records:
    """What a table becomes: run records and documents by their places below the folder of records.

    `memory` counts the runs that have their memory use, and `left` are the memory rows whose run makes no record.
    """

    runs: dict[PurePosixPath, _Document] = field(default_factory=dict)
    documents: dict[PurePosixPath, _Document] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    memory: int = 0
    left: list[Row] = field(default_factory=list)


def records_of(path: Path, runs: Iterable[Measured]) -> Records:
    """The records of the runs in the table at `path`. A row that makes none is a problem; the others are still made."""
    records = Records()
    shared = _Shared()
    for measured in runs:
        line = measured.speed.line
        try:
            _add(records, shared, measured)
            continue
        except RowError as error:
            records.problems.append(problem(path, "row-not-understood", error.message, error.hint, line))
        except NotCanonicalError as error:
            hint = "Look in extra_benchmark_config_str for broken characters and very long numbers."
            message = f"The row holds what has no canonical form: {error}."
            records.problems.append(problem(path, "row-not-canonical", message, hint, line))
        if measured.memory is not None:
            records.left.append(measured.memory)
    return records


class _Shared:
    """The documents that many runs share, each made and hashed once."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, ...], Identified] = {}

    def _once(self, key: tuple[str, ...], make: Callable[[], _Document]) -> Identified:
        if key not in self._made:
            document = make()
            self._made[key] = Identified(digest(document), document)
        return self._made[key]

    def operation(self, row: Row) -> Identified:
        return self._once(("operation", row.kernel), lambda: operation(kernel_named(row.kernel)))

    def implementation(self, row: Row) -> Identified:
        of = self.operation(row).digest
        key = ("implementation", row.kernel, row.provider)
        return self._once(key, lambda: implementation(kernel_named(row.kernel), row.provider, of))

    def protocol(self, row: Row) -> Identified:
        return self._once(("protocol", row.mode), lambda: protocol(row.mode))

    def environment(self, row: Row) -> Identified:
        return self._once(("environment", row.gpu), lambda: environment(row.gpu))


def _add(records: Records, shared: _Shared, measured: Measured) -> None:
    """Adds the record of a run and the documents that it points at; raises `RowError` and `NotCanonicalError`."""
    row = measured.speed
    of = shared.operation(row)
    by, how, on = shared.implementation(row), shared.protocol(row), shared.environment(row)
    shapes = workload(row, kernel_named(row.kernel), of.digest)
    # From the row alone: a better description of its kernel must not give the run another place.
    identity = short_hash(json.dumps([*row.measured, row.timestamp.isoformat()]))
    run = _run(measured, _external_id(row, shapes), identity)
    run["spec"] = {
        "implementationDigest": by.digest,
        "workloadDigest": shapes.digest,
        "protocolDigest": how.digest,
        "environmentDigest": on.digest,
        **run["spec"],
    }
    canonical(run["spec"])
    place = FOLDER / file_part(row.kernel) / f"{file_part(row.mode)}-{file_part(row.provider)}-{identity}.json"
    records.runs[place] = {"run": run, "protocol": how.document, "environment": on.document}
    records.memory += measured.memory is not None
    kernel = file_part(row.kernel)
    _file(records, kernel, of)
    _file(records, f"{kernel}-{file_part(row.provider)}", by)
    _file(records, kernel, Identified(shapes.digest, shapes.document))


def _file(records: Records, name: str, identified: Identified) -> None:
    folder = FOLDER / "documents" / _FOLDERS[identified.document["kind"]]
    records.documents[folder / f"{name}-{identified.digest[7:19]}.json"] = identified.document


def _external_id(row: Row, shapes: Workload) -> str:
    time = row.timestamp.isoformat().replace("T", "-").replace(":", "-")
    return "/".join((row.kernel, row.mode, row.provider, slug(row.gpu), shapes.label, time))


def _run(measured: Measured, external: str, identity: str) -> _Document:
    """The BenchmarkRun, without the digests of what it depends on."""
    row = measured.speed
    name = "-".join(("liger", slug(row.kernel)[:60], slug(row.mode)[:40], slug(row.provider)[:60], identity))
    title = f"{kernel_named(row.kernel).title} · {row.provider} · {row.mode}"
    return {
        "apiVersion": API_VERSION,
        "kind": "BenchmarkRun",
        "metadata": {
            "name": name,
            "title": title,
            **({"labels": {"liger_version": row.release}} if row.release else {}),
        },
        "spec": {
            "status": "passed",
            "timing": {"primaryStatistic": "median", "latencyNs": {"median": nanoseconds(row.median)}},
            "measurements": _measurements(measured),
            "sourceNative": {
                "source": LIGER,
                "benchmark": f"{row.kernel}/{row.mode}",
                "externalId": external,
                "metrics": {"ms_50": row.median, "ms_20": row.p20, "ms_80": row.p80},
            },
            # The table gives no time zone: its times are taken as UTC.
            "observedAt": f"{row.timestamp.isoformat()}.000Z",
        },
    }


def _measurements(measured: Measured) -> list[_Document]:
    speed, memory = measured.speed, measured.memory
    found: list[_Document] = [
        {"metric": "latency", "unit": "ns", "statistic": "p20", "value": nanoseconds(speed.p20)},
        {"metric": "latency", "unit": "ns", "statistic": "p80", "value": nanoseconds(speed.p80)},
    ]
    if memory is not None:
        found += [
            {"metric": "memory", "unit": "MB", "statistic": statistic, "value": value}
            for statistic, value in (("median", memory.median), ("p20", memory.p20), ("p80", memory.p80))
        ]
    return found


def nanoseconds(milliseconds: float) -> int:
    """Whole nanoseconds, halves rounded up."""
    return math.floor(milliseconds * 1e6 + 0.5)
