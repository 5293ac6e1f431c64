"""The site as its files are now: each change is taken in for what it touches, and nothing wrong is shown."""

import threading
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sitegen.catalogue import Change, build, difference, update
from sitegen.load import collector_at_rest
from sitegen.preview.look import LookFiles, read_look, same_judgement
from sitegen.preview.records import Progress, Records, below, hidden
from sitegen.preview.state import errors
from sitegen.preview.templates import SUFFIXES, Compiled, template_problem
from sitegen.problem import Problem, Severity
from sitegen.render import Assets
from sitegen.site import AddressTakenError, Site, compose_site, recompose_site, redress_site
from sitegen.site.alias import alias_problems

_STATIC: Final = (".css", ".js", ".svg")
_MOST_SEEN: Final = 4


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a change.

    `site` is the site to show, the one before where an error keeps it, None where there never was one; `problems` are
    all that there are now, warnings too. `restyled` says that nothing but style sheets changed. `files` are those that
    were read anew and found to be others.
    """

    site: Site | None
    problems: tuple[Problem, ...]
    restyled: bool = False
    files: tuple[Path, ...] = ()

    @property
    def failed(self) -> tuple[Problem, ...]:
        """The problems, where they keep the site as it was."""
        return self.problems if errors(self.problems) else ()


class Live:
    """The files that a site is made from, and the site. Its methods take turns, so that threads may call them."""

    def __init__(self, records: Path, look: LookFiles, *, jobs: int = 1) -> None:
        self._records = Records(records)
        self._files = look
        self._jobs = jobs
        self._turn = threading.RLock()
        self._compiled = Compiled()
        self._site: Site | None = None
        self._before: Site | None = None
        self._late: tuple[Problem, ...] = ()
        self._seen: dict[str, None] = {}

    def start(self, progress: Progress | None = None) -> Outcome:
        """Read everything, with several processes: to be called first, and while there is one thread."""
        with self._turn, collector_at_rest():
            self._records.read_all(self._jobs, progress)
            self._look = read_look(self._files, self._compiled)
            return self._outcome()

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders that hold all the files, but for the settings."""
        return (self._records.folder, *self._look.folders, self._files.static)

    def concerns(self, path: Path, *, is_folder: bool) -> bool:
        """Whether a change of that path can change the site."""
        if path == self._files.config:
            return True
        for folder, suffixes in ((self._files.static, _STATIC), *((each, SUFFIXES) for each in self._look.folders)):
            if (name := below(path, folder)) is not None:
                return not hidden(name) and (is_folder or path.suffix in suffixes)
        if is_folder and path.parent == self._files.config.parent and self._lacks_templates():
            return True
        return self._is_record(path) and self._records.concerns(path, is_folder=is_folder)

    def _is_record(self, path: Path) -> bool:
        elsewhere = (self._files.static, *self._look.folders)
        return (
            path != self._files.config
            and below(path, self._records.folder) is not None
            and all(below(path, folder) is None for folder in elsewhere)
        )

    def _lacks_templates(self) -> bool:
        return any(problem.code == "templates-missing" for problem in self._look.problems)

    def unfinished(self, path: Path) -> bool:
        """Whether a file looks as if its writer were in the midst of it: gone, empty, or cut short."""
        if self._is_record(path):
            return self._records.unfinished(path)
        try:
            return not path.stat().st_size
        except OSError:
            return path == self._files.config or self._look.has(path)

    def missed(self, since_ns: int) -> set[Path]:
        """The records that came, went or changed since then, which is in nanoseconds as the file system counts them."""
        with self._turn:
            return self._records.missed(since_ns)

    def change(self, paths: Collection[Path]) -> Outcome | None:
        """Read again what is at these paths; None where nothing is other than it was."""
        with self._turn:
            records = {path for path in paths if self._is_record(path)}
            others = {path for path in paths if path not in records}
            changed = self._records.change(records) if records else []
            if others:
                before, self._look = self._look, read_look(self._files, self._compiled, self._look)
                changed += sorted(others) if self._look != before else []
            if not changed:
                return None
            self._late = ()
            return self._outcome(changed)

    def page_failed(self, site: Site, error: Exception) -> Outcome | None:
        """Take a site back of which a page cannot be rendered; None where that is no fault of a template.

        The one before it is shown again, with the problem, until something changes.
        """
        with self._turn:
            problem = template_problem(error, self._look.sources)
            if problem is None:
                return None
            if site is self._site:
                self._site, self._before = self._before, None
                self._late = (problem,)
            return Outcome(self._site, self._problems())

    def moved(self, digest: str) -> str:
        """The digest that a run has now, where its file was changed since; else the same."""
        with self._turn:
            return self._records.moved(digest)

    def saw(self, at: str) -> None:
        """Somebody looks at that page: it is tried first when a template changes."""
        self._seen.pop(at, None)
        self._seen[at] = None
        while len(self._seen) > _MOST_SEEN:
            self._seen.pop(next(iter(self._seen)), None)

    # From files to a site

    def _problems(self) -> tuple[Problem, ...]:
        return (*self._look.problems, *self._records.loaded.problems, *self._late)

    def _outcome(self, files: Iterable[Path] = ()) -> Outcome:
        """Make the site of what was read, unless something is wrong with it."""
        changed = tuple(files)
        if errors(self._problems()) or self._look.assets is None:
            return Outcome(self._site, self._problems(), files=changed)
        try:
            site, restyled = self._next(self._look.assets)
        except AddressTakenError as error:
            self._late = (self._address_taken(error),)
            return Outcome(self._site, self._problems(), files=changed)
        if late := (*self._wrong_aliases(site), *self._found_on_seen_pages(site)):
            self._late = late
            return Outcome(self._site, self._problems(), files=changed)
        self._before, self._site = self._site, site
        return Outcome(site, self._problems(), restyled, changed)

    def _next(self, assets: Assets) -> tuple[Site, bool]:
        """The site of all that was read, and whether it differs in nothing but style sheets."""
        look, loaded, site = self._look, self._records.loaded, self._site
        if site is None:
            return compose_site(build(loaded), look.settings, look.renderer, assets, self._records.texts.read), False
        book = site.pages.book
        catalogue = book.judged.catalogue
        same = loaded is catalogue.loaded
        change = Change((), ()) if same else difference(catalogue.loaded, loaded)
        if not same:
            catalogue = update(catalogue, loaded, change)
        if not same_judgement(book.judged.settings, look.settings):
            return compose_site(catalogue, look.settings, look.renderer, assets, self._records.texts.read), False
        if not same:
            site = recompose_site(site, catalogue, change)
        dressed_the_same = book.renderer is look.renderer and book.judged.settings == look.settings
        if dressed_the_same and site.assets is assets:
            return site, False
        restyled = same and dressed_the_same and _but_for_styles(site.assets) == _but_for_styles(assets)
        return redress_site(site, look.settings, look.renderer, assets), restyled

    def _wrong_aliases(self, site: Site) -> tuple[Problem, ...]:
        judged = site.pages.book.judged
        return alias_problems(self._files.config, judged.settings.aliases, judged.catalogue)

    def _found_on_seen_pages(self, site: Site) -> tuple[Problem, ...]:
        """What is wrong with the templates of the pages that are looked at, where a template changed."""
        if self._site is None or self._site.pages.book.renderer is site.pages.book.renderer:
            return ()
        for at in reversed(list(self._seen)):
            try:
                site.render(at)
            except Exception as error:  # noqa: BLE001 - a template calls what it likes, and fails as it likes
                if problem := template_problem(error, self._look.sources):
                    return (problem,)
        return ()

    def _address_taken(self, error: AddressTakenError) -> Problem:
        hint = "Rename one of the two."
        folder = self._records.folder.as_posix()
        return Problem(Severity.ERROR, "address-taken", folder, "", f"{str(error).capitalize()}.", hint)


def _but_for_styles(assets: Assets) -> set[str]:
    return {asset.address for asset in assets.files if not asset.address.endswith(".css")}
