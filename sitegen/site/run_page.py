"""A run: what exactly was measured, its place under its key, and the record itself."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from markupsafe import Markup

from sitegen import words
from sitegen.judge import Entry, Standing
from sitegen.load import RecordFile
from sitegen.load.model import Figure, Run
from sitegen.quantity import NANOSECONDS, unit_at
from sitegen.record import LatencyNs
from sitegen.site import address
from sitegen.site.cell import Fact, Link, Part, RatioCell, Text, date, moment, ratio_cell, short, web, with_spread
from sitegen.site.document import digest_fact, environment_facts, protocol_view, revision_view, workload_view
from sitegen.site.facts import encode, run_facts
from sitegen.site.judged import Judged
from sitegen.site.shell import About, Book, Files, trail


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One figure of the record, exact; `readable` is the same in a unit that is easier to read, "" for none."""

    metric: str
    statistic: str
    value: str
    unit: str
    readable: str
    primary: bool


@dataclass(frozen=True, slots=True)
class RunView:
    """A run's page. `protocol`, `environment`, `workload` and `revision` are markup, made once for all their runs."""

    title: str
    trail: Markup
    parts: Text
    status: str
    failed: bool
    key: Markup
    own: tuple[Fact, ...]
    figures: tuple[FigureRow, ...]
    protocol: Markup
    environment: Markup
    workload: Markup
    revision: Markup
    labels: tuple[Fact, ...]
    description: str
    sources: tuple[Link, ...]
    file: str
    record: Markup
    cite: str


_STATISTICS = frozenset(LatencyNs.model_fields)


def run_page(book: Book, run: Run) -> Files:
    """A run's page and its JSON."""
    judged = book.judged
    at = address.run(run)
    record = book.read(run)
    group = judged.catalogue.group_of.get(run.digest)
    standing = judged.standings[group.id] if group else None
    entry = standing.entry_of(run.implementation_key) if standing else None
    view = _view(book, run, record, standing, entry)
    facts = encode({**run_facts(run, group), "standing": _standing_facts(run, standing, entry)})
    # The record as it is in its file: it was found to be strict JSON, and to write it anew would cost more.
    whole = facts.removesuffix(b"}\n") + b',"record":' + record.text.strip().encode() + b"}\n"
    description = f"{run.implementation} on {run.kernel}, {words.pass_word(run.pass_name)}, {run.gpu.name}: one run."
    return book.page(at, "run.html", view, whole, About("", f"Run {short(run.digest)}", description))


def _view(book: Book, run: Run, record: RecordFile, standing: Standing | None, entry: Entry | None) -> RunView:
    judged, root = book.judged, address.root(address.run(run))
    document = record.run
    metadata = document["metadata"]
    figure = with_spread(run.figure) if run.figure and not run.unranked else run.unranked
    return RunView(
        title=run.title,
        trail=trail(book, run.source, run.kernel, root),
        parts=_place(run, figure, standing, entry, root),
        status=words.STATUS.get(run.status, run.status),
        failed=run.status != "passed",
        key=book.section("key", _key_name(run, standing), lambda judged, _: _key(run, standing, judged, root)),
        own=_own(run, standing, entry),
        figures=_figures(document["spec"], run),
        protocol=book.section("protocol", run.protocol, protocol_view),
        environment=book.section("environment", run.environment, environment_facts),
        workload=book.section("workload", run.workload, workload_view),
        revision=book.section("revision", run.implementation_digest, revision_view),
        labels=tuple(Fact(str(name), str(value)) for name, value in sorted(metadata.get("labels", {}).items())),
        description=metadata.get("description", ""),
        sources=tuple(Link(each["url"], web(each["url"])) for each in metadata.get("sourceRefs", ())),
        file=run.file,
        record=shown_record(record.text),
        cite=_cite(run, figure, judged),
    )


