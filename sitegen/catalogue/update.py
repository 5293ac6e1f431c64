"""A catalogue that differs by a few runs from another: it shares all that the change does not touch."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sitegen.catalogue.build import build, by_time, grouped, implementation_order, kernel_order, on_gpus
from sitegen.catalogue.model import Catalogue, Group, Implementation, Kernel
from sitegen.catalogue.workload import Workload, workload_of
from sitegen.load.model import Gpu, Loaded, Run

KernelKey = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Change:
    """The runs that are no longer there as they were, and those that are new or are not as they were."""

    gone: tuple[Run, ...]
    come: tuple[Run, ...]


def difference(before: Loaded, loaded: Loaded) -> Change:
    """What of the runs is not the same in both.

    Most are the same objects, which are told by what they are, not by what they hold: that takes a tenth of the time.
    """
    start = _common(before.runs, loaded.runs)
    end = _common(reversed(before.runs[start:]), reversed(loaded.runs[start:]))
    old, new = before.runs[start : len(before.runs) - end], loaded.runs[start : len(loaded.runs) - end]
    here, there = set(map(id, new)), set(map(id, old))
    gone = {run.digest: run for run in old if id(run) not in here}
    come = {run.digest: run for run in new if id(run) not in there}
    same = {digest for digest, run in come.items() if gone.get(digest) == run}
    return Change(
        tuple(run for digest, run in gone.items() if digest not in same),
        tuple(run for digest, run in come.items() if digest not in same),
    )


def _common(one: Iterable[Run], other: Iterable[Run]) -> int:
    """How many runs both begin with, the same objects in the same order."""
    count = 0
    for count, (mine, yours) in enumerate(zip(one, other, strict=False), 1):
        if mine is not yours:
            return count - 1
    return count


def update(before: Catalogue, loaded: Loaded, change: Change | None = None) -> Catalogue:
    """The catalogue of `loaded`, equal to what `build` gives, made from the one `before` it.

    `change` is their difference, for whoever has it already. Every kernel, group, GPU and implementation that the
    change does not touch is the same object as before. Where the documents changed that runs are joined with, any page
    may have, and all is built anew.
    """
    old = before.loaded
    if (old.workloads, old.implementations, old.operations) != (
        loaded.workloads,
        loaded.implementations,
        loaded.operations,
    ):
        return build(loaded)
    change = change or difference(old, loaded)
    workloads, renamed = _workloads(before.workloads, loaded, change)
    touched = {(run.source, run.kernel) for run in (*change.gone, *change.come)}
    if renamed:
        touched |= {(run.source, run.kernel) for run in loaded.runs if run.workload in renamed}
    kernels = _kernels(before, change, touched, loaded, workloads)
    fresh = [kernels[key] for key in touched if key in kernels]
    group_of = dict(before.group_of)
    for key in touched:
        for run in before.kernels[key].runs if key in before.kernels else ():
            group_of.pop(run.digest, None)
    group_of |= {run.digest: group for kernel in fresh for group in kernel.groups for run in _members(group)}
    return Catalogue(
        loaded=loaded,
        groups=tuple(group for kernel in kernels.values() for group in kernel.groups),
        kernels=kernels,
        gpus=_gpus(before, fresh, touched),
        implementations=_implementations(before, change),
        workloads=workloads,
        group_of=group_of,
    )


def _members(group: Group) -> Iterable[Run]:
    return (*group.runs, *group.unranked)


def _workloads(before: Mapping[str, Workload], loaded: Loaded, change: Change) -> tuple[dict[str, Workload], set[str]]:
    """The workloads, and the digests of those that are named otherwise than before, as the first run by digest does."""
    asked = {run.workload for run in (*change.gone, *change.come)}
    first: dict[str, Run] = {}
    for run in loaded.runs:
        if run.workload in asked:
            first.setdefault(run.workload, run)
    workloads = dict(before)
    renamed = set()
    for digest in asked:
        if digest not in first:
            workloads.pop(digest, None)
            continue
        found = workload_of(first[digest], loaded)
        if workloads.get(digest) != found:
            workloads[digest] = found
            renamed.add(digest)
    return workloads, renamed


def _kernels(
    before: Catalogue,
    change: Change,
    touched: set[KernelKey],
    loaded: Loaded,
    workloads: Mapping[str, Workload],
) -> dict[KernelKey, Kernel]:
    """The kernels, in order, those touched made anew from groups that stay the same where they are equal."""
    lost = {run.digest for run in change.gone}
    added: dict[KernelKey, list[Run]] = defaultdict(list)
    for run in change.come:
        added[run.source, run.kernel].append(run)
    kernels = dict(before.kernels)
    for key in touched:
        old = kernels.get(key)
        runs = [run for run in old.runs if run.digest not in lost] if old else []
        runs += added[key]
        if not runs:
            kernels.pop(key, None)
            continue
        known = {group.id: group for group in old.groups} if old else {}
        groups, ungrouped = grouped(runs, loaded, workloads)
        kept = tuple(known[group.id] if known.get(group.id) == group else group for group in groups)
        kernels[key] = Kernel(*key, kept, ungrouped)
    if kernels.keys() == before.kernels.keys():
        return kernels
    return {key: kernels[key] for key in sorted(kernels, key=kernel_order)}


def _gpus(before: Catalogue, fresh: list[Kernel], touched: set[KernelKey]) -> dict[Gpu, tuple[Kernel, ...]]:
    gpus = dict(before.gpus)
    anew = on_gpus(fresh)
    for gpu in {*gpus, *anew}:
        kept = [kernel for kernel in gpus.get(gpu, ()) if (kernel.source, kernel.name) not in touched]
        if gpu in anew or len(kept) < len(gpus.get(gpu, ())):
            here = sorted((*kept, *anew.get(gpu, ())), key=lambda kernel: kernel_order((kernel.source, kernel.name)))
            gpus[gpu] = tuple(here)
    return {gpu: gpus[gpu] for gpu in sorted(gpus) if gpus[gpu]}


def _implementations(before: Catalogue, change: Change) -> dict[tuple[str, str], Implementation]:
    lost = {run.digest for run in change.gone}
    found = dict(before.implementations)
    added: dict[tuple[str, str], list[Run]] = defaultdict(list)
    for run in change.come:
        added[run.source, run.implementation_key].append(run)
    for key in {*added, *((run.source, run.implementation_key) for run in change.gone)}:
        old = found.get(key)
        runs = by_time((*(run for run in (old.runs if old else ()) if run.digest not in lost), *added[key]))
        if runs:
            found[key] = Implementation(*key, runs[-1].implementation, runs)
        else:
            found.pop(key, None)
    if [(key, each.name) for key, each in found.items()] == [
        (key, e.name) for key, e in before.implementations.items()
    ]:
        return found
    return {(each.source, each.key): each for each in sorted(found.values(), key=implementation_order)}
