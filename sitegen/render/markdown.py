"""Markdown to markup, for prose that we or the site's owner wrote."""

import re
from itertools import pairwise

from markdown_it import MarkdownIt
from markupsafe import Markup

# Raw HTML stays text: what a page shows is what its words say.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


def render_markdown(text: str) -> tuple[Markup, tuple[tuple[str, str], ...]]:
    """`text` as markup, and its second-level headings, each with the id that it was given."""
    tokens = _MARKDOWN.parse(text)
    contents = []
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            name = re.sub(r"[^a-z0-9]+", "-", inline.content.lower()).strip("-")
            token.attrSet("id", name)
            if token.tag == "h2":
                contents.append((inline.content, name))
    # The renderer escapes every text of the document, and takes no HTML from it.
    return Markup(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})), tuple(contents)  # noqa: S704 - as above
