"""Every run finds its place, nothing is lost, and nothing hangs on the order of the files."""

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.catalogue import Catalogue, build
from sitegen.load.model import Gpu, Run
from tests.making import (
    A100,
    H100,
    catalogue,
    digest,
    environment,
    failed,
    latency,
    loaded,
    protocol,
    run,
    score,
    sized,
)

KERNELS = st.sampled_from(["rms_norm", "swiglu", "a2", "a10"])
GPUS = st.sampled_from([A100, H100, replace(H100, form_factor="PCIe")])
NAMES = st.sampled_from(["liger", "huggingface", "torch"])
FIGURES = st.sampled_from([None, latency(1000), latency(1100, 1050, 1150), score(2.0), latency(900, statistic="mean")])


@st.composite
def runs(draw: st.DrawFn) -> Run:
    figure = draw(FIGURES)
    broken = figure is None or draw(st.booleans())
    make = failed if broken else run
    source = draw(st.sampled_from(["liger-kernel-bench", "some-bench"]))
    size = draw(st.sampled_from([512, 1024]))
    return make(
        draw(NAMES),
        figure,
        kernel=draw(KERNELS),
        gpu=draw(GPUS),
        pass_name=draw(st.sampled_from(["forward", "full", ""])),
        source=source,
        protocol=digest(draw(st.sampled_from(["protocol", "another"]))),
        observed_ms=draw(st.integers(0, 5)),
        # Two sources never name one workload: it would be called what its first run by digest calls it.
        workload=digest(f"{source} {size}"),
        workload_label=f"hidden{size}-bf16",
    )


MANY = st.lists(runs(), max_size=25)


def places(found: Catalogue) -> Counter[str]:
    """How often each run stands in the catalogue, by digest."""
    in_groups = [each for group in found.groups for each in (*group.runs, *group.unranked)]
    outside = [each for kernel in found.kernels.values() for each in kernel.ungrouped]
    return Counter(each.digest for each in (*in_groups, *outside))


@given(MANY)
def test_every_run_has_exactly_one_place(listed: list[Run]) -> None:
    found = catalogue(*listed)
    everything = {each.digest for each in listed}
    assert places(found) == Counter(everything)
    assert Counter(each.digest for kernel in found.kernels.values() for each in kernel.runs) == Counter(everything)
    on_gpus = [each.digest for kernels in found.gpus.values() for kernel in kernels for each in kernel.runs]
    assert Counter(on_gpus) == Counter(everything)
    by_name = [each.digest for implementation in found.implementations.values() for each in implementation.runs]
    assert Counter(by_name) == Counter(everything)


@given(MANY)
def test_ranked_runs_are_in_the_group_of_their_key_and_nowhere_else(listed: list[Run]) -> None:
    found = catalogue(*listed)
    for group in found.groups:
        assert group.runs
        assert all(not each.unranked for each in group.runs)
        assert all(each.unranked for each in group.unranked)
        for each in (*group.runs, *group.unranked):
            key = group.key
            assert (each.source, each.kernel, each.workload, each.pass_name) == key[:4]
            assert (each.protocol, each.gpu) == (key.protocol, key.gpu)
            if each.figure:
                assert (each.figure.metric, each.figure.statistic) == (key.metric, key.statistic)
    assert len({group.key for group in found.groups}) == len({group.id for group in found.groups}) == len(found.groups)
    assert all(each.unranked for kernel in found.kernels.values() for each in kernel.ungrouped)


@given(MANY, st.randoms(use_true_random=False))
def test_the_order_of_the_runs_changes_nothing(listed: list[Run], chance: random.Random) -> None:
    straight = loaded(listed)
    shuffled = list(straight.runs)
    chance.shuffle(shuffled)
    one, other = build(straight), build(replace(straight, runs=tuple(shuffled)))
    assert one.groups == other.groups
    assert list(one.kernels.items()) == list(other.kernels.items())
    assert list(one.gpus.items()) == list(other.gpus.items())
    assert list(one.implementations.items()) == list(other.implementations.items())


@given(MANY)
def test_the_group_of_a_run_is_found_by_its_digest(listed: list[Run]) -> None:
    found = catalogue(*listed)
    inside = {each.digest: group for group in found.groups for each in (*group.runs, *group.unranked)}
    assert found.group_of == inside


@given(MANY)
def test_runs_are_in_order_of_time(listed: list[Run]) -> None:
    found = catalogue(*listed)
    rows = [group.runs for group in found.groups] + [group.unranked for group in found.groups]
    rows += [each.runs for each in found.implementations.values()]
    rows += [kernel.ungrouped for kernel in found.kernels.values()]
    for row in rows:
        assert list(row) == sorted(row, key=lambda each: (each.observed_ms, each.digest))


