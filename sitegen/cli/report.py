"""How problems are listed: lines to read, one JSON document, or as GitHub and GitLab show them beside the lines."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sitegen.cli.terminal import paint, plain
from sitegen.importing import ImportReport
from sitegen.problem import Problem, Severity
from sitegen.quantity import counted

_SHOWN_OF_A_KIND = 20


def as_text(problems: Sequence[Problem], *, colours: bool, brief: bool) -> Iterator[str]:
    """The lines that list the problems, each as `file:line: error[code]: place: what is wrong. What to do.`.

    Where `brief`, only the first of many problems of one kind are shown, and then how many more there are.
    """
    seen: Counter[tuple[Severity, str]] = Counter()
    for problem in problems:
        kind = (problem.severity, problem.code)
        seen[kind] += 1
        if not brief or seen[kind] <= _SHOWN_OF_A_KIND:
            yield _line(problem, colours=colours)
    for (severity, code), count in seen.items():
        if brief and count > _SHOWN_OF_A_KIND:
            kind_name = paint(f"{severity}[{plain(code)}]", severity, on=colours)
            yield f"… and {count - _SHOWN_OF_A_KIND:,} more of {kind_name}; --format json lists them all"


def _line(problem: Problem, *, colours: bool) -> str:
    where = plain(problem.file) + (f":{problem.line}" if problem.line else "")
    what = plain(problem.message).rstrip(".")
    place = f"{plain(problem.place)}: " if problem.pointer else ""
    hint = f" {paint(plain(problem.hint), 'hint', on=colours)}" if problem.hint else ""
    kind = paint(f"{problem.severity}[{plain(problem.code)}]", problem.severity, on=colours)
    return f"{paint(where, 'place', on=colours)}: {kind}: {place}{what}.{hint}"


def as_json(problems: Iterable[Problem], counts: Mapping[str, int], **more: Any) -> str:
    """One JSON document with the problems, the counts of the catalogue, and whatever else a command has to say."""
    listed = [
        {
            "severity": str(problem.severity),
            "code": problem.code,
            "file": problem.file,
            "line": problem.line,
            "pointer": problem.pointer,
            "message": problem.message,
            "hint": problem.hint,
        }
        for problem in problems
    ]
    # ASCII, so that a file name that is no text, which Python holds as lone surrogates, can be written at all.
    return json.dumps({"problems": listed, "counts": dict(counts), **more}, indent=1)


def as_github(problems: Iterable[Problem]) -> Iterator[str]:
    """A workflow command for each problem, which GitHub shows as an annotation on the line of the file."""
    for problem in problems:
        properties = f"file={_property(problem.file)}"
        if problem.line:
            properties += f",line={problem.line}"
        properties += f",title={_property(problem.code)}"
        place = f"{problem.place}: " if problem.pointer else ""
        text = f"{place}{problem.message.rstrip('.')}. {problem.hint}".rstrip()
        yield f"::{problem.severity} {properties}::{_data(text)}"


def as_gitlab(problems: Iterable[Problem]) -> str:
    """GitLab's code quality report, which it shows beside the lines that a merge request changes.

    The fingerprint tells it which problems are new: it is of the place and not of the line, which moves.
    """
    listed = []
    for problem in problems:
        place = f"{problem.place}: " if problem.pointer else ""
        what = [problem.code, problem.file, problem.pointer, problem.message]
        listed.append(
            {
                "description": f"{place}{problem.message.rstrip('.')}. {problem.hint}".rstrip(),
                "check_name": problem.code,
                "fingerprint": hashlib.sha256(json.dumps(what).encode()).hexdigest(),
                "severity": "major" if problem.severity is Severity.ERROR else "minor",
                "location": {"path": problem.file, "lines": {"begin": problem.line or 1}},
            }
        )
    return json.dumps(listed, indent=1)


def _data(text: str) -> str:
    """`text` as the message of a workflow command: line ends are percent-encoded, other controls escaped."""
    kept = "".join(each if each in "\r\n" else plain(each) for each in text)
    return kept.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """`text` as the value of a workflow command's property, which a colon or a comma would end too."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def tally(problems: Sequence[Problem]) -> str:
    """How many errors and warnings: "2 errors and 1 warning", "no problems"."""
    errors = sum(problem.severity is Severity.ERROR for problem in problems)
    warnings = len(problems) - errors
    parts = [counted(errors, "error")] * bool(errors) + [counted(warnings, "warning")] * bool(warnings)
    return " and ".join(parts) or "no problems"


def imported(report: ImportReport, into: Path) -> Iterator[str]:
    """What became of a table: the memory figures that belong to no run, and one line that says what was written."""
    for left in report.memory_left:
        place = f"{plain(report.table)}:{left.line}"
        yield f"{place}: left out: memory of {plain(left.name)}, of which the table has no run."
    unchanged = report.runs_unchanged + report.documents_unchanged
    wrote = f"{counted(report.runs_written, 'run')} and {counted(report.documents_written, 'document')}"
    same = f"{counted(unchanged, 'file')} already said the same"
    yield (
        f"Read {counted(report.rows, 'row')} of {plain(report.table)}; wrote {wrote} to {plain(str(into))}, "
        f"where {same}: {tally(report.problems)}."
    )
