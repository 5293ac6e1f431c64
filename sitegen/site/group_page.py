"""A comparison group: who wins under this exact key, and how sure that is."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from sitegen import words
from sitegen.chart.compose import group_chart
from sitegen.judge import Entry, Outcome, Standing, outcome, overlap
from sitegen.load.model import Figure, Run
from sitegen.quantity import Unit
from sitegen.site import address
from sitegen.site.cell import (
    Fact,
    FigureCell,
    Part,
    RatioCell,
    Text,
    date,
    figure_cell,
    listed,
    places,
    ratio_cell,
    times,
    unit_of,
    with_spread,
)
from sitegen.site.document import short_digest, software_words
from sitegen.site.drawing import Drawing, draw
from sitegen.site.facts import group_facts
from sitegen.site.judged import Judged
from sitegen.site.shell import About, Book, Files, trail
from sitegen.site.unranked import UnrankedRow, unranked_row


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An implementation's place, or with `rank` "" an older run of it."""

    rank: str
    first: int
    tied: bool
    implementation: str
    implementation_href: str
    href: str
    figure: FigureCell
    to_leader: RatioCell | None
    to_baseline: RatioCell | None
    is_baseline: bool
    release: str
    when: str
    software: str


@dataclass(frozen=True, slots=True)
class GroupView:
    """A group's page.

    `failed_since` names what ranks here by an older run, since a newer one has no rank. `software` says in words what
    the runs were made with, where it does not differ between them.
    """

    title: str
    gpu: str
    trail: Markup
    parts: Text
    key: tuple[Fact, ...]
    statistic: str
    unit: str
    spread: str
    places: int
    entries: tuple[EntryRow, ...]
    baseline: str
    drawing: Drawing
    history: tuple[EntryRow, ...]
    unranked: tuple[UnrankedRow, ...]
    failed_since: Text
    scattered: Text
    software: str
    software_differs: bool
    notes: str


def group_page(book: Book, standing: Standing) -> Files:
    """A group's page and its JSON."""
    judged, group = book.judged, standing.group
    at = address.group(group)
    root = address.root(at)
    unit = unit_of(entry.figure for entry in standing.entries)
    software = _software(judged, (entry.run for entry in standing.entries))
    spreads = sorted({entry.figure.spread for entry in standing.entries} - {""})
    key = group.key
    parts = claim(standing)
    entries = tuple(_entry(entry, standing, unit, root, software) for entry in standing.entries)
    history = tuple(_older(run, unit, root) for entry in standing.entries for run in entry.history)
    view = GroupView(
        title=", ".join(each for each in (key.kernel, key.pass_name, group.workload.words) if each),
        gpu=key.gpu.name,
        trail=trail(book, key.source, key.kernel, root),
        parts=parts,
        key=_key_facts(judged, standing, root),
        statistic=words.quantity(key.metric, key.statistic),
        unit=unit.name,
        spread=", ".join(spreads) or "spread",
        places=places(row.figure for row in (*entries, *history)),
        entries=entries,
        baseline=standing.baseline.run.implementation if standing.baseline else "",
        drawing=draw(group_chart(standing, "runs", lambda run: root + address.run(run)), twin=False),
        history=history,
        unranked=tuple(unranked_row(judged, run, at) for run in group.unranked),
        failed_since=_failed_since(standing),
        scattered=_scattered(standing),
        software=next(iter(software.values())),
        software_differs=len(set(software.values())) > 1,
        notes=judged.catalogue.loaded.protocols[key.protocol].spec.comparability.notes,
    )
    description = f"{plain(parts)} {key.kernel}, {words.pass_word(key.pass_name)}, {key.gpu.name}."
    return book.page(at, "group.html", view, group_facts(standing), About("kernels", view.title, description))


def plain(text: Text) -> str:
    """A sentence without its marks."""
    return "".join(part if isinstance(part, str) else part.text for part in text)


def claim(standing: Standing) -> Text:
    """Who wins, with the figure and its spread, by how much over the next, and how sure that is."""
    leader = standing.leader
    name, figure = Part(leader.run.implementation, "name"), Part(with_spread(leader.figure), "strong")
    match outcome(standing, leader):
        case Outcome.ALONE:
            return (name, " was measured alone under this key, at ", figure, ": there is nothing to rank it against.")
        case Outcome.TIES:
            names = listed([entry.run.implementation for entry in standing.leaders])
            if all(entry.figure.value == leader.figure.value for entry in standing.leaders):
                return ("A tie for first: ", *names, " have the same figure, ", figure, ".")
            return ("A tie for first: the spreads of ", *names, " overlap. The best figure is ", figure, ".")
        case Outcome.PROBABLE:
            return (name, " has the best figure, ", figure, *_margin(standing), "; not enough data to be sure of it.")
        case _:
            return (name, " leads, at ", figure, *_margin(standing), ".")