def test_a_failed_run_without_a_figure_stands_beside_the_runs_of_its_key() -> None:
    found = catalogue(run("liger"), failed("torch"))
    (group,) = found.groups
    assert [each.implementation for each in group.unranked] == ["torch"]


def test_a_failed_run_with_a_figure_of_another_metric_is_in_no_group() -> None:
    found = catalogue(run("liger"), failed("torch", score(1.0)))
    (kernel,) = found.kernels.values()
    assert [each.implementation for each in kernel.ungrouped] == ["torch"]


def test_a_failed_run_that_shares_its_key_with_none_is_in_no_group() -> None:
    found = catalogue(failed("torch"), run("liger", pass_name="backward"))
    (kernel,) = found.kernels.values()
    assert kernel.ungrouped[0].implementation == "torch"
    assert len(kernel.groups) == 1


@pytest.mark.parametrize("statistic", ["median", "mean"])
def test_of_two_groups_a_run_without_a_figure_joins_that_of_its_protocols_statistic(statistic: str) -> None:
    ranked = [run("liger", latency(1000)), run("liger", latency(1000, statistic="mean"))]
    found = catalogue(*ranked, failed("torch"), protocols={digest("protocol"): protocol(statistic=statistic)})
    (group,) = [group for group in found.groups if group.unranked]
    assert group.key.statistic == statistic


def test_a_run_that_could_be_in_two_groups_is_in_none() -> None:
    ranked = [run("liger", latency(1000)), run("liger", latency(1000, metric="energy"))]
    found = catalogue(*ranked, failed("torch"))
    (kernel,) = found.kernels.values()
    assert [each.implementation for each in kernel.ungrouped] == ["torch"]


def test_groups_are_listed_by_kernel_gpu_pass_and_size() -> None:
    def made(kernel: str, gpu: Gpu, pass_name: str, hidden: int) -> Run:
        return run(kernel=kernel, gpu=gpu, pass_name=pass_name, **sized("hidden", hidden))

    wanted = [
        ("a2", A100, "forward", 1024),
        ("a10", A100, "forward", 512),
        ("a10", A100, "forward", 1024),
        ("a10", A100, "forward", 16384),
        ("a10", A100, "no-grad-forward", 512),
        ("a10", A100, "backward", 512),
        ("a10", A100, "full", 512),
        ("a10", A100, "", 512),
        ("a10", A100, "inference", 512),
        ("a10", H100, "forward", 512),
    ]
    groups = catalogue(*(made(*each) for each in reversed(wanted))).groups
    found = [(group.key.kernel, group.key.gpu, group.key.pass_name, group.workload.axes[0][1]) for group in groups]
    assert found == wanted


def test_an_implementation_has_the_name_that_its_newest_run_gives_it() -> None:
    key = digest("one implementation")
    old = run("fused add", implementation_key=key, observed_ms=1)
    new = run("fused add, second title", implementation_key=key, observed_ms=2)
    (implementation,) = catalogue(new, old).implementations.values()
    assert implementation.name == "fused add, second title"
    assert implementation.runs == (old, new)


def test_architectures_that_nobody_knows_are_not_listed() -> None:
    names = {"known": "sm_90", "twice": "sm_90", "unknown": "unknown", "none": ""}
    listed = [run(name, gpu=H100, environment=digest(name)) for name in names]
    environments = {digest(name): environment(H100, architecture) for name, architecture in names.items()}
    found = catalogue(*listed, environments=environments)
    assert found.architectures(H100) == ("sm_90",)
    assert found.architectures(A100) == ()


def test_an_empty_catalogue_has_nothing_and_breaks_nothing() -> None:
    found = catalogue()
    sizes: list[Any] = [found.groups, found.kernels, found.gpus, found.implementations, found.workloads]
    assert [len(each) for each in (*sizes, found.sources)] == [0] * 6
    assert found.newest_ms == 0


@pytest.mark.parametrize("name", ["٣" * 5000, "3" * 5000, "k" + "9" * 400, "²", "a\0", "", " "])
def test_no_name_is_too_odd_to_be_listed(name: str) -> None:
    found = catalogue(run(kernel=name), run(kernel="k10"), run(kernel="k9"))
    listed = [kernel.name for kernel in found.kernels.values()]
    assert listed.index("k9") < listed.index("k10")
    assert name in listed
