"""Scales place values in order and within the plot; ticks are round, inside it, and never run into each other."""

from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sitegen.chart.scale import (
    Scale,
    Tick,
    fits,
    number,
    powers_of_two,
    scale_of,
    text_width,
    thinning,
    ticks_along,
    ticks_at,
    ticks_up,
)

MAGNITUDES = st.floats(1e-3, 1e10)
VALUES = st.lists(MAGNITUDES, min_size=1, max_size=12)


def labels(ticks: tuple[Tick, ...]) -> list[str]:
    return [tick.label for tick in ticks]


@given(VALUES, st.booleans())
def test_every_value_lies_inside_the_plot(values: list[float], log: bool) -> None:
    scale = scale_of(values, log=log)
    assert all(0 <= scale.at(value) <= 1 for value in values)


@given(VALUES, st.booleans())
def test_a_larger_value_never_stands_before_a_smaller_one(values: list[float], log: bool) -> None:
    scale = scale_of(values, log=log)
    places = [scale.at(value) for value in sorted(values)]
    assert places == sorted(places)


@given(VALUES, st.booleans(), st.floats(80, 1200))
def test_ticks_lie_inside_the_axis_in_order_and_clear_of_each_other(
    values: list[float],
    log: bool,
    length: float,
) -> None:
    scale = scale_of(values, log=log)
    for ticks in (ticks_along(scale, length), ticks_along(scale, length, binary=True)):
        assert ticks
        assert fits(ticks, length)
        assert all(0 <= tick.at <= 1 for tick in ticks)
        assert [tick.value for tick in ticks] == sorted({tick.value for tick in ticks})


@given(VALUES, st.booleans())
def test_ticks_of_an_upright_axis_leave_a_line_between_them(values: list[float], log: bool) -> None:
    ticks = ticks_up(scale_of(values, log=log), 260)
    assert 1 <= len(ticks) <= 11
    assert all((b.at - a.at) * 260 >= 26 for a, b in pairwise(ticks))


@given(VALUES, st.booleans())
def test_labels_say_the_tick_exactly_and_without_an_exponent(values: list[float], log: bool) -> None:
    for tick in ticks_up(scale_of(values, log=log), 260):
        assert float(tick.label.replace(",", "")) == tick.value
        assert "e" not in tick.label


@given(VALUES)
def test_ticks_of_a_linear_axis_are_round_steps_apart(values: list[float]) -> None:
    assume(max(values) > 1.01 * min(values))
    ticks = ticks_up(scale_of(values, log=False), 260)
    assert len(ticks) >= 3
    exact = [Decimal(tick.label.replace(",", "")) for tick in ticks]
    steps = {(b - a).normalize() for a, b in pairwise(exact)}
    assert len(steps) == 1
    assert steps.pop().as_tuple().digits in {(1,), (2,), (5,)}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.53, 20.7], ["0.5", "1", "2", "5", "10", "20"]),
        ([98.0, 5100.0], ["100", "200", "500", "1,000", "2,000", "5,000"]),
        ([1e-3, 1e6], ["0.001", "0.01", "0.1", "1", "10", "100", "1,000", "10,000", "100,000", "1,000,000"]),
        ([1.42, 1.95], ["1.5", "1.6", "1.7", "1.8", "1.9"]),
    ],
)
def test_log_ticks_are_1_2_5_or_powers_of_ten_or_round_steps_within_a_decade(
    values: list[float], expected: list[str]
) -> None:
    assert labels(ticks_up(scale_of(values, log=True), 260)) == expected


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        (460, ["4,096", "8,192", "16,384", "32,768", "65,536", "131,072"]),
        (220, ["4,096", "16,384", "65,536"]),
    ],
)
def test_a_swept_axis_shows_powers_of_two_as_far_as_they_fit(length: float, expected: list[str]) -> None:
    assert labels(ticks_along(scale_of([4096, 131072], log=True), length, binary=True)) == expected


def test_a_linear_axis_begins_at_zero_where_the_values_come_near_it() -> None:
    assert scale_of([2, 10], log=False).low == 0
    assert scale_of([9, 10], log=False).low > 8.9


def test_a_single_value_stands_in_the_middle() -> None:
    assert scale_of([42.0], log=True).at(42.0) == pytest.approx(0.5)
    assert scale_of([42.0], log=False).at(42.0) == pytest.approx(0.5, abs=0.06)
    assert scale_of([0.0], log=False).at(0.0) == pytest.approx(0.5)


@pytest.mark.parametrize("log", [True, False])
def test_a_small_difference_looks_small(log: bool) -> None:
    scale = scale_of([9.26, 9.28], log=log, least=1.1)
    assert scale.high / scale.low >= 1.1
    assert 0.01 < scale.at(9.28) - scale.at(9.26) < 0.03
    assert scale_of([1.0, 2.0], log=log, least=1.1) == scale_of([1.0, 2.0], log=log)


def test_a_value_that_no_logarithm_takes_makes_the_scale_linear() -> None:
    assert scale_of([0.0, 10.0], log=True) == Scale(0.0, 10.4, log=False)


def test_an_axis_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one value"):
        scale_of([], log=True)


@pytest.mark.parametrize(
    ("value", "text"),
    [(4096.0, "4,096"), (131072, "131,072"), (0.5, "0.5"), (2.25, "2.25"), (0, "0"), (1e-12, "0.000000000001")],
)
def test_numbers_are_written_in_full(value: float, text: str) -> None:
    assert number(value) == text


def test_powers_of_two_are_known() -> None:
    assert powers_of_two([1, 2, 4096])
    assert not powers_of_two([3, 4])
    assert not powers_of_two([0.5])
    assert not powers_of_two([])


def test_ticks_thin_out_in_multiples() -> None:
    ticks = ticks_at(scale_of([1024, 32768], log=True), [2.0**power for power in range(10, 16)])
    assert thinning(ticks, 600) == 1
    assert thinning(ticks, 220) == 2
    assert thinning(ticks, 220, 3) == 3


def test_width_is_judged_by_the_letters() -> None:
    assert text_width("iiii") < text_width("nnnn") < text_width("mmmm") < text_width("漢字漢字")
