"""A site made of plain texts, for tests of what writes sites."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field


@dataclass
class FakePage:
    """A page with these files; `before` runs first, wherever the page is rendered."""

    contents: dict[str, bytes]
    before: Callable[[], None] = lambda: None

    def files(self) -> Iterable[tuple[str, bytes]]:
        self.before()
        return self.contents.items()


@dataclass
class FakeSite:
    """Pages by address."""

    pages: Mapping[str, FakePage] = field(default_factory=dict)


def site_of(count: int, text: str = "page") -> FakeSite:
    """A home page, and `count` runs in 16 folders, each with its JSON."""
    pages = {"index.html": FakePage({"index.html": b"home", "index.json": b"{}"})}
    for number in range(count):
        stem = f"runs/{number % 16:x}/{number:04d}"
        pages[f"{stem}.html"] = FakePage({f"{stem}.html": f"{text} {number}".encode(), f"{stem}.json": b'{"n": 1}'})
    return FakeSite(pages)
