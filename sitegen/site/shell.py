"""What every page is wrapped in, and how a view becomes the bytes of a page and of its JSON."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from sitegen.render import Renderer
from sitegen.site import address
from sitegen.site.facts import encode
from sitegen.site.judged import Judged

Files = tuple[tuple[str, bytes], ...]


class About(NamedTuple):
    """What a page is about: `section` is the part of the site that it belongs to, as the navigation names it, or ""."""

    section: str
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class Head:
    """What a page says of itself.

    `json` is the file name of its own data, `canonical` its absolute address; "" for none.
    """

    title: str
    description: str
    canonical: str
    json: str


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the site, or one file: made when asked for."""

    address: str
    make: Callable[[], Files]

    def files(self) -> Iterable[tuple[str, bytes]]:
        """The files of this page, each with its address: the page itself first, then its JSON where it has one."""
        return self.make()


@dataclass(frozen=True, slots=True)
class Book:
    """What all pages are made with: the judged catalogue and the means to render."""

    judged: Judged
    renderer: Renderer
    shell: dict[str, Any]

    def page(self, at: str, template: str, view: Any, facts: Any, about: About) -> Files:
        """The files of the page at `at`: `view` rendered by `template`, and `facts` as JSON.

        `facts` are to be encoded, or bytes that are, or None for a page without data of its own.
        """
        twin = address.twin(at)
        base = self.judged.settings.base_url
        head = Head(
            title=about.title,
            description=about.description,
            canonical=f"{base}/{at.removesuffix('index.html')}" if base else "",
            json="" if facts is None else twin.rpartition("/")[2],
        )
        # A page that is served at any depth cannot lead on from where it lies.
        root = self.shell["site"]["root_path"] if at == address.NOT_FOUND else address.root(at)
        html = self.renderer.page(
            template, {**self.shell, "root": root, "section": about.section, "page": head, "view": view}
        )
        if facts is None:
            return ((at, html),)
        return ((at, html), (twin, facts if isinstance(facts, bytes) else encode(facts)))
