"""`sitegen check` with files, as pre-commit calls it, and the report for GitLab."""

import json
import shutil
from pathlib import Path

import pytest

from sitegen.cli import main
from sitegen.cli.report import as_gitlab
from sitegen.problem import Problem, Severity
from tests.conftest import SAMPLE

Capture = pytest.CaptureFixture[str]
GOOD = SAMPLE / "liger/layer_norm/001-forward-liger.json"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with a good record and a broken one."""
    (tmp_path / "records").mkdir()
    shutil.copy(GOOD, tmp_path / "records/good.json")
    (tmp_path / "records/broken.json").write_text('{\n "run": {},\n "run": {}\n}\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("place")
def test_a_file_is_checked_without_the_others(capsys: Capture) -> None:
    assert main(["check", "records/good.json"]) == 0
    assert capsys.readouterr().out == "Checked 1 record in 1 comparison group: no problems.\n"


@pytest.mark.usefixtures("place")
def test_what_is_wrong_with_a_file_is_told_with_its_line(capsys: Capture) -> None:
    assert main(["check", "records/good.json", "records/broken.json"]) == 1
    assert capsys.readouterr().out.startswith("records/broken.json:3: error[duplicate-key]: run: ")


def test_a_name_that_looks_like_an_option_is_a_file_after_two_dashes(place: Path) -> None:
    shutil.copy(GOOD, place / "--strict.json")
    assert main(["check", "--", "--strict.json"]) == 0


@pytest.mark.usefixtures("place")
def test_a_file_that_is_not_there_is_wrong_use(capsys: Capture) -> None:
    assert main(["check", "records/good.json", "gone.json"]) == 2
    assert capsys.readouterr().err == (
        "sitegen: error: gone.json: no such file or folder. Give what holds the records.\n"
    )


@pytest.mark.usefixtures("place")
def test_gitlab_gets_a_document_and_nothing_else(capsys: Capture) -> None:
    assert main(["check", "--format", "gitlab"]) == 1
    (problem,) = json.loads(capsys.readouterr().out)
    assert problem["location"] == {"path": "records/broken.json", "lines": {"begin": 3}}


def test_a_fingerprint_is_of_the_place_and_not_of_its_line() -> None:
    def problem(severity: Severity, pointer: str, line: int | None) -> Problem:
        return Problem(severity, "code", "a.json", pointer, "It is wrong.", "Mend it.", line)

    listed = json.loads(
        as_gitlab(
            [
                problem(Severity.ERROR, "/run", 3),
                problem(Severity.ERROR, "/run", 8),
                problem(Severity.WARNING, "", None),
            ]
        )
    )
    assert [each["description"] for each in listed] == [
        "run: It is wrong. Mend it.",
        "run: It is wrong. Mend it.",
        "It is wrong. Mend it.",
    ]
    assert listed[0]["fingerprint"] == listed[1]["fingerprint"] != listed[2]["fingerprint"]
    assert [each["severity"] for each in listed] == ["major", "major", "minor"]
    assert [each["location"]["lines"]["begin"] for each in listed] == [3, 8, 1]
