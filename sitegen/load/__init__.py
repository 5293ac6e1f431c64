"""From a folder of JSON to runs, documents and problems.

`load` reads a whole folder, and `load_selected` some files alone. A file that changes can be read alone: `Reader.read`
gives its `FileResult`, and `merge` makes a `Loaded` of all of them; a `Folder` keeps it up to date. `read_record` gives
one record once more, whole.
"""

from sitegen.load.files import find
from sitegen.load.folder import Folder
from sitegen.load.loading import collector_at_rest, load
from sitegen.load.merge import merge
from sitegen.load.model import Figure, Gpu, Loaded, Run
from sitegen.load.reading import FileResult, Reader
from sitegen.load.recall import RecordChangedError, RecordFile, read_record
from sitegen.load.selected import load_selected

__all__ = [
    "Figure",
    "FileResult",
    "Folder",
    "Gpu",
    "Loaded",
    "Reader",
    "RecordChangedError",
    "RecordFile",
    "Run",
    "collector_at_rest",
    "find",
    "load",
    "load_selected",
    "merge",
    "read_record",
]
