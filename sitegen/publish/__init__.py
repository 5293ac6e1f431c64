"""Publishing: a site becomes a folder, written beside the old one and put in its place in one step."""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from sitegen.publish.error import (
    BrokenProcessError,
    BuildInProgressError,
    ManifestError,
    PublishError,
    UnsafeOutputError,
    WriteError,
)
from sitegen.publish.exchange import bring_back, put_in_place, remove
from sitegen.publish.listing import go_through
from sitegen.publish.lock import locked
from sitegen.publish.manifest import MARKER, NOT_TOLD, Making, Manifest, manifest, read_manifest
from sitegen.publish.model import PageOnSite, Progress, Published, SiteToPublish
from sitegen.publish.output import safe_output
from sitegen.publish.write import Writer, refused

__all__ = [
    "MARKER",
    "BrokenProcessError",
    "BuildInProgressError",
    "Making",
    "Manifest",
    "ManifestError",
    "PageOnSite",
    "Progress",
    "PublishError",
    "Published",
    "SiteToPublish",
    "UnsafeOutputError",
    "WriteError",
    "publish",
    "read_manifest",
    "safe_output",
    "switch",
]


def publish(
    site: SiteToPublish,
    out: Path,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
    inputs: Sequence[Path] = (),
    kept: Path | None = None,
    force: bool = False,
    making: Making = NOT_TOLD,
) -> Published:
    """Write every page of `site` and put the folder at `out`, in place of the site that was there.

    `out` must be absent, empty, a site of ours, or with `force` anything that `safe_output` lets pass; and clear of
    each of `inputs`. `making` is what the manifest is to say of the site. The site that was there is removed,
    or moved to `kept`, a free name on the same file system. `jobs` is how many processes to use; with 1, or where
    processes cannot be copied, all is done in this one. Sets the umask of the process meanwhile, and
    should be called while there is one thread.

    Raises `PublishError` where the site cannot be written, and whatever a page raises when it renders. The old site is
    then untouched and nothing half written is left, but by a process that is killed: the next build cleans up after it.
    """
    real = safe_output(out, inputs, force=force)
    new, aside, lock = _beside(real)
    with _told_as(out):
        real.parent.mkdir(parents=True, exist_ok=True)
    with _lock_on(lock, out), _umask(0o022):
        bring_back(real, aside)
        remove(aside)
        remove(new)
        _make(new, out)
        try:
            writer = Writer(new, real if real.exists() else None, out, making.precompress)
            published = _write(site, writer, jobs, progress, making)
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


def _make(new: Path, out: Path) -> None:
    with _told_as(out):
        try:
            new.mkdir()
        except FileExistsError:  # it holds what only another user may remove
            message = f"{out}: cannot be written: {new} is in the way. Remove it, and build again."
            raise WriteError(message) from None


def _write(site: SiteToPublish, writer: Writer, jobs: int, progress: Progress | None, making: Making) -> Published:
    """Write all pages, and then the manifest."""
    gone = go_through(site, writer, jobs, progress)
    size, unchanged = writer.bytes, writer.unchanged
    writer.write(MARKER, manifest(making, gone.entries, gone.size))
    return Published(gone.files + 1, gone.size + writer.bytes - size, gone.unchanged + writer.unchanged - unchanged)


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
