"""Ranks within one comparison group, with ties."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitegen.catalogue import Group
from sitegen.judge.ratio import Ratio, overlap, ratio
from sitegen.load.model import Figure, Run


@dataclass(frozen=True, slots=True)
class Entry:
    """One implementation's place in a group.

    `run` is its newest, `history` the older ones, newest first. `rank` counts from 1; a tie shares it, and reaches to
    `last`. `to_leader` and `to_baseline` are None for the leader and the baseline themselves, `to_baseline` also where
    the group has no baseline.
    """

    run: Run
    figure: Figure
    rank: int
    last: int
    to_leader: Ratio | None
    to_baseline: Ratio | None
    history: tuple[Run, ...]

    @property
    def tied(self) -> bool:
        """Whether another implementation shares this rank."""
        return self.last > self.rank


@dataclass(frozen=True, slots=True)
class Standing:
    """A group, judged. `entries` are in order of rank, then value; `baseline` is one of them, or None."""

    group: Group
    entries: tuple[Entry, ...]
    baseline: Entry | None

    @property
    def leader(self) -> Entry:
        """The entry with the best figure; others may tie with it."""
        return self.entries[0]

    @property
    def leaders(self) -> tuple[Entry, ...]:
        """Every entry that shares the first rank."""
        return self.entries[: self.entries[0].last]

    def entry_of(self, implementation_key: str) -> Entry | None:
        """An implementation's entry, None where it has none."""
        return next((each for each in self.entries if each.run.implementation_key == implementation_key), None)


def judge(group: Group, baselines: Sequence[str] = ()) -> Standing:
    """Rank a group. Less is better: every ranked figure is a time.

    The newest run of each implementation stands for it. In order of value, a run ties with the leader of the tie before
    it when their spreads overlap; the first that does not leads the next. `baselines` are names of implementations, the
    most wanted first.
    """
    newest = _newest(group.runs)
    order = sorted(newest, key=lambda runs: (runs[0].primary.value, runs[0].implementation, runs[0].digest))
    ranks = _ranks([runs[0].primary for runs in order])
    best = order[0][0].primary
    reference = _baseline([runs[0] for runs in order], baselines)
    entries = tuple(
        Entry(
            run=runs[0],
            figure=runs[0].primary,
            rank=rank,
            last=last,
            to_leader=ratio(runs[0].primary, best) if place else None,
            to_baseline=ratio(runs[0].primary, reference.primary) if reference and runs[0] is not reference else None,
            history=runs[1:],
        )
        for place, (runs, (rank, last)) in enumerate(zip(order, ranks, strict=True))
    )
    return Standing(group, entries, next((entry for entry in entries if entry.run is reference), None))


def _newest(runs: Sequence[Run]) -> list[tuple[Run, ...]]:
    """The runs of each implementation, newest first. `runs` are in order of time."""
    of: dict[str, list[Run]] = {}
    for run in reversed(runs):
        of.setdefault(run.implementation_key, []).append(run)
    return [tuple(each) for each in of.values()]


def _ranks(figures: Sequence[Figure]) -> list[tuple[int, int]]:
    """For figures in order of value: the first and the last place of the tie that each is in."""
    starts: list[int] = []
    for place, figure in enumerate(figures):
        starts.append(starts[-1] if place and overlap(figures[starts[-1]], figure) else place)
    return [(start + 1, start + starts.count(start)) for start in starts]


def _baseline(runs: Sequence[Run], baselines: Sequence[str]) -> Run | None:
    for name in baselines:
        for run in runs:
            if run.implementation == name:
                return run
    return None
