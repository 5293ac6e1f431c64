"""What holds for the project as a whole: its layers, types, style, sizes, and what its README promises."""

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitegen.cli.arguments import parser
from tests.conftest import ROOT

TOOLS = Path(sys.executable).parent
SOURCES = sorted((ROOT / "sitegen").rglob("*.py"))

# Written in parts, so that this file does not name what it looks for.
ELSEWHERE = re.compile("|".join(["/" + "work/", "/" + "root/", r"\.\./" + "shared", "/" + "tmp/venv"]))
UNFINISHED = re.compile(
    r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK", "for " + "now"]) + r")\b"
)
TEXTS = {".py", ".html", ".md", ".js", ".css", ".toml", ".yml", ".json", ".txt", ".svg", ""}


def project_files() -> Iterator[Path]:
    """Every text of the project, without what tools leave behind and the imported records."""
    folders = ("sitegen", "templates", "static", "tests", ".ci", ".github")
    listed = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    for path in [*listed, *ROOT.glob("*")]:
        if path.is_file() and path.suffix in TEXTS and "__pycache__" not in path.parts:
            yield path


@pytest.mark.parametrize(
    "command",
    [
        ["lint-imports", "--no-cache"],
        ["mypy"],
        ["ruff", "check", "--no-cache", "."],
        ["ruff", "format", "--check", "--no-cache", "."],
    ],
    ids=" ".join,
)
def test_the_tools_have_nothing_to_say(command: list[str]) -> None:
    program = TOOLS / command[0]
    done = subprocess.run([program, *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_module_is_read_in_one_sitting() -> None:
    lengths = {path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines()) for path in SOURCES}
    assert {path: length for path, length in lengths.items() if length > 300} == {}


def test_no_module_is_named_after_nothing() -> None:
    empty = {"utils", "util", "helpers", "helper", "manager", "common", "misc"}
    assert [path for path in SOURCES if path.stem in empty or path.parent.name in empty] == []


def test_nothing_names_the_machine_that_it_was_written_on() -> None:
    found = [path for path in project_files() if ELSEWHERE.search(path.read_text(encoding="utf-8"))]
    assert found == []


def test_nothing_is_left_for_later() -> None:
    found = [path for path in project_files() if UNFINISHED.search(path.read_text(encoding="utf-8"))]
    assert found == []


def commands(of: argparse.ArgumentParser, name: str = "sitegen") -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command, with all words of its name."""
    yield name, of
    for action in of._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, inner in action.choices.items():
                yield from commands(inner, f"{name} {word}")


@pytest.fixture(scope="module")
def readme() -> str:
    return (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name, _ in commands(parser())][1:])
def test_every_command_is_in_the_readme(name: str, readme: str) -> None:
    if name != "sitegen import":  # which only says what can be imported
        assert name in readme


@pytest.mark.parametrize(
    "option",
    sorted({word for _, each in commands(parser()) for action in each._actions for word in action.option_strings}),
)
def test_every_option_is_in_the_readme(option: str, readme: str) -> None:
    assert re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", readme)


@pytest.mark.parametrize(("name", "command"), list(commands(parser())))
def test_every_option_says_what_it_does(name: str, command: argparse.ArgumentParser) -> None:
    assert command.description, name
    for action in command._actions:
        assert action.help or isinstance(action, argparse._SubParsersAction), f"{name} {action.dest}"


def test_the_readme_names_the_command_that_runs_the_tests(readme: str) -> None:
    assert "tests/run" in readme
    assert "tests/run" in (ROOT / ".ci/run").read_text()
    assert ".ci/run" in (ROOT / ".github/workflows/tests.yml").read_text()
