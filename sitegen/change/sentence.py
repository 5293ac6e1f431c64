"""The claims of a difference, each with both figures and their spreads. What records say stands in parts of its own."""

import re
from collections.abc import Iterable, Sequence

from sitegen import words
from sitegen.change.model import Altered, Difference, GroupChange, Moved, TieChange
from sitegen.judge import Entry, Outcome, Ratio, Standing, Verdict, outcome, ratio
from sitegen.load import Figure, Run
from sitegen.problem import Problem, Severity
from sitegen.quantity import Unit, counted
from sitegen.site.cell import Part, Text, date, figure_cell, moment, ratio_cell, short, unit_of

_PLAIN = re.compile("[A-Za-z ,]+")
MOST = 3
"""So many names, or differences, stand in one sentence."""


def shown(figure: Figure, unit: Unit) -> Part:
    """A figure with its spread: "74.1 µs (p20–p80 73.0–75.0)"."""
    cell = figure_cell(figure, unit)
    doubt = f"{figure.spread} {cell.spread}" if figure.spread else cell.spread
    return Part(f"{cell.value} {unit.name} ({doubt})", "strong")


def name(run: Run) -> Part:
    """A run's implementation."""
    return Part(run.implementation, "name")


def version(run: Run, other: Run | None = None) -> Text:
    """Which measurement a run is: ", release 0.5.0, 2025-07-01", with the time where `other` is of the same day."""
    release: Text = (", release ", Part(run.release)) if run.release else ()
    day = date(run.observed_ms)
    return (*release, f", {moment(run.observed_ms) if other and date(other.observed_ms) == day else day}")


def joined(texts: Sequence[Text]) -> Text:
    """Parts of a sentence as it lists them: a, b and c; of many the first, and how many others there are."""
    shown_texts = list(texts[:MOST])
    if len(texts) > MOST:
        shown_texts.append((counted(len(texts) - MOST, "other"),))
    found: list[str | Part] = []
    for place, text in enumerate(shown_texts, 1):
        found += ["" if place == 1 else " and " if place == len(shown_texts) else ", ", *text]
    return tuple(part for part in found if part)


def units(pair: GroupChange) -> Unit:
    """The one unit for all that is said of a group."""
    return unit_of(entry.figure for standing in (pair.before, pair.after) for entry in standing.leaders)


def first(standing: Standing, unit: Unit, *, now: bool = True) -> Text:
    """Who has the first rank, and at what figure, now or before."""
    leader = standing.leader
    at = shown(leader.figure, unit)
    match outcome(standing, leader):
        case Outcome.ALONE:
            return (name(leader.run), " is" if now else " was", " the only one with a rank, at ", at)
        case Outcome.TIES:
            tied = [(name(entry.run), " at ", shown(entry.figure, unit)) for entry in standing.leaders]
            return (*joined(tied), " tie for first" if now else " tied for first")
        case Outcome.PROBABLE:
            has = " has the best figure, " if now else " had the best figure, "
            return (name(leader.run), has, at, ", without enough data to be sure")
        case _:
            return (name(leader.run), " leads at " if now else " led at ", at)


def times(found: Ratio) -> Text:
    """A ratio in words: "1.08× slower (1.05–1.10)"."""
    cell = ratio_cell(found)
    if cell is None:
        return ()
    least = "less than 1.001×" if cell.multiple == "1.000×" else cell.multiple
    return (Part(f"{least} {cell.word}", "strong"), *([f" ({cell.range})"] if cell.range else []))


def between(entry: Entry, other: Entry) -> Text:
    """How two entries of a group compare."""
    found = ratio(entry.figure, other.figure)
    if found.verdict is Verdict.TIE:
        return ("The spreads of ", name(entry.run), " and ", name(other.run), " meet.")
    return (name(entry.run), " is now ", *times(found), " than ", name(other.run), ".")


def leader(pair: GroupChange) -> Text:
    """A change of leader: who leads now, who led before, how the two compare, and where the new one stood."""
    unit, lead, led = units(pair), pair.after.leader, pair.before.leader
    stood = pair.before.entry_of(lead.run.implementation_key)
    stands = pair.after.entry_of(led.run.implementation_key)
    where: Text = (" had no rank",) if stood is None else (" stood at ", shown(stood.figure, unit))
    after: Text = (name(led.run), " has no rank any more.") if stands is None else between(lead, stands)
    moved: Text = ()
    if stands is not None and stands.run.digest != led.run.digest:
        moved = (" ", name(led.run), " now stands at ", shown(stands.figure, unit), ".")
    past = first(pair.before, unit, now=False)
    return (*first(pair.after, unit), "; before, ", *past, ", and ", name(lead.run), *where, ". ", *after, *moved)


def tie_made(tie: TieChange) -> Text:
    """A tie that was none before, with the figures of its members now and before."""
    unit, entries = _unit_of_tie(tie), _entries(tie.group.after, tie.members)
    now = joined([(name(entry.run), " at ", shown(entry.figure, unit)) for entry in entries])
    return (*now, f" now tie for {_rank(entries)}; before, ", *_places(tie, unit, now=False), ".")


