"""Names that are safe as part of a path, an identity or a label, whatever text the table holds."""

import hashlib
import re

_NOT_SLUG = re.compile(r"[^a-z0-9]+")
_is_plain = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}", re.ASCII).fullmatch
# Names that Windows keeps for devices.
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])", re.ASCII).fullmatch


def slug(text: str) -> str:
    """`text` in small letters, digits and single hyphens; "x" where nothing is left."""
    return _NOT_SLUG.sub("-", text.lower()).strip("-") or "x"


def short_hash(text: str, digits: int = 12) -> str:
    """The first hex digits of the SHA-256 of `text`."""
    return hashlib.sha256(text.encode()).hexdigest()[:digits]


def file_part(text: str) -> str:
    """A part of a path that is safe on every system, and another one for every other `text`.

    Plain names stay as they are; all others become a slug with a hash, since slugs of two names may agree.
    """
    if _is_plain(text) and not _RESERVED(text):
        return text
    return f"{slug(text)[:48].strip('-')}-{short_hash(text, 8)}"


def label_part(text: str) -> str:
    """A name or value inside a workload's label: neither a slash nor a hyphen, which part the label."""
    return re.sub(r"[^\w.+=]", "_", text)
