"""Importing Liger-Kernel benchmark tables: a CSV file becomes one record for each run, and the documents they share."""

from pathlib import Path

from sitegen.importing.liger.joining import join
from sitegen.importing.liger.report import ImportReport, LeftMemory
from sitegen.importing.liger.runs import records_of
from sitegen.importing.liger.table import read_table
from sitegen.importing.liger.writing import write_all
from sitegen.problem import order

__all__ = ["ImportReport", "LeftMemory", "import_liger"]


def import_liger(table: Path, into: Path) -> ImportReport:
    """Turns the Liger-Kernel benchmark table at `table` into records below the folder `into`.

    What is already there and says the same stays untouched. Nothing is printed, and nothing raised for what is wrong
    with the table or the folder: that is in the report's problems, and every other row is still imported.
    """
    read = read_table(table)
    joined = join(table, read.rows)
    records = records_of(table, joined.runs)
    left = sorted([*joined.left, *records.left], key=lambda row: row.line)
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
        memory_left=tuple(LeftMemory(row.line, row.words) for row in left),
        problems=tuple(sorted(problems, key=order)),
    )