def tie_broken(tie: TieChange) -> Text:
    """A tie that is none any more, with the figures of its members before and now."""
    before, after = tie.group.before, tie.group.after
    unit, entries = _unit_of_tie(tie), _entries(before, tie.members)
    past = joined([(name(entry.run), " at ", shown(entry.figure, unit)) for entry in entries])
    left = _entries(after, tie.members)
    compared: Text = (" ", *between(left[0], left[1])) if len(left) == len(tie.members) == 2 else ()
    return (*past, f" tied for {_rank(entries)}; now, ", *_places(tie, unit, now=True), ".", *compared)


def _entries(standing: Standing, members: Iterable[str]) -> list[Entry]:
    """The entries of a tie's members that there are, in order of rank."""
    wanted = set(members)
    return [entry for entry in standing.entries if entry.run.implementation_key in wanted]


def _unit_of_tie(tie: TieChange) -> Unit:
    pair = tie.group
    return unit_of(entry.figure for side in (pair.before, pair.after) for entry in _entries(side, tie.members))


def _rank(entries: Sequence[Entry]) -> str:
    return "first" if entries[0].rank == 1 else f"rank {entries[0].rank}–{entries[0].last}"


def _places(tie: TieChange, unit: Unit, *, now: bool) -> Text:
    """Where each member of a tie stands now, or stood before."""
    pair = tie.group
    here, there = (pair.after, pair.before) if now else (pair.before, pair.after)
    has = "has" if now else "had"
    found: list[Text] = []
    for member in tie.members:
        entry = here.entry_of(member)
        known = entry or there.entry_of(member)
        if entry is not None:
            rank = words.ranks(entry.rank, entry.last)
            found.append((name(entry.run), f" {has} rank {rank} at ", shown(entry.figure, unit)))
        elif known is not None:
            found.append((name(known.run), f" {has} no rank"))
    return joined(found)


def moved(each: Moved) -> Text:
    """An implementation that became slower or faster, with both runs."""
    found: Text = (name(each.after.run), " is ", *times(each.ratio), ": ", *standing_run(each, now=True))
    older: Text = ()
    if each.after.run.observed_ms < each.before.run.observed_ms:
        older = (" The run that stood before is gone, and an older one stands again.",)
    return (*found, "; before, ", *standing_run(each, now=False), ".", *older)


def standing_run(each: Moved, *, now: bool) -> Text:
    """The run that stands for an implementation now, or stood before: its figure, release and day."""
    unit = unit_of((each.before.figure, each.after.figure))
    entry, other = (each.after, each.before) if now else (each.before, each.after)
    return (shown(entry.figure, unit), *version(entry.run, other.run))


def group(standing: Standing, *, now: bool) -> Text:
    """A group that came, or went: how many runs it has, and who has its first rank."""
    runs = counted(len(standing.group.runs) + len(standing.group.unranked), "run")
    unit = unit_of(entry.figure for entry in standing.leaders)
    return (f"{runs}; ", *first(standing, unit, now=now))


def run(each: Run) -> Text:
    """A run: its implementation, release, day, and its figure or why it has no rank."""
    found: Text = (name(each), *version(each))
    if each.unranked:
        # Reasons are words of our own, but for a unit that the record names.
        why = each.unranked if _PLAIN.fullmatch(each.unranked) else Part(each.unranked)
        return (*found, ", no rank because ", why, f" (run {short(each.digest)})")
    return (*found, ", ", shown(each.primary, unit_of((each.primary,))), f" (run {short(each.digest)})")


def altered(each: Altered) -> Text:
    """What differs in the record of a run, whose digest says that nothing that counts may."""
    places = [_difference(one) for one in each.differences]
    rest = [one for one in each.differences if not one.editorial]
    what = "only metadata differs" if not rest else "more than metadata differs"
    who: Text = (
        name(each.after),
        *version(each.after),
        f" (run {short(each.after.digest)}, ",
        Part(each.after.file),
        ")",
    )
    return (*who, f": the same digest with other content; {what}: ", *joined(places), ".")


def _difference(one: Difference) -> Text:
    place = Part(Problem(Severity.WARNING, "", "", one.pointer, "", "").place)
    was: Text = ("nothing",) if one.before is None else (Part(one.before, "name"),)
    now: Text = ("nothing",) if one.after is None else (Part(one.after, "name"),)
    return (place, " was ", *was, " and is ", *now)


def problem(each: Problem) -> Text:
    """A problem as its line says it: file, line, code, place, what is wrong and what to do."""
    where = each.file + (f":{each.line}" if each.line else "")
    named: Text = (Part(where), ": ") if where else ()
    place: Text = (Part(each.place), ": ") if each.pointer else ()
    return (
        *named,
        f"{each.severity}[{each.code}]: ",
        *place,
        Part(f"{each.message.rstrip('.')}. {each.hint}".rstrip()),
    )
