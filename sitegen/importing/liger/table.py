"""Reading a Liger-Kernel benchmark table: its rows, and a problem for each that cannot be understood."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sitegen.importing.liger.row import COLUMNS, Row, RowError, read_row
from sitegen.problem import Problem, Severity


@dataclass(frozen=True, slots=True)
class Table:
    """What was read: rows in the order of the file, how many there were with those not understood, and the problems."""

    rows: tuple[Row, ...] = ()
    records: int = 0
    problems: tuple[Problem, ...] = field(default=())


def problem(path: Path, code: str, message: str, hint: str, line: int | None = None) -> Problem:
    """An error in the table at `line`."""
    return Problem(Severity.ERROR, code, str(path), "", one_line(message), hint, line)


def one_line(text: str) -> str:
    """`text` without line breaks and other characters that steer a terminal."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


def read_table(path: Path) -> Table:
    """The rows of the CSV file at `path`. Nothing is raised: a file that cannot be read is one problem."""
    try:
        content = path.read_bytes()
    except OSError as error:
        message = f"The table cannot be read: {error.strerror or error}."
        return Table(problems=(problem(path, "table-unreadable", message, "Check the path and its permissions."),))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        hint = "Save the table as UTF-8."
        return Table(problems=(problem(path, "table-encoding", "The table is not UTF-8 text.", hint, line),))
    if not text.strip():
        hint = "Give a Liger-Kernel benchmark table, with its header."
        return Table(problems=(problem(path, "table-empty", "The table is empty.", hint),))
    return _read_text(path, text)


def _read_text(path: Path, text: str) -> Table:
    records = _records(path, text)
    header = next(records, None)
    if isinstance(header, Problem):
        return Table(problems=(header,))
    first, names = header or (1, [])
    missing = [column for column in COLUMNS if column not in names]
    repeated = sorted({column for column in COLUMNS if names.count(column) > 1})
    if missing or repeated:
        what = f"it has no column {', '.join(missing)}" if missing else f"it has {', '.join(repeated)} twice"
        hint = "Give a table as Liger-Kernel publishes it in benchmark/data, with its header."
        message = f"This is no Liger-Kernel table: {what}."
        return Table(problems=(problem(path, "not-a-liger-table", message, hint, first),))
    rows, problems, count = [], [], 0
    for record in records:
        count += 1
        if isinstance(record, Problem):
            problems.append(record)
            continue
        line, cells = record
        try:
            rows.append(read_row(line, names, cells))
        except RowError as error:
            problems.append(problem(path, "row-not-understood", error.message, error.hint, line))
    return Table(tuple(rows), count, tuple(problems))


def _records(path: Path, text: str) -> Iterator[tuple[int, list[str]] | Problem]:
    """The CSV records with their first lines, blank lines left out; a record that is no CSV is a problem."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            unclosed = str(error) == "unexpected end of data"
            what = "A quotation mark is opened in this row and never closed" if unclosed else f"This is no CSV: {error}"
            hint = "Put quotation marks around the whole cell, and write those inside it twice."
            yield problem(path, "not-csv", f"{what}.", hint, line)
            continue
        if cells:
            yield line, cells
