"""When a change is whole: editors save in several steps, and none of those in between is to be shown."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

QUIET_ONE_S: Final = 0.015
"""How long it must be quiet after the change of one path: what an editor does beside the file itself takes less."""

QUIET_MANY_S: Final = 0.06
"""The same after changes of several paths, as of a folder that is renamed."""

CROWD: Final = 10
QUIET_CROWD_S: Final = 0.4
"""The same from that many paths on: a checkout of hundreds pauses, and a busy machine tells of it late."""

OPEN_S: Final = 0.1
"""The same where a file was written to and not closed: most writers close it within a millisecond."""

PATIENCE_S: Final = 0.08
"""How long a file may be absent, empty or cut short before that is what it is."""

PATIENCE_OPEN_S: Final = 1.0
"""The same for a file that its writer has not closed."""

MOST_S: Final = 2.0
"""How long a change may be held back by what follows it: then what has come is shown."""

MOST_BUSY_S: Final = 10.0
"""The same where it is known that more will follow."""

_MOST_LOOKED_INTO: Final = 1000
_LOOK_AGAIN_S: Final = 0.01
_LEFT_BEHIND_S: Final = 60.0


@dataclass(slots=True)
class Batch:
    """Paths that changed, until it has been quiet for long enough. Times are seconds of any one clock.

    `closed` says of each path whether its writer is done with it, as far as one can know.
    """

    closed: dict[Path, bool] = field(default_factory=dict)
    first: float = 0.0
    last: float = 0.0

    def note(self, path: Path, at: float, *, closed: bool) -> None:
        """A path changed."""
        if not self.closed:
            self.first = at
        self.last = at
        self.closed[path] = closed

    def wait_until(self, now: float, unfinished: Callable[[Path], bool]) -> float:
        """When to look again, if nothing else comes; `now` or before where all of it is whole."""
        paths = len(self.closed)
        quiet = QUIET_ONE_S if paths == 1 else QUIET_MANY_S if paths < CROWD else QUIET_CROWD_S
        if not all(self.closed.values()):
            quiet = max(quiet, OPEN_S)
        latest = self.first + MOST_S
        due = min(self.last + quiet, latest)
        if now < due or len(self.closed) > _MOST_LOOKED_INTO:
            return due
        waits = [PATIENCE_S if closed else PATIENCE_OPEN_S for path, closed in self.closed.items() if unfinished(path)]
        return min(self.last + max(waits), latest) if waits else due


class Settling:
    """Where changes are noted by whoever sees them, and taken when they are whole. Safe to use from several threads.

    `unfinished` says of a path that it looks as if its writer were in the midst of it, `busy` that whoever changes the
    files is not done with them.
    """

    def __init__(self, unfinished: Callable[[Path], bool], busy: Callable[[], bool]) -> None:
        self._unfinished = unfinished
        self._busy = busy
        self._batch = Batch()
        self._changed = threading.Condition()
        self._ended = False

    def note(self, path: Path, *, closed: bool) -> None:
        """A path changed; `closed` where its writer is done with it."""
        with self._changed:
            self._batch.note(path, time.monotonic(), closed=closed)
            self._changed.notify()

    def end(self) -> None:
        """Nothing more is to be taken."""
        with self._changed:
            self._ended = True
            self._changed.notify()

    def take(self) -> frozenset[Path]:
        """Wait for changes and give their paths when they are whole; empty at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._batch.closed or self._ended)
            while not self._ended:
                now = time.monotonic()
                until = self._batch.wait_until(now, self._unfinished)
                if until <= now < self._batch.first + MOST_BUSY_S and self._busy():
                    until = now + _LOOK_AGAIN_S
                if until <= now:
                    break
                self._changed.wait(until - now)
            if self._ended:
                return frozenset()
            taken, self._batch = frozenset(self._batch.closed), Batch()
            return taken


def repository_lock(folder: Path) -> Path | None:
    """The file that git holds while it changes files around `folder`; None where that is in no repository."""
    for around in (folder, *folder.parents):
        place = around / ".git"
        if place.is_dir():
            return place / "index.lock"
        if place.is_file():  # a work tree of its own says where its repository is
            _, _, named = place.read_text(encoding="utf-8", errors="surrogateescape").partition("gitdir: ")
            return around / named.strip() / "index.lock"
    return None


def held(lock: Path | None) -> bool:
    """Whether the lock is held; one that was left behind by a crash does not count."""
    try:
        return lock is not None and time.time() - lock.stat().st_mtime < _LEFT_BEHIND_S
    except OSError:
        return False
