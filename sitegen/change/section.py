"""A difference as its reader meets it: sections in order of weight, alarms first."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from sitegen.change import sentence
from sitegen.change.model import Change, DocumentChange, Moved
from sitegen.change.naming import Place, Places
from sitegen.judge import ratio
from sitegen.load import Run
from sitegen.problem import Problem, Severity
from sitegen.quantity import counted
from sitegen.site.cell import Part, RatioCell, Text, ratio_cell, short


@dataclass(frozen=True, slots=True)
class Item:
    """One claim. `says` follows the key of `place`; `before` and `now` are what a table shows in its two columns."""

    says: Text
    place: Place | None = None
    before: Text = ()
    now: Text = ()
    ratio: RatioCell | None = None

    @property
    def text(self) -> Text:
        """The whole sentence, with its key."""
        return (*self.place.text, *self.says) if self.place else self.says


@dataclass(frozen=True, slots=True)
class Section:
    """Claims of one sort. `alarm` is for what must not be overlooked, `note` says what they mean ("" for none).

    `things` are what the claims are of, "run" or "group": where it is given, a long list is told by kernel and GPU.
    """

    id: str
    title: str
    note: str
    items: tuple[Item, ...]
    alarm: bool = False
    things: str = ""

    def brief(self, most: int) -> tuple[tuple[Text, ...], int]:
        """At most so many sentences that stand for the claims, and how many claims they leave out."""
        if len(self.items) <= most or not self.things:
            return tuple(item.text for item in self.items[:most]), max(len(self.items) - most, 0)
        counts = Counter((item.place.gpu, item.place.kernel) for item in self.items if item.place)
        shown = list(counts.items())[:most]
        texts = tuple(
            ("On ", Part(gpu), ", ", Part(kernel, "name"), f": {counted(count, self.things)}.")
            for (gpu, kernel), count in shown
        )
        return texts, len(self.items) - sum(count for _, count in shown)

    @property
    def has_before(self) -> bool:
        """Whether a table of the claims needs the column for what was before."""
        return any(item.before for item in self.items)

    @property
    def has_now(self) -> bool:
        """Whether it needs the one for what is now."""
        return any(item.now for item in self.items)

    @property
    def has_ratio(self) -> bool:
        """Whether it needs the one for how the two compare."""
        return any(item.ratio for item in self.items)


def headline(change: Change) -> tuple[Text, ...]:
    """What is compared, and how many runs and groups came and went; of two sides that are the same, one line."""
    old, new = change.before.catalogue, change.after.catalogue
    before, after = Part(change.before.name, "name"), Part(change.after.name, "name")
    if change.empty:
        held = f"{counted(len(new.loaded.runs), 'run')} in {counted(len(new.groups), 'comparison group')}"
        return (("No difference between ", before, " and ", after, f": {held}."),)
    runs = f"{len(old.loaded.runs):,} before and {len(new.loaded.runs):,} now"
    groups = f"{len(old.groups):,} before and {len(new.groups):,} now"
    changed = f"{len(change.added):,} added, {len(change.removed):,} removed, {len(change.altered):,} altered"
    return (
        ("From ", before, " to ", after, "."),
        (f"Runs: {runs}; {changed}.",),
        (f"Comparison groups: {groups}; {len(change.groups_new):,} new, {len(change.groups_gone):,} gone.",),
        (f"In groups that are on both sides: {tallied(change)}.",),
        *_left_out(change),
    )


def _left_out(change: Change) -> Iterable[Text]:
    if change.errors:
        yield (f"The new side has {counted(change.errors, 'error')}; what these files hold takes no part in this.",)


def tallied(change: Change) -> str:
    """What moved in groups that are on both sides, counted."""
    found = (
        (len(change.leaders), "change of leader", "changes of leader"),
        (len(change.slower), "regression", "regressions"),
        (len(change.ties_made), "tie made", "ties made"),
        (len(change.ties_broken), "tie broken", "ties broken"),
        (len(change.faster), "improvement", "improvements"),
        (len(change.unsure), "move without enough data to be sure", "moves without enough data to be sure"),
    )
    said = ", ".join(counted(*each) for each in found if each[0])
    return said or "no change of leader, no tie made or broken, nothing slower or faster beyond the spread"


def sections(change: Change) -> tuple[Section, ...]:
    """The sections that hold anything: alarms, changes of leader, regressions, then the rest."""
    places = Places((change.before.catalogue, change.after.catalogue))
    found = (
        *_alarms(change, places),
        *_verdicts(change, places),
        *_contents(change, places),
        *_notes(change),
    )
    return tuple(section for section in found if section.items)


def _alarms(change: Change, places: Places) -> Iterable[Section]:
    note = "The digest of a run covers its apiVersion, kind and spec, so metadata alone may be corrected under it."
    altered = tuple(
        Item(text := sentence.altered(each), places.of_run(each.after), now=text) for each in change.altered
    )
    yield Section("altered", "Altered runs", note, altered, alarm=True)
    errors = [problem for problem in change.problems_came if problem.severity is Severity.ERROR]
    note = "The records in these files are left out of all that is said here."
    yield Section("errors", "New errors in the records", note, _problems(errors), alarm=True)


def _verdicts(change: Change, places: Places) -> Iterable[Section]:
    leaders = []
    for pair in change.leaders:
        unit = sentence.units(pair)
        stands = pair.after.entry_of(pair.before.leader.run.implementation_key)
        leaders.append(
            Item(
                sentence.leader(pair),
                places.of_group(pair.after.group),
                sentence.first(pair.before, unit, now=False),
                sentence.first(pair.after, unit),
                ratio_cell(ratio(pair.after.leader.figure, stands.figure)) if stands else None,
            )
        )
    yield Section(
        "leaders", "Changes of leader", "The new leader is compared with the old one as it is now.", tuple(leaders)
    )
    note = "The newest run of an implementation against the one that stood before it, where their spreads do not meet."
    yield _moved("slower", "Regressions: slower beyond the spread", note, change.slower, places)
    for id_, title, ties, says in (
        ("ties-made", "Ties made", change.ties_made, sentence.tie_made),
        ("ties-broken", "Ties broken", change.ties_broken, sentence.tie_broken),
    ):
        rows = tuple(Item(text := says(tie), places.of_group(tie.group.after.group), now=text) for tie in ties)
        yield Section(id_, title, "", rows)
    yield _moved("faster", "Improvements: faster beyond the spread", note, change.faster, places)
    note = "The figures differ, and a spread is not known: neither a regression nor an improvement is shown."
    yield _moved("unsure", "Moved, without enough data to be sure", note, change.unsure, places)


def _moved(id_: str, title: str, note: str, moved: Iterable[Moved], places: Places) -> Section:
    def row(each: Moved) -> Item:
        after = (sentence.name(each.after.run), " ", *sentence.standing_run(each, now=True))
        before = sentence.standing_run(each, now=False)
        return Item(
            sentence.moved(each), places.of_group(each.group.after.group), before, after, ratio_cell(each.ratio)
        )

    return Section(id_, title, note, tuple(row(each) for each in moved))


def _contents(change: Change, places: Places) -> Iterable[Section]:
    for id_, title, standings, now in (
        ("groups-gone", "Comparison groups gone", change.groups_gone, False),
        ("groups-new", "New comparison groups", change.groups_new, True),
    ):
        rows = tuple(
            Item((*(text := sentence.group(each, now=now)), "."), places.of_group(each.group), now=text)
            for each in standings
        )
        yield Section(id_, title, "", rows, things="group")
    for id_, title, runs, ranked in (
        ("removed", "Runs removed", change.removed, True),
        ("removed-unranked", "Runs removed that had no rank", change.removed, False),
        ("added-unranked", "Runs added that have no rank", change.added, False),
        ("added", "Runs added", change.added, True),
    ):
        rows = tuple(_run(run, places) for run in runs if bool(run.unranked) is not ranked)
        yield Section(id_, title, "", rows, things="run")


def _run(run: Run, places: Places) -> Item:
    text = sentence.run(run)
    return Item((*text, "."), places.of_run(run), now=text)


def _notes(change: Change) -> Iterable[Section]:
    warnings = [problem for problem in change.problems_came if problem.severity is not Severity.ERROR]
    yield Section("warnings", "New warnings in the records", "", _problems(warnings))
    yield Section("problems-gone", "Problems that are gone", "", _problems(change.problems_gone))
    yield Section("documents", "Documents that runs point at", "", tuple(_document(each) for each in change.documents))


def _problems(problems: Iterable[Problem]) -> tuple[Item, ...]:
    return tuple(Item(sentence.problem(problem)) for problem in problems)


def _document(each: DocumentChange) -> Item:
    return Item((f"{each.kind} {short(each.digest)} ", Part(each.title, "name"), f": {each.what}."))
