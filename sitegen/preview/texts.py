"""The records as they were when the site was made: a page shows its record whole, also after the file has changed."""

import codecs
import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sitegen.load import Reader, RecordChangedError, RecordFile, Run
from sitegen.load.files import contents

MOST_BYTES: Final = 64 * 2**20
"""How much of the records' text is kept: all of a common catalogue, and of a large one what was asked for last."""

_SOME: Final = 100


class Texts:
    """Keeps the bytes of records by file and digest of the run, and reads those that it does not have."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self._folder = folder
        self._reader = Reader(folder)
        self._most = most_bytes
        self._size = 0
        self._kept: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, run: Run, data: bytes) -> None:
        """Keep what the file of a run holds, and let go of what was asked for longest ago."""
        key = (run.file, run.digest)
        with self._lock:
            self._size += len(data) - len(self._kept.pop(key, b""))
            self._kept[key] = data
            while self._size > self._most:
                _, oldest = self._kept.popitem(last=False)
                self._size -= len(oldest)

    def get(self, run: Run) -> bytes | None:
        """What is kept of a run."""
        with self._lock:
            data = self._kept.get((run.file, run.digest))
            if data is not None:
                self._kept.move_to_end((run.file, run.digest))
            return data

    def keep_all(self, runs: Sequence[Run]) -> None:
        """Keep the records of these runs, if there is room for all of them, as the first of them tell."""
        for done, run in enumerate(runs, 1):
            try:
                self.keep(run, contents(str(self._folder / run.file)))
            except OSError:  # it has just gone, which will be noticed
                continue
            if done % _SOME == 0 and self._size * len(runs) > self._most * done:
                return

    def read(self, run: Run) -> RecordFile:
        """The record of a run. Raises `RecordChangedError` where it is not kept and its file holds another."""
        data = self.get(run)
        if data is None:
            data = self._read(run)
            self.keep(run, data)
        text = data.removeprefix(codecs.BOM_UTF8).decode()
        value = json.loads(text)
        return RecordFile(text, value["run"], value["protocol"], value["environment"])

    def _read(self, run: Run) -> bytes:
        path = str(self._folder / run.file)
        try:
            data = contents(path)
            found = self._reader.read(run.file).run
            if found is not None and found.digest == run.digest and contents(path) == data:
                return data
        except OSError:
            pass
        raise RecordChangedError(f"{path}: this record has changed since it was loaded.")
