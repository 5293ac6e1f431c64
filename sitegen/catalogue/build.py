"""Records into comparison groups, by key."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from sitegen.catalogue.model import Catalogue, Group, Implementation, Kernel, Key
from sitegen.catalogue.workload import Workload, natural, workload_of
from sitegen.load.model import Figure, Gpu, Loaded, Run

PASSES = ("forward", "no-grad-forward", "backward", "full", "")
"""The order in which passes are shown: as they are run; one that is not stated comes last."""


def build(loaded: Loaded) -> Catalogue:
    """The catalogue of everything that was loaded."""
    workloads = _workloads(loaded)
    of_kernel: dict[tuple[str, str], list[Run]] = defaultdict(list)
    for run in loaded.runs:
        of_kernel[run.source, run.kernel].append(run)
    kernels = {
        key: Kernel(*key, *grouped(of_kernel[key], loaded, workloads)) for key in sorted(of_kernel, key=kernel_order)
    }
    groups = tuple(group for kernel in kernels.values() for group in kernel.groups)
    return Catalogue(
        loaded=loaded,
        groups=groups,
        kernels=kernels,
        gpus=on_gpus(kernels.values()),
        implementations=_implementations(loaded.runs),
        workloads=workloads,
        group_of={run.digest: group for group in groups for run in (*group.runs, *group.unranked)},
    )


def grouped(
    runs: Iterable[Run], loaded: Loaded, workloads: Mapping[str, Workload]
) -> tuple[tuple[Group, ...], tuple[Run, ...]]:
    """The comparison groups of one kernel's runs, in order, and the runs that share a key with no ranked run."""
    ranked: dict[Key, list[Run]] = defaultdict(list)
    rest: list[Run] = []
    for run in runs:
        if run.figure is not None and not run.unranked:
            ranked[_key(run, run.figure)].append(run)
        else:
            rest.append(run)
    attached, ungrouped = _attach(rest, ranked, loaded)
    groups = (
        Group(key.id, key, workloads[key.workload], by_time(inside), by_time(attached.get(key, ())))
        for key, inside in ranked.items()
    )
    return tuple(sorted(groups, key=group_order)), by_time(ungrouped)


def kernel_order(key: tuple[str, str]) -> tuple[object, ...]:
    """The key by which kernels are listed: by name with its numbers as numbers, then source."""
    source, name = key
    return (natural(name), name, source)


def implementation_order(each: Implementation) -> tuple[object, ...]:
    """The key by which implementations are listed: by source, then name with its numbers as numbers."""
    return (each.source, natural(each.name), each.key)


def group_order(group: Group) -> tuple[object, ...]:
    """The key by which a kernel's groups are listed: by GPU, pass, then workload, the smallest first."""
    key = group.key
    return (key.gpu, pass_order(key.pass_name), group.workload.order, key)


def pass_order(name: str) -> tuple[int, str]:
    """The key by which passes are listed: those of `PASSES` in that order, then others by name."""
    return (PASSES.index(name) if name in PASSES else len(PASSES), name)


def _key(run: Run, figure: Figure) -> Key:
    return Key(
        run.source, run.kernel, run.workload, run.pass_name, run.protocol, figure.metric, figure.statistic, run.gpu
    )


def by_time(runs: Iterable[Run]) -> tuple[Run, ...]:
    """Runs in order of when they were observed, then of digest."""
    return tuple(sorted(runs, key=lambda run: (run.observed_ms, run.digest)))


def _attach(
    unranked: Iterable[Run], ranked: Mapping[Key, list[Run]], loaded: Loaded
) -> tuple[dict[Key, list[Run]], list[Run]]:
    """Lay each run that cannot be ranked beside the ranked runs of its key; give back those that have none.

    A run without a figure states no metric and statistic: it belongs to the one group that agrees in all else, or where
    there are several, to the one with the protocol's primary statistic.
    """
    alike: dict[tuple[object, ...], list[Key]] = defaultdict(list)
    for key in ranked:
        alike[(*key[:5], key.gpu)].append(key)
    attached: dict[Key, list[Run]] = defaultdict(list)
    ungrouped = []
    for run in unranked:
        if run.figure is not None:
            keys = [key] if (key := _key(run, run.figure)) in ranked else []
        else:
            keys = alike.get((run.source, run.kernel, run.workload, run.pass_name, run.protocol, run.gpu), [])
        if len(keys) > 1:
            primary = loaded.protocols[run.protocol].spec.measurement.primary_statistic
            keys = [key for key in keys if key.statistic == primary]
        if len(keys) == 1:
            attached[keys[0]].append(run)
        else:
            ungrouped.append(run)
    return attached, ungrouped


def _workloads(loaded: Loaded) -> dict[str, Workload]:
    """Each workload once, as the first run by digest that points at it names it."""
    workloads: dict[str, Workload] = {}
    for run in loaded.runs:
        if run.workload not in workloads:
            workloads[run.workload] = workload_of(run, loaded)
    return workloads


def on_gpus(kernels: Iterable[Kernel]) -> dict[Gpu, tuple[Kernel, ...]]:
    """Each GPU, with what of each kernel was run on it."""
    gpus: dict[Gpu, list[Kernel]] = defaultdict(list)
    for kernel in kernels:
        groups: dict[Gpu, list[Group]] = defaultdict(list)
        ungrouped: dict[Gpu, list[Run]] = defaultdict(list)
        for group in kernel.groups:
            groups[group.key.gpu].append(group)
        for run in kernel.ungrouped:
            ungrouped[run.gpu].append(run)
        for gpu in sorted({*groups, *ungrouped}):
            here = Kernel(kernel.source, kernel.name, tuple(groups[gpu]), tuple(ungrouped[gpu]))
            gpus[gpu].append(here)
    return {gpu: tuple(gpus[gpu]) for gpu in sorted(gpus)}


def _implementations(runs: Iterable[Run]) -> dict[tuple[str, str], Implementation]:
    """Each implementation, under the name that its newest run gives it."""
    found: dict[tuple[str, str], list[Run]] = defaultdict(list)
    for run in runs:
        found[run.source, run.implementation_key].append(run)
    named = (
        Implementation(*at, inside[-1].implementation, inside)
        for at, inside in ((at, by_time(listed)) for at, listed in found.items())
    )
    return {(each.source, each.key): each for each in sorted(named, key=implementation_order)}
