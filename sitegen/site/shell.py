"""What every page is wrapped in, and how a view becomes the bytes of a page and of its JSON."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from markupsafe import Markup

from sitegen.load import RecordFile
from sitegen.load.model import Run
from sitegen.render import Frames, Renderer
from sitegen.site import address
from sitegen.site.cell import Link
from sitegen.site.facts import encode
from sitegen.site.judged import Judged

MOST_SECTIONS = 8192
"""How many shared sections are kept at once; pages that share one are laid out together."""


@dataclass(frozen=True, slots=True)
class Stream:
    """The content of a file too large to be made at once: made part by part, each time that it is gone through."""

    make: Callable[[], Iterable[bytes]]

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.make())

    def __bytes__(self) -> bytes:
        return b"".join(self)


Files = tuple[tuple[str, bytes | Stream], ...]
"""Files by their addresses. `bytes()` makes any content whole."""


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
class Book:
    """What all pages are made with: the judged catalogue and the means to render.

    `read` gives a record again. `sections` are those that many pages share, by name and digest, and `frames` what is
    around pages of one place; each is rendered when it is first asked for.
    """

    judged: Judged
    renderer: Renderer
    shell: Mapping[str, Any]
    read: Callable[[Run], RecordFile]
    sections: dict[tuple[str, str], Markup] = field(default_factory=dict)
    frames: Frames = field(default_factory=dict)

    def page(self, at: str, template: str, view: Any, facts: Any, about: About) -> Files:
        """The files of the page at `at`: `view` rendered by `template`, and `facts` as JSON.

        `facts` are to be encoded, or bytes that are, or None for a page without data of its own.
        """
        twin = address.twin(at)
        base = self.judged.settings.base_url
        head = Head(
            title=about.title,
            description=about.description,
            canonical=address.absolute(base, at) if base else "",
            json="" if facts is None else twin.rpartition("/")[2],
        )
        # A page that is served at any depth cannot lead on from where it lies.
        root = self.shell["site"]["root_path"] if at == address.NOT_FOUND else address.root(at)
        html = self.renderer.page(
            template, {**self.shell, "root": root, "section": about.section, "page": head, "view": view}, self.frames
        )
        if facts is None:
            return ((at, html),)
        return ((at, html), (twin, facts if isinstance(facts, bytes) else encode(facts)))

    def section(self, name: str, digest: str, view: Callable[[Judged, str], object]) -> Markup:
        """A section of a page that depends on nothing but a digest, or another name that stands for all it shows."""
        key = (name, digest)
        if key not in self.sections:
            if len(self.sections) >= MOST_SECTIONS:
                self.sections.clear()
            self.sections[key] = self.renderer.fragment(f"sections/{name}.html", {"view": view(self.judged, digest)})
        return self.sections[key]


Maker = Callable[[Book], Files]
"""Makes a page's files, the page itself first, then its JSON where it has one."""

Laid = tuple[str, Maker]
"""A page that is laid out: its address, and what makes it."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the site, or one file: made when asked for."""

    address: str
    book: Book
    maker: Maker

    def files(self) -> Files:
        """The files of this page, each with its address."""
        return self.maker(self.book)


def trail(book: Book, source: str, kernel: str, root: str) -> Markup:
    """The links of the breadcrumb that lead to a kernel, for the pages below it."""

    def links(judged: Judged, _: str) -> tuple[Link, ...]:
        title = judged.settings.title
        page = address.kernel(source, kernel)
        return (Link(title, root + address.HOME), Link("Kernels", root + address.KERNELS), Link(kernel, root + page))

    return book.section("trail", f"{source} {kernel} {root}", links)
