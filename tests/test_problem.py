import random

from hypothesis import given
from hypothesis import strategies as st

from sitegen.problem import Problem, Severity, order, pointer_to


def problem(pointer: str = "", file: str = "a.json", line: int | None = None, code: str = "c") -> Problem:
    return Problem(Severity.ERROR, code, file, pointer, "It is wrong.", "Correct it.", line)


def test_a_pointer_escapes_what_rfc_6901_says() -> None:
    assert pointer_to() == ""
    assert pointer_to("run", "spec", 0) == "/run/spec/0"
    assert pointer_to("a/b", "m~n", "", " ") == "/a~1b/m~0n// "


def test_a_place_is_written_as_a_reader_would() -> None:
    assert problem().place == ""
    assert problem("/run/spec/workloadDigest").place == "run.spec.workloadDigest"
    assert problem("/run/spec/measurements/0/value").place == "run.spec.measurements[0].value"
    assert problem("/0/a").place == "[0].a"
    assert problem("/labels/a~1b~0c").place == "labels.a/b~c"


@given(st.lists(st.text() | st.integers(0, 99), max_size=5))
def test_a_pointer_leads_back_to_its_parts(parts: list[str | int]) -> None:
    pointer = pointer_to(*parts)
    back = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    assert back == [str(part) for part in parts]


def test_problems_are_listed_by_file_then_place_whatever_order_they_were_found_in() -> None:
    expected = [
        problem("", "a.json"),
        problem("/b", "a.json"),
        problem("/b", "a.json", code="d"),
        problem("/a", "a.json", line=3),
        problem("/a", "a.json", line=20),
        problem("", "b.json"),
    ]
    found = expected[:]
    random.Random(1).shuffle(found)
    assert sorted(found, key=order) == expected
