"""Ranks within a group, with ties: beside a second reading of the same rules that is slow and plain."""

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.judge import Standing, judge
from sitegen.load.model import Figure, Run
from tests.making import group, latency, run, standing


@st.composite
def figures(draw: st.DrawFn) -> Figure:
    """A whole number of nanoseconds, so close to others that ties are many; its spread is known or not."""
    value = draw(st.integers(20, 60))
    if draw(st.booleans()):
        return latency(value)
    below, above = draw(st.integers(0, 12)), draw(st.integers(0, 12))
    return latency(value, value - below, value + max(above, 1))


GROUPS = st.lists(figures(), min_size=1, max_size=9)


def runs_of(listed: Sequence[Figure]) -> list[Run]:
    return [run(f"implementation {number}", figure) for number, figure in enumerate(listed)]


def meet(one: Figure, other: Figure) -> bool:
    """Whether some value lies in both spreads; an unknown one holds its value alone. All ends are whole numbers."""
    spans = []
    for figure in (one, other):
        low, high = (figure.value, figure.value) if figure.low is None else (figure.low, figure.high)
        spans.append(set(range(int(low), int(high or 0) + 1)))
    return bool(spans[0] & spans[1])


def expected(listed: Sequence[Run], before: int = 0) -> dict[str, tuple[int, int]]:
    """The first and last place of each run: the best leads a tie, which ends before the first that does not meet it."""
    if not listed:
        return {}
    rest = sorted(listed, key=lambda each: (each.primary.value, each.implementation))
    leader, tie = rest.pop(0), []
    while rest and meet(leader.primary, rest[0].primary):
        tie.append(rest.pop(0))
    place = (before + 1, before + 1 + len(tie))
    return {each.digest: place for each in (leader, *tie)} | expected(rest, before + 1 + len(tie))


@given(GROUPS)
def test_ranks_are_those_of_the_rules(listed: list[Figure]) -> None:
    runs = runs_of(listed)
    found = {entry.run.digest: (entry.rank, entry.last) for entry in standing(*runs).entries}
    assert found == expected(runs)


@given(GROUPS)
def test_a_rank_is_one_more_than_how_many_come_before_its_tie(listed: list[Figure]) -> None:
    entries = standing(*runs_of(listed)).entries
    for place, entry in enumerate(entries):
        assert entry.rank == 1 + sum(other.last < entry.rank for other in entries)
        assert entry.rank <= place + 1 <= entry.last
        assert entry.tied == (sum(other.rank == entry.rank for other in entries) > 1)
    assert [entry.figure.value for entry in entries] == sorted(entry.figure.value for entry in entries)


@given(GROUPS)
def test_only_the_leader_of_a_tie_decides_who_is_in_it(listed: list[Figure]) -> None:
    entries = standing(*runs_of(listed)).entries
    for place, entry in enumerate(entries):
        leader = entries[entry.rank - 1]
        assert meet(leader.figure, entry.figure)
        if entry.rank == place + 1 and place:
            assert not meet(entries[entries[place - 1].rank - 1].figure, entry.figure)


@given(GROUPS, st.randoms(use_true_random=False))
def test_the_order_of_the_runs_changes_nothing(listed: list[Figure], chance: random.Random) -> None:
    whole = group(*runs_of(listed))
    shuffled = list(whole.runs)
    chance.shuffle(shuffled)
    assert judge(replace(whole, runs=tuple(shuffled))).entries == judge(whole).entries


@given(GROUPS, st.integers(1, 10**9))
def test_a_unit_changes_nothing(listed: list[Figure], factor: int) -> None:
    def scaled(figure: Figure) -> Figure:
        low, high = figure.low, figure.high
        known = low is not None and high is not None
        return (
            replace(figure, value=figure.value * factor)
            if not known
            else replace(figure, value=figure.value * factor, low=(low or 0) * factor, high=(high or 0) * factor)
        )

    def ranks(found: Standing) -> list[tuple[str, int, int]]:
        return [(entry.run.implementation, entry.rank, entry.last) for entry in found.entries]

    assert ranks(standing(*runs_of([scaled(each) for each in listed]))) == ranks(standing(*runs_of(listed)))


def places(*listed: Figure) -> list[tuple[int, int]]:
    return [(entry.rank, entry.last) for entry in standing(*runs_of(listed)).entries]


def test_spreads_that_touch_are_a_tie() -> None:
    assert places(latency(100, 95, 105), latency(110, 105, 115)) == [(1, 2), (1, 2)]
    assert places(latency(100, 95, 104), latency(110, 105, 115)) == [(1, 1), (2, 2)]


