"""The site's settings, from an optional `sitegen.toml`.

Every key may be left out. This is the whole of its shape, with the defaults:

    title = "GPU kernel benchmarks"
    description = "…"              # one sentence: on the front page, and for search engines
    base_url = ""                  # where the site will be, http or https: "https://bench.example.org/kernels"
    templates = "…"                # a folder, beside this file: its templates stand for ours of the same name

    [sources.liger-kernel-bench]   # a table for each source, by the name that its records use
    name = "…"                     # how to show the source; a name is built in for the known ones
    baselines = ["huggingface", "torch"]   # implementations to compare with, the preferred first

    [aliases.kernels]              # what was renamed: its old address leads to the new one
    "liger-kernel-bench/old_name" = "new_name"     # source/name; the new one is of the same source, or source/name too

    [aliases.implementations]      # likewise, by name, or by digest where the source has no names
    "liger-kernel-bench/old" = "new"

    [aliases.hardware]             # vendor/product, or vendor/product/form factor where there is one
    "nvidia/H100" = "nvidia/NVIDIA H100 80GB HBM3"
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from sitegen.problem import Problem, Severity, pointer_to

DEFAULT_BASELINES: Final[Mapping[str, tuple[str, ...]]] = {"liger-kernel-bench": ("huggingface", "torch")}
"""The baselines of sources that the settings say nothing of, in order of preference."""

Text = Annotated[str, Field(min_length=1)]


def absolute_url(text: str) -> str:
    """`text` as the address of a site, without a slash at its end; "" stays "".

    Raises `ValueError` for all that is not an absolute http or https URL of a host and a path alone.
    """
    if not text:
        return ""
    parts = urlsplit(text)
    absolute = parts.scheme in {"http", "https"} and parts.hostname
    if not absolute or parts.query or parts.fragment or any(letter.isspace() for letter in text):
        raise ValueError("not an absolute http or https URL of a host and a path")
    return text.rstrip("/")


def _checked_url(text: str) -> str:
    try:
        return absolute_url(text)
    except ValueError as error:
        raise PydanticCustomError("not_a_url", "not an absolute URL") from error


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class SourceSettings(_Table):
    """What is set for one source: `name` is None where the built-in one stands; `baselines`, the preferred first."""

    name: Text | None = None
    baselines: Annotated[tuple[Text, ...], Field(strict=False)] = ()


class Aliases(_Table):
    """What was renamed, from the old name to the new one, for each kind of thing that has a page of its own."""

    kernels: Mapping[Text, Text] = Field(default_factory=dict)
    hardware: Mapping[Text, Text] = Field(default_factory=dict)
    implementations: Mapping[Text, Text] = Field(default_factory=dict)


def _default_sources() -> dict[str, SourceSettings]:
    return {source: SourceSettings(baselines=names) for source, names in DEFAULT_BASELINES.items()}


class Settings(_Table):
    """The settings of a site. `base_url` is absolute and has no slash at its end, or is ""; `sources` are by source.

    `templates` is a folder of the user's own, or None.
    """

    title: Text = "GPU kernel benchmarks"
    description: str = "Which implementation of a GPU kernel to use, at which size, on which GPU, and how sure that is."
    base_url: Annotated[str, AfterValidator(_checked_url)] = ""
    sources: Mapping[str, SourceSettings] = Field(default_factory=_default_sources)
    templates: Annotated[Path | None, Field(strict=False)] = None
    aliases: Aliases = Field(default_factory=Aliases)


def read_settings(path: Path) -> tuple[Settings, tuple[Problem, ...]]:
    """The settings in a TOML file, and what is wrong with it; the defaults where there is no such file.

    A key with a wrong value keeps its default, so that one mistake does not hide the next.
    """
    try:
        text = path.read_bytes().decode()
        table = tomllib.loads(text)
    except FileNotFoundError:
        return Settings(), ()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return Settings(), (_unreadable(path, error),)
    problems: list[Problem] = []
    while True:
        try:
            settings = _with_defaults(Settings.model_validate(table))
            break
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                problems.append(_problem(path, text, detail))
                _remove(table, detail["loc"])
    if settings.templates is not None:
        folder = path.parent / settings.templates
        if not folder.is_dir():
            message, hint = f"There is no folder {folder.as_posix()}.", "Make it, or remove the setting."
            problems.append(problem_of_setting(path, ("templates",), "templates-missing", message, hint))
        settings = settings.model_copy(update={"templates": folder if folder.is_dir() else None})
    return settings, tuple(problems)


def problem_of_setting(path: Path, place: tuple[str, ...], code: str, message: str, hint: str) -> Problem:
    """What turned out to be wrong with a setting when it was used, with its line in the file where that is found."""
    try:
        text = path.read_bytes().decode()
    except (OSError, UnicodeDecodeError):
        text = ""
    return _error(path, code, pointer_to(*place), message, hint, line=_line(text, list(place)))


def _with_defaults(settings: Settings) -> Settings:
    """Built-in baselines for each source that has none set."""
    sources = dict(settings.sources)
    for source, default in _default_sources().items():
        known = sources.get(source, default)
        unset = "baselines" not in known.model_fields_set
        sources[source] = known.model_copy(update={"baselines": default.baselines}) if unset else known
    return settings.model_copy(update={"sources": sources})


def _remove(table: dict[str, Any], place: tuple[str | int, ...]) -> None:
    """Take the entry at `place` out of the table, or the list that it is an item of."""
    inner: Any = table
    for position, part in enumerate(place):
        if position == len(place) - 1 or not isinstance(inner.get(part), dict):
            inner.pop(part, None)
            return
        inner = inner[part]


def _unreadable(path: Path, error: Exception) -> Problem:
    if isinstance(error, tomllib.TOMLDecodeError):
        line = re.search(r"at line (\d+)", str(error))
        message = "This is not valid TOML: " + re.sub(r" \(at .*\)$", "", str(error)) + "."
        return _error(path, "settings-not-toml", "", message, "Correct the line.", line=int(line[1]) if line else None)
    if isinstance(error, UnicodeDecodeError):
        return _error(path, "settings-not-utf8", "", "The file is not UTF-8 text.", "Save it as UTF-8.")
    reason = getattr(error, "strerror", None) or "it could not be opened"
    return _error(path, "settings-unreadable", "", f"The file cannot be read: {reason}.", "Check its permissions.")


_EXPECTED: Final[Mapping[str, tuple[str, str]]] = {
    "not_a_url": (
        "is not an absolute URL",
        'Write it whole, as in "https://bench.example.org/kernels", or leave it "".',
    ),
    "string_type": ("must be a text", "Put it in quotes."),
    "string_too_short": ("is empty", "Write something, or remove the key."),
    "tuple_type": ("must be a list", 'Write a list of names, as in ["huggingface", "torch"].'),
    "path_type": ("must be a text", "Put it in quotes."),
    "model_type": ("must be a table", "Write it as a table, as in [sources.liger-kernel-bench] or [aliases.kernels]."),
    "dict_type": ("must be a table", "Write it as a table, as in [sources.liger-kernel-bench] or [aliases.kernels]."),
}


_TABLES: Final[Mapping[str, type[_Table]]] = {"sources": SourceSettings, "aliases": Aliases}


def _problem(path: Path, text: str, detail: ErrorDetails) -> Problem:
    place = detail["loc"]
    name = ".".join(str(part) for part in place)
    line = _line(text, [str(part) for part in place])
    if detail["type"] == "extra_forbidden":
        known = _TABLES.get(str(place[0]), Settings) if len(place) > 1 else Settings
        hint = "Known here: " + ", ".join(known.model_fields) + "."
        return _error(path, "unknown-setting", pointer_to(*place), f"There is no setting {name}.", hint, line=line)
    what, hint = _EXPECTED.get(detail["type"], ("has a wrong value", "See the settings in the documentation."))
    return _error(path, "wrong-setting", pointer_to(*place), f"The setting {name} {what}.", hint, line=line)


def _error(path: Path, code: str, pointer: str, message: str, hint: str, *, line: int | None = None) -> Problem:
    return Problem(Severity.ERROR, code, str(path), pointer, message, hint, line=line)


_HEADER = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(?:#.*)?$")
_KEY = re.compile(r"""\s*([A-Za-z0-9_-]+|"[^"]*"|'[^']*')\s*=""")


def _line(text: str, place: list[str]) -> int | None:
    """The line of the key or table at `place`, or of what it lies in; None where the text writes it another way."""
    table: list[str] = []
    found, depth = None, 0
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = here = [part.strip().strip("\"'") for part in header[1].split(".")]
        elif key := _KEY.match(line):
            here = [*table, key[1].strip("\"'")]
        else:
            continue
        if len(here) > depth and place[: len(here)] == here:
            found, depth = number, len(here)
    return found
