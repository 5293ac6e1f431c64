"""One file, read alone: what it holds, reduced to what the site needs, and what is wrong with it."""

import hashlib
import marshal
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from sitegen import sources
from sitegen.load.document import Read, read_document
from sitegen.load.figure import primary_figure
from sitegen.load.files import as_typed, contents
from sitegen.load.model import Gpu, Run
from sitegen.load.parse import Fault, NotJsonError, Parsed, parse
from sitegen.load.place import line_of
from sitegen.load.quoting import quoted
from sitegen.load.reduce import altered, doubts, missing_statistic, reduced
from sitegen.problem import Problem, Severity, pointer_to
from sitegen.record import (
    SINGLE_DOCUMENTS,
    BenchmarkProtocol,
    BenchmarkRun,
    Document,
    ExecutionEnvironment,
    kind_of,
)

D = TypeVar("D", bound=Document)

_RECORD_KEYS: Final = frozenset({"run", "protocol", "environment"})
# The oldest format that tells whole numbers from others; later ones write equal values differently.
_MARSHAL_VERSION: Final = 2


@dataclass(frozen=True, slots=True)
class FileResult:
    """What one file gives: a run with its protocol and environment, or a single document, or nothing; and its problems.

    `path` is relative to the folder. `digest` is that of `document`. `names_workload` says whether the source itself
    spells the run's workload; if not, the workload's own document may. `metadata` is a checksum that tells records of
    one run apart. `content` is the SHA-256 of the file, empty where it cannot be read.
    """

    path: str
    problems: tuple[Problem, ...] = ()
    run: Run | None = None
    names_workload: bool = False
    metadata: int = 0
    protocol: BenchmarkProtocol | None = None
    environment: ExecutionEnvironment | None = None
    digest: str = ""
    document: Document | None = None
    content: bytes = b""


class Reader:
    """Reads the files of one folder, and remembers protocols and environments: thousands of files share a few."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._prefix = os.path.join(folder, "")  # noqa: PTH118 -- joining texts takes a fifth of the time of joining paths
        self._known: dict[bytes, Read[Any]] = {}
        self._gpus: dict[Gpu, Gpu] = {}

    def read(self, path: str) -> FileResult:
        """What the file at `path`, relative to the folder, holds. Whatever is wrong with it becomes a problem."""
        try:
            data = contents(self._prefix + path)
        except OSError as error:
            message = f"The file cannot be read: {error.strerror}."
            return self._result(path, "", [Fault("file-unreadable", message, "Check its permissions.")])
        return self._parsed(path, data, hashlib.sha256(data).digest())

    def _parsed(self, path: str, data: bytes, content: bytes) -> FileResult:
        try:
            parsed = parse(data)
        except NotJsonError as error:
            return self._result(path, "", error.faults, content=content)
        value = parsed.value
        if isinstance(value, dict) and "run" in value:
            return self._record(path, parsed, content)
        if isinstance(value, dict) and "kind" in value:
            return self._single(path, parsed, content)
        return self._result(path, parsed.text, [_not_a_record(value)], content=content)

    def _result(self, path: str, text: str, faults: Iterable[Fault], **found: Any) -> FileResult:
        file = as_typed(self._folder, path) if faults else ""
        return FileResult(path, tuple(_problem(file, text, fault) for fault in faults), **found)

    def _single(self, path: str, parsed: Parsed, content: bytes) -> FileResult:
        kind = parsed.value["kind"]
        model = SINGLE_DOCUMENTS.get(kind) if isinstance(kind, str) else None
        if model is None:
            return self._result(path, parsed.text, [_unknown_kind(kind)], content=content)
        found = read_document(model, parsed.value, ())
        return self._result(
            path, parsed.text, found.faults, digest=found.digest, document=found.document, content=content
        )

    def _record(self, path: str, parsed: Parsed, content: bytes) -> FileResult:
        value = parsed.value
        read = read_document(BenchmarkRun, value["run"], ("run",))
        embedded = self._embedded(BenchmarkProtocol, value, "protocol")
        around = self._embedded(ExecutionEnvironment, value, "environment")
        run, protocol, environment = read.document, embedded.document, around.document
        faults = [*read.faults, *embedded.faults, *around.faults]
        if len(value) > len(_RECORD_KEYS):
            faults.extend(_unknown_key(key) for key in value if key not in _RECORD_KEYS)
        if run is None or protocol is None or environment is None:
            return self._result(path, parsed.text, faults, content=content)
        faults.extend(altered(run, embedded.digest, around.digest))
        faults.extend(missing_statistic(run))
        figure = primary_figure(run.spec, protocol.spec.measurement.primary_statistic)
        faults.extend(doubts(run, protocol, figure))
        if any(fault.severity is Severity.ERROR for fault in faults):
            return self._result(path, parsed.text, faults, content=content)
        native = run.spec.source_native
        naming = sources.naming(native.source, native.benchmark, native.external_id)
        return self._result(
            path,
            parsed.text,
            faults,
            run=reduced(run, read.digest, path, gpu=self._gpu(environment), figure=figure, naming=naming),
            names_workload=bool(naming.workload_label),
            metadata=hash((read.metadata, embedded.metadata, around.metadata)),
            protocol=protocol,
            environment=environment,
            content=content,
        )

    def _embedded(self, model: type[D], record: dict[str, Any], name: str) -> Read[D]:
        if name not in record:
            message = f"The {name} is missing."
            hint = "A record holds a run, its protocol and its environment."
            return Read(None, "", 0, (Fault("missing-field", message, hint, (name,)),))
        key = name.encode() + marshal.dumps(record[name], _MARSHAL_VERSION)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = read_document(model, record[name], (name,))
        return known

    def _gpu(self, environment: ExecutionEnvironment) -> Gpu:
        hardware = environment.spec.hardware
        gpu = Gpu(hardware.vendor, hardware.product, hardware.form_factor)
        return self._gpus.setdefault(gpu, gpu)


def _problem(file: str, text: str, fault: Fault) -> Problem:
    line = fault.line if fault.line is not None or not text else line_of(text, fault.path)
    return Problem(fault.severity, fault.code, file, pointer_to(*fault.path), fault.message, fault.hint, line)


def _not_a_record(value: Any) -> Fault:
    hint = 'A record is an object with the keys "run", "protocol" and "environment"; other documents have a "kind".'
    return Fault("not-a-record", f"The file holds {kind_of(value)} that is not a record.", hint)


def _unknown_kind(kind: Any) -> Fault:
    kinds = ", ".join(SINGLE_DOCUMENTS)
    if kind in ("BenchmarkRun", "BenchmarkProtocol", "ExecutionEnvironment"):
        message = f"A {kind} does not stand alone."
        hint = 'Put the run, its protocol and its environment into one record, under "run", "protocol", "environment".'
        return Fault("unknown-kind", message, hint, ("kind",))
    message = f"{quoted(kind)} is not a kind of document that is read."
    return Fault("unknown-kind", message, f"Use one of: {kinds}; or write a record.", ("kind",))


def _unknown_key(key: str) -> Fault:
    message = f"A record has no part {quoted(key)}; it is kept, and shown only in the raw record."
    return Fault(
        "unknown-field", message, "Correct its name if it was meant to be another.", (key,), None, Severity.WARNING
    )
