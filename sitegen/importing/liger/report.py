"""What became of a table: the counts, and everything that is not in the records."""

from dataclasses import dataclass

from sitegen.problem import Problem


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
