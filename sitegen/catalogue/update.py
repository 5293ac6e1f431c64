"""A catalogue that differs by a few runs from another: it shares all that the change does not touch."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sitegen.catalogue.build import build, by_time, grouped, implementation_order, kernel_order, on_gpus
from sitegen.catalogue.model import Catalogue, Group, Implementation, Kernel
from sitegen.catalogue.workload import Workload, workload_of
from sitegen.load.model import Gpu, Loaded, Run

KernelKey = tuple[str, str]


def update(before: Catalogue, loaded: Loaded) -> Catalogue:
    """The catalogue of `loaded`, equal to what `build` gives, made from the one `before` it.

    Every kernel, group, GPU and implementation that the change does not touch is the same object as before. Where the
    documents changed that runs are joined with, any page may have, and all is built anew.
    """
    old = before.loaded
    if (old.workloads, old.implementations, old.operations) != (
        loaded.workloads,
        loaded.implementations,
        loaded.operations,
    ):
        return build(loaded)
    change = _change(before, loaded)
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


@dataclass(frozen=True, slots=True)
class _Change:
    """The runs that are no longer there as they were, and those that are new."""

    gone: tuple[Run, ...]
    come: tuple[Run, ...]


def _change(before: Catalogue, loaded: Loaded) -> _Change:
    known = before.run_of
    come = tuple(run for run in loaded.runs if (old := known.get(run.digest)) is not run and old != run)
    if not come and len(known) == len(loaded.runs):
        return _Change((), ())
    here = {run.digest: run for run in loaded.runs}
    gone = tuple(run for run in before.loaded.runs if (new := here.get(run.digest)) is not run and new != run)
    return _Change(gone, come)


def _workloads(before: Mapping[str, Workload], loaded: Loaded, change: _Change) -> tuple[dict[str, Workload], set[str]]:
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
    change: _Change,
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
        old = kernels.pop(key, None)
        runs = [run for run in old.runs if run.digest not in lost] if old else []
        runs += added[key]
        if not runs:
            continue
        known = {group.id: group for group in old.groups} if old else {}
        groups, ungrouped = grouped(runs, loaded, workloads)
        kept = tuple(known[group.id] if known.get(group.id) == group else group for group in groups)
        kernels[key] = Kernel(*key, kept, ungrouped)
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


def _implementations(before: Catalogue, change: _Change) -> dict[tuple[str, str], Implementation]:
    lost = {run.digest for run in change.gone}
    found = dict(before.implementations)
    added: dict[tuple[str, str], list[Run]] = defaultdict(list)
    for run in change.come:
        added[run.source, run.implementation_key].append(run)
    for key in {*added, *((run.source, run.implementation_key) for run in change.gone)}:
        old = found.pop(key, None)
        runs = by_time((*(run for run in (old.runs if old else ()) if run.digest not in lost), *added[key]))
        if runs:
            found[key] = Implementation(*key, runs[-1].implementation, runs)
    return {(each.source, each.key): each for each in sorted(found.values(), key=implementation_order)}
