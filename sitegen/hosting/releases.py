"""The releases of a site: what is published, what was before it, and one change of them at a time.

Beside the folder `site` lies `site.releases`, which only its owner can enter: `state.json`, a lock, and each earlier
site as `0007-0123456789ab`, its number and the commit that it was made from. Numbers go up and are never given twice.
"""

import fcntl
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from sitegen.hosting.error import HostingError
from sitegen.publish import switch

_NAME = re.compile(r"(\d{4,})-([0-9a-f]+)")
_SHORT = 12


@dataclass(frozen=True, slots=True)
class Release:
    """A site that was published: its number, and the commit that it was made from."""

    number: int
    commit: str

    @property
    def name(self) -> str:
        """The name of its folder while it is kept, which sorts by number up to 9,999."""
        return f"{self.number:04d}-{self.commit[:_SHORT]}"

    @classmethod
    def named(cls, name: str) -> Self | None:
        """The release that a folder of that name is; None for any other."""
        found = _NAME.fullmatch(name)
        return cls(int(found[1]), found[2]) if found else None


@dataclass(frozen=True, slots=True)
class State:
    """What stands at the site now, what was built last, and out of what: `inputs` is the same for the same inputs.

    `last` is the highest number given so far. After going back, what stands is not what was built last.
    """

    current: Release | None = None
    built: str = ""
    inputs: str = ""
    last: int = 0


class Releases:
    """The releases beside a site. All that changes them is to be done while they are `held`."""

    def __init__(self, site: Path) -> None:
        self.site = site.resolve()
        self.folder = self.site.with_name(f"{self.site.name}.releases")
        self._state = self.folder / "state.json"

    @contextmanager
    def held(self, waiting: Callable[[], None]) -> Iterator[None]:
        """Hold the releases, after whoever holds them now: `waiting` is told where that takes time.

        The system frees them when the process that holds them dies. Raises `HostingError` where they cannot be made.
        """
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            raise HostingError(f"{self.folder}: cannot be made or opened: {error.strerror}.") from error
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                waiting()
                fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def state(self) -> State:
        """What is known; nothing where the file is not there, or is not what was written."""
        try:
            says: dict[str, Any] = json.loads(self._state.read_bytes())
            current = says.pop("current")
            return State(current=Release(**current) if current else None, **says)
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return State(last=max((release.number for release in self.kept()), default=0))

    def kept(self) -> list[Release]:
        """The earlier sites that can be put back, the newest last."""
        if not self.folder.is_dir():
            return []
        found = [Release.named(path.name) for path in self.folder.iterdir() if path.is_dir()]
        return sorted((release for release in found if release is not None), key=lambda release: release.number)

    def place_for_current(self) -> Path:
        """Where the site that stands now goes when another takes its place."""
        state = self.state()
        current = state.current or Release(state.last, "0" * _SHORT)
        return self._free(current)

    def published(self, commit: str, inputs: str, keep: int) -> Release:
        """Remember that a site made from `commit` was just put in place; of the others, keep the newest `keep`."""
        last = self.state().last + 1
        release = Release(last, commit)
        self._remember(State(current=release, built=commit, inputs=inputs, last=last))
        for old in self.kept()[: -keep or None]:
            shutil.rmtree(self.folder / old.name, ignore_errors=True)
        return release

    def go_back(self, number: int | None) -> Release:
        """Put a kept release back: that of `number`, or the one before what stands now. What stands now is kept.

        Raises `HostingError` where there is no such release, and `PublishError` where the folders cannot be swapped.
        """
        state = self.state()
        stands = state.current.number if state.current else state.last
        kept = self.kept()
        fitting = [each for each in kept if (each.number < stands if number is None else each.number == number)]
        if not fitting:
            numbers = ", ".join(str(release.number) for release in kept) or "none"
            asked = "earlier release" if number is None else f"release {number}"
            raise HostingError(f"{self.site}: no {asked} is kept. Kept: {numbers}.")
        release = fitting[-1]
        switch(self.site, self.folder / release.name, self.place_for_current())
        self._remember(State(current=release, built=state.built, inputs=state.inputs, last=state.last))
        return release

    def _free(self, release: Release) -> Path:
        """The folder for a release. What a process that was killed left there is removed."""
        place = self.folder / release.name
        shutil.rmtree(place, ignore_errors=True)
        return place

    def _remember(self, state: State) -> None:
        new = self._state.with_suffix(".new")
        new.write_text(json.dumps(asdict(state), indent=1) + "\n", encoding="utf-8")
        new.replace(self._state)
