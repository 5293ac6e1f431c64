"""The same records give the same bytes, whatever else is different."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, SAMPLE

ELSEWHERE = {"PYTHONHASHSEED": "4242", "TZ": "Pacific/Kiritimati", "LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0"}


def tree(site: Path) -> dict[str, bytes]:
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in sorted(site.rglob("*")) if path.is_file()}


def build(place: Path, *, backwards: bool, jobs: int, environment: dict[str, str]) -> dict[str, bytes]:
    """Copy the sample's files one by one, in that order, and build them in a process of its own."""
    for path in sorted(SAMPLE.rglob("*.json"), reverse=backwards):
        copy = place / "records" / path.relative_to(SAMPLE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    subprocess.run(
        [sys.executable, "-m", "sitegen", "build", "-j", str(jobs)],
        cwd=place,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environment},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return tree(place / "site")


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    place = tmp_path_factory.mktemp("first")
    return build(place, backwards=False, jobs=1, environment={"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C.UTF-8"})


def test_another_hash_seed_zone_locale_file_order_and_number_of_processes(
    first: dict[str, bytes], tmp_path: Path
) -> None:
    second = build(tmp_path, backwards=True, jobs=3, environment=ELSEWHERE)
    assert second.keys() == first.keys()
    assert [address for address, content in second.items() if content != first[address]] == []


def test_another_folder(first: dict[str, bytes], sample_site: Path) -> None:
    built = tree(sample_site)
    assert built.keys() == first.keys()
    assert [address for address, content in built.items() if content != first[address]] == []


def test_building_again_changes_no_file(tmp_path: Path) -> None:
    environment = {"PYTHONHASHSEED": "1"}
    build(tmp_path, backwards=False, jobs=2, environment=environment)
    site = tmp_path / "site"
    before = {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file()}
    build(tmp_path, backwards=False, jobs=2, environment={"PYTHONHASHSEED": "2"})
    assert {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file()} == before
