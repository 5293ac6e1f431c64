"""Loading a folder whole, by one process or several."""

import gc
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sitegen.load import parallel
from sitegen.load.loading import load
from sitegen.load.parallel import SHARE
from tests.load.good_records import Folder, changed, good

ROOT = Path(__file__).parents[2]


@pytest.fixture
def many(folder: Folder) -> Folder:
    """More files than one share: runs, a failed one, a bad one, a warning, and documents."""
    for index in range(SHARE + 40):
        record = changed(good("liger"), "run", "spec", "timing", "latencyNs", "median", to=532000 + index // 2)
        folder.put(f"{index % 7}/{index:04}.json", record)
    for name in ("score", "failed", "workload", "suite", "submission", "operation"):
        folder.put(f"{name}.json", good(name))
    folder.put("bad.json", "[")
    return folder


# In a process of its own: the one that runs the tests may have threads, which must not be copied.
COMPARE = """
import sys
from pathlib import Path
from sitegen.load import load

folder = Path(sys.argv[1])
seen = []
one, two = load(folder), load(folder, jobs=2, progress=lambda done, total: seen.append((done, total)))
assert one == two, "another catalogue"
assert [run.figure for run in one.runs] == [run.figure for run in two.runs]
assert two.runs[0].protocol is two.runs[1].protocol, "texts are not shared"
print(len(two.runs), len(two.problems), *seen[-1])
"""


def test_several_processes_load_what_one_does(many: Folder) -> None:
    done = subprocess.run(
        [sys.executable, "-c", COMPARE, str(many.path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    runs, files = (SHARE + 40) // 2 + 2, SHARE + 47
    assert done.stdout.split() == [str(runs), str(len(load(many.path).problems)), str(files), str(files)]


def test_a_few_files_are_not_worth_a_process(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.put("a.json", good("liger"))
    monkeypatch.setattr(parallel, "ProcessPoolExecutor", None)
    assert len(load(folder.path, jobs=8).runs) == 1


def test_where_no_process_can_be_started_this_one_reads(many: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    class NoPool(parallel.ProcessPoolExecutor):
        def submit(self, *_: object, **__: object) -> None:  # type: ignore[override] # it never gives anything
            raise BlockingIOError("Resource temporarily unavailable")

    expected = load(many.path)
    monkeypatch.setattr(parallel, "ProcessPoolExecutor", NoPool)
    assert load(many.path, jobs=2) == expected


def test_where_the_system_cannot_fork_this_process_reads(many: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = load(many.path)
    monkeypatch.setattr("multiprocessing.get_all_start_methods", lambda: ["spawn"])
    monkeypatch.setattr(parallel, "ProcessPoolExecutor", None)
    assert load(many.path, jobs=2) == expected


def test_progress_is_told_up_to_the_end(many: Folder) -> None:
    told: list[tuple[int, int]] = []
    load(many.path, progress=lambda done, total: told.append((done, total)))
    total = SHARE + 47
    assert told[-1] == (total, total)
    assert told == sorted(told)
    assert 2 <= len(told) <= 10


@pytest.mark.parametrize("enabled", [True, False])
def test_the_garbage_collector_is_as_it_was(folder: Folder, enabled: bool) -> None:
    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        folder.load()
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if before else gc.disable)()


def test_the_digest_is_of_what_the_files_hold_and_of_nothing_else(folder: Folder) -> None:
    folder.put("a/one.json", good("liger"))
    folder.put("two.json", good("score"))
    before = load(folder.path).digest
    (folder.path / "a/one.json").rename(folder.path / "z.json")
    assert load(folder.path).digest == before
    folder.put("two.json", changed(good("score"), "run", "metadata", "title", to="Another title"))
    after = load(folder.path).digest
    assert after != before
    folder.put("bad.json", "[")
    assert load(folder.path).digest not in (before, after)
    assert re.fullmatch("sha256:[0-9a-f]{64}", before)
