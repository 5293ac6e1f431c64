"""A difference as Markdown, for a comment on a pull request."""

import re
from collections.abc import Iterable
from typing import Any, Final

from markupsafe import Markup

from sitegen.change.model import Change
from sitegen.change.section import Section, headline, sections
from sitegen.render import Renderer
from sitegen.site.cell import Text

LONGEST: Final = 60_000
"""A comment on GitHub holds 65,536 characters."""

_MOST: Final = (20, 10, 5, 2, 0)
_LONGEST_NAME: Final = 120


def as_markdown(change: Change, renderer: Renderer) -> bytes:
    """The difference as GitHub and GitLab read it. Of a long list the first items, and how many are left out."""
    found = sections(change)
    texts = (_render(change, found, most, renderer) for most in _MOST)
    shortest = ""
    for text in texts:
        shortest = text
        if len(text) <= LONGEST:
            break
    return shortest.encode("utf-8", "backslashreplace")


def _render(change: Change, found: tuple[Section, ...], most: int, renderer: Renderer) -> str:
    view = {
        "empty": change.empty,
        "headline": [marked(text) for text in headline(change)],
        "sections": [_section(section, most) for section in found],
    }
    return str(renderer.fragment("diff/report.md", view))


def _section(section: Section, most: int) -> dict[str, Any]:
    shown, left = section.brief(most)
    return {
        "title": Markup(section.title),  # noqa: S704 - our own words, in which Markdown sees nothing
        "note": Markup(section.note),  # noqa: S704 - as above
        "count": f"{len(section.items):,}",
        "alarm": section.alarm,
        "items": [marked(text) for text in shown],
        "more": f"{left:,}" if left else "",
    }


def marked(text: Text) -> Markup:
    """A sentence as Markdown: our own words as they are, what records say as code, which no reader interprets."""
    return Markup("".join(_parts(text)))  # noqa: S704 - what Markdown could read is in code spans


def _parts(text: Text) -> Iterable[str]:
    for part in text:
        if isinstance(part, str):
            yield part
        elif part.mark == "strong":
            yield f"**{part.text}**"
        else:
            yield code(part.text)


def code(text: str) -> str:
    """Any text as a code span on one line, behind more backticks than it holds; no mention or link comes of it."""
    short = text if len(text) <= _LONGEST_NAME else text[: _LONGEST_NAME - 1] + "…"
    plain = "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in short)
    if not plain.strip():
        return "(no name)"
    fence = "`" * (max((len(run) for run in re.findall("`+", plain)), default=0) + 1)
    pad = " " if plain[0] in "` " or plain[-1] in "` " else ""
    return f"{fence}{pad}{plain}{pad}{fence}"
