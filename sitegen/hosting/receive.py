"""What a server does with a push: refuse it where the records are wrong, and build the site anew where they are right.

The lines that are told go to the terminal of whoever pushed.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sitegen import __version__
from sitegen.hosting.error import HostingError
from sitegen.hosting.git import NOWHERE, check_out, entries, objects, tip
from sitegen.hosting.releases import Releases

Tell = Callable[[str], None]
Run = Callable[[Sequence[str], Path], int]
"""Run a command of ours in a folder, tell its lines, and give its exit status."""

OK, REFUSED = 0, 1


@dataclass(frozen=True, slots=True)
class Hook:
    """What a hook was installed for: a branch, the folder of records in it, and for publishing the site.

    `keep` is how many earlier sites are kept. `base_url` is "" where the settings that are pushed say it.
    """

    branch: str
    records: str
    site: Path | None = None
    base_url: str = ""
    keep: int = 5

    @property
    def ref(self) -> str:
        """The full name of the branch."""
        return f"refs/heads/{self.branch}"

    @property
    def inputs(self) -> tuple[str, ...]:
        """The paths that the site is made from: where none of them changes, nothing is built."""
        return ("." if self.records == "." else self.records, "sitegen.toml", "templates")


@dataclass(frozen=True, slots=True)
class Update:
    """One line that git gives a hook: a ref, the commit that it named, and the one that it names after the push."""

    old: str
    new: str
    ref: str

    @property
    def deletes(self) -> bool:
        """Whether the ref is gone after the push."""
        return set(self.new) <= NOWHERE


def updates(lines: Iterable[str]) -> list[Update]:
    """The updates of a push, from the lines that git writes to the hook's input."""
    return [Update(*line.rstrip("\n").split(" ", 2)) for line in lines if line.count(" ") >= 2]


def gate(hook: Hook, repository: Path, push: Sequence[Update], *, tell: Tell, run: Run) -> int:
    """Whether a push may come in: 0, or 1 where it would bring wrong records to the branch, after saying which.

    To be run as `pre-receive`, where what is pushed is still in quarantine and only this process can see it.
    """
    for update in push:
        if update.ref != hook.ref or update.deletes:
            continue
        if not set(update.old) <= NOWHERE and _same(hook, repository, update):
            continue
        with _checked_out(hook, repository, update.new) as folder:
            status = run(["check", "--", hook.records], folder)
        if status:
            tell(f"Refused: the records of {hook.branch} must be right. The branch and the site are as they were.")
            return REFUSED
    return OK


def publish_push(hook: Hook, repository: Path, push: Sequence[Update], *, tell: Tell, run: Run) -> int:
    """Build and publish what the branch holds now. To be run as `post-receive`: its exit status changes nothing.

    Whoever comes while a build runs waits for it. Then the newest commit is built, whoever pushed it, and those that
    waited with older ones find theirs published with it.
    """
    mine = [update for update in push if update.ref == hook.ref]
    if not mine or hook.site is None:
        return OK
    if all(update.deletes for update in mine):
        tell(f"{hook.branch} is gone; the site stays as it is.")
        return OK
    releases = Releases(hook.site)
    with releases.held(lambda: tell("Another build is running; waiting for it.")):
        return _publish_tip(hook, repository, releases, tell=tell, run=run)


def _publish_tip(hook: Hook, repository: Path, releases: Releases, *, tell: Tell, run: Run) -> int:
    commit = tip(repository, hook.ref)
    if not commit:
        tell(f"{hook.branch} is gone; the site stays as it is.")
        return OK
    state, inputs, name = releases.state(), _inputs(hook, repository, commit), commit[:12]
    if releases.site.is_dir() and state.inputs == inputs:
        same = state.built == commit
        tell(f"{name} is published already." if same else "Nothing that the site is made from changed: nothing built.")
        return OK
    tell(f"Building {hook.branch} at {name}.")
    with _checked_out(hook, repository, commit) as folder:
        command = ["build", "--out", str(releases.site), "--keep-old", str(releases.place_for_current())]
        if hook.base_url:
            command += ["--base-url", hook.base_url]
        status = run([*command, "--", hook.records], folder)
    if status:
        tell("Not published: the site is as it was.")
        return status
    release = releases.published(commit, inputs, hook.keep)
    tell(f"Published {name} as release {release.number}.")
    return OK


def _inputs(hook: Hook, repository: Path, commit: str) -> str:
    """A digest of all that decides what the site holds: the same one, the same site."""
    says = [__version__, hook.records, hook.base_url, sorted(objects(repository, commit, hook.inputs).items())]
    return hashlib.sha256(json.dumps(says).encode()).hexdigest()


def _same(hook: Hook, repository: Path, update: Update) -> bool:
    before, after = (objects(repository, commit, hook.inputs) for commit in (update.old, update.new))
    return before == after


@contextmanager
def _checked_out(hook: Hook, repository: Path, commit: str) -> Iterator[Path]:
    """A folder with the files of a commit that the site is made from; it is gone afterwards.

    Raises `HostingError` for a link: it could lead to any file of the server, and show it to readers of the site.
    """
    files = entries(repository, commit, hook.inputs)
    for file in files:
        if not file.plain:
            raise HostingError(
                f"{os.fsdecode(file.path)}: is a link or another repository. Put a file in its place, and push again."
            )
    with tempfile.TemporaryDirectory(prefix="sitegen-") as place:
        folder = Path(place) / "pushed"
        folder.mkdir()
        check_out(repository, files, folder)
        yield folder
