"""What changed: the folders that a site is made from, watched by the system, or where it cannot, polled."""

import contextlib
import importlib
import os
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver
from watchdog.observers.polling import PollingObserver
from watchdog.utils.dirsnapshot import DirectorySnapshot

Note = Callable[[Path, bool, bool], None]
"""Told of a path that changed, whether its writer is done with it, and whether it is a folder."""

# Opened files, and those closed unwritten, are left out: reading is no change, and the system need not tell of it.
_CHANGES: Final[list[type[FileSystemEvent]]] = [
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
]
_UNDERWAY: Final = (FileCreatedEvent, FileModifiedEvent)

_LEAST_POLL_S: Final = 0.25
_POLL_SHARE: Final = 4
_PAIRING_S: Final = 0.02
_END_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class Watched:
    """A folder to watch, as the rest of the program names it; `deep` with all folders below it."""

    folder: Path
    deep: bool = True


class Watch:
    """Watches the folders that `watched` gives, and tells of every change below them by the path as they were given.

    `polls` says why it polls, "" where it does not: the system's own watching is tried first, unless `poll`.
    """

    def __init__(self, watched: Callable[[], Sequence[Watched]], note: Note, *, poll: bool = False) -> None:
        self._find = watched
        self._watched: Sequence[Watched] = ()
        self._note = note
        self._observer: BaseObserver | None = None
        self.polls = "as asked for" if poll else ""

    def start(self) -> None:
        """Begin to watch all that is there now. To be called again when folders came, went or moved.

        What is watched until then is watched until what follows it has begun: no change is missed in between.
        """
        before = self._observer
        self._watched = self._find()
        if not self.polls:
            self.polls = self._watch_by_system()
        if self.polls:
            self._observer = self._begun(PollingObserver(timeout=self._poll_every()))
        _end(before, wait=False)
        if self._falls_short():
            self.polls = _NO_WATCHES
            self.start()

    def stop(self) -> None:
        """End the watching; a look at thousands of files that is under way is not waited for."""
        observer, self._observer = self._observer, None
        _end(observer, wait=True)

    def _falls_short(self) -> bool:
        """Whether the system watches fewer folders than there are, having run out of watches."""
        if self.polls:
            return False
        watches = _most_watches()
        return watches is not None and watches < max(map(_count_folders, self._watched))

    def _watch_by_system(self) -> str:
        """Have the system watch; why it cannot, or ""."""
        _pair_moves_quickly()
        # watchdog says so when a folder comes within a new folder, and goes on rightly.
        warnings.filterwarnings("ignore", "Callback with id", RuntimeWarning)
        try:
            self._observer = self._begun(Observer())
        except OSError as error:
            return f"{_NO_WATCHES} ({error.strerror})"
        return ""

    def _begun(self, observer: BaseObserver) -> BaseObserver:
        try:
            for each in self._watched:
                real = each.folder.resolve()
                if real.is_dir():
                    handler = _Handler(str(real), each.folder, self._note)
                    observer.schedule(handler, str(real), recursive=each.deep, event_filter=_CHANGES)
            observer.start()
        except BaseException:
            observer.stop()
            raise
        return observer

    def _poll_every(self) -> float:
        """Seconds between two looks: four times as long as a look takes, so that polling is not all that is done."""
        begun = time.perf_counter()
        for each in self._watched:
            with contextlib.suppress(OSError):
                DirectorySnapshot(str(each.folder.resolve()), recursive=each.deep)
        return max(_LEAST_POLL_S, _POLL_SHARE * (time.perf_counter() - begun))


_NO_WATCHES: Final = "because the system has no watches left"


def _end(observer: BaseObserver | None, *, wait: bool) -> None:
    if observer is not None:
        ending = threading.Thread(target=observer.stop, daemon=True)
        ending.start()
        ending.join(_END_S if wait else 0)


class _Handler(FileSystemEventHandler):
    """Tells of events below a real folder as paths below the folder that the user gave."""

    def __init__(self, real: str, given: Path, note: Note) -> None:
        self._prefix = os.path.join(real, "")  # noqa: PTH118 - a text that ends in a slash
        self._given = given
        self._note = note

    def on_any_event(self, event: FileSystemEvent) -> None:
        closed = not isinstance(event, _UNDERWAY)
        for path in (event.src_path, event.dest_path):
            if path:
                name = os.fsdecode(path)
                below = name.removeprefix(self._prefix)
                here = self._given / below if below != name else self._given
                self._note(here, closed, event.is_directory)


def _count_folders(watched: Watched) -> int:
    """How many folders there are to watch."""
    return sum(1 for _ in os.walk(watched.folder.resolve())) if watched.deep else 1


def _most_watches() -> int | None:
    """How many watches the largest of this process's inotify instances holds; None where the system does not tell."""
    counts = []
    try:
        descriptors = list(Path("/proc/self/fd").iterdir())
    except OSError:
        return None
    for descriptor in descriptors:
        with contextlib.suppress(OSError):  # closed meanwhile
            if descriptor.readlink() == Path("anon_inode:inotify"):
                text = Path("/proc/self/fdinfo", descriptor.name).read_text(encoding="ascii")
                counts.append(text.count("inotify wd:"))
    return max(counts, default=None)


def _pair_moves_quickly() -> None:
    """Shorten the half second for which watchdog holds back what was moved out of sight, and all that comes after it.

    The two halves of a move within sight come from the system together.
    """
    for module, name in (
        ("watchdog.observers.inotify_move_event_grouper", "InotifyMoveEventGrouper"),
        ("watchdog.observers.inotify_buffer", "InotifyBuffer"),
    ):
        with contextlib.suppress(ImportError, AttributeError):
            getattr(importlib.import_module(module), name).delay = _PAIRING_S
