"""When a change is whole. Times are given: nothing waits."""

from pathlib import Path

import pytest

from sitegen.preview import settle
from sitegen.preview.settle import Batch

A, B = Path("a.json"), Path("b.json")


def whole(_: Path) -> bool:
    return False


def cut_short(_: Path) -> bool:
    return True


def test_one_file_that_was_closed_is_taken_after_a_moment() -> None:
    batch = Batch()
    batch.note(A, 10.0, closed=True)
    assert batch.wait_until(10.0, whole) == 10.0 + settle.QUIET_ONE_S
    assert batch.wait_until(10.02, whole) <= 10.02


def test_each_further_change_is_waited_for() -> None:
    batch = Batch()
    batch.note(A, 10.0, closed=True)
    batch.note(A, 10.01, closed=True)
    assert batch.wait_until(10.02, whole) == 10.01 + settle.QUIET_ONE_S


def test_many_files_are_given_more_time() -> None:
    batch = Batch()
    batch.note(A, 10.0, closed=True)
    batch.note(B, 10.0, closed=True)
    assert batch.wait_until(10.02, whole) == 10.0 + settle.QUIET_MANY_S


def test_a_file_that_is_open_for_writing_is_given_more_time() -> None:
    batch = Batch()
    batch.note(A, 10.0, closed=False)
    assert batch.wait_until(10.02, whole) == 10.0 + settle.OPEN_S
    batch.note(A, 10.03, closed=True)
    assert batch.wait_until(10.05, whole) <= 10.05


@pytest.mark.parametrize(("closed", "patience"), [(True, settle.PATIENCE_S), (False, settle.PATIENCE_OPEN_S)])
def test_a_file_that_looks_cut_short_is_waited_for_and_then_taken_as_it_is(closed: bool, patience: float) -> None:
    batch = Batch()
    batch.note(A, 10.0, closed=closed)
    due = 10.0 + max(settle.QUIET_ONE_S, 0 if closed else settle.OPEN_S)
    assert batch.wait_until(due, cut_short) == 10.0 + patience
    assert batch.wait_until(10.0 + patience, cut_short) <= 10.0 + patience


def test_a_change_that_never_ends_is_taken_in_parts() -> None:
    batch = Batch()
    for step in range(300):
        batch.note(A, 10.0 + step / 100, closed=step % 2 == 0)
    assert batch.wait_until(12.99, cut_short) == 10.0 + settle.MOST_S


def test_a_save_is_shown_soon_enough() -> None:
    assert settle.QUIET_ONE_S <= settle.QUIET_MANY_S < settle.PATIENCE_S < 0.15
    assert settle.OPEN_S < 0.15


def test_a_crowd_of_files_is_given_longer_to_come_in() -> None:
    batch = Batch()
    for number in range(settle.CROWD):
        batch.note(Path(f"{number}.json"), 10.0, closed=True)
    assert batch.wait_until(10.0 + settle.QUIET_MANY_S, whole) == 10.0 + settle.QUIET_CROWD_S
