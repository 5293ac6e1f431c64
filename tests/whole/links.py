"""What a page links, and what can be linked in it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit

_LINKING = {"href", "src", "xlink:href", "data-href", "poster"}
_META = {"plotly"}  # names whose content is an address of this site


@dataclass
class Links(HTMLParser):
    """The links of one page with where they stand, and its ids."""

    found: list[tuple[str, str]] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        for name, value in attrs:
            if name in _LINKING and value is not None:
                self.found.append((f"<{tag} {name}>", value))
            if name == "id" and value is not None:
                self.ids.append(value)
        if tag == "meta" and given.get("name") in _META and given.get("content"):
            self.found.append(("<meta content>", str(given["content"])))


def read(page: Path) -> Links:
    links = Links()
    links.feed(page.read_text(encoding="utf-8"))
    links.close()
    return links


def linked(site: Path, address: str) -> Iterator[str]:
    """The addresses on this site that a page links."""
    for _, link in read(site / address).found:
        target = urljoin(f"http://x/{address}", urldefrag(link).url)
        if urlsplit(target).netloc == "x":
            yield urlsplit(target).path.removeprefix("/")
