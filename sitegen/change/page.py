"""A difference as one HTML file, which needs no other and runs no script."""

import base64
import hashlib

from markupsafe import Markup

from sitegen import __version__
from sitegen.change.model import Change
from sitegen.change.section import headline, sections
from sitegen.render import Renderer


def as_page(change: Change, renderer: Renderer, style: str) -> bytes:
    """The page, with every item of every list. `style` is the site's style sheet, which its policy lets in by hash.

    Raises `ValueError` where the style sheet would end its own element.
    """
    if "</" in style or "\r" in style:
        raise ValueError("a style sheet that is to stand within a page must not hold a closing tag")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    view = {
        "style": Markup(style),  # noqa: S704 - our own file, in which no tag ends
        "style_hash": f"sha256-{digest}",
        "generator": f"sitegen {__version__}",
        "before": change.before.name,
        "after": change.after.name,
        "empty": change.empty,
        "headline": headline(change),
        "sections": sections(change),
    }
    return str(renderer.fragment("diff/page.html", view)).encode("utf-8", "backslashreplace")
