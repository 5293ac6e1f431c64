"""The preview at work: changes are watched, taken in one after the other, and become the present version."""

import os
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from sitegen.load import RecordChangedError
from sitegen.preview.live import Live, Outcome
from sitegen.preview.look import LookFiles
from sitegen.preview.records import Progress
from sitegen.preview.settle import Settling, held, repository_lock
from sitegen.preview.state import State, Version, mount
from sitegen.preview.watch import Watch, Watched
from sitegen.site import address

_SLACK_NS: Final = 50_000_000  # a file system's clock may be a tick of the kernel behind
_MANY: Final = 2000
_TRIES: Final = 3
_NEWER_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class News:
    """What is told of a change: what became of it, how long that took in seconds, and why folders are polled, or ""."""

    outcome: Outcome
    version: Version
    seconds: float
    polls: str


class Session:
    """Keeps a site up with its files. `tell` is called with all news, also from other threads, one at a time."""

    def __init__(
        self,
        records: Path,
        look: LookFiles,
        *,
        tell: Callable[[News], None],
        jobs: int = 1,
        poll: bool = False,
    ) -> None:
        self.state = State()
        self._live = Live(records, look, jobs=jobs)
        self._tell = tell
        lock = repository_lock(records.resolve())
        self._settling = Settling(self._live.unfinished, lambda: held(lock))
        self._watch = Watch(lambda: _roots(self._live.folders, look.config), self._note, poll=poll)
        self._thread = threading.Thread(target=self._keep_up, name="sitegen-changes", daemon=True)
        self._since = 0
        self._folders_changed = False

    @property
    def mount(self) -> str:
        """The path that the site is served below, with a slash at both ends."""
        site = self.state.version.site
        return mount(site) if site is not None else "/"

    def load(self, progress: Progress | None = None) -> None:
        """Read everything, and tell of it. To be called first, and while there is one thread."""
        begun, self._since = time.perf_counter(), time.time_ns()
        outcome = self._live.start(progress)
        self._put(outcome, time.perf_counter() - begun)

    def start(self) -> str:
        """Begin to watch. Gives why the folders are polled, "" where the system watches them."""
        self._watch.start()
        self._thread.start()
        # What changed between its being read and its being watched.
        for path in self._live.missed(self._since - _SLACK_NS):
            self._settling.note(path, closed=True)
        return self._watch.polls

    def end(self) -> None:
        """Stop watching, and let all that wait for a change go."""
        self.state.end()
        self._settling.end()
        self._watch.stop()

    def render(self, at: str) -> tuple[Version, bytes | None]:
        """The bytes at an address, None where there is nothing, and the version of the site that they are of.

        Where a template fails, the version before is shown instead. Raises `RecordChangedError` where a record is
        another than the one that the page shows, and that one is not known any more.
        """
        self._live.saw(at)
        version = self.state.version
        for _ in range(_TRIES):
            if version.site is None:
                break
            try:
                return version, version.site.render(at)
            except Exception as error:  # noqa: BLE001 - a template calls what it likes, and fails as it likes
                version = self._after(version, error)
        return version, None

    def moved(self, at: str) -> str | None:
        """Where the page of a run is that was at an address until its record changed; None where there is none."""
        name = PurePosixPath(at)
        digest = "sha256:" + name.stem
        now = self._live.moved(digest)
        site = self.state.version.site
        if now == digest or site is None or name.parts[0] != "runs":
            return None
        run = site.pages.book.judged.catalogue.run_of.get(now)
        return address.run(run).removesuffix(".html") + name.suffix if run else None

    def _after(self, version: Version, error: Exception) -> Version:
        """The version to show where a page of another one failed; raises the error again where there is none."""
        if isinstance(error, RecordChangedError):
            newer = self.state.wait(version.build, _NEWER_S)
            if newer.build != version.build:
                return newer
        elif version.site is not None and (outcome := self._live.page_failed(version.site, error)) is not None:
            newer = self.state.version
            return newer if newer.build != version.build else self._put(outcome, 0.0)
        raise error

    def _put(self, outcome: Outcome, seconds: float) -> Version:
        version = self.state.put(outcome.site, outcome.failed, restyled=outcome.restyled)
        self._tell(News(outcome, version, seconds, self._watch.polls))
        return version

    def _note(self, path: Path, closed: bool, is_folder: bool) -> None:
        if self._live.concerns(path, is_folder=is_folder):
            self._folders_changed |= is_folder
            self._settling.note(path, closed=closed)

    def _keep_up(self) -> None:
        """Take in one change after the other, until the end."""
        while paths := self._settling.take():
            try:
                self._take_in(paths)
            except Exception:  # noqa: BLE001 - our bug must not leave the preview deaf
                traceback.print_exc()

    def _take_in(self, paths: frozenset[Path]) -> None:
        begun, since, self._since = time.perf_counter(), self._since, time.time_ns()
        if self._folders_changed:  # a watch stays with its folder, wherever that goes
            self._folders_changed = False
            self._watch.start()
        if len(paths) > _MANY:  # so many that the system may have dropped some
            paths |= self._live.missed(since - _SLACK_NS)
        folders = self._live.folders
        outcome = self._live.change(paths)
        if self._live.folders != folders:  # the settings name another one
            self._watch.start()
        if outcome is not None:
            self._put(outcome, time.perf_counter() - begun)


def _roots(folders: tuple[Path, ...], config: Path) -> Sequence[Watched]:
    """The folders to watch: those with the files, and those in which the records and the settings may be replaced."""
    deep = [Watched(folder) for folder in dict.fromkeys((*folders, *_linked(folders[0])))]
    around = dict.fromkeys((folders[0].parent, config.parent))
    return [*deep, *(Watched(folder, deep=False) for folder in around)]


def _linked(folder: Path) -> Iterator[Path]:
    """The folders below a folder that lie elsewhere, and are there by a link."""
    real = folder.resolve()
    for at, below, _ in os.walk(folder):
        for name in below:
            path = Path(at, name)
            if path.is_symlink() and not path.resolve().is_relative_to(real):
                yield path
