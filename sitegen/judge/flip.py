"""Where along a sweep the winner changes."""

from collections.abc import Iterable
from dataclasses import dataclass

from sitegen.judge.ranking import Standing


@dataclass(frozen=True, slots=True)
class Stretch:
    """Neighbouring points of a sweep with the same implementations in the first rank: `start` to `end`, both in.

    `leaders` are names in order of name: several are a tie.
    """

    start: float
    end: float
    points: int
    leaders: tuple[str, ...]


def stretches(points: Iterable[tuple[float, Standing]]) -> tuple[Stretch, ...]:
    """The stretches of a sweep, in order of its axis. Where there is more than one, the answer flips between them."""
    found: list[Stretch] = []
    for x, standing in points:
        leaders = tuple(sorted(entry.run.implementation for entry in standing.leaders))
        if found and found[-1].leaders == leaders:
            found[-1] = Stretch(found[-1].start, x, found[-1].points + 1, leaders)
        else:
            found.append(Stretch(x, x, 1, leaders))
    return tuple(found)
