"""Templates as Python code, kept from one run of the program to the next."""

import hashlib
import pickle
from contextlib import suppress
from pathlib import Path

import jinja2
from jinja2 import BytecodeCache, FileSystemBytecodeCache
from jinja2.bccache import Bucket

from sitegen.render import compiler


class _Kept(FileSystemBytecodeCache):
    """A file that cannot be read is as good as none, and one that cannot be written is made again the next time."""

    def load_bytecode(self, bucket: Bucket) -> None:
        try:
            super().load_bytecode(bucket)
        except (OSError, EOFError, pickle.UnpicklingError):
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)


def compiled_templates(folder: Path | None = None) -> BytecodeCache | None:
    """Where compiled templates are kept: in `folder`, or where Jinja keeps them, which is the user's own.

    What another version of Jinja or of our compiler made is not taken for the same. None where there is no safe place.
    """
    code = Path(compiler.__file__).read_bytes() + jinja2.__version__.encode()
    pattern = f"sitegen-{hashlib.sha256(code).hexdigest()[:16]}-%s.cache"
    try:
        return _Kept(str(folder) if folder else None, pattern)
    except (OSError, RuntimeError):
        return None
