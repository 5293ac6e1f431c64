"""Whatever a file holds, reading it gives a result: no input is a traceback."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.load import Reader
from sitegen.problem import Severity
from tests.load.good_records import good

NAMES = ("liger", "score", "failed", "workload", "suite", "implementation", "operation")
TEXTS = {name: json.dumps(good(name), indent=1).encode() for name in NAMES}
JUNK = st.sampled_from([b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"\\ud800", b"\0", b"\xff", b"1e999", b"NaN"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


def check(path: Any, data: bytes) -> None:
    path.mkdir(exist_ok=True)
    (path / "a.json").write_bytes(data)
    result = Reader(path).read("a.json")
    errors = [problem for problem in result.problems if problem.severity is Severity.ERROR]
    assert bool(errors) == (result.run is None and result.document is None)
    for problem in result.problems:
        assert problem.message.isprintable()
        assert problem.message
        assert problem.hint
        assert problem.line is None or 1 <= problem.line <= data.count(b"\n") + 1


@settings(deadline=None)
@given(name=st.sampled_from(NAMES), junk=JUNK | st.binary(max_size=4), cut=st.integers(0, 20), place=st.floats(0, 1))
def test_a_file_with_damaged_bytes(
    tmp_path_factory: pytest.TempPathFactory, name: str, junk: bytes, cut: int, place: float
) -> None:
    text = TEXTS[name]
    start = int(place * len(text))
    check(tmp_path_factory.getbasetemp() / "damaged", text[:start] + junk + text[start + cut :])


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [*([at] if at else []), *(place for key, member in members for place in places(member, (*at, key)))]


@settings(deadline=None)
@given(name=st.sampled_from(NAMES), value=VALUES, data=st.data())
def test_a_record_with_any_value_at_any_place(
    tmp_path_factory: pytest.TempPathFactory, name: str, value: Any, data: st.DataObject
) -> None:
    document = good(name)
    *path, last = data.draw(st.sampled_from(places(document)))
    inner = document
    for part in path:
        inner = inner[part]
    inner[last] = value
    check(tmp_path_factory.getbasetemp() / "replaced", json.dumps(document, indent=1).encode())
