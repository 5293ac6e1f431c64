"""A folder of records that changes: one changed file is taken in without going through all the others again."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Generic, TypeVar

from sitegen.load.joining import Documents
from sitegen.load.merge import merge, no_records, repeated
from sitegen.load.model import Loaded, Run
from sitegen.load.reading import FileResult
from sitegen.problem import Problem, Severity, order
from sitegen.record import BenchmarkProtocol, ExecutionEnvironment

D = TypeVar("D", BenchmarkProtocol, ExecutionEnvironment)


class Folder:
    """What the files of a folder hold, by path, and what `merge` makes of it all, kept up to date.

    `problems` are those of looking for the files. A change of records only costs in proportion to what it touches, but
    for plain passes over what is known; a change of single documents, which any run may be joined with, costs a merge.
    """

    def __init__(self, folder: Path, results: Iterable[FileResult], problems: Iterable[Problem] = ()) -> None:
        self._folder = folder
        self._files = {result.path: result for result in results}
        self._problems = tuple(problems)
        self.loaded = self._merged()

    def replace(self, results: Mapping[str, FileResult | None], problems: Iterable[Problem] = ()) -> Loaded:
        """Take in the files at some paths as they are now, None for those that are gone; what is loaded then.

        `problems` are those of looking for the files anew.
        """
        before = [known for path in results if (known := self._files.get(path)) is not None]
        now = [result for result in results.values() if result is not None]
        for path in results:
            self._files.pop(path, None)
            self._wrong.pop(path, None)
        for result in now:
            self._files[result.path] = result
            if result.problems:
                self._wrong[result.path] = result.problems
        self._problems = tuple(problems)
        documents = any(result.document is not None for result in (*before, *now))
        self.loaded = self._merged() if documents else self._amended(before, now)
        return self.loaded

    def _merged(self) -> Loaded:
        self._documents = Documents.of(result for result in self._files.values() if result.document is not None)
        self._paths: dict[str, set[str]] = defaultdict(set)
        for result in self._files.values():
            if result.run is not None:
                self._paths[result.run.digest].add(result.path)
        loaded = merge(self._folder, self._files.values(), self._problems)
        self._wrong = {result.path: result.problems for result in self._files.values() if result.problems}
        self._protocols: _Shared[BenchmarkProtocol] = _Shared("protocol", self._files.values())
        self._environments: _Shared[ExecutionEnvironment] = _Shared("environment", self._files.values())
        self._doubts = {
            run.digest: doubts
            for run in loaded.runs
            if (doubts := tuple(self._documents.wrong_kinds(run, self._folder)))
        }
        self._several = {digest for digest, paths in self._paths.items() if len(paths) > 1}
        return loaded

    def _amended(self, before: Iterable[FileResult], now: Iterable[FileResult]) -> Loaded:
        """What is loaded, where only records changed."""
        runs = list(self.loaded.runs)
        touched = (*before, *now)
        self._index(touched)
        for digest in sorted({result.run.digest for result in touched if result.run is not None}):
            place = bisect_left(runs, digest, key=lambda run: run.digest)
            here = place < len(runs) and runs[place].digest == digest
            runs[place : place + here] = self._standing(digest)
        return replace(
            self.loaded,
            records=self.loaded.records + _records(now) - _records(before),
            runs=tuple(runs),
            protocols=self._protocols.amended(self.loaded.protocols, before, now, self._files),
            environments=self._environments.amended(self.loaded.environments, before, now, self._files),
            problems=self._all_problems(),
        )

    def _index(self, touched: Iterable[FileResult]) -> None:
        for result in touched:
            if result.run is None:
                continue
            digest = result.run.digest
            now = self._files.get(result.path)
            if now is not None and now.run is not None and now.run.digest == digest:
                self._paths[digest].add(result.path)
            else:
                self._paths[digest].discard(result.path)
            if not self._paths[digest]:
                del self._paths[digest]
            known = len(self._paths.get(digest, ()))
            (self._several.add if known > 1 else self._several.discard)(digest)

    def _standing(self, digest: str) -> list[Run]:
        """The run of a digest, joined with its documents, as its first file by path has it; empty where it is gone."""
        self._doubts.pop(digest, None)
        paths = self._paths.get(digest)
        if not paths:
            return []
        result = self._files[min(paths)]
        if result.run is None:
            return []
        if doubts := tuple(self._documents.wrong_kinds(result.run, self._folder)):
            self._doubts[digest] = doubts
        return [self._documents.enriched(result.run, names_workload=result.names_workload)]

    def _all_problems(self) -> tuple[Problem, ...]:
        found = list(self._problems)
        for problems in self._wrong.values():
            found.extend(problems)
        for digest in self._several:
            found.extend(repeated(self._folder, [self._files[path] for path in sorted(self._paths[digest])]))
        for doubts in self._doubts.values():
            found.extend(doubts)
        if not self._paths and not any(problem.severity is Severity.ERROR for problem in found):
            found.append(no_records(self._folder))
        return tuple(sorted(found, key=order))


def _records(results: Iterable[FileResult]) -> int:
    return sum(result.run is not None for result in results)


class _Shared(Generic[D]):
    """The protocols, or the environments, that records share: by digest, how many have each, and whether all agree.

    Documents of one digest may differ in their metadata, of which the first by path stands. Where all agree it does not
    matter which that is, and a change needs no look at the other records.
    """

    def __init__(self, part: str, results: Iterable[FileResult]) -> None:
        self._part = part
        self._count: Counter[str] = Counter()
        self._said: dict[str, D] = {}
        self._apart: set[str] = set()
        for result in results:
            self._add(result)

    def _add(self, result: FileResult) -> None:
        if result.run is None:
            return
        digest, document = getattr(result.run, self._part), getattr(result, self._part)
        self._count[digest] += 1
        said = self._said.setdefault(digest, document)
        if said is not document and said != document:
            self._apart.add(digest)

    def amended(
        self,
        known: Mapping[str, D],
        before: Iterable[FileResult],
        now: Iterable[FileResult],
        files: Mapping[str, FileResult],
    ) -> Mapping[str, D]:
        """The documents by digest, from what was `known`; the same object where nothing of it changed."""
        for result in before:
            if result.run is not None:
                self._count[getattr(result.run, self._part)] -= 1
        for result in now:
            self._add(result)
        digests = {getattr(result.run, self._part) for result in (*before, *now) if result.run is not None}
        fresh: dict[str, D] = {}
        for digest in digests:
            if not self._count[digest]:
                del self._count[digest]
                self._said.pop(digest, None)
                self._apart.discard(digest)
            elif digest in self._apart:
                fresh[digest] = self._first(digest, files)
            else:
                fresh[digest] = self._said[digest]
        if all(known.get(digest) == fresh.get(digest) for digest in digests):
            return known
        merged = {digest: document for digest, document in known.items() if digest not in digests} | fresh
        return dict(sorted(merged.items()))

    def _first(self, digest: str, files: Mapping[str, FileResult]) -> D:
        path = min(
            path
            for path, result in files.items()
            if result.run is not None and getattr(result.run, self._part) == digest
        )
        document: D = getattr(files[path], self._part)
        return document
