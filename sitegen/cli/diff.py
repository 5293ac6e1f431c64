"""What a set of records changes: on the terminal, as Markdown, as JSON, or as a page."""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from sitegen.catalogue import build
from sitegen.change import (
    Change,
    Section,
    Side,
    as_markdown,
    as_page,
    change_facts,
    compare,
    headline,
    sections,
)
from sitegen.cli.revision import Revision, RevisionError, find_revision, write_revision
from sitegen.cli.terminal import ProgressLine, coloured, complain, paint, plain
from sitegen.load import Loaded, load, read_record
from sitegen.load.model import Run
from sitegen.load.recall import RecordFile
from sitegen.problem import Problem, order
from sitegen.quantity import counted
from sitegen.render import Renderer, template_folder
from sitegen.site.cell import Text

OK, PROBLEM, WRONG_USE = 0, 1, 2
MOST = 20
"""So many claims of a sort stand in a list on the terminal."""
_LONGEST_NAME = 160

_HAPPENED = {
    "regression": ("regression", "regressions"),
    "removed": ("run removed", "runs removed"),
    "altered": ("run altered", "runs altered"),
    "leader": ("change of leader", "changes of leader"),
    "tie": ("tie made or broken", "ties made or broken"),
    "problem": ("new problem", "new problems"),
}


def diff(given: argparse.Namespace) -> int:
    """Compare two sets of records, say what differs, and give the exit status: 1 where something named happened."""
    progress = ProgressLine(sys.stderr)
    try:
        before, after = _ends(given)
        with _side(before, given.jobs, progress) as old, _side(after, given.jobs, progress) as new:
            change = compare(old, new)
    except RevisionError as error:
        complain(str(error))
        return WRONG_USE
    finally:
        progress.clear()
    _write(given, change)
    happened = [counted(count, *_HAPPENED[kind]) for kind in given.fail_on if (count := change.happened[kind])]
    if happened:
        complain(f"--fail-on: {', '.join(happened)}")
    return PROBLEM if happened else OK


def _ends(given: argparse.Namespace) -> tuple[Path | Revision, Path | Revision]:
    """What the two names lead to. Raises `RevisionError` where neither has any records."""
    before, after = _end(given.old, given.records), _end(given.new, given.records)
    if all(isinstance(end, Revision) and not end.tree for end in (before, after)):
        raise RevisionError(f"{given.records}: is in neither revision. Give the folder of records with --records.")
    return before, after


def _end(name: str, records: Path) -> Path | Revision:
    folder = Path(name)
    return folder if folder.is_dir() else find_revision(name, records)


@contextmanager
def _side(end: Path | Revision, jobs: int, progress: ProgressLine) -> Iterator[Side]:
    """One side, from a folder or a revision. Its records can be read again while it lasts."""
    name = str(end) if isinstance(end, Path) else end.name
    tell = progress.stage(f"{plain(name)}: reading", "files")
    if isinstance(end, Path):
        yield _from_folder(name, load(end, jobs=jobs, progress=tell))
        return
    with tempfile.TemporaryDirectory(prefix="sitegen-") as folder:
        problems = write_revision(end, Path(folder))
        loaded = load(Path(folder), jobs=jobs, progress=tell)
        yield _from_folder(name, replace(loaded, problems=_all_problems(end, loaded, problems)))


def _all_problems(revision: Revision, loaded: Loaded, more: tuple[Problem, ...]) -> tuple[Problem, ...]:
    # A revision from before there were records is no mistake.
    known = [each for each in loaded.problems if revision.tree or each.code != "no-records"]
    return tuple(sorted((*known, *more), key=order))


def _from_folder(name: str, loaded: Loaded) -> Side:
    folder = Path(loaded.folder)

    def read(run: Run) -> RecordFile:
        return read_record(folder / run.file)

    return Side(name, build(loaded), read)


def _write(given: argparse.Namespace, change: Change) -> None:
    if given.format == "text":
        colours = coloured(sys.stdout) and given.out is None
        lines = list(as_lines(change, colours=colours))
        if given.out is None:
            for line in lines:
                print(line)  # noqa: T201 - the command line speaks
            return
        content = "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
    else:
        content = _document(given.format, change)
    if given.out is None:
        # As bytes: a document is UTF-8 whatever the terminal's encoding is.
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
    else:
        given.out.write_bytes(content)


def _document(form: str, change: Change) -> bytes:
    if form == "json":
        return (json.dumps(change_facts(change), indent=1, allow_nan=False) + "\n").encode()
    renderer = Renderer((template_folder("templates"),))
    if form == "markdown":
        return as_markdown(change, renderer)
    return as_page(change, renderer, (template_folder("static") / "site.css").read_text(encoding="utf-8"))


def as_lines(change: Change, *, colours: bool) -> Iterator[str]:
    """The lines for a terminal. Of a long list the first claims, and how many are left out."""
    for text in headline(change):
        yield _line(text)
    for section in sections(change):
        yield ""
        yield from _section(section, colours=colours)


def _section(section: Section, *, colours: bool) -> Iterator[str]:
    colour = "error" if section.alarm else "place"
    mark = "ALARM: " if section.alarm else ""
    yield paint(f"{mark}{section.title} ({len(section.items):,})", colour, on=colours)
    if section.note:
        yield paint(f"  {section.note}", "hint", on=colours)
    shown, left = section.brief(MOST)
    for text in shown:
        yield f"  {_line(text)}"
    if left:
        yield f"  … and {left:,} more"
    if len(section.items) > MOST:
        yield "  (--format json lists each of them)"


def _line(text: Text) -> str:
    """A sentence on one line, with names in backquotes, and nothing in it that moves a terminal's cursor."""
    return "".join(part if isinstance(part, str) else _name(part.text, part.mark) for part in text)


def _name(text: str, mark: str) -> str:
    short = plain(text if len(text) <= _LONGEST_NAME else text[: _LONGEST_NAME - 1] + "…")
    return f"`{short}`" if mark == "name" else short
