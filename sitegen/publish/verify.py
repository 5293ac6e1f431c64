"""Whether a published folder is whole, and whether it is what some records make."""

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from sitegen.publish.listing import Lister, go_through
from sitegen.publish.manifest import MARKER, Listed, Manifest
from sitegen.publish.model import Progress, SiteToPublish
from sitegen.publish.workers import Share, can_fork, share_out, shares

_PART = 1 << 20


class Kind(StrEnum):
    """How a file differs: the first three from the manifest, the others from what the records make."""

    MISSING = "missing"
    ALTERED = "altered"
    EXTRA = "extra"
    LACKING = "lacking"
    OTHER = "other"
    STALE = "stale"


@dataclass(frozen=True, slots=True, order=True)
class Difference:
    """A file of a site that is not as it should be."""

    file: str
    kind: Kind


def damage(folder: Path, manifest: Manifest, jobs: int = 1, progress: Progress | None = None) -> list[Difference]:
    """The files below `folder` that its manifest does not have so, in order of address; empty where the site is whole.

    Every file is read, by `jobs` processes. One that cannot be read, and a link, counts as altered. Raises `OSError`
    where a folder cannot be read.
    """
    there = dict(_files(folder))
    listed = list(manifest.files.items())
    found = [Difference(address, Kind.EXTRA) for address in there if address not in manifest.files]
    done = 0

    def work(share: Share) -> tuple[int, list[Difference]]:
        return share[1] - share[0], [
            Difference(address, Kind.ALTERED if address in there else Kind.MISSING)
            for address, each in listed[share[0] : share[1]]
            if not (there.get(address) and _holds(folder / address, each))
        ]

    def told(what: tuple[int, list[Difference]]) -> None:
        nonlocal done
        done += what[0]
        found.extend(what[1])
        if progress is not None:
            progress(done, len(listed))

    parts = shares(len(listed), jobs)
    if min(jobs, len(parts)) > 1 and can_fork():
        share_out(work, parts, min(jobs, len(parts)), told)
    else:
        for part in parts:
            told(work(part))
    return sorted(found)


def _files(folder: Path) -> Iterator[tuple[str, bool]]:
    """The addresses of all that is in a folder but the manifest and folders, and whether each is a plain file."""
    waiting = [""]
    while waiting:
        below = waiting.pop()
        with os.scandir(folder / below) as entries:
            for each in entries:
                address = below + each.name
                if each.is_dir(follow_symlinks=False):
                    waiting.append(f"{address}/")
                elif address != MARKER:
                    yield address, each.is_file(follow_symlinks=False)


def _holds(path: Path, listed: Listed) -> bool:
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size != listed.size:
                return False
            hashed = hashlib.sha256()
            while part := file.read(_PART):
                hashed.update(part)
    except OSError:
        return False
    return hashed.hexdigest() == listed.sha256


def unlike(
    manifest: Manifest, site: SiteToPublish, jobs: int = 1, progress: Progress | None = None
) -> Sequence[Difference]:
    """The files of a published site that are not those of `site`, which is made for this and written nowhere.

    In order of address. Raises what `sitegen.publish.listing.go_through` does.
    """
    entries = go_through(site, Lister(manifest.making.precompress), jobs, progress).entries
    found = []
    made = set()
    for line in entries:
        ((address, each),) = json.loads(b"{%b}" % line).items()
        made.add(address)
        published = manifest.files.get(address)
        if published is None:
            found.append(Difference(address, Kind.LACKING))
        elif published != Listed(each["size"], each["sha256"]):
            found.append(Difference(address, Kind.OTHER))
    found.extend(Difference(address, Kind.STALE) for address in manifest.files if address not in made)
    return sorted(found)
