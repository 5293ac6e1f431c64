"""From a table to records: what a run says, what it points at, and what is reported."""

import csv
import json
from pathlib import Path

import pytest

from sitegen.identity import digest
from sitegen.importing import import_liger
from sitegen.load import load
from tests.importing.liger_rows import CROSS_ENTROPY, TABLES, documents, memory, records, row, table

EVERY_TABLE = sorted(path.name for path in TABLES.glob("*.csv"))


def test_a_row_becomes_a_run_with_exact_figures(tmp_path: Path) -> None:
    import_liger(table(tmp_path, CROSS_ENTROPY), tmp_path / "records")
    (record,) = records(tmp_path / "records").values()
    run = record["run"]
    assert run["metadata"]["title"] == "Cross-entropy loss · liger · forward"
    assert run["metadata"]["labels"] == {"liger_version": "0.2.1"}
    assert run["spec"]["status"] == "passed"
    assert run["spec"]["timing"] == {"primaryStatistic": "median", "latencyNs": {"median": 532416}}
    assert run["spec"]["measurements"] == [
        {"metric": "latency", "unit": "ns", "statistic": "p20", "value": 529101},
        {"metric": "latency", "unit": "ns", "statistic": "p80", "value": 534765},
    ]
    assert run["spec"]["sourceNative"] == {
        "source": "liger-kernel-bench",
        "benchmark": "cross_entropy/forward",
        "externalId": "cross_entropy/forward/liger/nvidia-a100-sxm4-80gb/"
        "tokens16384-vocab4096-fp32/2024-09-03-15-31-39",
        "metrics": {"ms_50": 0.5324159860610962, "ms_20": 0.5291008353233337, "ms_80": 0.53476482629776},
    }
    assert run["spec"]["observedAt"] == "2024-09-03T15:31:39.000Z"


def test_a_figure_between_two_nanoseconds_is_rounded_up(tmp_path: Path) -> None:
    import_liger(TABLES / "half.csv", tmp_path)
    (record,) = records(tmp_path).values()
    # 46.8328125 ms are 46,832,812.5 ns: rounding halves to even would give …812.
    assert record["run"]["spec"]["measurements"][0]["value"] == 46832813


@pytest.mark.parametrize("name", EVERY_TABLE)
def test_every_real_row_is_imported_and_loads_without_a_problem(tmp_path: Path, name: str) -> None:
    with (TABLES / name).open(encoding="utf-8", newline="") as file:
        metrics = [cells["metric_name"] for cells in csv.DictReader(file)]
    report = import_liger(TABLES / name, tmp_path)
    loaded = load(tmp_path)
    assert report.problems == loaded.problems == ()
    assert report.rows == len(metrics)
    assert report.speed_rows == report.runs_written == len(loaded.runs) == metrics.count("speed")
    assert report.memory_rows == report.memory_joined + len(report.memory_left) == metrics.count("memory")
    assert {run.workload for run in loaded.runs} == loaded.workloads.keys()
    assert {run.implementation_digest for run in loaded.runs} == loaded.implementations.keys()
    assert {case.spec.operation_spec_digest for case in loaded.workloads.values()} == loaded.operations.keys()


def test_what_a_run_embeds_has_the_digests_that_it_names(tmp_path: Path) -> None:
    import_liger(TABLES / "providers.csv", tmp_path)
    for record in records(tmp_path).values():
        assert record["run"]["spec"]["protocolDigest"] == digest(record["protocol"])
        assert record["run"]["spec"]["environmentDigest"] == digest(record["environment"])


def test_a_pass_without_gradients_is_a_pass_of_its_own(tmp_path: Path) -> None:
    import_liger(TABLES / "model_config.csv", tmp_path)
    passes = {run.pass_name: run.protocol for run in load(tmp_path).runs}
    assert passes.keys() == {"forward", "backward", "full", "no-grad-forward"}
    assert len(set(passes.values())) == 4


def test_a_sweep_over_models_keeps_their_names_and_claims_no_shapes(tmp_path: Path) -> None:
    import_liger(TABLES / "model_config.csv", tmp_path)
    workloads = documents(tmp_path, "workloads")
    assert sorted(case["spec"]["axes"]["model"] for case in workloads) == ["llama_2_7b", "qwen2.5_72b"]
    assert all("tensors" not in case["spec"] for case in workloads)
    assert {run.workload_label for run in load(tmp_path).runs} == {
        "batch1-model=llama_2_7b-seq2048-fp32",
        "batch1-model=qwen2.5_72b-seq2048-fp32",
    }


