"""A catalogue that is kept up to date equals one that is built anew, and shares what the change does not touch."""

from hypothesis import given
from hypothesis import strategies as st

from sitegen.catalogue import Catalogue, build, update
from sitegen.load.model import Run
from tests.making import A100, H100, failed, latency, loaded, run, sized, workload

POOL = [
    make(name, latency(532416 + place), kernel=kernel, gpu=gpu, **sized("hidden", size))
    if make is run
    else failed(name, kernel=kernel, gpu=gpu, **sized("hidden", size))
    for place, (make, name, kernel, gpu, size) in enumerate(
        (make, name, kernel, gpu, size)
        for make in (run, failed)
        for name in ("liger", "torch")
        for kernel in ("rms_norm", "rope")
        for gpu in (A100, H100)
        for size in (1024, 2048)
    )
]
SOME = st.sets(st.integers(0, len(POOL) - 1))


def catalogue_of(chosen: set[int], **documents: object) -> Catalogue:
    return build(loaded([POOL[place] for place in chosen], **documents))


def orders(catalogue: Catalogue) -> tuple[list[object], ...]:
    """What equality of mappings leaves out: the order of their keys."""
    return list(catalogue.kernels), list(catalogue.gpus), list(catalogue.implementations)


@given(st.lists(SOME, min_size=2, max_size=6))
def test_an_update_gives_what_building_gives(states: list[set[int]]) -> None:
    kept = catalogue_of(states[0])
    for state in states[1:]:
        anew = catalogue_of(state)
        kept = update(kept, anew.loaded)
        assert kept == anew
        assert orders(kept) == orders(anew)


def changed(runs: list[Run], at: int) -> list[Run]:
    """The same runs, one of them measured anew."""
    other = run("liger", latency(600000), kernel=runs[at].kernel, gpu=runs[at].gpu, **sized("hidden", 1024))
    return [*runs[:at], other, *runs[at + 1 :]]


def test_what_a_change_does_not_touch_is_the_same_object() -> None:
    runs = POOL[:16]
    before = build(loaded(runs))
    after = update(before, loaded(changed(runs, 0)))
    untouched = [key for key in before.kernels if key[1] != runs[0].kernel]
    assert untouched
    assert all(after.kernels[key] is before.kernels[key] for key in untouched)
    same = [group for group in after.groups if any(group is old for old in before.groups)]
    assert len(same) == len(after.groups) - 1
    assert after.implementations["liger-kernel-bench", "torch"] is before.implementations["liger-kernel-bench", "torch"]


def test_a_changed_document_changes_the_runs_that_it_is_joined_with() -> None:
    runs = POOL[:8]
    before = build(loaded(runs))
    documents = {"workloads": {runs[0].workload: workload({"hidden": 1024, "rows": 8})}}
    after = update(before, loaded(runs, **documents))
    assert after == build(loaded(runs, **documents))
    assert dict(after.workloads[runs[0].workload].axes) == {"hidden": 1024, "rows": 8}


def test_an_update_to_nothing_and_back() -> None:
    runs = POOL[:8]
    full, empty = build(loaded(runs)), build(loaded([]))
    assert update(full, empty.loaded) == empty
    assert update(empty, full.loaded) == full
