"""The primary figure of a run, with its spread."""

from typing import Any

import pytest

from sitegen.load import Figure, Run
from sitegen.record import STATUSES
from tests.load.good_records import ABSENT, Folder, changed, good, sealed

TIMING = ("run", "spec", "timing")
MEASUREMENTS = ("run", "spec", "measurements")


def run_of(folder: Folder, record: Any) -> Run:
    loaded = folder.load_one(sealed(record))
    assert not [problem for problem in loaded.problems if problem.severity == "error"]
    (run,) = loaded.runs
    return run


def measured(record: Any, *measurements: tuple[str, str, str, float]) -> Any:
    names = ("metric", "statistic", "unit", "value")
    return changed(record, *MEASUREMENTS, to=[dict(zip(names, one, strict=True)) for one in measurements])


def timed(latency: dict[str, int], primary: str = "median") -> Any:
    record = changed(good("liger"), *TIMING, to={"primaryStatistic": primary, "latencyNs": latency})
    record = changed(record, "protocol", "spec", "measurement", "primaryStatistic", to=primary)
    return measured(record)


def test_a_timed_run_is_ranked_by_its_primary_statistic_with_its_spread(folder: Folder) -> None:
    run = run_of(folder, good("liger"))
    assert run.figure == Figure("latency", "median", "ns", 532416, 529101, 534765, "p20–p80")
    assert run.unranked == ""


def test_a_score_keeps_its_unit(folder: Folder) -> None:
    run = run_of(folder, good("score"))
    assert run.figure == Figure("score", "geomean", "s", 1.0048658277929109e-05)
    assert run.unranked == ""


def test_a_latency_that_is_only_measured_is_given_in_nanoseconds(folder: Folder) -> None:
    record = measured(
        changed(good("liger"), *TIMING, to=ABSENT),
        ("latency", "median", "ms", 0.5),
        ("latency", "p20", "us", 400),
        ("latency", "p80", "ns", 600_000),
    )
    assert run_of(folder, record).figure == Figure("latency", "median", "ns", 5e5, 4e5, 6e5, "p20–p80")


@pytest.mark.parametrize(
    ("measurements", "chosen"),
    [
        ([("score", "mean", "s", 3.0), ("score", "geomean", "s", 2.0)], 2.0),
        ([("memory", "geomean", "MB", 9.0), ("score", "geomean", "s", 2.0)], 2.0),
        ([("latency", "geomean", "s", 4.0), ("score", "geomean", "s", 2.0)], 4e9),
        ([("score", "unspecified", "s", 3.0)], 3.0),
        ([("peak_memory", "maximum", "MB", 9.0), ("score", "unspecified", "s", 3.0)], 3.0),
        ([("size", "maximum", "MiB", 9.0), ("score", "unspecified", "s", 3.0)], 3.0),
    ],
)
def test_without_timing_the_protocols_statistic_or_the_only_figure_is_primary(
    folder: Folder, measurements: list[tuple[str, str, str, float]], chosen: float
) -> None:
    figure = run_of(folder, measured(good("score"), *measurements)).figure
    assert figure is not None
    assert figure.value == chosen


@pytest.mark.parametrize(
    "measurements",
    [
        [],
        [("memory", "geomean", "MB", 9.0)],
        [("score", "mean", "s", 3.0), ("score", "minimum", "s", 2.0)],
        [("score", "geomean", "s", 3.0), ("rank", "geomean", "s", 2.0)],
    ],
)
def test_a_run_without_one_primary_figure_is_not_ranked_and_says_so(
    folder: Folder, measurements: list[tuple[str, str, str, float]]
) -> None:
    run = run_of(folder, measured(good("score"), *measurements))
    assert run.figure is None
    assert "no figure for its primary statistic" in run.unranked


@pytest.mark.parametrize("unit", ["TFLOPS", "", "points"])
def test_a_figure_that_is_not_a_time_is_kept_and_not_ranked(folder: Folder, unit: str) -> None:
    run = run_of(folder, measured(good("score"), ("score", "geomean", unit, 12.5)))
    assert run.figure is not None
    assert run.figure.unit == unit
    assert "not a unit of time" in run.unranked


