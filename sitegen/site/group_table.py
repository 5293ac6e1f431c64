"""The groups of a kernel as a table: who is first in each, by how much, over what."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sitegen import words
from sitegen.judge import Standing, ratio
from sitegen.quantity import Unit
from sitegen.site import address
from sitegen.site.cell import FigureCell, RatioCell, figure_cell, places, ratio_cell, unit_of


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A group in the kernel's table. `to_next` is the ratio to `next`, the best that does not share the first rank."""

    gpu: str
    pass_name: str
    workload: str
    href: str
    leaders: str
    tied: bool
    figure: FigureCell
    to_baseline: RatioCell | None
    to_next: RatioCell | None
    next: str
    next_is_baseline: bool
    entries: int
    sort: int


@dataclass(frozen=True, slots=True)
class GroupTable:
    """The groups of one metric, statistic and unit; all figures in `unit`, with at most `places` decimals.

    `gpus` and `passes` count those of its rows; `compared` says whether any row has a ratio to the next, and `baseline`
    whether any has one to the baseline that is not the same. `shared` is what all workloads have in common, which the
    rows leave out.
    """

    id: str
    title: str
    shared: str
    quantity: str
    unit: str
    spread: str
    places: int
    gpus: int
    passes: int
    compared: bool
    baseline: bool
    rows: tuple[GroupRow, ...]


def group_tables(standings: Sequence[Standing], at: str) -> Iterable[GroupTable]:
    """The tables of a kernel's page at `at`: one for each metric and statistic."""
    alike: dict[tuple[str, str], list[Standing]] = {}
    for standing in standings:
        alike.setdefault((standing.group.key.metric, standing.group.key.statistic), []).append(standing)
    for number, ((metric, statistic), listed) in enumerate(alike.items(), 1):
        unit = unit_of(standing.leader.figure for standing in listed)
        spreads = sorted({standing.leader.figure.spread for standing in listed} - {""})
        quantity = words.quantity(metric, statistic)
        shared = _shared(listed)
        rows = tuple(_row(standing, unit, at, place, shared) for place, standing in enumerate(listed))
        yield GroupTable(
            id="groups" if number == 1 else f"groups-{number}",
            title=f"All comparison groups, {quantity.lower()}",
            shared=", ".join(shared),
            quantity=words.statistic(statistic).capitalize() if metric == "latency" else quantity,
            unit=unit.name,
            spread=", ".join(spreads) or "spread",
            places=places(row.figure for row in rows),
            gpus=len({row.gpu for row in rows}),
            passes=len({row.pass_name for row in rows}),
            compared=any(row.to_next for row in rows),
            baseline=any(row.to_baseline and not row.next_is_baseline for row in rows),
            rows=rows,
        )


def _shared(standings: Sequence[Standing]) -> tuple[str, ...]:
    """What all workloads have in common, to be said once; nothing where there is one workload, or one has no more."""
    parts = [standing.group.workload.words.split(", ") for standing in standings]
    common = tuple(each for each in parts[0] if all(each in other for other in parts))
    return () if any(len(common) == len(each) for each in parts) else common


def _row(standing: Standing, unit: Unit, at: str, place: int, shared: tuple[str, ...]) -> GroupRow:
    key, leader = standing.group.key, standing.leader
    after = standing.entries[len(standing.leaders) :]
    return GroupRow(
        gpu=key.gpu.name,
        pass_name=words.pass_word(key.pass_name),
        workload=", ".join(each for each in standing.group.workload.words.split(", ") if each not in shared),
        href=address.root(at) + address.group(standing.group),
        leaders=", ".join(entry.run.implementation for entry in standing.leaders),
        tied=leader.tied,
        figure=figure_cell(leader.figure, unit),
        to_baseline=ratio_cell(leader.to_baseline),
        to_next=ratio_cell(ratio(leader.figure, after[0].figure)) if after else None,
        next=after[0].run.implementation if after else "",
        next_is_baseline=bool(after) and after[0] is standing.baseline,
        entries=len(standing.entries),
        sort=place,
    )
