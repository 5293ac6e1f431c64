"""How often an implementation leads, ties and trails, what it costs everywhere, and where the winner flips."""

import math
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.judge import Outcome, Standing, Tally, costs, outcome, stretches, tally, tally_of
from sitegen.load.model import Figure
from tests.judge.test_ranks import figures
from tests.making import latency, run, sized, standing

NAMES = ("liger", "huggingface", "torch")
ROWS = st.lists(st.dictionaries(st.sampled_from(NAMES), figures(), min_size=1), min_size=1, max_size=6)


def standings(rows: Sequence[dict[str, Figure]], baselines: Sequence[str] = ("huggingface", "torch")) -> list[Standing]:
    """A group for each row, on workloads that get larger."""
    return [
        standing(*(run(name, figure, **sized("hidden", 2**place)) for name, figure in row.items()), baselines=baselines)
        for place, row in enumerate(rows)
    ]


def of(tallies: Sequence[Tally], name: str) -> Tally:
    (only,) = [each for each in tallies if each.implementation == name]
    return only


@given(ROWS)
def test_every_place_of_an_implementation_is_counted_once(rows: list[dict[str, Figure]]) -> None:
    judged = standings(rows)
    tallies = tally(judged)
    for each in tallies:
        assert each.groups == sum(each.implementation in row for row in rows)
        assert each.leads + each.probable + each.ties + each.trails + each.alone == each.groups
        assert each.compared == sum(each.implementation in row and len(row) > 1 for row in rows)
    assert {each.implementation for each in tallies} == {name for row in rows for name in row}
    assert {name: tally_of(judged, name) for name in NAMES} == {
        name: next((each for each in tallies if each.implementation == name), None) for name in NAMES
    }
    for found in judged:
        first = [outcome(found, entry) for entry in found.entries if entry.rank == 1]
        wanted = {Outcome.TIES} if len(first) > 1 else {Outcome.LEADS, Outcome.PROBABLE, Outcome.ALONE}
        assert set(first) <= wanted
        assert all(outcome(found, entry) is Outcome.TRAILS for entry in found.entries if entry.rank > 1)


@given(ROWS)
def test_speedups_are_the_ratios_to_the_baseline_where_it_leads(rows: list[dict[str, Figure]]) -> None:
    for each in tally(standings(rows)):
        assert len(each.speedups) <= each.leads
        assert len(each.probable_speedups) <= each.probable
        assert all(value > 1 for value in (*each.speedups, *each.probable_speedups))
        assert list(each.speedups) == sorted(each.speedups)


def test_outcomes() -> None:
    rows = [
        {"liger": latency(100, 95, 105), "torch": latency(200, 190, 210)},
        {"liger": latency(100, 95, 105), "torch": latency(200)},
        {"liger": latency(100, 95, 105), "torch": latency(104, 100, 110)},
        {"liger": latency(100, 95, 105), "torch": latency(50, 40, 60)},
        {"liger": latency(100)},
    ]
    found = [outcome(each, entry) for each in standings(rows) if (entry := each.entry_of("liger"))]
    assert found == [Outcome.LEADS, Outcome.PROBABLE, Outcome.TIES, Outcome.TRAILS, Outcome.ALONE]
    liger = of(tally(standings(rows)), "liger")
    assert (liger.leads, liger.probable, liger.ties, liger.trails, liger.alone, liger.compared) == (1, 1, 1, 1, 1, 4)
    assert (liger.speedups, liger.probable_speedups, liger.baseline) == ((2.0,), (2.0,), "torch")


def test_a_lead_is_no_tie_where_only_a_run_further_down_reaches_back_to_it() -> None:
    (found,) = standings(
        [{"liger": latency(50, 40, 52), "torch": latency(60, 55, 65), "huggingface": latency(70, 51, 80)}]
    )
    assert [outcome(found, entry) for entry in found.entries] == [Outcome.LEADS, Outcome.TRAILS, Outcome.TRAILS]


def test_where_baselines_differ_none_is_named() -> None:
    rows = [{"liger": latency(1, 0.9, 1.1), name: latency(2, 1.9, 2.1)} for name in ("huggingface", "torch")]
    assert of(tally(standings(rows)), "liger").baseline == ""
    assert of(tally(standings(rows)), "liger").speedups == (2.0, 2.0)


