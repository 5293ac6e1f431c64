"""What is said of documents that are JSON, but not what the format asks for."""

from typing import Any

import pytest

from sitegen.problem import Problem
from sitegen.record import STATUSES
from tests.load.good_records import ABSENT, Folder, changed, good, sealed

SPEC = ("run", "spec")
MEDIAN = (*SPEC, "timing", "latencyNs", "median")


def only_problem(folder: Folder, content: Any) -> Problem:
    loaded = folder.load_one(content)
    (problem,) = [problem for problem in loaded.problems if problem.file == str(folder.path / "record.json")]
    if problem.severity == "error":
        assert loaded.runs == ()
    return problem


def test_good_records_and_documents_have_no_problems(folder: Folder) -> None:
    names = ("liger", "score", "failed", "workload", "suite", "implementation", "submission", "operation")
    for name in names:
        folder.put(f"{name}.json", good(name))
    loaded = folder.load()
    assert loaded.problems == ()
    assert (loaded.records, len(loaded.runs)) == (3, 3)


@pytest.mark.parametrize(
    ("path", "value", "code", "said"),
    [
        ((*SPEC, "workloadDigest"), ABSENT, "missing-field", "workloadDigest is missing"),
        ((*SPEC, "timing", "latencyNs"), ABSENT, "missing-field", "latencyNs is missing"),
        ((*SPEC, "sourceNative", "source"), "", "bad-text", "source is empty"),
        ((*SPEC, "implementationDigest"), "sha256:XYZ", "bad-digest", '"sha256:XYZ" is not a digest'),
        ((*SPEC, "implementationDigest"), "sha256:" + "A" * 64, "bad-digest", "is not a digest"),
        ((*SPEC, "implementationDigest"), "sha256:" + "a" * 64 + "\n", "bad-digest", "is not a digest"),
        ((*SPEC, "status"), "ok", "unknown-status", '"ok" is not a status'),
        (MEDIAN, 0, "out-of-range", "median is 0, and must be above 0"),
        (MEDIAN, -5, "out-of-range", "median is -5, and must be above 0"),
        (MEDIAN, 2**53, "out-of-range", "must be below 2^53"),
        (MEDIAN, 5.5, "wrong-type", "median is a number, and must be a whole number"),
        (MEDIAN, 5.0, "wrong-type", "must be a whole number"),
        (MEDIAN, "5", "wrong-type", "median is a text"),
        (MEDIAN, True, "wrong-type", "median is true or false"),
        ((*SPEC, "timing"), [], "wrong-type", "timing is a list, and must be an object"),
        ((*SPEC, "measurements"), {}, "wrong-type", "measurements is an object, and must be a list"),
        ((*SPEC, "measurements", 1, "value"), None, "wrong-type", "value is null, and must be a number"),
        ((*SPEC, "measurements", 0, "sampleCount"), -1, "out-of-range", "must be 0 or more"),
        ((*SPEC, "observedAt"), "2025-04-28T04:46:14", "bad-time", '"2025-04-28T04:46:14" is not a time'),
        ((*SPEC, "observedAt"), "2025-02-30T04:46:14Z", "bad-time", "is not a time in UTC"),
        ((*SPEC, "observedAt"), "2025-04-28T24:46:14Z", "bad-time", "is not a time in UTC"),
        ((*SPEC, "observedAt"), "2025-04-28T04:46:14+00:00", "bad-time", "is not a time in UTC"),
        ((*SPEC, "observedAt"), "٢٠٢٥-04-28T04:46:14Z", "bad-time", "is not a time in UTC"),
        (("run", "metadata", "name"), "../../owned", "unsafe-name", '"../../owned" is not a safe name'),
        (("run", "metadata", "name"), ".hidden", "unsafe-name", "is not a safe name"),
        (("run", "metadata", "name"), "a/b", "unsafe-name", "is not a safe name"),
        (("run", "metadata", "name"), "a" * 256, "bad-text", "longer than 255 characters"),
        (("run", "metadata", "labels", "liger_version"), 2, "wrong-type", "must be a text"),
        (("run", "apiVersion"), "kernelindex.dev/v9", "unknown-version", '"kernelindex.dev/v9" is not a version'),
        (("protocol", "kind"), "BenchmarkRun", "wrong-kind", 'kind "BenchmarkRun" does not belong here'),
        (("protocol", "spec", "measurement"), ABSENT, "missing-field", "measurement is missing"),
        (("environment",), ABSENT, "missing-field", "The environment is missing"),
        (("environment", "spec", "hardware", "vendor"), 1, "wrong-type", "vendor is a whole number"),
        (("run",), "text", "wrong-type", "run is a text, and must be an object"),
    ],
)
def test_a_fault_is_named_with_its_place(
    folder: Folder, path: tuple[str | int, ...], value: Any, code: str, said: str
) -> None:
    problem = only_problem(folder, changed(good("liger"), *path, to=value))
    assert problem.severity == "error"
    assert (problem.code, problem.pointer) == (code, "".join(f"/{part}" for part in path))
    assert said in problem.message
    assert problem.line is not None
    assert problem.hint


