import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.quantity import NANOSECONDS, UNITS, counted, multiple, multiples, significant, unit_for

POSITIVE = st.floats(1e-3, 1e12, allow_nan=False)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0123, "0.0123"),
        (0.0122999, "0.0123"),
        (1.62, "1.62"),
        (1.6, "1.60"),
        (25, "25.0"),
        (9.996, "10.0"),
        (9.994, "9.99"),
        (99.96, "100"),
        (999.6, "1,000"),
        (0.09996, "0.100"),
        (532.416, "532"),
        (31_149, "31,100"),
        (42_963_394, "43,000,000"),
        (-1.618, "-1.62"),
        (0, "0"),
    ],
)
def test_values_have_three_significant_digits(value: float, shown: str) -> None:
    assert significant(value) == shown


@given(POSITIVE)
def test_a_shown_value_is_near_and_never_in_scientific_notation(value: float) -> None:
    shown = significant(value)
    assert re.fullmatch(r"[0-9]{1,3}(,[0-9]{3})*(\.[0-9]+)?", shown)
    assert math.isclose(float(shown.replace(",", "")), value, rel_tol=0.00501)


@given(POSITIVE, POSITIVE)
def test_a_larger_value_is_never_shown_smaller(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert float(significant(low).replace(",", "")) <= float(significant(high).replace(",", ""))


@pytest.mark.parametrize(
    ("values", "unit"),
    [
        ([], "ns"),
        ([0.0], "ns"),
        ([1.0], "ns"),
        ([999.0], "ns"),
        ([1e3], "µs"),
        ([532_416, 810_144], "µs"),
        ([2e6, 5e6], "ms"),
        ([1e5, 1e8], "ms"),
        ([5e9], "s"),
        ([1e300, 1e300], "s"),
    ],
)
def test_one_unit_is_chosen_from_the_middle_of_the_values(values: list[float], unit: str) -> None:
    assert unit_for(values).name == unit


@given(st.lists(POSITIVE, min_size=1, max_size=20))
def test_the_unit_does_not_depend_on_the_order_of_the_values(values: list[float]) -> None:
    assert unit_for(values) == unit_for(sorted(values)) == unit_for(values[::-1])


def test_a_unit_shows_nanoseconds() -> None:
    assert [unit.show(532_416) for unit in UNITS] == ["532,000", "532", "0.532", "0.000532"]


def test_units_of_records_hold_as_many_nanoseconds_as_the_units_shown() -> None:
    assert all(NANOSECONDS[unit.name] == unit.ns for unit in UNITS)
    assert NANOSECONDS["us"] == NANOSECONDS["µs"]


@pytest.mark.parametrize(
    ("ratio", "shown"),
    [
        (1, "1.00×"),
        (1.6249, "1.62×"),
        (9.994, "9.99×"),
        (9.996, "10.0×"),
        (12.44, "12.4×"),
        (99.96, "100×"),
        (326.4, "326×"),
        (2411.15, "2,411×"),
    ],
)
def test_a_ratio_is_a_multiple(ratio: float, shown: str) -> None:
    assert multiple(ratio) == shown


@pytest.mark.parametrize(
    ("ratios", "shown"),
    [
        ([3.87, 1.62, 2.0], "1.6× to 3.9×"),
        ([1.61, 1.62], "1.6×"),
        ([20.3, 170.2], "20× to 170×"),
        ([1.02, 1.04], "1.02× to 1.04×"),
        ([0.96, 1.3], "0.96× to 1.3×"),
    ],
)
def test_several_ratios_are_a_range(ratios: list[float], shown: str) -> None:
    assert multiples(ratios) == shown


@pytest.mark.parametrize(("count", "words"), [(0, "0 runs"), (1, "1 run"), (2, "2 runs"), (1649, "1,649 runs")])
def test_a_count_agrees_with_its_noun(count: int, words: str) -> None:
    assert counted(count, "run") == words


def test_an_irregular_noun_is_given() -> None:
    assert counted(2, "GPU's axis", "axes") == "2 axes"
