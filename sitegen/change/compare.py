"""Two catalogues into what differs between them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from sitegen.catalogue import Catalogue, Group, pass_order
from sitegen.catalogue.build import kernel_order
from sitegen.change.content import differences
from sitegen.change.model import Altered, Change, DocumentChange, GroupChange, Moved, Side, TieChange
from sitegen.judge import Standing, Verdict, judge, ratio
from sitegen.load import Loaded, Run
from sitegen.load.files import as_typed
from sitegen.problem import Problem
from sitegen.record import Document


def compare(before: Side, after: Side) -> Change:
    """All that differs between two catalogues; `compare(b, a)` is the mirror image of `compare(a, b)`.

    Raises what the sides' `read` raises.
    """
    old, new = before.catalogue, after.catalogue
    old_groups, new_groups = _by_id(old.groups), _by_id(new.groups)
    pairs = [
        GroupChange(judge(old_groups[group.id]), judge(group))
        for group in new.groups
        if group.id in old_groups and _digests(group) != _digests(old_groups[group.id])
    ]
    moved = [each for pair in pairs for each in _moved(pair)]
    return Change(
        before=before,
        after=after,
        altered=tuple(_altered(before, after)),
        added=_only(new, old),
        removed=_only(old, new),
        groups_new=tuple(judge(group) for group in new.groups if group.id not in old_groups),
        groups_gone=tuple(judge(group) for group in old.groups if group.id not in new_groups),
        leaders=tuple(pair for pair in pairs if not _first(pair.before) & _first(pair.after)),
        ties_made=tuple(TieChange(pair, tie) for pair in pairs for tie in _ties(pair.after, pair.before)),
        ties_broken=tuple(TieChange(pair, tie) for pair in pairs for tie in _ties(pair.before, pair.after)),
        slower=_of(moved, Verdict.SLOWER),
        faster=_of(moved, Verdict.FASTER),
        unsure=_of(moved, Verdict.UNSURE),
        documents=tuple(_documents(old.loaded, new.loaded)),
        problems_came=_problems(new.loaded, old.loaded),
        problems_gone=_problems(old.loaded, new.loaded),
    )


def _by_id(groups: Iterable[Group]) -> dict[str, Group]:
    return {group.id: group for group in groups}


def _digests(group: Group) -> list[str]:
    return [run.digest for run in group.runs]


def _only(here: Catalogue, there: Catalogue) -> tuple[Run, ...]:
    """The runs of one catalogue that the other lacks, by kernel, GPU, pass, workload, implementation and time."""

    def place(run: Run) -> tuple[object, ...]:
        where = (run.gpu, pass_order(run.pass_name), here.workloads[run.workload].order)
        return (*kernel_order((run.source, run.kernel)), *where, run.implementation, run.observed_ms, run.digest)

    return tuple(sorted((run for run in here.loaded.runs if run.digest not in there.run_of), key=place))


def _altered(before: Side, after: Side) -> Iterator[Altered]:
    for run in after.catalogue.loaded.runs:
        old = before.catalogue.run_of.get(run.digest)
        if old is not None and (found := differences(before.read(old), after.read(run))):
            yield Altered(old, run, found)


def _first(standing: Standing) -> set[str]:
    """The implementations that share the first rank."""
    return {entry.run.implementation_key for entry in standing.leaders}


def _ties(here: Standing, there: Standing) -> Iterator[tuple[str, ...]]:
    """The ties of one standing whose members do not all share a rank in the other."""
    ties: dict[int, list[str]] = {}
    for entry in here.entries:
        if entry.tied:
            ties.setdefault(entry.rank, []).append(entry.run.implementation_key)
    ranks = {entry.run.implementation_key: entry.rank for entry in there.entries}
    for members in ties.values():
        shared = {ranks.get(member) for member in members}
        if len(shared) > 1 or None in shared:
            yield tuple(members)


def _moved(pair: GroupChange) -> Iterator[Moved]:
    """Each implementation of a group that has another run to stand for it, with its figure now against that before."""
    old = {entry.run.implementation_key: entry for entry in pair.before.entries}
    for entry in pair.after.entries:
        stood = old.get(entry.run.implementation_key)
        if stood is not None and stood.run.digest != entry.run.digest:
            yield Moved(pair, stood, entry, ratio(entry.figure, stood.figure))


def _of(moved: Iterable[Moved], verdict: Verdict) -> tuple[Moved, ...]:
    """Those of one verdict, the largest first; of two as large, in the catalogue's order."""
    return tuple(
        sorted((each for each in moved if each.ratio.verdict is verdict), key=lambda each: -each.ratio.multiple)
    )


def _documents(old: Loaded, new: Loaded) -> Iterator[DocumentChange]:
    """The single documents that came, went, or have other metadata, by kind and digest."""
    before, after = _single(old), _single(new)
    for kind, digest in sorted({**before, **after}):
        mine, theirs = before.get((kind, digest)), after.get((kind, digest))
        if mine != theirs:
            what = "added" if mine is None else "removed" if theirs is None else "altered"
            yield DocumentChange(what, kind, digest, (theirs or mine or ())[0].metadata.shown)


def _single(loaded: Loaded) -> Mapping[tuple[str, str], tuple[Document, ...]]:
    found: dict[tuple[str, str], tuple[Document, ...]] = {}
    for digest, workload in loaded.workloads.items():
        found[type(workload).__name__, digest] = (workload,)
    for digest, revisions in loaded.implementations.items():
        found["ImplementationRevision", digest] = tuple(revisions)
    for digest, operation in loaded.operations.items():
        found["OperationSpec", digest] = (operation,)
    return found


def _problems(here: Loaded, there: Loaded) -> tuple[Problem, ...]:
    """The problems of one folder that the other lacks, whatever the line they are on."""
    known = {replace(problem, line=None) for problem in _relative(there)}
    return tuple(problem for problem in _relative(here) if replace(problem, line=None) not in known)


def _relative(loaded: Loaded) -> Iterator[Problem]:
    """The problems, with paths relative to the folder: where that lies is no part of them."""
    folder = as_typed(Path(loaded.folder), "")
    for problem in loaded.problems:
        file = "" if problem.file == folder else problem.file.removeprefix(f"{folder}/")
        yield replace(problem, file=file, message=problem.message.replace(f"{folder}/", ""))