def test_the_line_is_that_of_the_place(folder: Folder) -> None:
    path = folder.put("record.json", changed(good("liger"), *MEDIAN, to=-5))
    (problem,) = folder.load().problems
    assert problem.line is not None
    assert '"median": -5' in path.read_text().splitlines()[problem.line - 1]


def test_the_hint_for_a_status_lists_those_that_there_are(folder: Folder) -> None:
    hint = only_problem(folder, changed(good("liger"), *SPEC, "status", to="ok")).hint
    assert all(status in hint for status in STATUSES)


def test_every_fault_of_a_record_is_named_at_once(folder: Folder) -> None:
    record = changed(good("liger"), *MEDIAN, to=0)
    record = changed(record, "run", "metadata", "name", to="..")
    record = changed(record, "environment", "spec", "hardware", "product", to="")
    assert [problem.place for problem in folder.load_one(record).problems] == [
        "run.metadata.name",
        "run.spec.timing.latencyNs.median",
        "environment.spec.hardware.product",
    ]


def test_of_another_version_only_the_version_is_named(folder: Folder) -> None:
    record = changed(good("liger"), "run", "apiVersion", to="kernelindex.dev/v2")
    assert only_problem(folder, changed(record, *SPEC, to={})).code == "unknown-version"


def test_a_place_with_odd_letters_is_a_pointer_that_leads_there(folder: Folder) -> None:
    record = changed(good("liger"), "run", "metadata", "labels", "a/b~c", to=1)
    assert only_problem(folder, record).pointer == "/run/metadata/labels/a~1b~0c"


def test_a_message_stays_on_one_line_whatever_the_record_says(folder: Folder) -> None:
    record = changed(good("liger"), *SPEC, "status", to="\x1b[2J\n" + "long" * 500)
    record = changed(record, "run", "metadata", "labels", "\x1b[2J\n", to=1)
    for problem in folder.load_one(record).problems:
        assert problem.message.isprintable()
        assert len(problem.message) < 200


@pytest.mark.parametrize(
    "path",
    [
        ("notes",),
        ("run", "note"),
        ("run", "metadata", "owner"),
        (*SPEC, "timing", "latencyNs", "p99"),
        (*SPEC, "measurements", 1, "weight"),
        ("protocol", "spec", "harness", "commit"),
        ("environment", "spec", "hardware", "clockMHz"),
    ],
)
def test_a_field_that_the_format_does_not_know_is_a_warning_at_its_place(
    folder: Folder, path: tuple[str | int, ...]
) -> None:
    loaded = folder.load_one(sealed(changed(good("liger"), *path, to=1410)))
    (problem,) = loaded.problems
    assert (problem.severity, problem.code) == ("warning", "unknown-field")
    assert problem.pointer == "".join(f"/{part}" for part in path)
    assert len(loaded.runs) == 1


