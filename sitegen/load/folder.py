"""A folder of records that changes: one changed file is taken in without going through all the others again."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

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
        before = [self._files.get(path) for path in results]
        for path, result in results.items():
            if result is None:
                self._files.pop(path, None)
            else:
                self._files[path] = result
        self._problems = tuple(problems)
        touched = [result for result in (*before, *results.values()) if result is not None]
        if any(result.document is not None for result in touched):
            self.loaded = self._merged()
        else:
            self.loaded = self._amended(touched)
        return self.loaded

    def _merged(self) -> Loaded:
        self._documents = Documents.of(result for result in self._files.values() if result.document is not None)
        self._paths: dict[str, set[str]] = defaultdict(set)
        for result in self._files.values():
            if result.run is not None:
                self._paths[result.run.digest].add(result.path)
        loaded = merge(self._folder, self._files.values(), self._problems)
        self._doubts = {
            run.digest: doubts
            for run in loaded.runs
            if (doubts := tuple(self._documents.wrong_kinds(run, self._folder)))
        }
        self._several = {digest for digest, paths in self._paths.items() if len(paths) > 1}
        return loaded

    def _amended(self, touched: Iterable[FileResult]) -> Loaded:
        """What is loaded, where only records changed."""
        runs = list(self.loaded.runs)
        asked = [result.run for result in touched if result.run is not None]
        self._index(touched)
        for digest in sorted({run.digest for run in asked}):
            place = bisect_left(runs, digest, key=lambda run: run.digest)
            here = place < len(runs) and runs[place].digest == digest
            runs[place : place + here] = self._standing(digest)
        return replace(
            self.loaded,
            records=sum(len(paths) for paths in self._paths.values()),
            runs=tuple(runs),
            protocols=self._first(self.loaded.protocols, {run.protocol for run in asked}, "protocol"),
            environments=self._first(self.loaded.environments, {run.environment for run in asked}, "environment"),
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

    def _first(self, known: Mapping[str, D], digests: set[str], part: str) -> Mapping[str, D]:
        """The protocols or environments of records, those of `digests` looked for again: the first by path stands."""
        found: dict[str, tuple[str, D]] = {}
        for result in self._files.values():
            run = result.run
            if run is None or (digest := getattr(run, part)) not in digests:
                continue
            if digest not in found or result.path < found[digest][0]:
                found[digest] = (result.path, getattr(result, part))
        fresh = {digest: document for digest, (_, document) in found.items()}
        if all(known.get(digest) == fresh.get(digest) for digest in digests):
            return known
        merged = {digest: document for digest, document in known.items() if digest not in digests} | fresh
        return dict(sorted(merged.items()))

    def _all_problems(self) -> tuple[Problem, ...]:
        found = list(self._problems)
        for result in self._files.values():
            if result.problems:
                found.extend(result.problems)
        for digest in self._several:
            found.extend(repeated(self._folder, [self._files[path] for path in sorted(self._paths[digest])]))
        for doubts in self._doubts.values():
            found.extend(doubts)
        if not self._paths and not any(problem.severity is Severity.ERROR for problem in found):
            found.append(no_records(self._folder))
        return tuple(sorted(found, key=order))
