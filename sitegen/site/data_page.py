"""The data behind the pages: what there is to download, and what was wrong with the records."""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice

from sitegen.problem import Problem
from sitegen.record.schema import json_schema
from sitegen.site import address
from sitegen.site.facts import RUN_FIELDS, Facts, catalogue_facts, encode, group_facts, run_facts
from sitegen.site.judged import Judged
from sitegen.site.shell import About, Book, Files, Stream


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file to download; `href` is relative to the data page."""

    name: str
    href: str
    holds: str


@dataclass(frozen=True, slots=True)
class ProblemRow:
    """A problem in words."""

    severity: str
    code: str
    file: str
    place: str
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class DataView:
    """The data page."""

    files: tuple[DataFile, ...]
    problems: tuple[ProblemRow, ...]


_HOLDS = (
    (address.CATALOGUE_JSON, "what the catalogue holds, counted"),
    (address.GROUPS_JSONL, "every comparison group, a line each: its key, its ranks, its history, what does not rank"),
    (address.RUNS_JSONL, "every run, a line each"),
    (address.RUNS_CSV, "the same runs as a table"),
    (address.SCHEMA_JSON, "the JSON Schema of the record format"),
    (address.PROBLEMS_JSON, "what was found wrong in the records"),
)


def data_page(book: Book) -> Files:
    """The data page and its JSON."""
    at = address.DATA
    files = tuple(DataFile(name.removeprefix("data/"), address.root(at) + name, holds) for name, holds in _HOLDS)
    problems = tuple(
        ProblemRow(each.severity, each.code, each.file, each.place, each.message, each.hint)
        for each in book.judged.catalogue.loaded.problems
    )
    facts = {"files": [{"file": name, "holds": holds} for name, holds in _HOLDS]}
    description = "Every fact on this site for programs: JSON, JSON Lines and CSV, and the schema of the records."
    return book.page(at, "data.html", DataView(files, problems), facts, About("data", "Data", description))


def catalogue_json(book: Book) -> Files:
    """`data/catalogue.json`: the counts."""
    return ((address.CATALOGUE_JSON, encode(catalogue_facts(book.judged))),)


def groups_jsonl(book: Book) -> Files:
    """`data/groups.jsonl`: a line for each comparison group."""
    judged = book.judged

    def lines() -> Iterator[bytes]:
        return (encode(group_facts(judged.standings[group.id])) for group in judged.catalogue.groups)

    return ((address.GROUPS_JSONL, Stream(lambda: _gathered(lines()))),)


def runs_jsonl(book: Book) -> Files:
    """`data/runs.jsonl`: a line for each run."""
    return ((address.RUNS_JSONL, Stream(lambda: _gathered(encode(facts) for facts in _runs(book.judged)))),)


def runs_csv(book: Book) -> Files:
    """`data/runs.csv`: the same as RFC 4180 would have it, with a head row; null is an empty cell."""
    return ((address.RUNS_CSV, Stream(lambda: _gathered(_csv_lines(book.judged)))),)


def _csv_lines(judged: Judged) -> Iterator[bytes]:
    line = io.StringIO(newline="")
    writer = csv.writer(line)
    rows = ([_harmless(facts[name]) for name in RUN_FIELDS] for facts in _runs(judged))
    for row in chain([RUN_FIELDS], rows):
        writer.writerow(row)
        yield line.getvalue().encode()
        line.seek(0)
        line.truncate()


def _gathered(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in parts that are worth writing: a thousand lines each."""
    listed = iter(lines)
    while part := b"".join(islice(listed, 1000)):
        yield part


# The last four are the full-width letters, which some spreadsheets read as the others.
_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def _harmless(value: object) -> object:
    """A cell that no spreadsheet takes for a formula: OWASP's rule, a quote before what begins as one."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULAS) else value


def _runs(judged: Judged) -> Iterable[Facts]:
    group_of = judged.catalogue.group_of
    return (run_facts(run, group_of.get(run.digest)) for run in judged.catalogue.loaded.runs)


def schema_json(_: Book) -> Files:
    """`data/schema.json`: the JSON Schema of the record format."""
    return ((address.SCHEMA_JSON, (json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n").encode()),)


def problems_json(book: Book) -> Files:
    """`data/problems.json`: every problem of the records."""
    problems = [problem_facts(each) for each in book.judged.catalogue.loaded.problems]
    return ((address.PROBLEMS_JSON, encode({"problems": problems})),)


def problem_facts(problem: Problem) -> Facts:
    """A problem for programs."""
    return {
        "severity": problem.severity.value,
        "code": problem.code,
        "file": problem.file,
        "line": problem.line,
        "pointer": problem.pointer,
        "place": problem.place,
        "message": problem.message,
        "hint": problem.hint,
    }
