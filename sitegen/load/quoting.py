"""Text from records inside a message: on one line, not too long, and harmless to a terminal."""

from typing import Any


def quoted(value: Any) -> str:
    """A value from a record on one line, not too long, in quotes if it is a text."""
    short = one_line(str(value))
    return f'"{short}"' if isinstance(value, str) else short


def one_line(text: str, longest: int = 80) -> str:
    """A text from a record, cut to `longest` characters, without any that would move a terminal's cursor."""
    short = text if len(text) <= longest else text[: longest - 1] + "…"
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in short)
