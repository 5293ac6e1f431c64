"""The implementations, and where each of them leads, ties and trails."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sitegen import words
from sitegen.catalogue import Implementation
from sitegen.judge import Entry, Outcome, Standing, Tally, outcome, tally, tally_of
from sitegen.load.model import Run
from sitegen.quantity import counted, multiples
from sitegen.site import address
from sitegen.site.cell import FigureCell, Part, Text, date, figure_cell, newest, times, unit_of
from sitegen.site.document import RevisionView, revision_view
from sitegen.site.facts import Facts
from sitegen.site.judged import Judged
from sitegen.site.shell import About, Book, Files
from sitegen.site.unranked import UnrankedRow, unranked_row


@dataclass(frozen=True, slots=True)
class TallyRow:
    """How often an implementation leads, ties and trails; `label` and `detail` say what is counted.

    `worst` is how many times the leader's figure its own is, where it trails most; "" where it trails in no group.
    """

    label: str
    href: str
    detail: str
    groups: int
    leads: int
    probable: int
    ties: int
    trails: int
    alone: int
    speedups: str
    speedups_sort: float
    baseline: str
    newest: str
    worst: str = ""
    worst_sort: float = 0.0
    worst_href: str = ""


@dataclass(frozen=True, slots=True)
class ImplementationsView:
    """The list of implementations."""

    rows: tuple[TallyRow, ...]


@dataclass(frozen=True, slots=True)
class ReleaseRow:
    """The runs of one release: how many, on how many keys, from when to when."""

    release: str
    runs: int
    kernels: int
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """The implementation's place in one group."""

    kernel: str
    kernel_href: str
    gpu: str
    pass_name: str
    workload: str
    href: str
    outcome: str
    kind: str
    rank: str
    rank_sort: int
    figure: FigureCell
    unit: str


@dataclass(frozen=True, slots=True)
class ImplementationView:
    """One implementation's page."""

    name: str
    source: str
    parts: Text
    by_kernel: tuple[TallyRow, ...]
    by_gpu: tuple[TallyRow, ...]
    releases: tuple[ReleaseRow, ...]
    revisions: tuple[RevisionView, ...]
    revisions_left: int
    places: tuple[PlaceRow, ...]
    places_left: int
    unranked: tuple[UnrankedRow, ...]


MOST_REVISIONS = 3
MOST_PLACES = 1000
"""How many rows a list may have; whoever wants more than this wants the data."""

_KIND = {
    Outcome.LEADS: "faster",
    Outcome.PROBABLE: "unknown",
    Outcome.TIES: "tie",
    Outcome.TRAILS: "slower",
    Outcome.ALONE: "reference",
}


def implementations_page(book: Book) -> Files:
    """The list of implementations and its JSON."""
    judged = book.judged
    at = address.IMPLEMENTATIONS
    root = address.root(at)
    tallies = {(each.source, each.implementation_key): each for each in tally(judged.standings.values())}
    rows, facts = [], []
    for (source, key), implementation in judged.catalogue.implementations.items():
        page = address.implementation(source, key)
        each = tallies.get((source, key)) or _nothing(implementation)
        rows.append(_row(implementation.name, root + page, judged.source_name(source), each, implementation.runs))
        facts.append({"source": source, "implementation": implementation.name, "page": page, **_counts(each)})
    description = f"The {counted(len(rows), 'implementation')} that were measured, and how often each leads."
    # The list reads from who leads most; the data keeps the catalogue's order.
    view = ImplementationsView(tuple(sorted(rows, key=lambda row: (-row.leads - row.probable, -row.ties, -row.groups))))
    return book.page(
        at,
        "implementations.html",
        view,
        {"implementations": facts},
        About("implementations", "Implementations", description),
    )


def _nothing(implementation: Implementation) -> Tally:
    return Tally(implementation.name, implementation.key, implementation.source, 0, 0, 0, 0, 0, 0, (), (), "")


def _counts(each: Tally) -> Facts:
    return {
        "groups": each.groups,
        "leads": each.leads,
        "leadsWithoutKnownSpread": each.probable,
        "ties": each.ties,
        "trails": each.trails,
        "alone": each.alone,
    }


def _row(label: str, href: str, detail: str, each: Tally, runs: Iterable[Run]) -> TallyRow:
    return TallyRow(
        label=label,
        href=href,
        detail=detail,
        groups=each.groups,
        leads=each.leads,
        probable=each.probable,
        ties=each.ties,
        trails=each.trails,
        alone=each.alone,
        speedups=multiples(each.speedups) if each.speedups else "",
        speedups_sort=max(each.speedups, default=0.0),
        baseline=each.baseline,
        newest=newest(tuple(runs)),
    )


