"""What publishing takes and gives."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

Progress = Callable[[int, int], None]
"""Told now and then how many pages are done, and of how many."""


Content = bytes | Iterable[bytes]
"""The bytes of a file: whole, or in parts where it grows with the catalogue and need never be whole in memory."""


class PageOnSite(Protocol):
    """A page that gives its files when asked."""

    def files(self) -> Iterable[tuple[str, Content]]:
        """The address and the content of each of the page's files."""
        ...


class SiteToPublish(Protocol):
    """A mapping from address to page, in an order that is the same for the same records."""

    @property
    def pages(self) -> Mapping[str, PageOnSite]:
        """The pages by their address, relative to the site's root."""
        ...


@dataclass(frozen=True, slots=True)
class Published:
    """What a published site holds: its files, their bytes, and how many of the files were there before, unchanged."""

    files: int
    bytes: int
    unchanged: int
