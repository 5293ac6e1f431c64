"""From what the files hold to one `Loaded`, the same in whatever order the files were read."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Generic, TypeVar

from sitegen.load.files import as_typed
from sitegen.load.joining import Documents
from sitegen.load.model import Loaded
from sitegen.load.reading import FileResult
from sitegen.problem import Problem, Severity, order
from sitegen.record import BenchmarkProtocol, ExecutionEnvironment

T = TypeVar("T")


class _First(Generic[T]):
    """What was found under each digest, of which the first by path stands."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[str, T]] = {}

    def add(self, digest: str, path: str, value: T) -> None:
        known = self._found.get(digest)
        if known is None or path < known[0]:
            self._found[digest] = (path, value)

    def by_digest(self) -> dict[str, T]:
        return {digest: value for digest, (_, value) in sorted(self._found.items())}


def merge(folder: Path, results: Iterable[FileResult], problems: Iterable[Problem] = ()) -> Loaded:
    """Everything that the files of `folder` hold, with `problems` from looking for them.

    Of two records of one run, and of two documents of one digest, the first by path stands.
    """
    found = list(problems)
    runs: dict[str, list[FileResult]] = {}
    protocols, environments = _First[BenchmarkProtocol](), _First[ExecutionEnvironment]()
    singles: list[FileResult] = []
    records = 0
    for result in results:
        found.extend(result.problems)
        if result.document is not None:
            singles.append(result)
        if result.run is not None and result.protocol is not None and result.environment is not None:
            records += 1
            runs.setdefault(result.run.digest, []).append(result)
            protocols.add(result.run.protocol, result.path, result.protocol)
            environments.add(result.run.environment, result.path, result.environment)
    documents = Documents.of(singles)
    standing = []
    for _, same in sorted(runs.items()):
        if len(same) > 1:
            same.sort(key=lambda result: result.path)
            found.extend(repeated(folder, same))
        first = same[0]
        if first.run is not None:
            standing.append(documents.enriched(first.run, names_workload=first.names_workload))
            found.extend(documents.wrong_kinds(first.run, folder))
    if not records and not any(problem.severity is Severity.ERROR for problem in found):
        found.append(no_records(folder))
    return Loaded(
        folder=folder.as_posix(),
        records=records,
        runs=tuple(standing),
        protocols=protocols.by_digest(),
        environments=environments.by_digest(),
        workloads=documents.workloads,
        implementations=documents.implementations,
        operations=documents.operations,
        problems=tuple(sorted(found, key=order)),
    )


def repeated(folder: Path, same: list[FileResult]) -> Iterator[Problem]:
    """A warning for each further file of one run."""
    first = same[0]
    for other in same[1:]:
        standing = as_typed(folder, first.path)
        if other.metadata == first.metadata:
            code, message = "same-record-twice", f"The same record is in {standing}; it counts once."
            hint = "Remove one of the two files."
        else:
            code, message = "same-run-twice", f"The same run is in {standing} with other metadata; that one is shown."
            hint = "Keep the file with the right metadata."
        yield Problem(Severity.WARNING, code, as_typed(folder, other.path), "", message, hint)


def no_records(folder: Path) -> Problem:
    """The warning of a folder without records."""
    message = "There are no records in this folder."
    hint = "Give a folder with records: JSON files, each with a run, its protocol and its environment."
    return Problem(Severity.WARNING, "no-records", as_typed(folder, ""), "", message, hint)