def implementation_page(book: Book, implementation: Implementation) -> Files:
    """One implementation's page and its JSON."""
    judged = book.judged
    at = address.implementation(implementation.source, implementation.key)
    standings = _standings(judged, implementation)
    own = tally_of(standings, implementation.key)
    documented = judged.catalogue.loaded.implementations
    revisions = [revision_view(judged, digest) for digest in _digests(implementation) if digest in documented]
    view = ImplementationView(
        name=implementation.name,
        source=judged.source_name(implementation.source),
        parts=_summary(implementation, own),
        by_kernel=_split(standings, implementation, at, by="kernel"),
        by_gpu=_split(standings, implementation, at, by="gpu"),
        releases=_releases(implementation.runs),
        revisions=tuple(revisions[:MOST_REVISIONS]),
        revisions_left=max(len(revisions) - MOST_REVISIONS, 0),
        places=tuple(
            _place(standing, entry, at)
            for standing in standings[:MOST_PLACES]
            if (entry := standing.entry_of(implementation.key))
        ),
        places_left=max(len(standings) - MOST_PLACES, 0),
        unranked=tuple(unranked_row(judged, run, at) for run in implementation.runs if run.unranked),
    )
    facts = {
        "source": implementation.source,
        "implementation": implementation.name,
        "page": at,
        **_counts(own or _nothing(implementation)),
        "groups": [standing.group.id for standing in standings],
        "runs": [run.digest for run in implementation.runs],
    }
    description = f"Where {implementation.name} leads, ties and trails, by kernel and GPU."
    return book.page(at, "implementation.html", view, facts, About("implementations", implementation.name, description))


def _digests(implementation: Implementation) -> list[str]:
    return sorted({run.implementation_digest for run in implementation.runs})


def _standings(judged: Judged, implementation: Implementation) -> list[Standing]:
    """The groups that an implementation is ranked in, in the catalogue's order of its runs' groups."""
    group_of = judged.catalogue.group_of
    ids = {group_of[run.digest].id: group_of[run.digest] for run in implementation.runs if run.digest in group_of}
    standings = [judged.standings[group.id] for group in ids.values()]
    ranked = [standing for standing in standings if standing.entry_of(implementation.key)]
    return sorted(ranked, key=lambda standing: judged.position(standing.group))


def _summary(implementation: Implementation, each: Tally | None) -> Text:
    name = Part(implementation.name, "name")
    if not each:
        return (name, f" has {counted(len(implementation.runs), 'run')}, none of which can be ranked.")
    if not each.compared:
        return (name, f" was measured in {counted(each.groups, 'group')}, alone in each: nothing to rank it against.")
    parts: list[str | Part] = [name, " leads ", Part(f"{each.leads:,} of {each.compared:,}", "strong"), " comparisons"]
    if each.probable:
        parts.append(f", has the best figure without a known spread in {each.probable:,}")
    parts.append(f", ties for first in {each.ties:,} and trails in {each.trails:,}")
    if each.speedups and each.baseline:
        parts += ["; where it leads it is ", Part(f"{multiples(each.speedups)} faster", "strong"), " than "]
        parts.append(Part(each.baseline, "name"))
    return (*parts, ".")


def _split(standings: Sequence[Standing], implementation: Implementation, at: str, by: str) -> tuple[TallyRow, ...]:
    """The tallies of an implementation for each kernel, or for each GPU."""
    root = address.root(at)
    parts: dict[tuple[str, str], list[Standing]] = {}
    for standing in standings:
        key = standing.group.key
        if by == "kernel":
            label = (key.kernel, address.kernel(key.source, key.kernel))
        else:
            label = (key.gpu.name, address.gpu(key.gpu))
        parts.setdefault(label, []).append(standing)
    rows = []
    for (label_text, href), listed in parts.items():
        own = tally_of(listed, implementation.key) or _nothing(implementation)
        runs = [entry.run for standing in listed if (entry := standing.entry_of(implementation.key))]
        row = _row(label_text, root + href, "", own, runs)
        behind = [
            (entry.to_leader.multiple, standing)
            for standing in listed
            if (entry := standing.entry_of(implementation.key)) and entry.to_leader and entry.rank > 1
        ]
        if behind:
            worst, where = max(behind, key=lambda each: each[0])
            row = replace(
                row, worst=f"{times(worst)} slower", worst_sort=worst, worst_href=root + address.group(where.group)
            )
        rows.append(row)
    return tuple(rows)


def _releases(runs: Sequence[Run]) -> tuple[ReleaseRow, ...]:
    """The releases of an implementation's runs, in order of their first run."""
    of: dict[str, list[Run]] = {}
    for run in runs:
        if run.release:
            of.setdefault(run.release, []).append(run)
    return tuple(
        ReleaseRow(
            release=release,
            runs=len(listed),
            kernels=len({run.kernel for run in listed}),
            first=date(listed[0].observed_ms),
            last=date(listed[-1].observed_ms),
        )
        for release, listed in of.items()
    )


def _place(standing: Standing, entry: Entry, at: str) -> PlaceRow:
    root = address.root(at)
    key = standing.group.key
    what = outcome(standing, entry)
    unit = unit_of([entry.figure])
    return PlaceRow(
        kernel=key.kernel,
        kernel_href=root + address.kernel(key.source, key.kernel),
        gpu=key.gpu.name,
        pass_name=words.pass_word(key.pass_name),
        workload=standing.group.workload.words,
        href=root + address.group(standing.group),
        outcome=what.value,
        kind=_KIND[what],
        rank=f"{words.ranks(entry.rank, entry.last)} of {len(standing.entries)}",
        rank_sort=entry.rank,
        figure=figure_cell(entry.figure, unit),
        unit=unit.name,
    )