def test_the_one_that_leads_most_often_comes_first() -> None:
    wins = {"liger": latency(1, 0.9, 1.1), "torch": latency(2, 1.9, 2.1)}
    loses = {"liger": latency(3, 2.9, 3.1), "torch": latency(2, 1.9, 2.1)}
    assert [each.implementation for each in tally(standings([wins, wins, loses]))] == ["liger", "torch"]
    assert [each.implementation for each in tally(standings([wins, loses, loses]))] == ["torch", "liger"]


def test_an_implementation_has_the_name_of_its_newest_run() -> None:
    rows = [
        standing(run(name, observed_ms=when, implementation_key="sha256:1", **sized("hidden", when)))
        for when, name in ((2, "new title"), (1, "old title"))
    ]
    assert [each.implementation for each in tally(rows)] == ["new title"]


@given(st.lists(st.dictionaries(st.sampled_from(NAMES), figures(), min_size=2), min_size=1, max_size=6))
def test_a_cost_is_the_geometric_mean_over_the_best(rows: list[dict[str, Figure]]) -> None:
    for each in costs(standings(rows)):
        over = [
            row[each.implementation].value / min(figure.value for figure in row.values())
            for row in rows
            if each.implementation in row
        ]
        assert (each.groups, each.possible) == (len(over), len(rows))
        assert each.mean == pytest.approx(math.prod(over) ** (1 / len(over)))
        assert each.worst == max(over)
        entry = each.worst_at.entry_of(each.implementation)
        assert entry is not None
        assert entry.figure.value / each.worst_at.leader.figure.value == each.worst
        assert 1 <= each.mean <= each.worst * (1 + 1e-12)


def test_a_cost_counts_where_it_is_surely_slower() -> None:
    rows = [
        {"liger": latency(100, 95, 105), "torch": latency(200, 190, 210)},
        {"liger": latency(100, 95, 105), "torch": latency(200)},
        {"liger": latency(100, 95, 105), "torch": latency(104, 100, 110)},
        {"torch": latency(100)},
    ]
    (torch,) = [each for each in costs(standings(rows)) if each.implementation == "torch"]
    assert (torch.groups, torch.possible, torch.beaten) == (3, 3, 1)
    assert torch.mean == pytest.approx((2 * 2 * 1.04) ** (1 / 3))


def test_groups_with_one_implementation_cost_nothing() -> None:
    assert costs(standings([{"liger": latency(100)}])) == ()


def test_the_winner_flips_where_the_leaders_change() -> None:
    liger = {"liger": latency(100, 95, 105), "torch": latency(200, 190, 210)}
    tie = {"liger": latency(100, 95, 105), "torch": latency(102, 100, 110)}
    torch = {"liger": latency(300, 295, 305), "torch": latency(200, 190, 210)}
    points = list(
        zip([512.0, 1024.0, 2048.0, 4096.0, 8192.0], standings([torch, torch, tie, liger, torch]), strict=True)
    )
    found = [(each.start, each.end, each.points, each.leaders) for each in stretches(points)]
    assert found == [
        (512, 1024, 2, ("torch",)),
        (2048, 2048, 1, ("liger", "torch")),
        (4096, 4096, 1, ("liger",)),
        (8192, 8192, 1, ("torch",)),
    ]


def test_a_sweep_with_one_winner_is_one_stretch() -> None:
    points = [(float(x), each) for x, each in enumerate(standings([{"liger": latency(100)}] * 4))]
    assert [(each.start, each.end, each.points) for each in stretches(points)] == [(0, 3, 4)]
    assert stretches([]) == ()


@given(ROWS)
def test_stretches_lie_end_to_end_and_neighbours_differ(rows: list[dict[str, Figure]]) -> None:
    points = [(float(x), each) for x, each in enumerate(standings(rows))]
    found = stretches(points)
    assert sum(each.points for each in found) == len(points)
    assert [each.start for each in found[1:]] == [each.end + 1 for each in found[:-1]]
    assert all(one.leaders != other.leaders for one, other in pairwise(found))
