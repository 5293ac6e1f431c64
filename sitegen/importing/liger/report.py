"""What became of a table, for a program as counts and for a reader in words."""

from dataclasses import dataclass

from sitegen.problem import Problem
from sitegen.quantity import counted


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

    def __str__(self) -> str:
        """A line for each memory row that was left, then one that says what was read and written."""
        left = [
            f"{self.table}:{memory.line}: there is no run for this memory use, so it was left out: {memory.name}"
            for memory in self.memory_left
        ]
        read = f"{counted(self.speed_rows, 'speed row')} and {counted(self.memory_rows, 'memory row')}"
        memory = f"{self.memory_joined:,} with memory use"
        runs = f"{counted(self.runs_written, 'run')} written, {self.runs_unchanged:,} unchanged ({memory})"
        documents = f"{counted(self.documents_written, 'document')} written, {self.documents_unchanged:,} unchanged"
        return "\n".join([*left, f"Read {read} of {counted(self.rows, 'row')}: {runs}; {documents}."])
