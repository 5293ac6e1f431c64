"""What each command does: the pipe from a folder of records to lines on the terminal, and a site."""

import argparse
import dataclasses
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sitegen.catalogue import Catalogue, build
from sitegen.cli.arguments import CONFIG
from sitegen.cli.own_templates import TemplateFailedError, failures_told, syntax_mistakes
from sitegen.cli.report import as_github, as_gitlab, as_json, as_text, imported, tally
from sitegen.cli.terminal import ProgressLine, coloured, complain, is_terminal, plain
from sitegen.importing import import_liger
from sitegen.load import Loaded, RecordChangedError, load, load_selected
from sitegen.problem import Problem, Severity
from sitegen.publish import Making, PublishError, publish, safe_output
from sitegen.quantity import counted
from sitegen.record.schema import json_schema
from sitegen.settings import Settings, read_settings
from sitegen.site import AddressTakenError, build_site
from sitegen.site.alias import alias_problems

OK, PROBLEM, WRONG_USE = 0, 1, 2


class WrongUseError(Exception):
    """The command was given something that it cannot begin with. Its text is one line for the user."""


def run(given: argparse.Namespace) -> int:
    """Run the command that was parsed, and give its exit status.

    An error that the user can do something about becomes one line on the error stream.
    """
    command: Callable[[argparse.Namespace], int] = _COMMANDS[given.command]
    try:
        return command(given)
    except WrongUseError as error:
        complain(str(error))
        return WRONG_USE
    except BrokenPipeError:
        raise
    except (PublishError, AddressTakenError, RecordChangedError, TemplateFailedError) as error:
        complain(str(error))
    except OSError as error:
        complain(f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error))
    return PROBLEM


def _build(given: argparse.Namespace) -> int:
    started = time.perf_counter()
    inputs = [given.records, given.config or CONFIG]
    # Asked again when publishing; here too, so that nobody waits in vain.
    safe_output(given.out, inputs, force=given.force)
    progress = ProgressLine(sys.stderr)
    settings, mistakes = _settings(given.config)
    _some_folder(given.records)
    loaded = load(given.records, jobs=given.jobs, progress=progress.stage("Reading", "files"))
    catalogue = build(loaded)
    mistakes = (*mistakes, *_mistakes_in_use(given.config, settings, catalogue))
    problems = (*mistakes, *loaded.problems)
    if _stops(mistakes, given.strict) or (_stops(problems, given.strict) and not given.skip_bad):
        progress.clear()
        last = f"Nothing was published: {tally(problems)}. {_named(given.out)} is as it was."
        _report(given.format, catalogue, problems, last, published=None)
        return PROBLEM
    if given.base_url is not None:
        settings = settings.model_copy(update={"base_url": given.base_url})
    templates = () if settings.templates is None else (settings.templates,)
    with failures_told(settings.templates):
        published = publish(
            build_site(catalogue, settings, templates),
            given.out,
            jobs=given.jobs,
            progress=progress.stage("Writing", "pages"),
            inputs=(*inputs, *templates),
            kept=given.keep_old,
            force=given.force,
            making=Making(loaded.digest, settings.base_url, given.precompress),
        )
    progress.clear()
    wrote = f"{counted(published.files, 'file')} ({published.bytes / 1e6:,.1f} MB) to {_named(given.out)}"
    last = f"Read {_read(catalogue)}; wrote {wrote} in {time.perf_counter() - started:.2f} s: {tally(problems)}."
    more = {"folder": str(given.out), **dataclasses.asdict(published)}
    _report(given.format, catalogue, problems, last, published=more)
    return OK


def _check(given: argparse.Namespace) -> int:
    progress = ProgressLine(sys.stderr)
    settings, mistakes = _settings(given.config)
    loaded = _to_check(given, progress)
    catalogue = build(loaded)
    if _is_whole_folder(given.records):  # some files alone have no part in what else the catalogue has
        mistakes = (*mistakes, *_mistakes_in_use(given.config, settings, catalogue))
    problems = (*mistakes, *loaded.problems)
    progress.clear()
    _report(given.format, catalogue, problems, f"Checked {_read(catalogue)}: {tally(problems)}.")
    return PROBLEM if _stops(problems, given.strict) else OK


def _serve(given: argparse.Namespace) -> int:
    # Imported when it is asked for: the other commands need neither a server nor a watch.
    from sitegen.cli.serve import serve  # noqa: PLC0415

    _settings(given.config)  # read again when serving; here, to refuse one that is not there
    _some_folder(given.records)
    return serve(given)


