"""Importing Liger-Kernel benchmark tables: a CSV file becomes one record for each run, and the documents they share."""

from dataclasses import dataclass
from pathlib import Path

from sitegen.importing.liger.joining import join
from sitegen.importing.liger.runs import records_of
from sitegen.importing.liger.table import read_table
from sitegen.importing.liger.writing import write_all
from sitegen.problem import Problem, order


@dataclass(frozen=True, slots=True)
class LeftMemory:
    """A memory row that belongs to no run of the table: its line, and what it measured in words."""

    line: int
    name: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of a table.

    `rows` counts the rows below the header: `speed_rows` and `memory_rows` of them were understood. `runs_written` and
    `runs_unchanged` count record files, `documents_written` and `documents_unchanged` those of workloads,
    implementations and operations. `memory_joined` counts the memory rows that became part of a run, and `memory_left`
    names the others. `problems` are in the order of `problem.order`.
    """

    table: str
    rows: int
    speed_rows: int
    memory_rows: int
    runs_written: int
    runs_unchanged: int
    documents_written: int
    documents_unchanged: int
    memory_joined: int
    memory_left: tuple[LeftMemory, ...]
    problems: tuple[Problem, ...]


def import_liger(table: Path, into: Path) -> ImportReport:
    """Turns the Liger-Kernel benchmark table at `table` into records below the folder `into`.

    What is already there and says the same stays untouched. Nothing is printed, and nothing raised for what is wrong
    with the table or the folder: that is in the report's problems, and every other row is still imported.
    """
    read = read_table(table)
    joined = join(table, read.rows)
    records = records_of(table, joined.runs)
    runs = write_all(into, records.runs)
    documents = write_all(into, records.documents)
    problems = (*read.problems, *joined.problems, *records.problems, *runs.problems, *documents.problems)
    return ImportReport(
        table=str(table),
        rows=read.records,
        speed_rows=sum(row.metric == "speed" for row in read.rows),
        memory_rows=sum(row.metric == "memory" for row in read.rows),
        runs_written=runs.written,
        runs_unchanged=runs.unchanged,
        documents_written=documents.written,
        documents_unchanged=documents.unchanged,
        memory_joined=records.memory,
        memory_left=tuple(LeftMemory(row.line, row.words) for row in joined.left),
        problems=tuple(sorted(problems, key=order)),
    )