def test_implementations_differ_by_provider_and_the_baselines_are_named(tmp_path: Path) -> None:
    import_liger(TABLES / "providers.csv", tmp_path)
    import_liger(TABLES / "one_of_each.csv", tmp_path)
    found = {}
    for document in documents(tmp_path, "implementations"):
        found.setdefault(document["spec"]["callable"]["symbol"], []).append(document)
    assert len({digest(each) for same in found.values() for each in same}) == sum(map(len, found.values()))
    baselines = {name for name, same in found.items() if same[0]["metadata"].get("labels") == {"role": "baseline"}}
    assert baselines == {"huggingface", "torch", "megatron-unfused"}
    languages = {name: same[0]["spec"]["callable"]["language"] for name, same in found.items()}
    assert languages["liger"] == languages["liger_triton"] == "triton"
    assert languages["liger_cutile"] == "cutile"
    assert languages["torch_compile"] == languages["megatron"] == "python"
    for name, same in found.items():
        packages = {variant["install"]["package"] for each in same for variant in each["spec"].get("buildVariants", [])}
        assert packages == ({"liger-kernel"} if name.startswith("liger") else set()), name


def test_of_an_unknown_provider_and_gpu_nothing_is_claimed(tmp_path: Path) -> None:
    path = table(tmp_path, row(kernel_provider="newcomer", gpu_name="Acme 9000 PCIe", liger_version=""))
    assert import_liger(path, tmp_path / "records").problems == ()
    (record,) = records(tmp_path / "records").values()
    assert "labels" not in record["run"]["metadata"]
    assert record["environment"]["spec"]["hardware"] == {
        "vendor": "unknown",
        "product": "Acme 9000 PCIe",
        "architecture": "unknown",
    }
    (implementation,) = documents(tmp_path / "records", "implementations")
    assert implementation["spec"]["callable"] == {"language": "unknown", "symbol": "newcomer"}
    assert implementation["spec"]["licensing"] == {}
    assert load(tmp_path / "records").problems == ()


def test_memory_becomes_measurements_of_the_run_it_belongs_to(tmp_path: Path) -> None:
    report = import_liger(TABLES / "memory.csv", tmp_path)
    assert report.memory_joined == 4
    found = records(tmp_path)
    figures = {
        (record["run"]["metadata"]["title"].split(" · ")[1], record["run"]["spec"]["timing"]["latencyNs"]["median"]): [
            (each["statistic"], each["unit"], each["value"])
            for each in record["run"]["spec"]["measurements"]
            if each["metric"] == "memory"
        ]
        for record in found.values()
    }

    def of(value: float) -> list[tuple[str, str, float]]:
        return [("median", "MB", value), ("p20", "MB", value), ("p80", "MB", value)]

    assert figures == {
        ("liger", 863744): of(256.32861328125),
        ("liger", 25222879): of(8192.328125),
        ("huggingface", 2226000): of(1280.1259765625),
        ("huggingface", 60438305): of(40960.125),
        ("liger", 5064416): [],
        ("huggingface", 4582320): [],
    }


def test_memory_without_a_run_is_named_with_its_line(tmp_path: Path) -> None:
    report = import_liger(TABLES / "memory.csv", tmp_path)
    assert [(left.line, left.name) for left in report.memory_left] == [
        (12, "swiglu/full, liger, T=1024, NVIDIA A100-SXM4-80GB, 2024-09-03 15:40:32"),
        (13, "swiglu/full, huggingface, T=1024, NVIDIA A100-SXM4-80GB, 2024-09-03 15:40:36"),
    ]


def test_memory_of_a_run_that_cannot_be_imported_is_named_too(tmp_path: Path) -> None:
    broken = {"extra_benchmark_config_str": '{"B": 0, "T": 2048}'}
    report = import_liger(table(tmp_path, row(**broken), memory(**broken)), tmp_path / "records")
    assert [problem.line for problem in report.problems] == [2]
    assert [left.line for left in report.memory_left] == [3]


