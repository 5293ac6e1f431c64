"""Compressed copies beside text files, for servers that send those as they are. The same bytes each time."""

import zlib
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import Protocol

SMALLEST = 1024
"""A file of fewer bytes has no copies: what is sent would hardly be less."""

_TEXT = (".html", ".json", ".jsonl", ".csv", ".css", ".js", ".svg", ".xml", ".txt", ".md")
# Of 0 to 11: from 9 on it sets up large tables for each file, and takes twenty times as long to save 1 in 200 bytes.
_BROTLI_QUALITY = 7


class Packer(Protocol):
    """Compresses one file, part by part. `suffix` is what the name of its copy ends with."""

    suffix: str

    def add(self, part: bytes) -> None:
        """Take in the next part of the file."""
        ...

    def finish(self) -> bytes:
        """The copy, when all parts were added."""
        ...


class Gzip:
    """RFC 1952. The head holds no time and no name, so that it is the same each time."""

    suffix = ".gz"

    def __init__(self) -> None:
        self._packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
        self._parts: list[bytes] = []

    def add(self, part: bytes) -> None:
        """Take in the next part of the file."""
        self._parts.append(self._packer.compress(part))

    def finish(self) -> bytes:
        """The copy, when all parts were added."""
        return b"".join((*self._parts, self._packer.flush()))


class Brotli:
    """RFC 7932, by the package of that name."""

    suffix = ".br"

    def __init__(self) -> None:
        import brotli  # noqa: PLC0415 - an optional dependency

        self._packer = brotli.Compressor(quality=_BROTLI_QUALITY)
        self._parts: list[bytes] = []

    def add(self, part: bytes) -> None:
        """Take in the next part of the file."""
        self._parts.append(self._packer.process(part))

    def finish(self) -> bytes:
        """The copy, when all parts were added."""
        return b"".join((*self._parts, self._packer.finish()))


KINDS: Mapping[str, Callable[[], Packer]] = {"gzip": Gzip, "br": Brotli}
"""The kinds of copies by the names that HTTP has for them."""


def can_pack(kind: str) -> bool:
    """Whether what the kind needs is installed."""
    return kind != "br" or find_spec("brotli") is not None


def packers(address: str, kinds: Sequence[str]) -> tuple[Packer, ...]:
    """What makes the copies of the file at `address`; nothing for one that is no text."""
    return tuple(KINDS[kind]() for kind in kinds) if kinds and address.endswith(_TEXT) else ()
