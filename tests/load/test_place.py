import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.load.place import line_of, repeated_keys
from tests.load.good_records import good

TEXT = json.dumps(good("liger"), indent=2)


def line_with(words: str) -> int:
    return TEXT[: TEXT.index(words)].count("\n") + 1


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (("run",), '"run"'),
        (("run", "spec", "timing", "latencyNs", "median"), '"median": 532416'),
        (("run", "spec", "measurements", 1, "statistic"), '"statistic": "p80"'),
        (("environment", "spec", "hardware", "product"), '"product"'),
    ],
)
def test_a_place_has_the_line_of_its_key(path: tuple[str | int, ...], words: str) -> None:
    assert line_of(TEXT, path) == line_with(words)


def test_a_place_that_is_not_there_has_the_line_of_what_is_around_it() -> None:
    assert line_of(TEXT, ("run", "spec", "workload")) == line_with('"spec"')
    assert line_of(TEXT, ("run", "spec", "status", "deeper")) == line_with('"status"')
    assert line_of(TEXT, ()) == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def paths(value: Any, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [at, *(path for key, member in members for path in paths(member, (*at, key)))]


@given(JSON)
def test_each_place_of_any_json_is_found_on_a_line_of_its_own(value: Any) -> None:
    text = json.dumps(value, indent=1)
    lines = [line_of(text, path) for path in paths(value)]
    # One line for each place but for what closes objects and lists, so that the lines rise with the places.
    assert lines == sorted(set(lines))


@given(JSON)
def test_json_made_of_dictionaries_repeats_no_key(value: Any) -> None:
    assert repeated_keys(json.dumps(value)) == []