@pytest.mark.parametrize("value", [0, -1.5])
def test_a_time_that_is_not_above_zero_is_not_ranked(folder: Folder, value: float) -> None:
    assert run_of(folder, measured(good("score"), ("score", "geomean", "s", value))).unranked


@pytest.mark.parametrize("status", STATUSES[1:])
def test_a_failed_run_has_a_reason_in_words_and_keeps_its_figure(folder: Folder, status: str) -> None:
    run = run_of(folder, changed(good("liger"), "run", "spec", "status", to=status))
    assert run.unranked
    assert "_" not in run.unranked
    assert run.figure is not None


def test_a_failed_run_without_figures_has_none(folder: Folder) -> None:
    run = run_of(folder, good("failed"))
    assert (run.figure, run.status, run.unranked) == (None, "runtime_error", "it failed while running")


@pytest.mark.parametrize(
    ("latency", "primary", "spread"),
    [
        ({"median": 100, "p05": 90, "p95": 120}, "median", (90, 120, "p05–p95")),
        ({"mean": 100, "p05": 90, "p95": 120}, "mean", (90, 120, "p05–p95")),
        ({"mean": 100, "confidence95": 7}, "mean", (93, 107, "95% confidence")),
        ({"median": 100, "mad": 7}, "median", (93, 107, "± MAD")),
        ({"median": 100, "mad": 7, "p05": 99, "p95": 101}, "median", (99, 101, "p05–p95")),
        ({"mean": 100, "mad": 7}, "mean", (None, None, "")),
        ({"median": 100, "mad": 0}, "median", (None, None, "")),
        ({"median": 100, "mad": 100}, "median", (None, None, "")),
        ({"median": 100, "minimum": 90, "maximum": 120}, "median", (None, None, "")),
        ({"median": 100, "p05": 90}, "median", (None, None, "")),
    ],
)
def test_other_spreads_count_where_there_is_no_better_one(
    folder: Folder, latency: dict[str, int], primary: str, spread: tuple[float | None, float | None, str]
) -> None:
    figure = run_of(folder, timed(latency, primary)).figure
    assert figure == Figure("latency", primary, "ns", 100, *spread)


@pytest.mark.parametrize(
    "measurements",
    [
        [("latency", "p20", "ns", 532416), ("latency", "p80", "ns", 532416)],
        [("latency", "p20", "ns", 529101)],
        [("latency", "std", "ns", 3000)],
        [("score", "p20", "ns", 529101), ("score", "p80", "ns", 534765)],
        [("latency", "p20", "cycles", 529101), ("latency", "p80", "cycles", 534765)],
    ],
)
def test_a_spread_is_not_known_from_these(folder: Folder, measurements: list[tuple[str, str, str, float]]) -> None:
    loaded = folder.load_one(measured(good("liger"), *measurements))
    assert loaded.problems == ()
    assert loaded.runs[0].figure == Figure("latency", "median", "ns", 532416)


@pytest.mark.parametrize(("low", "high", "named"), [(532417, 534765, "p20"), (529101, 532415, "p80")])
def test_a_spread_that_does_not_lie_around_the_median_is_a_warning_and_not_known(
    folder: Folder, low: int, high: int, named: str
) -> None:
    loaded = folder.load_one(measured(good("liger"), ("latency", "p20", "ns", low), ("latency", "p80", "ns", high)))
    (problem,) = loaded.problems
    assert (problem.severity, problem.code) == ("warning", "spread-misplaced")
    assert named in problem.message
    assert problem.place == f"run.spec.measurements[{['p20', 'p80'].index(named)}].value"
    assert loaded.runs[0].figure == Figure("latency", "median", "ns", 532416)


def test_a_misplaced_spread_of_percentiles_in_the_timing_is_named_there(folder: Folder) -> None:
    (problem,) = folder.load_one(sealed(timed({"median": 100, "p05": 101, "p95": 120}))).problems
    assert problem.place == "run.spec.timing.latencyNs.p05"
