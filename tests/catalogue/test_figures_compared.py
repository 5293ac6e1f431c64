"""From records to groups: figures of one key are in one unit, and what nobody can have measured ranks nowhere."""

from pathlib import Path
from typing import Any

import pytest

from sitegen.catalogue import Catalogue, build
from tests.load.good_records import Folder, changed, good, sealed
from tests.making import digest


def of(folder: Path, *records: Any) -> Catalogue:
    made = Folder(folder)
    for number, record in enumerate(records):
        made.put(f"{number}.json", sealed(record))
    loaded = made.load()
    assert not loaded.problems
    return build(loaded)


def measured(value: float, unit: str, metric: str = "score", implementation: str = "a") -> Any:
    record = changed(good("score"), "run", "spec", "implementationDigest", to=digest(implementation))
    figure = {"metric": metric, "statistic": "geomean", "unit": unit, "value": value}
    return changed(record, "run", "spec", "measurements", to=[figure])


@pytest.mark.parametrize("metric", ["score", "latency"])
def test_figures_of_one_key_are_compared_in_one_unit(tmp_path: Path, metric: str) -> None:
    (group,) = of(tmp_path, measured(1200.0, "ms", metric, "slow"), measured(1.0, "s", metric, "fast")).groups
    by_figure = sorted(group.runs, key=lambda run: run.primary.value)
    assert [run.implementation_digest for run in by_figure] == [digest("fast"), digest("slow")]
    assert {run.primary.unit for run in by_figure} == {"s" if metric == "score" else "ns"}
    assert by_figure[1].primary.value == pytest.approx(1.2 if metric == "score" else 1.2e9)


@pytest.mark.parametrize("value", [1e300, 1.7e308, 1e-300, 5e-324, 1e7])
@pytest.mark.parametrize("metric", ["score", "latency"])
def test_a_time_that_nobody_can_have_measured_is_not_ranked(tmp_path: Path, value: float, metric: str) -> None:
    found = of(tmp_path, measured(value, "s", metric))
    (kernel,) = found.kernels.values()
    assert [run.unranked for run in kernel.ungrouped] == ["its figure is beyond any time that can be measured"]
    assert found.groups == ()


@pytest.mark.parametrize("bound", [1e300, 5e-324])
def test_a_bound_that_nobody_can_have_measured_is_no_spread(tmp_path: Path, bound: float) -> None:
    record = changed(good("liger"), "run", "spec", "measurements", 1 if bound > 1 else 0, "value", to=bound)
    (group,) = of(tmp_path, record).groups
    assert (group.runs[0].primary.low, group.runs[0].primary.high) == (None, None)


@pytest.mark.parametrize("digits", [16, 400, 5000])
def test_a_number_too_long_for_an_axis_is_a_name(tmp_path: Path, digits: int) -> None:
    parts = good("liger")["run"]["spec"]["sourceNative"]["externalId"].split("/")
    parts[4] = f"tokens{'9' * digits}-vocab4096-fp32"
    record = changed(good("liger"), "run", "spec", "sourceNative", "externalId", to="/".join(parts))
    (group,) = of(tmp_path, record).groups
    assert group.workload.axes == (("vocab", 4096.0),)
