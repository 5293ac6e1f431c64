"""What it would cost to use one implementation everywhere."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from sitegen.judge.ranking import Entry, Standing
from sitegen.judge.ratio import Verdict


@dataclass(frozen=True, slots=True)
class Cost:
    """What using one implementation in every group would cost, against the best of each group.

    Counted over the `groups` that hold it and another one, of `possible` groups with more than one. `mean` is the
    geometric mean of its figure over the leader's, `worst` the largest of them, `worst_at` the group with it, and
    `beaten` in how many it is surely slower than the leader.
    """

    implementation: str
    implementation_key: str
    source: str
    groups: int
    possible: int
    mean: float
    worst: float
    worst_at: Standing
    beaten: int


def costs(standings: Iterable[Standing]) -> tuple[Cost, ...]:
    """A cost for each implementation of the groups that compare any, by source, the most widely measured first."""
    possible: dict[str, int] = {}
    seen: dict[tuple[str, str], list[tuple[Standing, Entry]]] = {}
    for standing in standings:
        if len(standing.entries) > 1:
            source = standing.group.key.source
            possible[source] = possible.get(source, 0) + 1
            for entry in standing.entries:
                seen.setdefault((source, entry.run.implementation_key), []).append((standing, entry))
    found = [_cost(source, key, places, possible[source]) for (source, key), places in seen.items()]
    return tuple(sorted(found, key=lambda cost: (cost.source, -cost.groups, cost.mean, cost.implementation)))


def _cost(source: str, key: str, places: list[tuple[Standing, Entry]], possible: int) -> Cost:
    over = [(entry.figure.value / standing.leader.figure.value, standing) for standing, entry in places]
    worst, worst_at = max(over, key=lambda each: (each[0], each[1].group.id))
    return Cost(
        implementation=places[-1][1].run.implementation,
        implementation_key=key,
        source=source,
        groups=len(places),
        possible=possible,
        mean=math.exp(math.fsum(math.log(factor) for factor, _ in over) / len(over)),
        worst=worst,
        worst_at=worst_at,
        beaten=sum(1 for _, entry in places if entry.to_leader and entry.to_leader.verdict is Verdict.SLOWER),
    )
