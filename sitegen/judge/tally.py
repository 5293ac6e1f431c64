"""How often an implementation leads, ties or trails."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from sitegen.judge.ranking import Entry, Standing
from sitegen.judge.ratio import Verdict


class Outcome(StrEnum):
    """What one group says of one of its implementations."""

    LEADS = "leads"
    PROBABLE = "leads, spread not known"
    TIES = "ties for first"
    TRAILS = "trails"
    ALONE = "measured alone"


def outcome(standing: Standing, entry: Entry) -> Outcome:
    """What `standing` says of its `entry`: its rank, and for a lead whether the spreads that decide it are known.

    A wide spread may reach back to the leader past a run that is surely slower: that is no tie, since ranks follow the
    order of the values.
    """
    if len(standing.entries) == 1:
        return Outcome.ALONE
    if entry.rank > 1:
        return Outcome.TRAILS
    if entry.tied:
        return Outcome.TIES
    unsure = any(other.to_leader and other.to_leader.verdict is Verdict.UNSURE for other in standing.entries)
    return Outcome.PROBABLE if unsure else Outcome.LEADS


@dataclass(frozen=True, slots=True)
class Tally:
    """The outcomes of one implementation over some groups, and how it stands to the baseline where it leads.

    `speedups` are the ratios to the baseline where it leads, least first, of groups whose baseline is another
    implementation; `probable_speedups` the same where it leads without known spreads. `baseline` is that baseline's
    name, "" where the groups have several or none.
    """

    implementation: str
    implementation_key: str
    source: str
    groups: int
    leads: int
    probable: int
    ties: int
    trails: int
    alone: int
    speedups: tuple[float, ...]
    probable_speedups: tuple[float, ...]
    baseline: str

    @property
    def compared(self) -> int:
        """In how many groups there was another implementation."""
        return self.groups - self.alone


def tally(standings: Iterable[Standing]) -> tuple[Tally, ...]:
    """A tally for each implementation of `standings`, the one that leads most often first."""
    seen: dict[tuple[str, str], list[tuple[Standing, Entry]]] = {}
    for standing in standings:
        for entry in standing.entries:
            seen.setdefault((standing.group.key.source, entry.run.implementation_key), []).append((standing, entry))
    tallies = [_tally(source, key, places) for (source, key), places in seen.items()]
    return tuple(
        sorted(tallies, key=lambda each: (-each.leads, -each.probable, -each.ties, each.trails, each.implementation))
    )


def tally_of(standings: Iterable[Standing], implementation_key: str) -> Tally | None:
    """The tally of one implementation of one source, None where none of `standings` has it.

    A group may hold thousands of implementations, each with a page that asks for its own tally alone.
    """
    places = [(standing, entry) for standing in standings if (entry := standing.entry_of(implementation_key))]
    return _tally(places[0][0].group.key.source, implementation_key, places) if places else None


def _tally(source: str, key: str, places: list[tuple[Standing, Entry]]) -> Tally:
    outcomes = [outcome(standing, entry) for standing, entry in places]
    ahead: dict[Outcome, list[float]] = {Outcome.LEADS: [], Outcome.PROBABLE: []}
    names = set()
    for (standing, entry), what in zip(places, outcomes, strict=True):
        if what in ahead and standing.baseline and entry.to_baseline:
            ahead[what].append(entry.to_baseline.value)
            names.add(standing.baseline.run.implementation)
    return Tally(
        implementation=max(places, key=lambda place: place[1].run.observed_ms)[1].run.implementation,
        implementation_key=key,
        source=source,
        groups=len(places),
        leads=outcomes.count(Outcome.LEADS),
        probable=outcomes.count(Outcome.PROBABLE),
        ties=outcomes.count(Outcome.TIES),
        trails=outcomes.count(Outcome.TRAILS),
        alone=outcomes.count(Outcome.ALONE),
        speedups=tuple(sorted(ahead[Outcome.LEADS])),
        probable_speedups=tuple(sorted(ahead[Outcome.PROBABLE])),
        baseline=names.pop() if len(names) == 1 else "",
    )
