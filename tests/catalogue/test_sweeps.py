"""Sweeps are found from the workloads: compared with a search over all pairs, which is slow and plain."""

import random
from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from sitegen.catalogue import Workload, find_sweeps
from tests.making import digest


def made(axes: dict[str, float | str], fixed: str = "bf16", name: str = "") -> Workload:
    listed = tuple(sorted(axes.items()))
    return Workload(f"sha256:{listed}{fixed}{name}", str(listed), listed, fixed)


def line(axis: str, *values: float, **others: float | str) -> list[Workload]:
    return [made({axis: value, **others}) for value in values]


AXES = st.fixed_dictionaries(
    {"batch": st.sampled_from([1, 2, 4]), "hidden": st.sampled_from([512, 1024, 1e6]), "layout": st.sampled_from("nt")},
    optional={"groups": st.sampled_from([0, 32])},
)
WORKLOADS = st.lists(
    st.builds(made, AXES, st.sampled_from(["bf16", "fp32"]), st.sampled_from(["", "", "b"])), max_size=14
)


def differ_in(one: Workload, other: Workload) -> str | None:
    """The one axis in which two workloads differ, None where it is not exactly one that is a number."""
    left, right = dict(one.axes), dict(other.axes)
    if left.keys() != right.keys() or one.fixed != other.fixed:
        return None
    apart = [axis for axis in left if left[axis] != right[axis]]
    return apart[0] if len(apart) == 1 and not isinstance(left[apart[0]], str) else None


def unique(workloads: Iterable[Workload]) -> list[Workload]:
    return list({each.digest: each for each in workloads}.values())


@given(WORKLOADS)
def test_a_workload_is_on_a_sweep_when_it_differs_from_another_in_one_axis_only(listed: list[Workload]) -> None:
    sweeps, singles = find_sweeps(listed)
    on_sweeps = {workload.digest for sweep in sweeps for _, workload in sweep.points}
    has_partner = {one.digest for one in listed for other in listed if differ_in(one, other)}
    assert on_sweeps == has_partner
    assert {each.digest for each in singles} == {each.digest for each in listed} - has_partner
    assert len(singles) == len({each.digest for each in singles})


@given(WORKLOADS)
def test_the_points_of_a_sweep_are_all_that_differ_in_its_axis_only(listed: list[Workload]) -> None:
    for sweep in find_sweeps(listed)[0]:
        first = sweep.points[0][1]
        alike = [
            each
            for each in unique(listed)
            if each.fixed == first.fixed
            and dict(each.axes).keys() == dict(first.axes).keys()
            and all(value == dict(first.axes)[axis] for axis, value in each.axes if axis != sweep.axis)
        ]
        assert {each.digest for _, each in sweep.points} == {each.digest for each in alike}
        assert len(sweep.points) == len(alike)
        assert all(x == dict(each.axes)[sweep.axis] for x, each in sweep.points)
        assert [x for x, _ in sweep.points] == sorted(x for x, _ in sweep.points)
        assert dict(sweep.others) == {axis: value for axis, value in first.axes if axis != sweep.axis}


@given(WORKLOADS)
def test_each_sweep_shows_a_workload_that_no_longer_one_does(listed: list[Workload]) -> None:
    seen: set[str] = set()
    sweeps, _ = find_sweeps(listed)
    for sweep in sorted(sweeps, key=lambda each: -len(each.points)):
        longer = [other for other in sweeps if len(other.points) > len(sweep.points)]
        shown = {each.digest for other in longer for _, each in other.points}
        assert not {each.digest for _, each in sweep.points} <= shown
        seen |= {each.digest for _, each in sweep.points}
    points = [frozenset(each.digest for _, each in sweep.points) for sweep in sweeps]
    assert len(set(points)) == len(points) <= len(seen)


@given(WORKLOADS, st.randoms(use_true_random=False))
def test_the_order_of_the_workloads_changes_nothing(listed: list[Workload], chance: random.Random) -> None:
    shuffled = unique(listed)
    chance.shuffle(shuffled)
    assert find_sweeps(shuffled) == find_sweeps(listed)


def test_a_line_is_one_sweep() -> None:
    workloads = line("vocab", 4096, 8192, 16384, 32768, 65536, 131072, hidden=4096)
    (sweep,), singles = find_sweeps(workloads)
    assert (sweep.axis, sweep.others, singles) == ("vocab", (("hidden", 4096),), ())
    assert [x for x, _ in sweep.points] == [4096, 8192, 16384, 32768, 65536, 131072]


def test_a_grid_is_swept_along_its_longer_axis_only() -> None:
    grid = [each for hidden in (1024, 2048) for each in line("tokens", 1, 2, 4, 8, hidden=hidden)]
    sweeps, singles = find_sweeps(grid)
    assert [(sweep.axis, dict(sweep.others), len(sweep.points)) for sweep in sweeps] == [
        ("tokens", {"hidden": 1024}, 4),
        ("tokens", {"hidden": 2048}, 4),
    ]
    assert singles == ()


def test_a_square_grid_is_swept_along_one_axis_and_not_both() -> None:
    grid = [each for hidden in (1024, 2048, 4096) for each in line("tokens", 1, 2, 4, hidden=hidden)]
    sweeps, _ = find_sweeps(grid)
    assert len(sweeps) == 3
    assert len({sweep.axis for sweep in sweeps}) == 1


def test_a_cross_is_two_sweeps() -> None:
    cross = [*line("tokens", 1, 2, 4, hidden=1024), *line("hidden", 512, 2048, tokens=2)]
    sweeps, singles = find_sweeps(cross)
    assert {(sweep.axis, len(sweep.points)) for sweep in sweeps} == {("tokens", 3), ("hidden", 3)}
    assert singles == ()


def test_text_is_no_axis_to_sweep_but_must_agree() -> None:
    workloads = [*line("tokens", 1, 2, layout="thd"), made({"tokens": 4, "layout": "bshd"})]
    (sweep,), singles = find_sweeps(workloads)
    assert sweep.others == (("layout", "thd"),)
    assert singles == (workloads[2],)


def test_an_axis_that_is_text_in_one_workload_and_a_number_in_another_is_survived() -> None:
    workloads = [made({"n": "all"}), *line("n", 1, 2), made({"n": "all", "m": 1}), *line("m", 1, 2, n=3)]
    sweeps, singles = find_sweeps(workloads)
    assert {sweep.axis for sweep in sweeps} == {"n", "m"}
    assert len(singles) == 2


def test_dtypes_are_never_mixed_on_one_sweep() -> None:
    sweeps, singles = find_sweeps([made({"n": 1}, "bf16"), made({"n": 2}, "fp32")])
    assert sweeps == ()
    assert len(singles) == 2


def test_workloads_that_name_their_sizes_alike_do_not_make_a_sweep() -> None:
    sweeps, singles = find_sweeps([made({"n": 1}), made({"n": 1}, name="twin")])
    assert sweeps == ()
    assert len(singles) == 2


def test_no_curve_runs_along_a_seed() -> None:
    """The matrix products of one leaderboard: their seeds differ as their sizes do."""
    made = [Workload(digest(str(seed)), "", (("k", 256.0), ("seed", float(seed))), "") for seed in (5364, 12341)]
    assert find_sweeps(made) == ((), tuple(made))