def test_a_chain_of_overlaps_is_no_tie() -> None:
    """The third meets the second and not the leader: it leads the next place."""
    chain = [latency(100, 90, 110), latency(108, 105, 120), latency(118, 112, 125), latency(130, 124, 140)]
    assert places(*chain) == [(1, 2), (1, 2), (3, 4), (3, 4)]


def test_a_spread_that_reaches_back_past_a_slower_run_is_no_tie() -> None:
    assert places(latency(50, 40, 52), latency(60, 55, 65), latency(70, 51, 80)) == [(1, 1), (2, 3), (2, 3)]


def test_a_run_of_unknown_spread_takes_part_by_its_value_alone() -> None:
    assert places(latency(100, 95, 105), latency(105)) == [(1, 2), (1, 2)]
    assert places(latency(100, 95, 105), latency(106)) == [(1, 1), (2, 2)]
    assert places(latency(100), latency(105, 100, 110)) == [(1, 2), (1, 2)]
    assert places(latency(100), latency(100)) == [(1, 2), (1, 2)]
    assert places(latency(100), latency(101)) == [(1, 1), (2, 2)]


def test_figures_as_published() -> None:
    """Embedding, forward, vocabulary 2,048, on an A100, with p20 and p80."""
    found = standing(
        run("huggingface", latency(144_064, 143_584, 144_640)),
        run("liger", latency(46_688, 45_600, 48_256)),
        run("torch_compile", latency(46_528, 45_318, 47_552)),
        baselines=("huggingface", "torch"),
    )
    shown = [(entry.run.implementation, entry.rank, entry.last) for entry in found.entries]
    assert shown == [("torch_compile", 1, 2), ("liger", 1, 2), ("huggingface", 3, 3)]
    assert [entry.run.implementation for entry in found.leaders] == ["torch_compile", "liger"]
    assert found.leader.to_leader is None
    assert found.leader.to_baseline is not None
    assert found.leader.to_baseline.value == pytest.approx(144_064 / 46_528)
    assert found.baseline is found.entries[2]
    assert found.baseline.to_baseline is None


def test_figures_as_published_with_a_tie_for_second() -> None:
    """Fused add and RMS norm, backward, 1,024 wide, on an H100."""
    published = [
        latency(113_600, 112_480, 115_456),
        latency(125_920, 123_104, 137_440),
        latency(139_168, 136_256, 151_238),
    ]
    assert places(*published) == [(1, 1), (2, 3), (2, 3)]


def test_the_newest_run_stands_for_its_implementation_and_the_others_are_its_history() -> None:
    older = [run("liger", latency(90 - year), observed_ms=year, release=f"0.{year}") for year in (1, 2, 3)]
    newest = run("liger", latency(200), observed_ms=4, release="0.4")
    found = standing(older[1], newest, older[0], run("torch", latency(100), observed_ms=9), older[2])
    assert [(entry.run.implementation, entry.figure.value) for entry in found.entries] == [
        ("torch", 100),
        ("liger", 200),
    ]
    (liger,) = [entry for entry in found.entries if entry.run.implementation == "liger"]
    assert [each.release for each in liger.history] == ["0.3", "0.2", "0.1"]
    assert found.entry_of("torch") is found.entries[0]
    assert found.entry_of("nobody") is None


def test_of_two_runs_at_one_time_the_same_one_always_stands() -> None:
    twins = [run("liger", latency(100)), run("liger", latency(101))]
    chosen = {standing(*order).leader.run.digest for order in (twins, twins[::-1])}
    assert chosen == {max(each.digest for each in twins)}


def test_implementations_are_told_apart_by_key_and_not_by_name() -> None:
    found = standing(run("fused", implementation_key="sha256:1"), run("fused", implementation_key="sha256:2"))
    assert len(found.entries) == 2


def test_the_first_baseline_that_was_measured_is_the_one() -> None:
    runs = [run("liger", latency(100)), run("torch", latency(300)), run("huggingface", latency(200))]
    for names, wanted in ((("huggingface", "torch"), "huggingface"), (("torch",), "torch"), (("a", "torch"), "torch")):
        found = standing(*runs, baselines=names)
        assert found.baseline is not None
        assert found.baseline.run.implementation == wanted
        against = {entry.run.implementation for entry in found.entries if entry.to_baseline}
        assert against == {"liger", "torch", "huggingface"} - {wanted}
    assert standing(*runs, baselines=("a",)).baseline is None
    assert all(entry.to_baseline is None for entry in standing(*runs).entries)
