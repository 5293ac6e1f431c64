"""Going through the files of a site, each with its size and its SHA-256."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sitegen.publish.compress import SMALLEST, Packer, packers
from sitegen.publish.manifest import MARKER, entry
from sitegen.publish.model import Content, PageOnSite, Progress, SiteToPublish
from sitegen.publish.workers import Share, can_fork, share_out, shares


class Lister:
    """Goes through the files of pages, and lists each. A kind of lister says what else becomes of them: see `Writer`.

    `precompress` are the kinds of compressed copies that belong to a text file. Counts `files`, `bytes`, and those that
    are `unchanged`, as it goes.
    """

    def __init__(self, precompress: Sequence[str] = ()) -> None:
        self._precompress = precompress
        self._entries: list[bytes] = []
        self.files = 0
        self.bytes = 0
        self.unchanged = 0

    def write_page(self, page: PageOnSite) -> None:
        """Go through the page's files; raises what `write` does."""
        for address, content in page.files():
            self.write(address, content)

    def write(self, address: str, content: Content) -> None:
        """Go through one file, given whole or in parts, and through the compressed copies of it."""
        made = packers(address, self._precompress if address != MARKER else ())
        if isinstance(content, bytes):
            self._whole(address, content)
            size, digest = len(content), hashlib.sha256(content).hexdigest()
            for packer in made if size >= SMALLEST else ():
                packer.add(content)
        else:
            parts = _Parts(content, made)
            self._parts(address, parts)
            size, digest = parts.size, parts.hash.hexdigest()
        self.files += 1
        self.bytes += size
        self._entries.append(entry(address, size, digest))
        for packer in made if size >= SMALLEST else ():
            self.write(address + packer.suffix, packer.finish())

    def take_entries(self) -> bytes:
        """The lines of the manifest for all files since this was last asked."""
        taken = b"\n".join(self._entries)
        self._entries.clear()
        return taken

    def _whole(self, address: str, content: bytes) -> None:
        """Do what else is to be done with a file that is given whole."""

    def _parts(self, address: str, parts: Iterable[bytes]) -> None:  # noqa: ARG002 - kinds of listers use it
        """Do what else is to be done with a file that is given in parts, and go through all of them."""
        for _ in parts:
            pass


class _Parts:
    """Parts of a file that are hashed and compressed as somebody goes through them."""

    def __init__(self, content: Iterable[bytes], made: Sequence[Packer]) -> None:
        self._content = content
        self._made = made
        self.hash = hashlib.sha256()
        self.size = 0

    def __iter__(self) -> Iterator[bytes]:
        for part in self._content:
            self.hash.update(part)
            self.size += len(part)
            for packer in self._made:
                packer.add(part)
            yield part


@dataclass(frozen=True, slots=True)
class Gone:
    """What was gone through: so many files, of `size` bytes in all, and the lines of the manifest in their order."""

    files: int
    size: int
    unchanged: int
    entries: list[bytes]


_Told = tuple[int, int, int, int, bytes]  # pages, files, bytes, unchanged files, lines of the manifest


def go_through(site: SiteToPublish, lister: Lister, jobs: int, progress: Progress | None = None) -> Gone:
    """Have the lister go through all pages, in this process or in several.

    Raises what a page raises when it renders, what the lister raises, and `BrokenProcessError`.
    """
    pages = site.pages
    addresses = _largest_first(pages)
    done = [0, 0, 0, 0]
    entries: list[bytes] = []

    def work(share: Share) -> _Told:
        files, size, unchanged = lister.files, lister.bytes, lister.unchanged
        for address in addresses[share[0] : share[1]]:
            lister.write_page(pages[address])
        counts = lister.files - files, lister.bytes - size, lister.unchanged - unchanged
        return (share[1] - share[0], *counts, lister.take_entries())

    def told(what: _Told) -> None:
        for place, count in enumerate(what[:4]):
            done[place] += count
        entries.extend(what[4].splitlines())
        if progress is not None:
            progress(done[0], len(addresses))

    parts = shares(len(addresses), jobs)
    if min(jobs, len(parts)) > 1 and can_fork():
        share_out(work, parts, min(jobs, len(parts)), told)
    else:
        for part in parts:
            told(work(part))
    return Gone(done[1], done[2], done[3], sorted(entries))


def _largest_first(addresses: Iterable[str]) -> list[str]:
    """The pages of folders that hold few before those of folders that hold many.

    A page among thousands is one of its kind, and small; the large ones stand alone, and a worker that took one of them
    last would keep the others waiting.
    """
    listed = list(addresses)
    crowd = Counter(address.partition("/")[0] if "/" in address else "" for address in listed)
    return sorted(listed, key=lambda address: crowd[address.partition("/")[0] if "/" in address else ""])
