"""What stands in a cell: a number with its doubt, a ratio with its direction, a sentence. All words are chosen."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from sitegen import words
from sitegen.chart.compose import in_ns
from sitegen.judge import Outcome, Ratio, Standing, Tally, Verdict, outcome, tally
from sitegen.load.model import Figure, Run
from sitegen.quantity import Unit, counted, multiple, multiples, significant, unit_at, unit_for


@dataclass(frozen=True, slots=True)
class Part:
    """Part of a sentence: `mark` is "name" for a name from the data, "strong" for what it comes to, "" for neither."""

    text: str
    mark: str = ""
    href: str = ""


Text = tuple[str | Part, ...]
"""A sentence in parts, plain or marked."""


@dataclass(frozen=True, slots=True)
class Link:
    """Words that lead somewhere: `href` is relative to the page, or a URL that `web` let through; "" for no link."""

    text: str
    href: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """A line of a list of facts. `clip` is what a button copies, "" for no button; `code` sets it as an identifier."""

    term: str
    text: str
    href: str = ""
    clip: str = ""
    code: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class FigureCell:
    """A value and its spread in their table's unit; `spread` is words where it is not known. `sort` is nanoseconds."""

    value: str
    spread: str
    sort: str


@dataclass(frozen=True, slots=True)
class RatioCell:
    """A ratio in words: "1.62×" and "faster", its range "1.58–1.66" ("" where not known). `kind` picks the look."""

    kind: str
    multiple: str
    word: str
    range: str
    sort: str


_KIND = {Verdict.FASTER: "faster", Verdict.SLOWER: "slower", Verdict.TIE: "tie", Verdict.UNSURE: "unknown"}


def figure_cell(figure: Figure, unit: Unit) -> FigureCell:
    """A figure in its table's unit."""
    value, low, high = in_ns(figure)
    spread = words.SPREAD_UNKNOWN if low is None or high is None else unit.between(low, high)
    return FigureCell(unit.show(value), spread, f"{value:.6g}")


def times(ratio: float) -> str:
    """A ratio as a multiple, with a third decimal where two would say 1.00× of figures that differ: 1.002×."""
    return f"{ratio:.3f}×" if 0.995 <= ratio < 1.005 and ratio != 1 else multiple(ratio)


def _times_between(low: float, high: float) -> str:
    """The ends of a ratio's range; with a decimal more where they would show alike: 1.380–1.384."""
    ends = (times(low)[:-1], times(high)[:-1])
    if ends[0] == ends[1] and low != high:
        ends = (significant(low, 4), significant(high, 4))
    return f"{ends[0]}–{ends[1]}"


def places(cells: Iterable[FigureCell]) -> int:
    """The most decimals among the values of a column, by which their points are lined up."""
    return max((len(cell.value.partition(".")[2]) for cell in cells), default=0)


def ratio_cell(ratio: Ratio | None) -> RatioCell | None:
    """A ratio with its direction, range and verdict; None for none."""
    if ratio is None:
        return None
    word, shown = "faster" if ratio.value > 1 else "slower", times(ratio.multiple)
    if ratio.verdict is Verdict.TIE:
        word, shown = words.TIE, multiple(ratio.multiple)
    elif ratio.verdict is Verdict.UNSURE:
        word = f"{word} ({Verdict.UNSURE})"
    ends = ratio.range
    between = _times_between(*ends) if ends else ""
    return RatioCell(_KIND[ratio.verdict], shown, word, between, f"{ratio.value:.6g}")


def unit_of(figures: Iterable[Figure]) -> Unit:
    """The one unit for a table of `figures`."""
    return unit_for(in_ns(figure)[0] for figure in figures)


def with_spread(figure: Figure) -> str:
    """A figure on its own, in its own unit, with its spread: "532 µs (p20–p80 529–535)"."""
    value, low, high = in_ns(figure)
    unit = unit_at(value)
    doubt = words.SPREAD_UNKNOWN if low is None or high is None else unit.between(low, high)
    return f"{unit.show(value)} {unit.name} ({f'{figure.spread} {doubt}' if figure.spread else doubt})"


def date(observed_ms: int) -> str:
    """A time as its day in UTC: 2026-02-28."""
    return moment(observed_ms)[:10]


