"""A workload in the words of its own document."""

import pytest

from sitegen.load.joining import workload_label
from tests.making import workload


@pytest.mark.parametrize(
    ("axes", "label"),
    [
        ({"N": 4096, "M": 8}, "N=4096, M=8"),
        ({"p": 0.5, "layout": "thd"}, "p=0.5, layout=thd"),
        ({}, ""),
    ],
)
def test_it_names_the_axes_in_the_order_of_the_author(axes: dict[str, float | str], label: str) -> None:
    assert workload_label(workload(axes)) == label


@pytest.mark.parametrize(("one", "other"), [(1, 1.0), (4096, 4.096e3), (-2, -2.0), (0, -0.0)])
def test_a_number_that_is_written_in_two_ways_is_said_in_one(one: float, other: float) -> None:
    assert workload_label(workload({"n": one})) == workload_label(workload({"n": other}))


def test_a_number_that_no_float_holds_to_the_digit_is_said_as_it_stands() -> None:
    assert workload_label(workload({"n": 1e300})) == "n=1e+300"