def test_a_field_unknown_in_a_document_inside_lists_and_mappings_is_found(folder: Folder) -> None:
    operation = changed(good("operation"), "spec", "inputs", 1, "tensor", "stride", to=[1])
    assert only_problem(folder, operation).place == "spec.inputs[1].tensor.stride"
    workload = changed(good("workload"), "spec", "tensors", "target", "stride", to=[1])
    assert only_problem(folder, workload).place == "spec.tensors.target.stride"


def test_an_axis_of_a_wrong_type_is_one_fault(folder: Folder) -> None:
    problem = only_problem(folder, changed(good("workload"), "spec", "axes", "vocab", to=[4096]))
    assert problem.place == "spec.axes.vocab"


@pytest.mark.parametrize("content", [[], [1], "text", 1, None, True, {}, {"records": []}])
def test_a_file_that_holds_something_else_is_not_a_record(folder: Folder, content: Any) -> None:
    problem = only_problem(folder, "null" if content is None else f'"{content}"' if content == "text" else content)
    assert problem.code == "not-a-record"
    assert "run" in problem.hint


def test_a_document_of_unknown_kind_is_told_which_there_are(folder: Folder) -> None:
    problem = only_problem(folder, changed(good("workload"), "kind", to="Workload"))
    assert (problem.code, problem.place) == ("unknown-kind", "kind")
    assert "WorkloadCase" in problem.hint


@pytest.mark.parametrize("part", ["run", "protocol", "environment"])
def test_part_of_a_record_does_not_stand_alone(folder: Folder, part: str) -> None:
    problem = only_problem(folder, good("liger")[part])
    assert (problem.code, "does not stand alone" in problem.message) == ("unknown-kind", True)


def test_an_integer_without_exact_form_is_named_with_its_place(folder: Folder) -> None:
    problem = only_problem(folder, changed(good("liger"), *SPEC, "sourceNative", "metrics", "big", to=2**53))
    assert (problem.code, problem.place) == ("number-too-large", "run.spec.sourceNative.metrics.big")


@pytest.mark.parametrize("part", ["protocol", "environment"])
def test_an_altered_record_is_called_altered(folder: Folder, part: str) -> None:
    record = changed(good("liger"), "protocol", "spec", "measurement", "timer", to="wall_clock")
    if part == "environment":
        record = changed(good("liger"), "environment", "spec", "hardware", "product", to="NVIDIA H100")
    problem = only_problem(folder, record)
    assert (problem.severity, problem.code, problem.place) == ("error", "altered", f"run.spec.{part}Digest")
    assert "altered" in problem.message


def test_metadata_may_be_corrected_without_altering_the_record(folder: Folder) -> None:
    record = changed(good("liger"), "environment", "metadata", "title", to="A100 host, corrected")
    assert folder.load_one(record).problems == ()


def test_a_primary_statistic_without_latency_is_an_error_at_its_place(folder: Folder) -> None:
    problem = only_problem(folder, changed(good("liger"), *SPEC, "timing", "latencyNs", to={"mean": 5}))
    assert (problem.code, problem.place) == ("missing-statistic", "run.spec.timing.latencyNs.median")


@pytest.mark.parametrize("statistic", ["p50", "model_extra", "__class__"])
def test_a_primary_statistic_that_does_not_exist_is_an_error(folder: Folder, statistic: str) -> None:
    record = changed(good("liger"), *SPEC, "timing", "primaryStatistic", to=statistic)
    problem = next(problem for problem in folder.load_one(record).problems if problem.severity == "error")
    assert (problem.code, problem.place) == ("missing-statistic", "run.spec.timing.primaryStatistic")


def test_a_run_and_a_protocol_that_rank_by_different_statistics_are_warned_about(folder: Folder) -> None:
    record = changed(good("liger"), "protocol", "spec", "measurement", "primaryStatistic", to="mean")
    problem = only_problem(folder, sealed(record))
    assert (problem.severity, problem.code) == ("warning", "statistics-differ")
