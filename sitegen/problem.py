"""Problems found in the input, as values: nothing here stops, prints or raises."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a problem weighs."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with one place in the input.

    `code` is stable, for programs. `pointer` is an RFC 6901 JSON pointer ("" is the whole file). `file` is a path as
    the user would type it. `line` counts from 1, and is None where the place has none. `message` says what is wrong and
    `hint` what to do about it; both are one line of plain text.
    """

    severity: Severity
    code: str
    file: str
    pointer: str
    message: str
    hint: str
    line: int | None = None

    @property
    def place(self) -> str:
        """The pointer as a reader would write it: `run.spec.measurements[0].value`."""
        path = ""
        for part in self.pointer.split("/")[1:]:
            name = part.replace("~1", "/").replace("~0", "~")
            path += f"[{name}]" if name.isdecimal() else f".{name}" if path else name
        return path


def pointer_to(*parts: str | int) -> str:
    """The RFC 6901 JSON pointer to a place: `pointer_to("run", "spec", 0)` is `/run/spec/0`."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def order(problem: Problem) -> tuple[str, int, str, str, str]:
    """The key by which problems are listed: by file and place, whatever order they were found in."""
    return (problem.file, problem.line or 0, problem.pointer, problem.code, problem.message)