def _verify(given: argparse.Namespace) -> int:
    from sitegen.cli.verify import verify  # noqa: PLC0415 - as above

    if not given.site.is_dir():
        raise WrongUseError(f"{_named(given.site)}: no such folder. Give the folder of a published site.")
    if given.records is not None:
        _some_folder(given.records)
    settings, mistakes = _settings(given.config)
    for line in as_text(mistakes, colours=coloured(sys.stdout), brief=True) if given.format == "text" else ():
        _say(line)
    return OK if verify(given, settings) and not mistakes else PROBLEM


def _diff(given: argparse.Namespace) -> int:
    from sitegen.cli.diff import diff  # noqa: PLC0415 - as above

    return diff(given)


def _import(given: argparse.Namespace) -> int:
    if not given.table.is_file():
        raise WrongUseError(f"{given.table}: no such file. Give the table as it was downloaded.")
    report = import_liger(given.table, given.into)
    for line in as_text(report.problems, colours=coloured(sys.stdout), brief=is_terminal(sys.stdout)):
        _say(line)
    for line in imported(report, given.into):
        _say(line)
    return PROBLEM if _stops(report.problems, strict=False) else OK


def _hosting(given: argparse.Namespace) -> int:
    from sitegen.cli.init import host  # noqa: PLC0415 - as above

    return host(given)


def _schema(_: argparse.Namespace) -> int:
    _say(json.dumps(json_schema(), indent=1))
    return OK


_COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "build": _build,
    "check": _check,
    "diff": _diff,
    "hook": _hosting,
    "import": _import,
    "init": _hosting,
    "rollback": _hosting,
    "schema": _schema,
    "serve": _serve,
    "verify": _verify,
}


def _settings(config: Path | None) -> tuple[Settings, tuple[Problem, ...]]:
    if config is not None and not config.is_file():
        raise WrongUseError(f"{config}: no such file. Give the settings with --config, or leave it out.")
    return read_settings(config or CONFIG)


def _mistakes_in_use(config: Path | None, settings: Settings, catalogue: Catalogue) -> tuple[Problem, ...]:
    """What turns out to be wrong with the settings when the records are known."""
    wrong = alias_problems(config or CONFIG, settings.aliases, catalogue)
    return (*wrong, *syntax_mistakes(settings.templates))


def _is_whole_folder(records: Sequence[Path]) -> bool:
    return len(records) == 1 and not records[0].is_file()


def _to_check(given: argparse.Namespace, progress: ProgressLine) -> Loaded:
    """What is in the one folder that was named, or else in the files and folders that were."""
    first: Path = given.records[0]
    if _is_whole_folder(given.records):
        _some_folder(first)
        return load(first, jobs=given.jobs, progress=progress.stage("Reading", "files"))
    for path in given.records:
        if not path.exists():
            raise WrongUseError(f"{_named(path)}: no such file or folder. Give what holds the records.")
    return load_selected(given.records)


def _some_folder(records: Path) -> None:
    if not records.is_dir():
        raise WrongUseError(f"{_named(records)}: no such folder. Give the folder that holds the records.")


def _stops(problems: tuple[Problem, ...], strict: bool) -> bool:
    """Whether nothing may be published: with an error, or, when strict, with anything at all."""
    return any(strict or problem.severity is Severity.ERROR for problem in problems)


def _read(catalogue: Catalogue) -> str:
    records = counted(catalogue.loaded.records, "record")
    return f"{records} in {counted(len(catalogue.groups), 'comparison group')}"


def _named(folder: Path) -> str:
    return plain(str(folder))


def _report(
    form: str, catalogue: Catalogue, problems: tuple[Problem, ...], last: str, **more: Mapping[str, Any] | None
) -> None:
    """List the problems in the form that was asked for, and end with one line that says what was done."""
    if form == "json":
        counts = {
            "records": catalogue.loaded.records,
            "runs": len(catalogue.loaded.runs),
            "groups": len(catalogue.groups),
            "kernels": len(catalogue.kernels),
            "hardware": len(catalogue.gpus),
            "implementations": len(catalogue.implementations),
            "sources": len(catalogue.sources),
            "problems": len(problems),
        }
        _say(as_json(problems, counts, **more))
        return
    if form == "gitlab":
        _say(as_gitlab(problems))
        return
    if form == "github":
        lines = as_github(problems)
    else:
        lines = as_text(problems, colours=coloured(sys.stdout), brief=is_terminal(sys.stdout))
    for line in lines:
        _say(line)
    _say(last)


def _say(line: str) -> None:
    print(line)  # noqa: T201 - the command line speaks
