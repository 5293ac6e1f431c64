"""How problems are listed: the three forms, and what hostile text can do in each."""

import json
from pathlib import Path

from sitegen.cli.report import as_github, as_json, as_text, imported, tally
from sitegen.importing import ImportReport, LeftMemory
from sitegen.problem import Problem, Severity

ERROR = Problem(
    Severity.ERROR, "not-positive", "records/a.json", "/run/spec/timing/latencyNs/median", "It is 0.", "Write ns.", 12
)
WARNING = Problem(Severity.WARNING, "unknown-field", "records/b.json", "", "There is a field", "", None)
HOSTILE = Problem(Severity.ERROR, "x", "a,b:c\n::stop::.json", "/a%b", "one\r\ntwo \x1b[31m \u202e", "100%")


def test_a_line_says_file_line_code_place_and_what_to_do() -> None:
    assert list(as_text([ERROR, WARNING], colours=False, brief=True)) == [
        "records/a.json:12: error[not-positive]: run.spec.timing.latencyNs.median: It is 0. Write ns.",
        "records/b.json: warning[unknown-field]: There is a field.",
    ]


def test_colours_change_nothing_but_the_colours() -> None:
    coloured = "\n".join(as_text([ERROR], colours=True, brief=False))
    assert "\x1b[1;31merror[not-positive]\x1b[0m" in coloured
    for code in ("\x1b[1;31m", "\x1b[1m", "\x1b[2m", "\x1b[0m"):
        coloured = coloured.replace(code, "")
    assert coloured == next(as_text([ERROR], colours=False, brief=False))


def test_many_problems_of_one_kind_are_shortened_where_brief_alone() -> None:
    many = [ERROR] * 23 + [WARNING]
    brief = list(as_text(many, colours=False, brief=True))
    assert len(brief) == 20 + 1 + 1
    assert brief[20].startswith("records/b.json: warning")
    assert brief[-1] == "… and 3 more of error[not-positive]; --format json lists them all"
    assert len(list(as_text(many, colours=False, brief=False))) == 24


def test_hostile_text_stays_on_its_line_and_moves_no_cursor() -> None:
    (line,) = as_text([HOSTILE], colours=False, brief=False)
    assert line == r"a,b:c\n::stop::.json: error[x]: a%b: one\r\ntwo \x1b[31m \u202e. 100%"


def test_json_is_one_document_with_everything() -> None:
    document = json.loads(as_json([ERROR, HOSTILE], {"records": 2}, published=None))
    assert document["counts"] == {"records": 2}
    assert document["published"] is None
    assert document["problems"][0] == {
        "severity": "error",
        "code": "not-positive",
        "file": "records/a.json",
        "line": 12,
        "pointer": "/run/spec/timing/latencyNs/median",
        "message": "It is 0.",
        "hint": "Write ns.",
    }
    assert document["problems"][1]["message"] == HOSTILE.message


def test_json_can_hold_a_file_name_that_is_no_text() -> None:
    name = b"r\xff.json".decode(errors="surrogateescape")
    written = as_json([Problem(Severity.ERROR, "x", name, "", "m", "h")], {})
    assert written.isascii()
    assert json.loads(written)["problems"][0]["file"] == name


def test_github_annotates_the_line() -> None:
    assert list(as_github([ERROR, WARNING])) == [
        "::error file=records/a.json,line=12,title=not-positive::run.spec.timing.latencyNs.median: It is 0. Write ns.",
        "::warning file=records/b.json,title=unknown-field::There is a field.",
    ]


def test_github_gets_no_second_command_from_hostile_text() -> None:
    (line,) = as_github([HOSTILE])
    assert line == (
        "::error file=a%2Cb%3Ac%0A%3A%3Astop%3A%3A.json,title=x::a%25b: one%0D%0Atwo \\x1b[31m \\u202e. 100%25"
    )


def test_the_tally_counts_both_kinds() -> None:
    assert tally([]) == "no problems"
    assert tally([ERROR]) == "1 error"
    assert tally([ERROR, WARNING, WARNING]) == "1 error and 2 warnings"


def test_every_memory_row_without_a_run_is_named_with_its_line() -> None:
    left = tuple(LeftMemory(line, f"swiglu/full, liger, T={1024 * line}") for line in range(2, 10))
    report = ImportReport("table.csv", 2448, 1649, 799, 1649, 0, 356, 0, 791, left, ())
    lines = list(imported(report, Path("records")))
    assert [line.split(":")[1] for line in lines[:-1]] == [str(each.line) for each in left]
    assert lines[0] == "table.csv:2: left out: memory of swiglu/full, liger, T=2048, of which the table has no run."