def shown_record(text: str) -> Markup:
    """A record's text as it stands inside an element: quotes need no escape there, and two spaces of indent are one."""
    if text.startswith('{\n  "'):
        # From the deepest, each line once; the mark cannot stand in JSON. One pattern would take three times as long.
        for spaces in (12, 10, 8, 6, 4, 2):
            text = text.replace("\n" + " " * spaces, "\n" + "\x01" * (spaces // 2))
        text = text.replace("\x01", " ")
    return Markup(text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))  # noqa: S704 - escaped here


def _standing_facts(run: Run, standing: Standing | None, entry: Entry | None) -> dict[str, Any] | None:
    if standing is None:
        return None
    if entry is None or run.unranked:
        return {"current": False, "rank": None, "tied": False, "of": len(standing.entries)}
    current = entry.run is run
    rank = entry.rank if current else None
    return {"current": current, "rank": rank, "tied": current and entry.tied, "of": len(standing.entries)}


def _place(run: Run, shown: str, standing: Standing | None, entry: Entry | None, root: str) -> Text:
    """The run's place in its group, in one sentence. `shown` is its figure with its spread, or why it has no rank."""
    name = Part(run.implementation, "name", root + address.implementation(run.source, run.implementation_key))
    if standing is None:
        return (name, f": {run.unranked}. No ranked run shares its key." if run.unranked else ": not ranked.")
    group = Part("its group", href=root + address.group(standing.group))
    if run.unranked or run.figure is None:
        return (name, f": {run.unranked}. It is listed in ", group, " without a rank.")
    figure = Part(shown, "strong")
    if entry is None or entry.run is not run:
        newer = Part("a newer run", href=root + address.run(entry.run)) if entry else "a newer run"
        return (name, " took ", figure, ". It is history in ", group, ": ", newer, " stands for the implementation.")
    if len(standing.entries) == 1:
        return (name, " took ", figure, ". It is the only implementation in ", group, ".")
    place = words.ranks(entry.rank, entry.last)
    return (name, " took ", figure, f": rank {place} of {len(standing.entries)} in ", group, ".")


def _key_name(run: Run, standing: Standing | None) -> str:
    """What tells the key of one run from that of another."""
    return standing.group.id if standing else run.digest


def _key(run: Run, standing: Standing | None, judged: Judged, root: str) -> tuple[Fact, ...]:
    """What the run shares with all runs under its key."""
    group = root + address.group(standing.group) if standing else ""
    source = judged.source_name(run.source)
    return (
        Fact("Kernel", run.kernel, root + address.kernel(run.source, run.kernel), code=True, note=source),
        Fact("Workload", judged.catalogue.workloads[run.workload].words, group),
        Fact("Pass", words.pass_words(run.pass_name) if run.pass_name else "not stated"),
        Fact("GPU", run.gpu.name, root + address.gpu(run.gpu)),
    )


def _own(run: Run, standing: Standing | None, entry: Entry | None) -> tuple[Fact, ...]:
    """What is the run's own."""
    figure = _ranked_by(run)
    return (
        *_ratios(run, standing, entry),
        *((Fact("Ranked by", words.quantity(figure.metric, figure.statistic)),) if figure else ()),
        Fact("Observed", moment(run.observed_ms).replace("T", " ").replace("Z", " UTC")),
        *((Fact("Release", run.release),) if run.release else ()),
        digest_fact(run.digest, "from the record"),
    )


def _ranked_by(run: Run) -> Figure | None:
    return None if run.unranked else run.figure


def _ratios(run: Run, standing: Standing | None, entry: Entry | None) -> tuple[Fact, ...]:
    """How the run stands to the leader and the baseline of its group, where it stands for its implementation."""
    if standing is None or entry is None or entry.run is not run:
        return ()
    baseline = standing.baseline.run.implementation if standing.baseline else ""
    pairs = (
        ("To the leader", ratio_cell(entry.to_leader), standing.leader.run.implementation),
        ("To the baseline", ratio_cell(entry.to_baseline), baseline),
    )
    return tuple(_ratio_fact(term, cell, name) for term, cell, name in pairs if cell)


def _ratio_fact(term: str, cell: RatioCell, name: str) -> Fact:
    note = f"{'with' if cell.kind == 'tie' else 'than'} {name}"
    return Fact(term, f"{cell.multiple} {cell.word}{f' ({cell.range})' if cell.range else ''}", note=note)


def _figures(spec: Mapping[str, Any], run: Run) -> tuple[FigureRow, ...]:
    """Every figure of the record as it stands there, the primary one first."""
    first: list[FigureRow] = []
    rows: list[FigureRow] = []
    figure = _ranked_by(run)
    timing = spec.get("timing") or {}
    for statistic, value in timing.get("latencyNs", {}).items():
        # What else may stand there is shown with the record: it need not be a number.
        if statistic in _STATISTICS and value is not None:
            primary = figure is not None and statistic == timing["primaryStatistic"]
            row = FigureRow("latency", words.statistic(statistic), _exact(value), "ns", _readable(value, "ns"), primary)
            (first if primary else rows).append(row)
    ranked_by = (figure.metric, figure.statistic) if figure and not timing else None
    for each in spec.get("measurements", ()):
        value, unit = each["value"], each["unit"]
        primary = (each["metric"], each["statistic"]) == ranked_by
        samples = f", {count:,} samples" if (count := each.get("sampleCount")) is not None else ""
        statistic = words.statistic(each["statistic"]) + samples
        metric = words.metric(each["metric"])
        row = FigureRow(metric, statistic, _exact(value), unit, _readable(value, unit), primary)
        (first if primary else rows).append(row)
    return (*first, *rows)


def _exact(value: float) -> str:
    """A number as the record gives it, all digits and no exponent."""
    if isinstance(value, int):
        return f"{value:,}"
    text = repr(value)
    return f"{Decimal(text):f}" if "e" in text else text


def _readable(value: float, unit: str) -> str:
    """A time in the unit that shows it best: "532 µs"; "" for what is no time, zero, or beyond all measure."""
    ns = value * NANOSECONDS.get(unit, 0.0)
    if not 0 < ns < math.inf:
        return ""
    better = unit_at(ns)
    return f"{better.show(ns)} {better.name}"


def _cite(run: Run, shown: str, judged: Judged) -> str:
    """How to cite a run: what, where, the figure with its doubt, when, and the digest that names it for good."""
    base = judged.settings.base_url
    where = f" {base}/{address.run(run)}" if base else ""
    return (
        f"{run.implementation} on {run.kernel} ({words.pass_word(run.pass_name)}), {run.gpu.name}: {shown}. "
        f"{judged.source_name(run.source)}, {date(run.observed_ms)}. {run.digest}.{where}"
    )
