"""The benchmark runs, and the catalogue that it makes is one that could be real."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sitegen.catalogue import build
from sitegen.load import load
from tests.benchmarks.catalogue import Maker
from tests.conftest import ROOT

RECORDS = ROOT / "records"


def test_it_prints_what_each_stage_took(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tests/benchmarks/build.py", "--records", "40", "--folder", str(tmp_path), "--no-hugo"],
        check=True,
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    for stage in ("load", "group", "judge", "publish", "in all"):
        assert re.search(rf"^  {stage} +\d+\.\d\d s +[\d,]+ (runs|pages)/s", done.stdout, re.MULTILINE), done.stdout
    assert re.search(r"[\d,]+ files, [\d,]+ MB; peak memory [\d,]+ MB", done.stdout)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    into = tmp_path_factory.mktemp("made")
    Maker(RECORDS, seed=1).write(into, 4_000)
    return into


def test_every_digest_is_right_and_no_run_is_twice(made: Path) -> None:
    loaded = load(made, jobs=1)
    assert loaded.problems == ()
    assert len(loaded.runs) == 4_000


def test_a_group_has_about_as_many_runs_as_in_the_real_records(made: Path) -> None:
    def runs_a_group(folder: Path) -> float:
        loaded = load(folder, jobs=1)
        return len(loaded.runs) / len(build(loaded).groups)

    assert runs_a_group(made) == pytest.approx(runs_a_group(RECORDS), rel=0.25)


def test_another_seed_makes_other_figures_and_the_same_one_makes_the_same(tmp_path: Path) -> None:
    def medians(name: str, seed: int) -> list[int]:
        Maker(RECORDS, seed).write(tmp_path / name, 30)
        runs = [json.loads(path.read_bytes())["run"] for path in sorted((tmp_path / name / "copy-0000").iterdir())]
        return [run["spec"]["timing"]["latencyNs"]["median"] for run in runs]

    first = medians("first", 1)
    assert medians("again", 1) == first
    assert medians("other", 2) != first
