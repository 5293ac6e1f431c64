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
    ranked: dict[Key, list[Run]] = defaultdict(list)
    rest: list[Run] = []
    for run in loaded.runs:
        if run.figure is not None and not run.unranked:
            ranked[_key(run, run.figure)].append(run)
        else:
            rest.append(run)
    attached, ungrouped = _attach(rest, ranked, loaded)
    workloads = _workloads(loaded)
    groups = sorted(
        (
            Group(key.id, key, workloads[key.workload], _by_time(runs), _by_time(attached.get(key, ())))
            for key, runs in ranked.items()
        ),
        key=group_order,
    )
    kernels = _kernels(groups, ungrouped)
    return Catalogue(
        loaded=loaded,
        groups=tuple(groups),
        kernels=kernels,
        gpus=_gpus(kernels.values()),
        implementations=_implementations(loaded.runs),
        workloads=workloads,
        group_of={run.digest: group for group in groups for run in (*group.runs, *group.unranked)},
    )


def group_order(group: Group) -> tuple[object, ...]:
    """The key by which groups are listed: by kernel, GPU, pass, then workload, the smallest first."""
    key = group.key
    return (natural(key.kernel), key.source, key.gpu, pass_order(key.pass_name), group.workload.order, key)


def pass_order(name: str) -> tuple[int, str]:
    """The key by which passes are listed: those of `PASSES` in that order, then others by name."""
    return (PASSES.index(name) if name in PASSES else len(PASSES), name)


def _key(run: Run, figure: Figure) -> Key:
    return Key(
        run.source, run.kernel, run.workload, run.pass_name, run.protocol, figure.metric, figure.statistic, run.gpu
    )


def _by_time(runs: Iterable[Run]) -> tuple[Run, ...]:
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


def _kernels(groups: Iterable[Group], ungrouped: Iterable[Run]) -> dict[tuple[str, str], Kernel]:
    of_kernel: dict[tuple[str, str], tuple[list[Group], list[Run]]] = defaultdict(lambda: ([], []))
    for group in groups:
        of_kernel[group.key.source, group.key.kernel][0].append(group)
    for run in ungrouped:
        of_kernel[run.source, run.kernel][1].append(run)
    return {
        (source, name): Kernel(source, name, tuple(inside), _by_time(outside))
        for (source, name), (inside, outside) in sorted(
            of_kernel.items(), key=lambda item: (natural(item[0][1]), item[0][0])
        )
    }


def _gpus(kernels: Iterable[Kernel]) -> dict[Gpu, tuple[Kernel, ...]]:
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
    ordered = (
        Implementation(source, key, inside[-1].implementation, inside)
        for (source, key), inside in ((at, _by_time(listed)) for at, listed in found.items())
    )
    return {
        (each.source, each.key): each
        for each in sorted(ordered, key=lambda each: (each.source, natural(each.name), each.key))
    }
