"""The records as their files are now: of a changed folder only what changed is read again."""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from sitegen.load import FileResult, Folder, Loaded, Reader, find
from sitegen.load.files import contents
from sitegen.load.parallel import SHARE, can_fork, read_with_processes
from sitegen.preview.texts import Texts

Progress = Callable[[int, int], None]

_CUT: Final = {"empty-file", "truncated", "not-json", "wrong-encoding"}
_TRIES: Final = 3


class Records:
    """A folder of records that is kept up to date, and the texts of those that the site shows."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.texts = Texts(folder)
        self._reader = Reader(folder)
        self._last: dict[str, str] = {}
        self._moved: dict[str, str] = {}

    @property
    def loaded(self) -> Loaded:
        """All that the files hold, as they were last read."""
        return self._all.loaded

    def read_all(self, jobs: int, progress: Progress | None) -> None:
        """Read every file, with `jobs` processes: to be called first, and while there is one thread."""
        found = find(self.folder)
        results = list(self._results(found.paths, jobs, progress))
        self._known = {result.path: result for result in results}
        self._found_wrong = found.problems
        self._all = Folder(self.folder, results, found.problems)
        self.texts.keep_all(self.loaded.runs)

    def _results(self, paths: tuple[str, ...], jobs: int, progress: Progress | None) -> Iterator[FileResult]:
        if jobs > 1 and len(paths) > SHARE and can_fork():
            results = read_with_processes(self.folder, paths, jobs)
        else:
            results = map(self._reader.read, paths)
        for done, result in enumerate(results, 1):
            yield result
            if progress is not None:
                progress(done, len(paths))

    def concerns(self, path: Path, *, is_folder: bool) -> bool:
        """Whether a change of that path, which lies in the folder, can change what is loaded."""
        name = below(path, self.folder) or ""
        return not hidden(name) and (is_folder or name == "" or name.endswith(".json"))

    def unfinished(self, path: Path) -> bool:
        """Whether a file looks as if its writer were in the midst of it: gone, empty, or cut short."""
        name = below(path, self.folder) or ""
        if not path.is_file():
            return name in self._known and not path.exists()
        return any(problem.code in _CUT for problem in self._reader.read(name).problems)

    def missed(self, since_ns: int) -> set[Path]:
        """The files that came, went or changed since then, which is in nanoseconds as the file system counts them."""
        found = find(self.folder).paths
        changed = {name for name in found if name not in self._known or _touched(self.folder / name, since_ns)}
        changed |= self._known.keys() - set(found)
        return {self.folder / name for name in changed}

    def change(self, paths: Iterable[Path]) -> list[Path]:
        """Read again what is at these paths in the folder, and give those of it that are other than they were."""
        results: dict[str, FileResult | None] = {}
        found_wrong = self._found_wrong
        for name in self._named(paths):
            result, data = self._read(name)
            known = self._known.get(name)
            if result == known and self._same_text(known, data):
                continue
            results[name] = result
            self._note_digest(name, known, result)
            if result is None:
                self._known.pop(name, None)
                continue
            self._known[name] = result
            if result.run is not None:
                self.texts.keep(result.run, data)
        changed = [self.folder / name for name in results]
        if found_wrong != self._found_wrong:
            changed.append(self.folder)
        if changed:
            self._all.replace(results, self._found_wrong)
        return changed

    def _note_digest(self, name: str, known: FileResult | None, result: FileResult | None) -> None:
        """Note that a file has a run of another digest than before, also if it was broken in between."""
        if known is not None and known.run is not None:
            self._last[name] = known.run.digest
        if result is not None and result.run is not None and name in self._last:
            before, now = self._last[name], result.run.digest
            self._moved[before] = now
            self._moved.pop(now, None)

    def moved(self, digest: str) -> str:
        """The digest that a run has now, where its file was changed since; else the same."""
        while digest in self._moved:
            digest = self._moved[digest]
        return digest

    def _named(self, paths: Iterable[Path]) -> list[str]:
        """The files that may have changed where something at these paths did: those of whole folders, too."""
        names, folders = set(), []
        for path in paths:
            name = below(path, self.folder) or ""
            if name in self._known or (name.endswith(".json") and path.is_file()):
                names.add(name)
            elif os.path.lexists(path) or not name.endswith(".json"):
                folders.append(f"{name}/" if name else "")
        if folders or self._found_wrong:
            found = find(self.folder)
            self._found_wrong = found.problems
            names |= self._known.keys() ^ set(found.paths)
            names |= {known for known in self._known if known.startswith(tuple(folders))}
        return sorted(names)

    def _read(self, name: str) -> tuple[FileResult | None, bytes]:
        """What a file holds, with its bytes; None where it is gone."""
        path = self.folder / name
        if not path.is_file():
            return None, b""
        data = _contents(path)
        for _ in range(_TRIES):
            result, before = self._reader.read(name), data
            data = _contents(path)
            if data == before:
                break
        return result, data

    def _same_text(self, known: FileResult | None, data: bytes) -> bool:
        """Whether a record is written as it was, as far as that is known: its page shows it as it stands."""
        return known is None or known.run is None or self.texts.get(known.run) in {None, data}


def below(path: Path, folder: Path) -> str | None:
    """A path below a folder, with `/` between its parts: "" is the folder itself, None is elsewhere."""
    if not path.is_relative_to(folder):
        return None
    name = path.relative_to(folder).as_posix()
    return "" if name == "." else name


def hidden(name: str) -> bool:
    """Whether a path, as `below` gives it, is or lies in what is hidden."""
    return any(part.startswith(".") for part in name.split("/"))


def _contents(path: Path) -> bytes:
    try:
        return contents(str(path))
    except OSError:
        return b""


def _touched(path: Path, since_ns: int) -> bool:
    try:
        return path.stat().st_ctime_ns >= since_ns
    except OSError:
        return True
