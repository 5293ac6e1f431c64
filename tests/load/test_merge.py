"""From files to one catalogue: repeated runs, joined documents, and that order does not matter."""

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.identity import digest
from sitegen.load import FileResult, Reader, load, merge
from sitegen.load.files import find
from tests.load.good_records import FIXTURES, Folder, changed, good, sealed


def results(folder: Path) -> list[FileResult]:
    reader = Reader(folder)
    return [reader.read(path) for path in find(folder).paths]


def test_the_same_record_in_two_files_is_one_run_and_a_warning_that_names_both(folder: Folder) -> None:
    for name in ("b.json", "a.json"):
        folder.put(name, good("liger"))
    loaded = folder.load()
    (run,) = loaded.runs
    (problem,) = loaded.problems
    assert run.file == "a.json"
    assert (problem.severity, problem.code, problem.file) == (
        "warning",
        "same-record-twice",
        str(folder.path / "b.json"),
    )
    assert str(folder.path / "a.json") in problem.message
    assert loaded.records == 2


def test_spacing_and_order_of_keys_do_not_make_another_record(folder: Folder) -> None:
    record = good("liger")
    folder.put("a.json", record)
    folder.put("b.json", {part: dict(reversed(record[part].items())) for part in reversed(record)})
    assert [problem.code for problem in folder.load().problems] == ["same-record-twice"]


@pytest.mark.parametrize("part", ["run", "protocol", "environment"])
def test_the_same_run_with_other_metadata_is_a_warning_of_its_own(folder: Folder, part: str) -> None:
    folder.put("a.json", good("liger"))
    folder.put("b.json", changed(good("liger"), part, "metadata", "title", to="Another title"))
    loaded = folder.load()
    assert [problem.code for problem in loaded.problems] == ["same-run-twice"]
    assert loaded.runs[0].title == "Cross-entropy loss · liger · forward"
    assert loaded.environments[loaded.runs[0].environment].metadata.title == "A100 host"


def test_each_further_file_of_a_run_is_named(folder: Folder) -> None:
    for name in ("c.json", "a.json", "b.json"):
        folder.put(name, good("liger"))
    assert [Path(problem.file).name for problem in folder.load().problems] == ["b.json", "c.json"]


def test_runs_are_in_order_of_their_digests_and_share_protocols(folder: Folder) -> None:
    for median in range(532000, 532010):
        record = changed(good("liger"), "run", "spec", "timing", "latencyNs", "median", to=median)
        folder.put(f"{median}.json", record)
    loaded = folder.load()
    digests = [run.digest for run in loaded.runs]
    assert digests == sorted(digests)
    assert len(set(digests)) == 10
    assert list(loaded.protocols) == [loaded.runs[0].protocol]
    assert list(loaded.environments) == [loaded.runs[0].environment]


def test_an_empty_folder_is_a_warning(folder: Folder) -> None:
    (problem,) = folder.load().problems
    assert (problem.severity, problem.code, problem.file) == ("warning", "no-records", str(folder.path))
    assert "no records" in problem.message


def test_a_folder_of_documents_alone_has_no_records(folder: Folder) -> None:
    folder.put("w.json", good("workload"))
    assert [problem.code for problem in folder.load().problems] == ["no-records"]


def test_a_bad_file_does_not_take_the_good_ones_with_it(folder: Folder) -> None:
    folder.put("bad.json", "{")
    folder.put("good.json", good("liger"))
    loaded = folder.load()
    assert [problem.code for problem in loaded.problems] == ["truncated"]
    assert (loaded.records, len(loaded.runs)) == (1, 1)


def test_documents_are_joined_by_digest_and_name_what_the_source_does_not(folder: Folder) -> None:
    for name in ("score", "submission", "suite"):
        folder.put(f"{name}.json", good(name))
    loaded = folder.load()
    (run,) = loaded.runs
    assert run.implementation == "causal_conv1d · submission 555004"
    assert run.implementation_key == digest(good("submission"))
    assert run.workload_label == "suite of 2 cases"
    assert loaded.workloads[run.workload].metadata.name == "conv1d-suite"
    assert loaded.implementations[run.implementation_digest][0].spec.callable.language == "python"


