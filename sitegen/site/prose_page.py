"""The pages of prose: how to read the site, and what to do on an address that leads nowhere."""

from dataclasses import dataclass

from markupsafe import Markup

from sitegen.render import render_markdown
from sitegen.site import address
from sitegen.site.shell import About, Book, Files


@dataclass(frozen=True, slots=True)
class ProseView:
    """A page of prose: `contents` are its headings with their ids, `body` is safe markup."""

    contents: tuple[tuple[str, str], ...]
    body: Markup


def method_page(book: Book) -> Files:
    """How to read the site, from Markdown, and the same as JSON."""
    text = book.renderer.source("method.md")
    body, contents = render_markdown(text)
    title = "How to read these figures"
    description = "The comparability key, ranks, ties, spreads and ratios: what this site says, and what it does not."
    facts = {"title": title, "markdown": text}
    return book.page(
        address.METHOD, "method.html", ProseView(contents, body), facts, About("method", title, description)
    )


def not_found_page(book: Book) -> Files:
    """The page for an address that leads nowhere. It is served at any depth, so its links start at the site's root."""
    description = "There is no page at this address."
    return book.page(address.NOT_FOUND, "404.html", None, None, About("", "Not found", description))
