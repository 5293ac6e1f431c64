"""What cannot be understood is a problem with its line, and the rest of the table is imported all the same."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.importing import import_liger
from sitegen.importing.liger.row import COLUMNS, Row, RowError, read_row
from sitegen.importing.liger.table import read_table
from sitegen.problem import Problem
from tests.importing.liger_rows import CROSS_ENTROPY, records, row, table, text_of

BAD_CELLS = [
    ("metric_name", "accuracy", "metric_name is “accuracy”"),
    ("metric_unit", "us", "metric_unit is “us”"),
    ("y_value_50", "fast", "y_value_50 is “fast”"),
    ("y_value_50", "nan", "y_value_50 is “nan”"),
    ("y_value_80", "inf", "y_value_80 is “inf”"),
    ("y_value_20", "", "y_value_20 is “”"),
    ("y_value_20", "-1", "y_value_20 is -1 ms"),
    ("y_value_20", "0", "y_value_20 is 0 ms"),
    ("y_value_80", "1e300", "y_value_80 is 1e+300 ms"),
    ("y_value_50", "0.9", "The median 0.9 does not lie between"),
    ("kernel_name", "", "kernel_name is empty"),
    ("kernel_name", "a/b", "kernel_name “a/b” holds a slash"),
    ("kernel_provider", "x" * 201, "longer than 200"),
    ("kernel_operation_mode", "for\nward", "kernel_operation_mode is not printable"),
    ("gpu_name", "GPU\x1b[2J", "gpu_name is not printable"),
    ("liger_version", "0.1\x00", "liger_version is not printable"),
    ("x_value", "", "x_value is “”"),
    ("x_value", "lots", 'V is “"lots"”'),
    ("x_name", "no name", "x_name holds the name “no name”"),
    ("timestamp", "yesterday", "timestamp is “yesterday”"),
    ("timestamp", "2024-02-30 00:00:00", "there is no such time"),
    ("timestamp", "2024-09-03 15:31:39+02:00", "timestamp is"),
    ("extra_benchmark_config_str", "{'B': 8}", "cannot be read"),
    ("extra_benchmark_config_str", "[8]", "is no JSON object"),
    ("extra_benchmark_config_str", '{"B": 8, "B": 9, "T": 1}', "a name is given twice"),
    ("extra_benchmark_config_str", '{"B": NaN, "T": 2048}', "NaN is not JSON"),
    ("extra_benchmark_config_str", '{"B": 8, "T": 2048, "V": 3}', "gives a value for V"),
    ("extra_benchmark_config_str", '{"B": 8, "T": 2048, "no name": 3}', "the name “no name”"),
    ("extra_benchmark_config_str", '{"B": 8.5, "T": 2048}', "B is “8.5”"),
    ("extra_benchmark_config_str", '{"B": true, "T": 2048}', "B is “true”"),
    ("extra_benchmark_config_str", '{"B": 8, "T": 2048, "much": 1e999}', "no canonical form"),
    ("extra_benchmark_config_str", '{"B": 8, "T": 2048, "much": 9007199254740993}', "is too large"),
    ("extra_benchmark_config_str", '{"B": 8, "T": 2048, "text": "\\ud800"}', "no canonical form"),
    ("extra_benchmark_config_str", '{"B": 8, "T": 2048, "dtype": 16}', "dtype is “16”"),
    ("extra_benchmark_config_str", '{"a": ' + "[" * 50_000, "nested too deeply"),
    ("extra_benchmark_config_str", '{"a": ' + "[" * 400, "cannot be read"),
    ("extra_benchmark_config_str", '{"B": 8, "T": 2048, "dtype": "a/b"}', 'dtype is “"a/b"”'),
]


@pytest.mark.parametrize(
    ("column", "cell", "says"), BAD_CELLS, ids=[f"{column}-{i}" for i, (column, _, _) in enumerate(BAD_CELLS)]
)
def test_a_cell_that_means_nothing_is_a_problem_and_the_other_rows_are_imported(
    tmp_path: Path, column: str, cell: str, says: str
) -> None:
    after = row(timestamp="2025-01-01 00:00:00")
    path = table(tmp_path, CROSS_ENTROPY, row(**{column: cell}), after)
    report = import_liger(path, tmp_path / "records")
    (problem,) = report.problems
    assert problem.severity == "error"
    assert (problem.file, problem.line) == (str(path), 3)
    assert says in problem.message
    assert problem.hint
    assert (problem.message + problem.hint).isprintable()
    assert report.runs_written == len(records(tmp_path / "records")) == 2


def problems_of(path: Path, content: bytes | str) -> tuple[Problem, ...]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    report = import_liger(path, path.parent / "records")
    return report.problems


def test_a_row_is_named_by_its_first_line_though_a_cell_before_it_holds_line_ends(tmp_path: Path) -> None:
    long_cell = row(extra_benchmark_config_str='{"B": 8,\n\n "T": 2048}')
    path = table(tmp_path, long_cell, row(y_value_50="?", extra_benchmark_config_str='{"B":\n 8}'), row(y_value_50="!"))
    assert [problem.line for problem in import_liger(path, tmp_path / "records").problems] == [5, 7]
    assert len(records(tmp_path / "records")) == 1


def test_blank_lines_are_no_rows(tmp_path: Path) -> None:
    text = text_of(CROSS_ENTROPY, row(y_value_50="?")).replace("\n", "\n\n")
    (problem,) = problems_of(tmp_path / "table.csv", text)
    assert problem.line == 5


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "byte-order-mark"])
def test_line_ends_and_byte_order_mark_do_not_matter(tmp_path: Path, ending: str, mark: str) -> None:
    text = mark + text_of(CROSS_ENTROPY, row(y_value_50="?")).replace("\n", ending)
    (problem,) = problems_of(tmp_path / "table.csv", text)
    assert problem.line == 3
    assert len(records(tmp_path / "records")) == 1


def test_columns_may_come_in_any_order_and_with_others_between(tmp_path: Path) -> None:
    cells = {"note": "mine", **dict(reversed(CROSS_ENTROPY.items()))}
    text = ",".join(cells) + "\n" + ",".join('"' + cell.replace('"', '""') + '"' for cell in cells.values())
    assert problems_of(tmp_path / "table.csv", text) == ()
    assert len(records(tmp_path / "records")) == 1


@pytest.mark.parametrize(("cells", "count"), [(",extra", 16), (None, 14)])
def test_a_ragged_row_is_a_problem(tmp_path: Path, cells: str | None, count: int) -> None:
    header, line = text_of(CROSS_ENTROPY).splitlines()
    ragged = line + cells if cells else line.rpartition(",")[0]
    (problem,) = problems_of(tmp_path / "table.csv", "\n".join([header, line, ragged]))
    assert (problem.code, problem.line) == ("row-not-understood", 3)
    assert f"{count} cells, the header 15" in problem.message


def test_a_quotation_mark_that_is_never_closed_is_one_problem(tmp_path: Path) -> None:
    header, line = text_of(CROSS_ENTROPY).splitlines()
    (problem,) = problems_of(tmp_path / "table.csv", "\n".join([header, line, 'cross_entropy,"liger', "rope,liger"]))
    assert (problem.code, problem.line) == ("not-csv", 3)
    assert "never closed" in problem.message
    assert len(records(tmp_path / "records")) == 1


def test_after_a_row_that_is_no_csv_the_next_is_read(tmp_path: Path) -> None:
    header, line = text_of(CROSS_ENTROPY).splitlines()
    (problem,) = problems_of(tmp_path / "table.csv", "\n".join([header, '"a"b,c', line]))
    assert (problem.code, problem.line) == ("not-csv", 2)
    assert len(records(tmp_path / "records")) == 1


@pytest.mark.parametrize(
    ("content", "code", "says"),
    [
        (b"", "table-empty", "empty"),
        (b"\n \n", "table-empty", "empty"),
        ("a,b\n1,2\n", "not-a-liger-table", "no column kernel_name"),
        ('{"not": "csv"}', "not-a-liger-table", "no column kernel_name"),
        (",".join(column for column in COLUMNS if column != "gpu_name"), "not-a-liger-table", "no column gpu_name"),
        (",".join([*COLUMNS, "gpu_name"]), "not-a-liger-table", "gpu_name twice"),
        (b"\xff\xfe" + ",".join(COLUMNS).encode("utf-16-le"), "table-encoding", "not UTF-8"),
        (b"kernel_name\n\n\xe9", "table-encoding", "not UTF-8"),
        (b'"' + b"x" * 200_000 + b'"', "not-csv", "field larger"),
    ],
)
def test_what_is_no_liger_table_is_one_problem(tmp_path: Path, content: bytes | str, code: str, says: str) -> None:
    (problem,) = problems_of(tmp_path / "table.csv", content)
    assert problem.code == code
    assert says in problem.message
    assert not (tmp_path / "records").exists()


def test_a_byte_that_is_not_utf8_is_named_by_its_line(tmp_path: Path) -> None:
    (problem,) = problems_of(tmp_path / "table.csv", text_of(CROSS_ENTROPY).encode() + b"\xe9")
    assert problem.line == 3


def test_a_table_that_cannot_be_read_is_a_problem(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.csv", tmp_path):
        (problem,) = import_liger(path, tmp_path / "records").problems
        assert problem.code == "table-unreadable"


def test_a_table_without_rows_is_imported_as_nothing(tmp_path: Path) -> None:
    report = import_liger(table(tmp_path), tmp_path / "records")
    assert (report.rows, report.runs_written, report.problems) == (0, 0, ())


@settings(deadline=None)
@given(st.lists(st.text(max_size=12), min_size=15, max_size=15))
def test_a_row_of_any_text_is_a_row_or_an_error_that_can_be_shown(cells: list[str]) -> None:
    try:
        found: Row | RowError = read_row(2, COLUMNS, cells)
    except RowError as error:
        found = error
    assert isinstance(found, Row) or (found.message and found.hint)


@settings(deadline=None)
@given(column=st.sampled_from(COLUMNS), cell=st.text())
def test_a_real_row_with_any_cell_is_read_or_refused(column: str, cell: str) -> None:
    cells = [cell if name == column else text for name, text in CROSS_ENTROPY.items()]
    try:
        found = read_row(2, COLUMNS, cells)
    except RowError:
        return
    assert 0 < found.p20 <= found.median <= found.p80


def test_problems_are_listed_in_order_of_their_lines(tmp_path: Path) -> None:
    path = table(tmp_path, row(y_value_50="?"), row(x_value="many"), row(y_value_50="!"), CROSS_ENTROPY)
    assert [problem.line for problem in import_liger(path, tmp_path / "records").problems] == [2, 3, 4]
    assert len(read_table(path).rows) == 2
