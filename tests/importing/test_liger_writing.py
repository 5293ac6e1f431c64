"""Where records are written: again without a change, beside others, whole or not at all, and nowhere else."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.importing import import_liger
from sitegen.importing.liger.naming import file_part
from sitegen.load import load
from tests.importing.liger_rows import CROSS_ENTROPY, TABLES, memory, records, row, table


def contents(folder: Path) -> dict[Path, tuple[bytes, int, int]]:
    """Bytes, time of change and inode of every file."""
    return {
        path.relative_to(folder): (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino)
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_importing_again_touches_no_file(tmp_path: Path) -> None:
    first = import_liger(TABLES / "one_of_each.csv", tmp_path)
    before = contents(tmp_path)
    again = import_liger(TABLES / "one_of_each.csv", tmp_path)
    assert contents(tmp_path) == before
    assert (again.runs_written, again.runs_unchanged) == (0, first.runs_written)
    assert (again.documents_written, again.documents_unchanged) == (0, first.documents_written)


def test_two_tables_go_into_one_folder(tmp_path: Path) -> None:
    import_liger(TABLES / "memory.csv", tmp_path)
    before = contents(tmp_path)
    import_liger(TABLES / "model_config.csv", tmp_path)
    after = contents(tmp_path)
    assert before.items() <= after.items()
    loaded = load(tmp_path)
    assert loaded.problems == ()
    assert len(loaded.runs) == 6 + 16
    # Both have cross_entropy, which is one operation.
    assert len(loaded.operations) == 2


def test_a_newer_table_writes_only_what_changed(tmp_path: Path) -> None:
    into = tmp_path / "records"
    other = row(kernel_provider="huggingface")
    import_liger(table(tmp_path, CROSS_ENTROPY, other), into)
    before = contents(into)
    report = import_liger(table(tmp_path, CROSS_ENTROPY, other, memory()), into)
    changed = [path for path, state in contents(into).items() if before[path] != state]
    assert report.runs_written == len(changed) == 1
    assert report.documents_written == 0
    assert changed[0].name.startswith("forward-liger-")


def test_a_file_that_is_not_this_record_is_left_alone_and_named(tmp_path: Path) -> None:
    into = tmp_path / "records"
    path = table(tmp_path, CROSS_ENTROPY, row(x_value="8192"))
    import_liger(path, into)
    runs = sorted(into.glob("liger/cross_entropy/*.json"))
    (operation,) = into.glob("liger/documents/operations/*.json")
    other_run = runs[1].read_bytes()
    for stranger in (b"my notes", b"{}", b"[1]", b'{"run": 3}', b'{"kind": "BenchmarkRun"}', other_run):
        runs[0].write_bytes(stranger)
        operation.write_bytes(stranger)
        report = import_liger(path, into)
        assert {(problem.file, problem.code) for problem in report.problems} == {
            (str(runs[0]), "not-imported"),
            (str(operation), "not-imported"),
        }
        assert runs[0].read_bytes() == operation.read_bytes() == stranger
        assert (report.runs_written, report.runs_unchanged) == (0, 1)


def test_a_folder_in_the_place_of_a_record_is_left_alone_and_named(tmp_path: Path) -> None:
    into = tmp_path / "records"
    path = table(tmp_path, CROSS_ENTROPY)
    import_liger(path, into)
    (run,) = into.glob("liger/cross_entropy/*.json")
    run.unlink()
    run.mkdir()
    (problem,) = import_liger(path, into).problems
    assert (problem.file, problem.code) == (str(run), "not-imported")


def test_an_older_state_of_the_record_is_replaced(tmp_path: Path) -> None:
    into = tmp_path / "records"
    path = table(tmp_path, CROSS_ENTROPY)
    import_liger(path, into)
    (run,) = into.glob("liger/cross_entropy/*.json")
    content = run.read_bytes()
    older = json.loads(content)
    older["run"]["metadata"]["title"] = "an older title"
    run.write_text(json.dumps(older), encoding="utf-8")
    assert import_liger(path, into).runs_written == 1
    assert run.read_bytes() == content


def test_a_folder_that_cannot_be_made_is_one_problem(tmp_path: Path) -> None:
    blocked = tmp_path / "records"
    blocked.write_text("a file")
    report = import_liger(TABLES / "model_config.csv", blocked)
    # One for the runs, one for the documents: each names the first file and counts the others.
    assert [problem.code for problem in report.problems] == ["not-written", "not-written"]
    assert "15 other files" in "".join(problem.message for problem in report.problems)
    assert report.runs_written == 0


def test_a_write_that_fails_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    into = tmp_path / "records"
    path = table(tmp_path, CROSS_ENTROPY)
    import_liger(path, into)
    before = contents(into)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    report = import_liger(table(tmp_path, CROSS_ENTROPY, memory()), into)
    monkeypatch.undo()
    (problem,) = report.problems
    assert "No space left on device" in problem.message
    assert contents(into) == before


def test_files_have_the_permissions_that_new_files_have(tmp_path: Path) -> None:
    import_liger(table(tmp_path, CROSS_ENTROPY), tmp_path / "records")
    (run,) = (tmp_path / "records").glob("liger/cross_entropy/*.json")
    assert run.stat().st_mode == (tmp_path / "table.csv").stat().st_mode


HOSTILE = [
    "..",
    ".",
    "con",
    "~",
    "-rf",
    "A",
    "a",
    "a b",
    "a_b",
    "<script>",
    "c:\\x",
    "名前",
    "é",
    "x" * 200,
    ".hidden",
    "a\\..\\b",
]


def test_hostile_names_stay_inside_the_folder_and_apart(tmp_path: Path) -> None:
    rows = [row(kernel_name=name, kernel_provider=name, kernel_operation_mode=name, gpu_name=name) for name in HOSTILE]
    report = import_liger(table(tmp_path, *rows), tmp_path / "deep" / "records")
    assert report.problems == ()
    assert report.runs_written == len(records(tmp_path / "deep" / "records")) == len(HOSTILE)
    assert {path.name for path in tmp_path.iterdir()} == {"table.csv", "deep"}
    assert [path.name for path in (tmp_path / "deep" / "records").iterdir()] == ["liger"]
    assert len(list((tmp_path / "deep" / "records" / "liger").iterdir())) == len(HOSTILE) + 1
    loaded = load(tmp_path / "deep" / "records")
    assert loaded.problems == ()
    assert {run.kernel for run in loaded.runs} == {run.implementation for run in loaded.runs} == set(HOSTILE)


@settings(deadline=None)
@given(st.text())
def test_a_part_of_a_path_is_safe_whatever_the_text(text: str) -> None:
    part = file_part(text)
    assert 0 < len(part) <= 64
    assert part[0].isalnum()
    assert part.isascii()
    assert part == part.lower() == Path(part).name
    assert set(part) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_")


@settings(deadline=None)
@given(st.text(max_size=4), st.text(max_size=4))
def test_two_texts_have_two_parts(one: str, other: str) -> None:
    assert (file_part(one) == file_part(other)) == (one == other)


def test_documents_is_a_kernel_like_any_other(tmp_path: Path) -> None:
    report = import_liger(table(tmp_path, row(kernel_name="documents")), tmp_path / "records")
    assert report.problems == ()
    assert load(tmp_path / "records").problems == ()