def _margin(standing: Standing) -> Text:
    second = standing.entries[1]
    if second.to_leader is None:
        return ()
    name = Part(second.run.implementation, "name")
    found: Text = (", ", Part(f"{times(second.to_leader.multiple)} faster", "strong"), " than ", name)
    baseline = standing.baseline
    if baseline and baseline is not second and standing.leader.to_baseline:
        over = f"{times(standing.leader.to_baseline.multiple)} faster"
        found = (
            *found,
            " and ",
            Part(over, "strong"),
            " than the baseline ",
            Part(baseline.run.implementation, "name"),
        )
    return found


def _failed_since(standing: Standing) -> Text:
    """The implementations that rank by an older run, since a newer one failed; empty where there is none."""
    ranked = {entry.run.implementation_key: entry.run for entry in standing.entries}
    since = {
        run.implementation
        for run in standing.group.unranked
        if run.implementation_key in ranked and run.observed_ms > ranked[run.implementation_key].observed_ms
    }
    if not since:
        return ()
    return (*listed(sorted(since)), ": a newer run under this key has no rank. The place here is that of an older run.")


def _scattered(standing: Standing) -> Text:
    """The implementations of which two runs of one release lie apart by more than their spreads; empty without any.

    A spread is within one run: where runs scatter more than that, a lead that is smaller than the scatter is not sure.
    """
    names = [
        entry.run.implementation
        for entry in standing.entries
        if any(
            run.release == entry.run.release and not overlap(run.primary, entry.figure)
            for run in entry.history
            if run.primary.low is not None and entry.figure.low is not None
        )
    ]
    if not names:
        return ()
    return (
        *listed(names),
        ": runs of the same release differ by more than their spreads, which are within one run. ",
        "A lead that is smaller than that difference is not sure.",
    )


def _key_facts(judged: Judged, standing: Standing, root: str) -> tuple[Fact, ...]:
    key = standing.group.key
    workload = standing.group.workload
    protocol = judged.catalogue.loaded.protocols[key.protocol]
    return (
        Fact(
            "Kernel",
            key.kernel,
            root + address.kernel(key.source, key.kernel),
            code=True,
            note=judged.source_name(key.source),
        ),
        Fact("Workload", workload.words),
        Fact("Pass", words.pass_words(key.pass_name) if key.pass_name else "not stated", note=protocol.metadata.shown),
        Fact("GPU", key.gpu.name, root + address.gpu(key.gpu)),
        Fact("Ranked by", words.quantity(key.metric, key.statistic), note="lower is better"),
        Fact("Workload digest", short_digest(key.workload), clip=key.workload, code=True),
    )


def _software(judged: Judged, runs: Iterable[Run]) -> dict[str, str]:
    environments = judged.catalogue.loaded.environments
    return {run.digest: software_words(environments[run.environment]) for run in runs}


def _entry(entry: Entry, standing: Standing, unit: Unit, root: str, software: dict[str, str]) -> EntryRow:
    return EntryRow(
        rank=str(entry.rank) if not entry.tied else f"{entry.rank}–{entry.last}",
        first=entry.rank,
        tied=entry.tied,
        **_common(entry.run, entry.figure, unit, root),
        to_leader=ratio_cell(entry.to_leader),
        to_baseline=ratio_cell(entry.to_baseline),
        is_baseline=entry is standing.baseline,
        software=software[entry.run.digest],
    )


def _older(run: Run, unit: Unit, root: str) -> EntryRow:
    return EntryRow(
        rank="",
        first=0,
        tied=False,
        **_common(run, run.primary, unit, root),
        to_leader=None,
        to_baseline=None,
        is_baseline=False,
        software="",
    )


def _common(run: Run, figure: Figure, unit: Unit, root: str) -> dict[str, Any]:
    return {
        "implementation": run.implementation,
        "implementation_href": root + address.implementation(run.source, run.implementation_key),
        "href": root + address.run(run),
        "figure": figure_cell(figure, unit),
        "release": run.release,
        "when": date(run.observed_ms),
    }
