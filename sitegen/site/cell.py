"""What stands in a cell: a number with its doubt, a ratio with its direction, a link, a sentence. All words chosen."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sitegen import words
from sitegen.chart.compose import in_ns
from sitegen.judge import Ratio, Standing, Tally, Verdict
from sitegen.load.model import Figure, Run
from sitegen.quantity import Unit, counted, multiple, multiples, unit_for


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
    """Words that lead somewhere: `href` is relative to the page, or an address that `web` let through; "" for no link."""

    text: str
    href: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of a list of facts. `clip` is what a button copies, "" for no button; `code` sets it as an identifier."""

    term: str
    text: str
    href: str = ""
    clip: str = ""
    code: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class FigureCell:
    """A value and its spread in the unit of its table; `spread` is words where it is not known. `sort` is nanoseconds."""

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
    spread = words.SPREAD_UNKNOWN if low is None or high is None else f"{unit.show(low)}–{unit.show(high)}"
    return FigureCell(unit.show(value), spread, f"{value:.6g}")


def ratio_cell(ratio: Ratio | None) -> RatioCell | None:
    """A ratio with its direction, range and verdict; None for none."""
    if ratio is None:
        return None
    word = "faster" if ratio.value > 1 else "slower"
    if ratio.verdict is Verdict.TIE:
        word = words.TIE
    elif ratio.verdict is Verdict.UNSURE:
        word = f"{word} ({Verdict.UNSURE})"
    ends = ratio.range
    shown = f"{multiple(ends[0])[:-1]}–{multiple(ends[1])[:-1]}" if ends else ""
    return RatioCell(_KIND[ratio.verdict], multiple(ratio.multiple), word, shown, f"{ratio.value:.6g}")


def unit_of(figures: Iterable[Figure]) -> Unit:
    """The one unit for a table of `figures`."""
    return unit_for(in_ns(figure)[0] for figure in figures)


def with_spread(figure: Figure) -> str:
    """A figure on its own, in its own unit, with its spread: "532 µs (p20–p80 529–535)"."""
    unit = unit_of([figure])
    cell = figure_cell(figure, unit)
    doubt = f"{figure.spread} {cell.spread}" if figure.spread else cell.spread
    return f"{cell.value} {unit.name} ({doubt})"


def date(observed_ms: int) -> str:
    """A time as its day in UTC: 2026-02-28."""
    return datetime.fromtimestamp(observed_ms / 1000, UTC).strftime("%Y-%m-%d")


def moment(observed_ms: int) -> str:
    """A time in ISO 8601, UTC, to the second: 2026-02-28T00:23:28Z."""
    return datetime.fromtimestamp(observed_ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def short(digest: str) -> str:
    """The first 12 hexadecimal digits of a digest, as a reader names it."""
    return digest.removeprefix("sha256:")[:12]


def web(url: str) -> str:
    """`url` when it may become a link, so is http or https; else ""."""
    return url if url.startswith(("https://", "http://")) else ""


def answer(tallies: Sequence[Tally]) -> Text:
    """The answer line of some groups: who leads in how many of them, by how much, and how sure that is.

    `tallies` are of those groups, the most frequent leader first. The key stands beside the sentence.
    """
    compared = [each for each in tallies if each.compared]
    if not compared:
        names = [part for each in tallies[:3] for part in (", ", Part(each.implementation, "name"))][1:]
        more = f" and {counted(len(tallies) - 3, 'other')}" if len(tallies) > 3 else ""
        return (*names, f"{more}: measured alone, so there is nothing to rank.")
    total = max(each.compared for each in compared)
    parts = list(_claim(compared[0], total))
    for other in compared[1:3]:
        if other.leads or other.probable:
            parts += ["; ", *_claim(other, other.compared)]
    return (*parts, ".")


def _claim(each: Tally, total: int) -> Text:
    name = Part(each.implementation, "name")
    ties = f"; {counted(each.ties, 'tie')} for first" if each.ties else ""
    if each.leads:
        unsure = f", and by figures without a known spread on {each.probable}" if each.probable else ""
        return (name, " leads on ", _share(each.leads, total), *_speed(each), unsure + ties)
    if each.probable:
        share = _share(each.probable, total)
        return (name, " has the best figure on ", share, f", without known spreads to be sure of it{ties}")
    if each.ties:
        return (name, " ties for first on ", _share(each.ties, total))
    return (name, f" leads on none of {counted(total, 'workload')}")


def _share(count: int, total: int) -> Part:
    if total == 1:
        return Part("the one workload", "strong")
    return Part(f"{'all' if count == total else count} {'' if count == total else 'of '}{total:,} workloads", "strong")


def _speed(each: Tally) -> Text:
    if not each.speedups or not each.baseline:
        return ()
    return (", ", Part(f"{multiples(each.speedups)} faster", "strong"), " than ", Part(each.baseline, "name"))


def leaders_text(standing: Standing) -> str:
    """The names that share the first rank."""
    return ", ".join(entry.run.implementation for entry in standing.leaders)


def newest(runs: Iterable[Run]) -> str:
    """The day of the newest of `runs`, "" for none."""
    return date(max((run.observed_ms for run in runs), default=0)) if runs else ""
