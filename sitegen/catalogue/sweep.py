"""Which axis do the workloads sweep? Found from the workloads themselves: those that differ in one axis only."""

from collections.abc import Iterable
from dataclasses import dataclass

from sitegen.catalogue.workload import Axis, Workload


@dataclass(frozen=True, slots=True)
class WorkloadSweep:
    """Workloads that differ in `axis` only, in order of its value. `others` are the axes that stay the same."""

    axis: str
    others: tuple[Axis, ...]
    points: tuple[tuple[float, Workload], ...]


def find_sweeps(workloads: Iterable[Workload]) -> tuple[tuple[WorkloadSweep, ...], tuple[Workload, ...]]:
    """The sweeps that cover `workloads`, longest first, and the workloads that lie on none.

    A workload of a grid lies on one line for each axis: a line is taken only while it covers a workload that no longer
    line does, and of two equally long lines the one along the axis that reaches more workloads.
    """
    remaining = {workload.digest: workload for workload in workloads}
    lines = _lines(remaining.values())
    reach: dict[str, int] = {}
    for line in lines:
        reach[line.axis] = reach.get(line.axis, 0) + len(line.points)
    chosen = []
    for line in sorted(lines, key=lambda line: (-len(line.points), -reach[line.axis], *_order(line))):
        if any(workload.digest in remaining for _, workload in line.points):
            chosen.append(line)
            for _, workload in line.points:
                remaining.pop(workload.digest, None)
    singles = sorted(remaining.values(), key=lambda workload: workload.order)
    return tuple(sorted(chosen, key=lambda line: (-reach[line.axis], *_order(line)))), tuple(singles)


# Axes of workloads that say how the data was made, not how large it is: no curve runs along them.
_NO_SIZE = frozenset({"seed"})


def _lines(workloads: Iterable[Workload]) -> list[WorkloadSweep]:
    """Every set of two or more workloads that differ in one numeric axis only."""
    families: dict[tuple[str, tuple[Axis, ...], str], list[tuple[float, Workload]]] = {}
    for workload in workloads:
        for position, (axis, value) in enumerate(workload.axes):
            if not isinstance(value, str) and axis not in _NO_SIZE:
                others = workload.axes[:position] + workload.axes[position + 1 :]
                families.setdefault((axis, others, workload.fixed), []).append((value, workload))
    return [
        WorkloadSweep(axis, others, tuple(sorted(points, key=lambda point: (point[0], point[1].digest))))
        for (axis, others, _), points in families.items()
        if len({value for value, _ in points}) > 1
    ]


def _order(line: WorkloadSweep) -> tuple[str, tuple[tuple[str, bool, Axis], ...], str]:
    """What tells two lines apart, in an order that holds whether a value is a number or a text."""
    others = tuple((name, isinstance(value, str), (name, value)) for name, value in line.others)
    return (line.axis, others, line.points[0][1].fixed)
