"""What a terminal is shown, and a pipe is not."""

import io
import sys

import pytest

from sitegen.cli.terminal import ProgressLine, coloured, complain, is_terminal


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _usual_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.mark.parametrize(
    ("environment", "expected"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_colours_are_for_terminals_whose_user_wants_them(
    environment: dict[str, str], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert coloured(Terminal()) is expected
    assert not coloured(io.StringIO())


def test_progress_is_written_over_itself_and_taken_away() -> None:
    now = 0.0
    stream = Terminal()
    line = ProgressLine(stream, clock=lambda: now)
    tell = line.stage("Reading", "records")
    for done in range(1, 2001):
        now += 0.001
        tell(done, 2000)
    line.clear()
    shown = stream.getvalue().split("\r\x1b[K")
    assert shown[0] == ""
    assert shown[-1] == ""
    assert "Reading 101 of 2,000 records" in shown
    assert 15 <= len(shown) <= 25, "ten times a second, no more"
    assert "\n" not in stream.getvalue()


def test_progress_is_not_written_to_a_pipe() -> None:
    stream = io.StringIO()
    line = ProgressLine(stream)
    line.stage("Reading", "records")(1, 2)
    line.clear()
    assert stream.getvalue() == ""


def test_clearing_writes_nothing_where_nothing_was_shown() -> None:
    stream = Terminal()
    ProgressLine(stream).clear()
    assert stream.getvalue() == ""


def test_a_complaint_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    complain("records\n\x1b[2J: no such folder")
    assert capsys.readouterr().err == "sitegen: error: records\\n\\x1b[2J: no such folder\n"


def test_a_complaint_takes_the_place_of_the_progress_line(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    ProgressLine(stream).stage("Reading", "records")(1, 2)
    complain("no space left")
    assert stream.getvalue().split("\r\x1b[K")[1:] == [
        "Reading 1 of 2 records",
        "sitegen: \x1b[1;31merror:\x1b[0m no space left\n",
    ]


def test_a_dumb_terminal_is_treated_as_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert not is_terminal(Terminal())
