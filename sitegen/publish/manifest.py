"""The manifest of a site: every file with its size and its SHA-256, what it was made from, and by which version."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from json.encoder import encode_basestring_ascii
from pathlib import Path
from typing import Any

from sitegen import __version__
from sitegen.publish.error import ManifestError

MARKER = "sitegen.json"
"""The file that says of a folder that it is a site of ours, and what is in it: the manifest."""

_GENERATOR = "sitegen"
_OURS = re.compile(rb'\s*\{\s*"generator"\s*:\s*"sitegen"\s*[,}]')
_HEAD = 256


@dataclass(frozen=True, slots=True)
class Making:
    """What a site was made from, and how: the digest of its records, its address, and the copies beside its files.

    `records` and `base_url` are "" where not known; `precompress` are names of `sitegen.publish.compress.KINDS`.
    """

    records: str = ""
    base_url: str = ""
    precompress: tuple[str, ...] = ()


NOT_TOLD = Making()
"""The making of a site of which nobody says how it was made."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A file as the manifest has it: its size in bytes and its SHA-256 in hexadecimal digits."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest that was read: the version that wrote it, how the site was made, and its files by address."""

    version: str
    making: Making
    files: Mapping[str, Listed]


def entry(address: str, size: int, sha256: str) -> bytes:
    """The line of one file, without what ends it."""
    return f'{encode_basestring_ascii(address)}: {{"size": {size}, "sha256": "{sha256}"}}'.encode()


def manifest(making: Making, entries: Sequence[bytes], size: int) -> Iterator[bytes]:
    """The manifest of a site of `size` bytes, in parts: a line for each of `entries`, which are in order."""
    head: dict[str, Any] = {
        "generator": _GENERATOR,
        "version": __version__,
        "records": making.records,
        "base_url": making.base_url,
        "precompress": making.precompress,
        "count": len(entries),
        "bytes": size,
    }
    yield ("{" + "".join(f"{json.dumps(name)}: {json.dumps(value)},\n" for name, value in head.items())).encode()
    yield b'"files": {\n'
    listed, left = iter(entries), len(entries)
    while part := list(islice(listed, 1000)):
        left -= len(part)
        yield b",\n".join(part) + (b",\n" if left else b"\n")
    yield b"}}\n"


def is_ours(folder: Path) -> bool:
    """Whether the folder holds a site that a build of ours made: what its manifest begins with says so."""
    try:
        with (folder / MARKER).open("rb") as file:
            return _OURS.match(file.read(_HEAD)) is not None
    except OSError:
        return False


def read_manifest(folder: Path) -> Manifest:
    """The manifest of the site in `folder`. Raises `ManifestError` where there is none that can be read."""
    path = folder / MARKER
    try:
        says = json.loads(path.read_bytes())
        making = Making(says["records"], says["base_url"], tuple(says["precompress"]))
        files = {address: Listed(each["size"], each["sha256"]) for address, each in says["files"].items()}
        return Manifest(says["version"], making, files)
    except FileNotFoundError:
        message = f"{folder}: holds no {MARKER}, so nothing says what should be in it. Is it a site of sitegen?"
        raise ManifestError(message) from None
    except OSError as error:
        raise ManifestError(f"{path}: cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ManifestError(f"{path}: is not a whole manifest of this version. Build the site again.") from error
