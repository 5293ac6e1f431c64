"""Publishing: a site becomes a folder, written beside the old one and put in its place in one step."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from sitegen import __version__
from sitegen.publish.error import (
    BrokenProcessError,
    BuildInProgressError,
    PublishError,
    UnsafeOutputError,
    WriteError,
)
from sitegen.publish.exchange import bring_back, put_in_place, remove
from sitegen.publish.lock import locked
from sitegen.publish.model import PageOnSite, Progress, Published, SiteToPublish
from sitegen.publish.output import MARKER, marker, safe_output
from sitegen.publish.workers import Share, can_fork, share_out, shares
from sitegen.publish.write import Writer, refused

__all__ = [
    "MARKER",
    "BrokenProcessError",
    "BuildInProgressError",
    "PageOnSite",
    "Progress",
    "PublishError",
    "Published",
    "SiteToPublish",
    "UnsafeOutputError",
    "WriteError",
    "publish",
    "safe_output",
    "switch",
]

_Counts = tuple[int, int, int, int]  # pages, files, bytes, unchanged files


def publish(
    site: SiteToPublish,
    out: Path,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
    inputs: Sequence[Path] = (),
    kept: Path | None = None,
) -> Published:
    """Write every page of `site` and put the folder at `out`, in place of the site that was there.

    `out` must be absent, empty, or a site of ours, and clear of each of `inputs`. The site that was there is removed,
    or moved to `kept`, a free name on the same file system. `jobs` is how many processes to use; with 1, or where
    processes cannot be copied, all is done in this one. Sets the umask of the process meanwhile, and
    should be called while there is one thread.

    Raises `PublishError` where the site cannot be written, and whatever a page raises when it renders. The old site is
    then untouched and nothing half written is left, but by a process that is killed: the next build cleans up after it.
    """
    real = safe_output(out, inputs)
    new, aside, lock = _beside(real)
    with _told_as(out):
        real.parent.mkdir(parents=True, exist_ok=True)
    with _lock_on(lock, out), _umask(0o022):
        bring_back(real, aside)
        remove(aside)
        remove(new)
        with _told_as(out):
            new.mkdir()
        try:
            published = _write(site, Writer(new, real if real.exists() else None, out), jobs, progress)
            with _told_as(out):
                put_in_place(new, real, aside, kept)
        except BaseException:
            remove(new)
            raise
    return published


def switch(out: Path, site: Path, kept: Path) -> None:
    """Put `site`, a folder that was published before, at `out`, and move the one that is there to the free name `kept`.

    All three are on one file system. Raises `PublishError`; the two folders are then as they were.
    """
    real = safe_output(out)
    _, aside, lock = _beside(real)
    with _lock_on(lock, out), _told_as(out):
        bring_back(real, aside)
        put_in_place(site, real, aside, kept)


def _beside(real: Path) -> tuple[Path, Path, Path]:
    """What may stand beside a site: the new one while it is written, the old one while it is replaced, and the lock."""
    new, aside, lock = (real.with_name(f".{real.name}.sitegen-{part}") for part in ("new", "old", "lock"))
    return new, aside, lock


def _write(site: SiteToPublish, writer: Writer, jobs: int, progress: Progress | None) -> Published:
    """Write all pages, in this process or in several, and then the marker."""
    pages = site.pages
    addresses = _largest_first(pages)
    done = [0, 0, 0, 0]

    def work(share: Share) -> _Counts:
        files, size, unchanged = writer.files, writer.bytes, writer.unchanged
        for address in addresses[share[0] : share[1]]:
            writer.write_page(pages[address])
        return (
            share[1] - share[0],
            writer.files - files,
            writer.bytes - size,
            writer.unchanged - unchanged,
        )

    def told(counts: _Counts) -> None:
        for place, count in enumerate(counts):
            done[place] += count
        if progress is not None:
            progress(done[0], len(addresses))

    parts = shares(len(addresses), jobs)
    if min(jobs, len(parts)) > 1 and can_fork():
        share_out(work, parts, min(jobs, len(parts)), told)
    else:
        for part in parts:
            told(work(part))
    _, files, size, unchanged = done
    before = writer.unchanged
    says = marker(__version__, files, size)
    writer.write(MARKER, says)
    return Published(files + 1, size + len(says), unchanged + writer.unchanged - before)


def _largest_first(addresses: Iterable[str]) -> list[str]:
    """The pages of folders that hold few before those of folders that hold many.

    A page among thousands is one of its kind, and small; the large ones stand alone, and a worker that took one of them
    last would keep the others waiting.
    """
    listed = list(addresses)
    crowd = Counter(address.partition("/")[0] if "/" in address else "" for address in listed)
    return sorted(listed, key=lambda address: crowd[address.partition("/")[0] if "/" in address else ""])


@contextmanager
def _told_as(out: Path) -> Iterator[None]:
    """Turn a refusal of the file system into the line that the user reads."""
    try:
        yield
    except OSError as error:
        raise refused(out, "", error) from error


@contextmanager
def _lock_on(lock: Path, out: Path) -> Iterator[None]:
    """Hold the lock of the output folder."""
    with ExitStack() as stack:
        with _told_as(out):
            stack.enter_context(locked(lock, out))
        yield


@contextmanager
def _umask(mask: int) -> Iterator[None]:
    """Make new files and folders with all the modes that `mask` leaves, whatever the user's own umask is."""
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)