def test_axes_name_a_workload_rather_than_its_case_number(folder: Folder) -> None:
    record = changed(good("score"), "run", "spec", "sourceNative", "benchmark", to="causal_conv1d/3")
    folder.put("r.json", changed(record, "run", "spec", "workloadDigest", to=digest(good("workload"))))
    folder.put("w.json", good("workload"))
    assert folder.load().runs[0].workload_label == "tokens=16384, vocab=4096"


def test_what_the_source_names_itself_stays(folder: Folder) -> None:
    for name in ("liger", "workload", "implementation", "operation"):
        folder.put(f"{name}.json", good(name))
    loaded = folder.load()
    (run,) = loaded.runs
    assert (run.implementation, run.workload_label) == ("liger", "tokens16384-vocab4096-fp32")
    assert loaded.workloads[run.workload].spec.operation_spec_digest in loaded.operations


def test_all_revisions_of_an_implementation_are_kept_and_no_copy_of_one(folder: Folder) -> None:
    other = changed(good("implementation"), "metadata", "title", to="Cross-entropy loss · Megatron's wrapper")
    for name, document in (("a.json", good("implementation")), ("b.json", other), ("c.json", other)):
        folder.put(name, document)
    (revisions,) = folder.load().implementations.values()
    assert [revision.metadata.title for revision in revisions] == [
        "Cross-entropy loss · Liger",
        "Cross-entropy loss · Megatron's wrapper",
    ]


@pytest.mark.parametrize(
    ("field", "document"), [("workloadDigest", "implementation"), ("implementationDigest", "workload")]
)
def test_a_run_that_points_at_a_document_of_the_wrong_kind_is_warned_about(
    folder: Folder, field: str, document: str
) -> None:
    folder.put("d.json", good(document))
    folder.put("r.json", changed(good("liger"), "run", "spec", field, to=digest(good(document))))
    (problem,) = folder.load().problems
    assert (problem.severity, problem.code, problem.place) == ("warning", "wrong-document", f"run.spec.{field}")
    assert good(document)["kind"] in problem.message


def test_unknown_fields_of_an_environment_are_named_in_each_file(folder: Folder) -> None:
    record = sealed(changed(good("liger"), "environment", "spec", "clock", to=1))
    folder.put("a.json", record)
    folder.put("b.json", changed(record, "run", "spec", "status", to="revoked"))
    assert [Path(problem.file).name for problem in folder.load().problems] == ["a.json", "b.json"]


def messy(path: Path) -> Folder:
    """A folder with some of everything: repeated, bad, failed, documents with and without copies."""
    folder = Folder(path)
    for fixture in FIXTURES.glob("*.json"):
        folder.put(f"{fixture.stem}.json", fixture.read_bytes())
    edits: tuple[tuple[str, Any], ...] = (
        ("liger", changed(good("liger"), "run", "metadata", "title", to="Another")),
        ("liger", changed(good("liger"), "environment", "metadata", "title", to="Another")),
        ("submission", changed(good("submission"), "metadata", "title", to="Another")),
        ("suite", changed(good("suite"), "metadata", "title", to="Another")),
        ("score", sealed(changed(good("score"), "protocol", "note", to=1))),
        ("bad", "{"),
        ("failed", changed(good("failed"), "run", "spec", "workloadDigest", to=digest(good("submission")))),
    )
    for index, (name, content) in enumerate(edits):
        folder.put(f"{'za'[index % 2]}/{name}{index}.json", content)
    return folder


@settings(max_examples=30, deadline=None)
@given(seed=st.integers())
def test_the_order_of_the_files_makes_no_difference(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    path = tmp_path_factory.getbasetemp() / "messy"
    if not path.exists():
        messy(path)
    read = results(path)
    expected = load(path)
    random.Random(seed).shuffle(read)
    shuffled = merge(path, read)
    assert shuffled == expected
    assert list(shuffled.workloads) == list(expected.workloads)
    assert list(shuffled.protocols) == list(expected.protocols)
    assert len({problem.code for problem in expected.problems}) >= 5
