import json

import pytest

from sitegen.load.parse import MAX_DEPTH, Fault, NotJsonError, parse
from tests.load.good_records import good

RECORD = json.dumps(good("liger"), indent=2, ensure_ascii=False)


def faults(data: str | bytes) -> tuple[Fault, ...]:
    with pytest.raises(NotJsonError) as caught:
        parse(data.encode() if isinstance(data, str) else data)
    return caught.value.faults


def fault(data: str | bytes) -> Fault:
    (only,) = faults(data)
    return only


def line_with(text: str, words: str) -> int:
    return text[: text.index(words)].count("\n") + 1


def test_a_record_is_read_with_its_text() -> None:
    parsed = parse(RECORD.encode())
    assert parsed.value == good("liger")
    assert parsed.text == RECORD


def test_a_byte_order_mark_is_allowed_and_dropped() -> None:
    assert parse(b"\xef\xbb\xbf" + RECORD.encode()).text == RECORD


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
def test_wide_encodings_are_called_by_their_name(encoding: str) -> None:
    found = fault(RECORD.encode(encoding))
    assert found.code == "wrong-encoding"
    assert encoding[:6].upper() in found.message
    assert "UTF-8" in found.hint


def test_text_that_is_not_utf_8_is_refused_with_its_line() -> None:
    data = RECORD.encode().replace("·".encode(), b"\xb7", 1)
    assert (fault(data).code, fault(data).line) == ("wrong-encoding", line_with(RECORD, "·"))


@pytest.mark.parametrize("data", [b"", b" \n\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_called_empty(data: bytes) -> None:
    assert (fault(data).code, "empty" in fault(data).message) == ("empty-file", True)


def test_a_page_of_html_is_recognised() -> None:
    assert "HTML" in fault("\n<!DOCTYPE html>\n<title>502</title>").message


@pytest.mark.parametrize("end", [10, len(RECORD) // 3, len(RECORD) // 2, len(RECORD) - 1])
def test_a_cut_off_file_is_called_cut_off_with_its_line(end: int) -> None:
    found = fault(RECORD[:end])
    assert found.code == "truncated"
    assert found.line is not None


def test_a_mistake_in_the_middle_has_its_line() -> None:
    text = RECORD.replace('"status": "passed",', '"status": "passed"')
    found = fault(text)
    assert (found.code, found.line) == ("not-json", line_with(text, '"timing"'))


def test_each_repeated_key_is_named_with_its_place_and_line() -> None:
    text = '{"a": {"b": 1,\n "b": 2},\n "c": [{"d": 0, "d": 0}],\n "e": "{\\"f\\": 1, \\"f\\": 1}"}'
    assert [(found.path, found.line) for found in faults(text)] == [(("a", "b"), 2), (("c", 0, "d"), 3)]
    assert '"b"' in faults(text)[0].message


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
def test_what_is_no_number_is_refused_at_its_place(number: str) -> None:
    found = fault(f'{{"NaN": "NaN",\n "a": [0, {number}]}}')
    assert (found.code, found.path, found.line) == ("not-a-number", ("a", 1), 2)


@pytest.mark.parametrize("escape", ["\\ud800", "\\uDC00", "x\\udfffx", "\\ud800\\ud800"])
def test_half_a_surrogate_pair_is_refused_in_texts_and_in_keys(escape: str) -> None:
    assert fault(f'{{"a":\n["{escape}"]}}').path == ("a", 0)
    assert fault(f'{{"a": {{"{escape}": 1}}}}').code == "lone-surrogate"


def test_a_whole_surrogate_pair_is_a_character() -> None:
    assert parse(b'["\\ud83d\\ude00"]').value == ["😀"]


def test_nesting_is_bounded() -> None:
    deepest = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert parse(deepest.encode()).text == deepest
    assert fault(f"[\n{deepest}]").code == "too-deep"
    assert fault("[" * 1_000_000).code == "too-deep"
    assert fault('{"a":' * 1_000_000).code == "too-deep"


def test_brackets_inside_texts_do_not_nest() -> None:
    assert parse(json.dumps(['"[{' * 100]).encode()).value == ['"[{' * 100]


def test_a_number_of_thousands_of_digits_is_refused_with_its_line() -> None:
    found = fault('{"a":\n' + "1" * 5000 + "}")
    assert (found.code, found.line) == ("number-too-large", 2)


def test_of_several_mistakes_one_that_hides_the_others_is_named() -> None:
    digits = "1" * 5000
    assert fault('{"a": 1, "a": 2').code == "truncated"
    assert fault('[{"a": 1, "a": 2}, NaN, ]').code == "not-json"
    assert fault(f'[{{"a": 1, "a": 2}}, {digits}]').code == "duplicate-key"
    assert fault(f"[1e999, {digits}]").code == "not-a-number"