def test_of_runs_measured_again_memory_goes_to_the_nearest_in_time(tmp_path: Path) -> None:
    early, late = row(timestamp="2024-09-03 10:00:00"), row(timestamp="2024-09-04 10:00:00", y_value_50="0.531")
    of_late = memory(timestamp="2024-09-04 09:59:50", y_value_50="300", y_value_80="300", y_value_20="300")
    of_early = memory(timestamp="2024-09-03 10:02:00")
    farther = memory(timestamp="2024-09-03 10:03:00")
    report = import_liger(table(tmp_path, late, early, farther, of_late, of_early), tmp_path / "records")
    assert report.memory_joined == 2
    assert [left.line for left in report.memory_left] == [4]
    medians = {
        record["run"]["spec"]["observedAt"]: record["run"]["spec"]["measurements"][2]["value"]
        for record in records(tmp_path / "records").values()
    }
    assert medians == {"2024-09-03T10:00:00.000Z": 256.5, "2024-09-04T10:00:00.000Z": 300.0}


@pytest.mark.parametrize(
    "other",
    [
        {"kernel_name": "tvd"},
        {"kernel_provider": "torch"},
        {"kernel_operation_mode": "full"},
        {"x_value": "8192"},
        {"extra_benchmark_config_str": '{"B": 8, "T": 1024}'},
        {"gpu_name": "NVIDIA B200"},
        {"liger_version": "0.2.2"},
    ],
    ids=lambda other: next(iter(other)),
)
def test_memory_of_something_else_is_not_joined(tmp_path: Path, other: dict[str, str]) -> None:
    report = import_liger(table(tmp_path, CROSS_ENTROPY, memory(**other)), tmp_path / "records")
    assert report.memory_joined == 0
    assert [left.line for left in report.memory_left] == [3]


def test_settings_in_another_order_are_the_same_settings(tmp_path: Path) -> None:
    swapped = memory(extra_benchmark_config_str='{"T":2048,"B":8}')
    assert import_liger(table(tmp_path, CROSS_ENTROPY, swapped), tmp_path / "records").memory_joined == 1


def test_a_repeated_row_is_one_run_and_a_warning(tmp_path: Path) -> None:
    report = import_liger(table(tmp_path, CROSS_ENTROPY, CROSS_ENTROPY), tmp_path / "records")
    assert len(records(tmp_path / "records")) == 1
    (problem,) = report.problems
    assert (problem.severity, problem.code, problem.line) == ("warning", "row-repeated", 3)
    assert "line 2" in problem.message


def test_of_two_rows_that_contradict_each_other_the_first_is_imported_and_the_other_reported(tmp_path: Path) -> None:
    report = import_liger(table(tmp_path, CROSS_ENTROPY, row(y_value_50="0.53")), tmp_path / "records")
    (record,) = records(tmp_path / "records").values()
    assert record["run"]["spec"]["timing"]["latencyNs"]["median"] == 532416
    (problem,) = report.problems
    assert (problem.severity, problem.code, problem.line) == ("error", "row-contradicted", 3)
    assert "line 2" in problem.message


def test_the_same_measured_at_another_time_is_another_run_of_the_same_group(tmp_path: Path) -> None:
    again = row(timestamp="2025-01-01 00:00:00", liger_version="0.5.0")
    import_liger(table(tmp_path, CROSS_ENTROPY, again), tmp_path / "records")
    runs = load(tmp_path / "records").runs
    assert len(runs) == 2
    assert len({(run.kernel, run.workload, run.protocol, run.gpu) for run in runs}) == 1


def test_files_say_the_same_whatever_the_order_of_the_rows(tmp_path: Path) -> None:
    lines = (TABLES / "one_of_each.csv").read_text(encoding="utf-8").splitlines()
    backwards = tmp_path / "backwards.csv"
    backwards.write_text("\n".join([lines[0], *reversed(lines[1:])]), encoding="utf-8")
    import_liger(TABLES / "one_of_each.csv", tmp_path / "one")
    import_liger(backwards, tmp_path / "other")
    one, other = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.json")}
        for folder in (tmp_path / "one", tmp_path / "other")
    )
    assert one == other


def test_records_are_text_that_can_be_compared_line_by_line(tmp_path: Path) -> None:
    import_liger(TABLES / "half.csv", tmp_path)
    for path in tmp_path.rglob("*.json"):
        text = path.read_text(encoding="utf-8")
        assert text.endswith("}\n")
        assert text == json.dumps(json.loads(text), ensure_ascii=False, indent=1) + "\n"
