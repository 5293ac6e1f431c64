"""What differs between two catalogues, as values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sitegen.catalogue import Catalogue
from sitegen.judge import Entry, Ratio, Standing
from sitegen.load import RecordFile, Run
from sitegen.problem import Problem, Severity


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two catalogues. `name` is what the reader called it, `read` gives a record again, whole."""

    name: str
    catalogue: Catalogue
    read: Callable[[Run], RecordFile]


@dataclass(frozen=True, slots=True)
class Difference:
    """One place in which two records of one digest differ.

    `pointer` is an RFC 6901 JSON pointer into the record. `before` and `after` are JSON texts, None where there is
    nothing. `editorial` says whether the place is in a document's metadata, where an honest correction may be made.
    """

    pointer: str
    before: str | None
    after: str | None
    editorial: bool


@dataclass(frozen=True, slots=True)
class Altered:
    """A run whose record has other content on each side. `differences` are in order of their pointers."""

    before: Run
    after: Run
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class GroupChange:
    """A comparison group that is on both sides, judged on each."""

    before: Standing
    after: Standing


@dataclass(frozen=True, slots=True)
class TieChange:
    """A tie that one side has and the other has not. `members` are the keys of its implementations, best first."""

    group: GroupChange
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """An implementation that now has another run to stand for it. `ratio` is of its figure now to the one before."""

    group: GroupChange
    before: Entry
    after: Entry
    ratio: Ratio


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A single document that came, went, or has other metadata: `what` is "added", "removed" or "altered"."""

    what: str
    kind: str
    digest: str
    title: str


@dataclass(frozen=True, slots=True)
class Change:
    """All that differs between two catalogues. Runs, groups and what is in them are in the catalogue's order.

    `slower` and `faster` are beyond the spread, `unsure` are those whose spread is not known; the largest stand first.
    `problems_came` and `problems_gone` name files relative to their folder.
    """

    before: Side
    after: Side
    altered: tuple[Altered, ...]
    added: tuple[Run, ...]
    removed: tuple[Run, ...]
    groups_new: tuple[Standing, ...]
    groups_gone: tuple[Standing, ...]
    leaders: tuple[GroupChange, ...]
    ties_made: tuple[TieChange, ...]
    ties_broken: tuple[TieChange, ...]
    slower: tuple[Moved, ...]
    faster: tuple[Moved, ...]
    unsure: tuple[Moved, ...]
    documents: tuple[DocumentChange, ...]
    problems_came: tuple[Problem, ...]
    problems_gone: tuple[Problem, ...]

    @property
    def empty(self) -> bool:
        """Whether both sides are the same to the catalogue. Groups and what moves in them follow from runs."""
        found = (self.altered, self.added, self.removed, self.documents, self.problems_came, self.problems_gone)
        return not any(found)

    @property
    def happened(self) -> Mapping[str, int]:
        """How often each thing happened that the command line can be asked to fail on."""
        return {
            "regression": len(self.slower),
            "removed": len(self.removed),
            "altered": len(self.altered),
            "leader": len(self.leaders),
            "tie": len(self.ties_made) + len(self.ties_broken),
            "problem": len(self.problems_came),
        }

    @property
    def errors(self) -> int:
        """How many errors the new side has, whose records take no part in it, new or not."""
        return sum(problem.severity is Severity.ERROR for problem in self.after.catalogue.loaded.problems)
