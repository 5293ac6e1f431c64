"""Some files of records, read alone."""

import json
import shutil
from pathlib import Path

import pytest

from sitegen.load import load, load_selected
from tests.conftest import SAMPLE

LIGER = SAMPLE / "liger/layer_norm"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with two records, one of them hidden from a search, and a document."""
    (tmp_path / "records/deep").mkdir(parents=True)
    shutil.copy(LIGER / "001-forward-liger.json", tmp_path / "records/deep/one.json")
    shutil.copy(LIGER / "006-forward-huggingface.json", tmp_path / "records/two.json")
    shutil.copy(LIGER / "002-forward-liger.json", tmp_path / "records/.three.json")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_only_the_files_that_are_named_are_read(here: Path) -> None:
    (here / "records/broken.json").write_text("{")
    loaded = load_selected([Path("records/two.json"), Path("records/.three.json")])
    assert loaded.records == 2
    assert loaded.problems == ()
    assert [run.file for run in load_selected([Path("records/two.json")]).runs] == ["records/two.json"]


def test_a_folder_is_searched_and_a_file_in_it_read_once(here: Path) -> None:
    loaded = load_selected([Path("records"), Path("records/two.json"), Path("./records/deep")])
    assert loaded.records == 2
    assert loaded.problems == ()
    assert loaded.runs != ()
    assert [run.digest for run in loaded.runs] == [run.digest for run in load(here / "records").runs]


@pytest.mark.parametrize("whole", [False, True])
def test_a_problem_names_the_file_as_it_was_typed(here: Path, *, whole: bool) -> None:
    (here / "records/broken.json").write_text("{")
    typed = (here if whole else Path()) / "records/broken.json"
    (problem,) = load_selected([typed]).problems
    assert problem.file == typed.as_posix()
    assert problem.line == 1


def test_one_run_in_two_of_the_files_is_told(here: Path) -> None:
    shutil.copy("records/two.json", here / "again.json")
    (problem,) = load_selected([Path("again.json"), here / "records/two.json"]).problems
    assert problem.code == "same-record-twice"


def test_a_document_alone_is_no_problem(here: Path) -> None:
    record = json.loads((here / "records/two.json").read_bytes())
    kind = {"apiVersion": record["run"]["apiVersion"], "kind": "WorkloadCase"}
    (here / "case.json").write_text(json.dumps({**kind, "metadata": {"name": "x"}, "spec": {}}))
    codes = {problem.code for problem in load_selected([Path("case.json")]).problems}
    assert "no-records" not in codes
