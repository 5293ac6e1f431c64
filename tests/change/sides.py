"""Sides of a comparison, made of runs in a line each."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sitegen.change import Change, Side, compare
from sitegen.change.section import Section, sections
from sitegen.load import RecordFile, Run
from sitegen.problem import Problem
from sitegen.site.cell import Text
from tests.making import catalogue, latency, run

DAY_MS = 86_400_000
START_MS = 1_725_321_600_000  # 2024-09-03, at midnight


def at(day: int, implementation: str, value: float, low: float | None = None, high: float | None = None) -> Run:
    """A run of that day, counted from 2024-09-03, with a median latency in nanoseconds."""
    return run(implementation, latency(value, low, high), observed_ms=START_MS + day * DAY_MS)


def side(
    name: str,
    *runs: Run,
    records: Mapping[str, str] | None = None,
    problems: tuple[Problem, ...] = (),
    **documents: Any,
) -> Side:
    """A side with these runs. `records` are the texts of records by digest; the others all have the same."""
    texts = records or {}

    def read(each: Run) -> RecordFile:
        return RecordFile(texts.get(each.digest, "{}"), {}, {}, {})

    made = catalogue(*runs, **documents)
    return Side(name, replace(made, loaded=replace(made.loaded, problems=problems)), read)


def changed(before: tuple[Run, ...], after: tuple[Run, ...]) -> Change:
    """What differs between two sets of runs."""
    return compare(side("old", *before), side("new", *after))


def plain(text: Text) -> str:
    """A sentence without its marks."""
    return "".join(part if isinstance(part, str) else part.text for part in text)


def said(change: Change, section: str) -> list[str]:
    """The sentences of one section, without their keys."""
    found: list[Section] = [each for each in sections(change) if each.id == section]
    return [plain(item.says) for each in found for item in each.items]
