"""What a terminal is shown, and a pipe is not: colours, and how far the work has come."""

import os
import sys
import time
from collections.abc import Callable
from typing import TextIO

_COLOURS = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "place": "\x1b[1m", "hint": "\x1b[2m"}
_RESET = "\x1b[0m"
_EVERY_S = 0.1
_CLEAR_LINE = "\r\x1b[K"


def is_terminal(stream: TextIO) -> bool:
    """Whether the stream is a terminal that knows control sequences."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def coloured(stream: TextIO) -> bool:
    """Whether to use colour: on a terminal, unless NO_COLOR is set to anything (https://no-color.org)."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR")


def paint(text: str, colour: str, *, on: bool) -> str:
    """`text` in the colour of that name, where colours are on."""
    return f"{_COLOURS[colour]}{text}{_RESET}" if on else text


def plain(text: str) -> str:
    """`text` on one line, with control and formatting characters written as escapes.

    Names and messages carry text of strangers, which must not move the cursor, end the line or turn the reading order.
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def clear_line(stream: TextIO) -> None:
    """Take away what a progress line may have left on a terminal."""
    if is_terminal(stream):
        stream.write(_CLEAR_LINE)
        stream.flush()


def complain(line: str) -> None:
    """Say in one line, on the error stream, why the command stops."""
    clear_line(sys.stderr)
    mark = paint("error:", "error", on=coloured(sys.stderr))
    print(f"sitegen: {mark} {plain(line)}", file=sys.stderr)  # noqa: T201 - the command line speaks


class ProgressLine:
    """One line on the error stream that says how far each stage of the work is; nothing where that is no terminal."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._shown = is_terminal(stream)
        self._clock = clock
        self._last = -_EVERY_S
        self._dirty = False

    def stage(self, doing: str, things: str) -> Callable[[int, int], None]:
        """What to tell of a stage such as "Reading" of "records": how many are done, and of how many."""

        def tell(done: int, total: int) -> None:
            now = self._clock()
            if self._shown and now - self._last >= _EVERY_S:
                self._last = now
                self._dirty = True
                self._stream.write(f"{_CLEAR_LINE}{doing} {done:,} of {total:,} {things}")
                self._stream.flush()

        return tell

    def clear(self) -> None:
        """Take the line away, so that what is said next begins on a clean one."""
        if self._dirty:
            self._stream.write(_CLEAR_LINE)
            self._stream.flush()
            self._dirty = False