@lru_cache(maxsize=8192)
def moment(observed_ms: int) -> str:
    """A time in ISO 8601, UTC, to the second: 2026-02-28T00:23:28Z."""
    return datetime.fromtimestamp(observed_ms // 1000, UTC).isoformat()[:19] + "Z"


def short(digest: str) -> str:
    """The first 12 hexadecimal digits of a digest, as a reader names it."""
    return digest.removeprefix("sha256:")[:12]


def web(url: str) -> str:
    """`url` when it may become a link, so is http or https; else ""."""
    return url if url.startswith(("https://", "http://")) else ""


def answer(standings: Sequence[Standing]) -> Text:
    """The answer line of some groups: who leads in how many of them, by how much, and how sure that is.

    The key that they share stands beside the sentence.
    """
    compared = [standing for standing in standings if len(standing.entries) > 1]
    tallies = tally(standings)
    if not compared:
        return (*listed([each.implementation for each in tallies]), ": measured alone, so there is nothing to rank.")
    claims = [_claim(each, compared) for each in tallies if each.leads or each.probable]
    ties = sum(outcome(standing, standing.leader) is Outcome.TIES for standing in compared)
    if not claims:
        tied = [each for each in tallies if each.ties]
        names = listed([each.implementation for each in tied])
        if all(each.ties == ties for each in tied):
            return (*names, " tie for first on ", _share(ties, len(compared)), ".")
        return ("Ties for first, of ", *names, ", on ", _share(ties, len(compared)), ".")
    parts: list[str | Part] = []
    for place, each in enumerate(claims[:MOST_CLAIMS]):
        parts += ["; " if place else "", *each]
    if len(claims) > MOST_CLAIMS:
        parts.append(f"; {counted(len(claims) - MOST_CLAIMS, 'other leads', 'others lead')} on the rest")
    if ties:
        parts.append(f"; {counted(ties, 'tie')} for first")
    return tuple(part for part in (*parts, ".") if part)


MOST_CLAIMS = 3


def listed(names: Sequence[str]) -> Text:
    """Names as a sentence lists them: "a", "a and b", "a, b, c and 2 others"."""
    shown: list[str | Part] = [Part(name, "name") for name in names[:MOST_CLAIMS]]
    if len(names) > MOST_CLAIMS:
        shown.append(counted(len(names) - MOST_CLAIMS, "other"))
    parts: list[str | Part] = []
    for place, each in enumerate(shown, 1):
        parts += ["" if place == 1 else " and " if place == len(shown) else ", ", each]
    return tuple(parts[1:])


def _claim(each: Tally, compared: Sequence[Standing]) -> Text:
    """What one implementation leads: surely, and by its figures alone."""
    name, total = Part(each.implementation, "name"), len(compared)
    if not each.leads:
        share, ahead = _share(each.probable, total), _ahead(each, compared, Outcome.PROBABLE, "strong")
        return (name, " has the best figure on ", share, *ahead, UNSURE)
    sure: Text = (name, " leads on ", _share(each.leads, total), *_ahead(each, compared, Outcome.LEADS, "strong"))
    if not each.probable:
        return sure
    more = f", and has the best figure on {each.probable} more"
    return (*sure, more, *_ahead(each, compared, Outcome.PROBABLE), UNSURE)


UNSURE = f" ({Verdict.UNSURE}: {words.SPREAD_UNKNOWN})"


def _ahead(each: Tally, compared: Sequence[Standing], what: Outcome, mark: str = "") -> Text:
    """How much faster than the baseline, and than the next where that is another."""
    ratios, total = (each.speedups, each.leads) if what is Outcome.LEADS else (each.probable_speedups, each.probable)
    won = [
        standing
        for standing in compared
        if standing.leader.run.implementation_key == each.implementation_key
        and outcome(standing, standing.leader) is what
    ]
    parts: Text = ()
    if ratios and each.baseline:
        where = (f" on {len(ratios):,} of them",) if len(ratios) < total else ()
        parts = (", ", Part(f"{_span(ratios)} faster", mark), " than ", Part(each.baseline, "name"), *where)
        if where or all(standing.entries[1] is standing.baseline for standing in won):
            return parts
    names = {standing.entries[1].run.implementation for standing in won}
    margins = [second.to_leader.multiple for standing in won if (second := standing.entries[1]).to_leader]
    over = Part(names.pop(), "name") if len(names) == 1 else "the next"
    joint = " and " if parts else ", "
    return (*parts, joint, Part(f"{_span(margins)} faster", mark), " than ", over) if margins else parts


def _share(count: int, total: int) -> Part:
    if total == 1:
        return Part("the one workload", "strong")
    if count == total:
        return Part("both workloads" if total == 2 else f"all {total:,} workloads", "strong")
    return Part(f"{count:,} of {total:,} workloads", "strong")


def _span(ratios: Sequence[float]) -> str:
    """Ratios of leads as a range, with a third decimal where two would say 1.00× of a lead."""
    low, high = min(ratios), max(ratios)
    if low >= 1.005:
        return multiples(ratios)
    ends = (times(low), times(high) if high < 1.005 else multiples([high]))
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def leaders_text(standing: Standing) -> str:
    """The names that share the first rank."""
    return ", ".join(entry.run.implementation for entry in standing.leaders)


def newest(runs: Iterable[Run]) -> str:
    """The day of the newest of `runs`, "" for none."""
    return date(max((run.observed_ms for run in runs), default=0)) if runs else ""
