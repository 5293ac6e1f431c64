"""Which rows make a run: each speed row one, with the memory row of the same measurement."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sitegen.importing.liger.row import Row
from sitegen.importing.liger.table import problem
from sitegen.problem import Problem, Severity


@dataclass(frozen=True, slots=True)
class Measured:
    """The rows of one run: its speed, and its memory use where the table has that too."""

    speed: Row
    memory: Row | None


@dataclass(frozen=True, slots=True)
class Joined:
    """The runs in the order of the table, the memory rows that belong to none, and what was wrong."""

    runs: tuple[Measured, ...]
    left: tuple[Row, ...]
    problems: tuple[Problem, ...]


def join(path: Path, rows: Iterable[Row]) -> Joined:
    """The runs of a table at `path`.

    The scripts measure speed and memory one after the other, some minutes apart at most, and stamp each row with its
    own time. So a memory row belongs to the run that agrees in all but the time, and of several such runs to the one
    nearest in time (the earlier, where two are as near). A run has one memory row, the nearest; the others are left.
    """
    once, problems = _once(path, rows)
    speeds: dict[tuple[object, ...], list[Row]] = {}
    for row in once:
        if row.metric == "speed":
            speeds.setdefault(row.measured, []).append(row)
    nearest: dict[int, list[Row]] = {}
    left = []
    for row in once:
        if row.metric != "memory":
            continue
        candidates = speeds.get(row.measured)
        if candidates:
            run = min(candidates, key=lambda speed: (_apart(speed, row), speed.timestamp))
            nearest.setdefault(run.line, []).append(row)
        else:
            left.append(row)
    runs = []
    for row in once:
        if row.metric == "speed":
            memories = sorted(nearest.get(row.line, ()), key=lambda memory: _apart(row, memory))
            runs.append(Measured(row, memories[0] if memories else None))
            left += memories[1:]
    return Joined(tuple(runs), tuple(sorted(left, key=lambda row: row.line)), problems)


def _apart(one: Row, other: Row) -> float:
    """Seconds between two rows."""
    return abs((one.timestamp - other.timestamp).total_seconds())


def _once(path: Path, rows: Iterable[Row]) -> tuple[list[Row], tuple[Problem, ...]]:
    """The rows without those that repeat an earlier one: the first counts, since nothing tells which one is right."""
    kept: dict[tuple[object, ...], Row] = {}
    problems = []
    for row in rows:
        key = (row.metric, row.timestamp, *row.measured)
        first = kept.setdefault(key, row)
        if first is row:
            continue
        if (first.median, first.p20, first.p80) == (row.median, row.p20, row.p80):
            problems.append(
                Problem(
                    Severity.WARNING,
                    "row-repeated",
                    str(path),
                    "",
                    f"The row says the same as line {first.line} ({row.words}).",
                    "Take one of the two out.",
                    row.line,
                )
            )
        else:
            problems.append(
                problem(
                    path,
                    "row-contradicted",
                    f"The row gives other figures than line {first.line} for the same measurement ({row.words}); "
                    f"line {first.line} was imported.",
                    "Find out which of the two is right, and take the other out.",
                    row.line,
                )
            )
    return list(kept.values()), tuple(problems)
