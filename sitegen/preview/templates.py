"""Templates as they were at one moment, and what is wrong with them, as problems with a file and a line."""

import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jinja2 import (
    BytecodeCache,
    Environment,
    FileSystemLoader,
    TemplateNotFound,
    TemplateSyntaxError,
    UndefinedError,
)
from jinja2.bccache import Bucket

from sitegen.problem import Problem, Severity
from sitegen.render import Renderer

SUFFIXES: Final = (".html", ".md")
"""The files that pages are made from, beside the records."""


@dataclass(frozen=True, slots=True)
class Source:
    """A template: its text and its file."""

    text: str
    path: Path


Sources = Mapping[str, Source]
"""Templates by the names that they call each other by."""


def read_templates(folders: Sequence[Path]) -> tuple[Sources, tuple[Problem, ...]]:
    """The templates in these folders, of two with one name that in the earlier folder, and what cannot be read."""
    found: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if path.suffix in SUFFIXES and path.is_file() and not name.startswith(".") and "/." not in name:
                found.setdefault(name, path)
    sources, problems = {}, []
    for name, path in found.items():
        try:
            sources[name] = Source(path.read_bytes().decode(), path)
        except UnicodeDecodeError:
            problems.append(
                _problem(path, None, "template-not-utf8", "The file is not UTF-8 text.", "Save it as UTF-8.")
            )
        except OSError as error:
            message = f"The file cannot be read: {error.strerror}."
            problems.append(_problem(path, None, "template-unreadable", message, "Check its permissions."))
    return sources, tuple(problems)


def syntax_problems(sources: Sources, before: Sources, known: Mapping[str, Problem]) -> Mapping[str, Problem]:
    """What is wrong with the grammar of templates, by name; `known` is the same of what they were `before`."""
    grammar = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    problems = {}
    for name, source in sources.items():
        if before.get(name) == source:
            if name in known:
                problems[name] = known[name]
        elif name.endswith(".html"):
            try:
                grammar.parse(source.text, name, str(source.path))
            except TemplateSyntaxError as error:
                problems[name] = _syntax(source.path, error)
    return problems


class Compiled(BytecodeCache):
    """Keeps templates compiled: when one of them changes, the others need not be compiled again."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give a template as it was compiled before, if it has the same text now."""
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template that was compiled."""
        self._kept[bucket.key] = bucket.bytecode_to_string()


class SnapshotRenderer(Renderer):
    """Renders templates as they were when it was made, whatever has become of their files."""

    def __init__(self, sources: Sources, compiled: Compiled) -> None:
        super().__init__((), compiled)
        self._loader = self._environment.loader = _Snapshot(sources)


class _Snapshot(FileSystemLoader):
    def __init__(self, sources: Sources) -> None:
        super().__init__(())
        self._sources = sources

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:  # noqa: ARG002 - Jinja's signature
        source = self._sources.get(template)
        if source is None:
            raise TemplateNotFound(template)
        return source.text, str(source.path), lambda: True


def template_problem(error: Exception, sources: Sources) -> Problem | None:
    """What an error in rendering a page says of a template; None where no template had a part in it.

    The place is the innermost line of a template that was being rendered.
    """
    if isinstance(error, TemplateSyntaxError):
        return _syntax(Path(error.filename or error.name or ""), error)
    paths = {str(source.path): source.path for source in sources.values()}
    places = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in paths]
    if not places:
        if isinstance(error, TemplateNotFound):
            return _problem(Path(error.name or ""), None, *_missing(error))
        return None
    path, line = paths[places[-1].filename], places[-1].lineno
    if isinstance(error, TemplateNotFound):
        return _problem(path, line, *_missing(error))
    if isinstance(error, UndefinedError):
        hint = "Correct the name, or ask with `is defined` first."
        return _problem(path, line, "template-undefined", _sentence(str(error)), hint)
    message = f"The template failed: {type(error).__name__}: {_sentence(str(error))}"
    return _problem(path, line, "template-failed", message, "Correct the expression on this line.")


def _missing(error: TemplateNotFound) -> tuple[str, str, str]:
    return (
        "template-missing",
        f"There is no template {error.name}.",
        "Put it among the templates, or correct the name.",
    )


def _syntax(path: Path, error: TemplateSyntaxError) -> Problem:
    message = _sentence(error.message or "this is not a template")
    return _problem(path, error.lineno, "template-syntax", message, "Correct the line.")


def _sentence(text: str) -> str:
    """A message of Jinja as a sentence on one line."""
    words = " ".join(text.split())
    return words if words.endswith((".", "!", "?")) else words + "."


def _problem(path: Path, line: int | None, code: str, message: str, hint: str) -> Problem:
    return Problem(Severity.ERROR, code, typed(path), "", message, hint, line)


def typed(path: Path) -> str:
    """A path as the user would type it: below the current folder, without that folder's own name."""
    here = Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()
