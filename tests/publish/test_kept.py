"""The site that was there, kept under another name."""

from pathlib import Path

import pytest

from sitegen.publish import UnsafeOutputError, exchange, publish, switch
from tests.publish.fake_site import site_of


def says(site: Path) -> str:
    return (site / "runs/0/0000.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("can_exchange", [True, False])
def test_the_old_site_is_moved_and_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, can_exchange: bool
) -> None:
    if not can_exchange:
        monkeypatch.setattr(exchange, "exchange", lambda *_: False)
    out, kept = tmp_path / "site", tmp_path / "old"
    publish(site_of(3, "one"), out, kept=kept)
    assert not kept.exists()
    publish(site_of(3, "two"), out, kept=kept)
    assert (says(out), says(kept)) == ("two 0", "one 0")
    switch(out, kept, tmp_path / "newer")
    assert (says(out), says(tmp_path / "newer")) == ("one 0", "two 0")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["newer", "site"]


def test_a_site_that_cannot_be_kept_does_not_keep_the_new_one_away(tmp_path: Path) -> None:
    out = tmp_path / "site"
    publish(site_of(3, "one"), out)
    publish(site_of(3, "two"), out, kept=tmp_path / "nowhere/old")
    assert says(out) == "two 0"
    publish(site_of(3, "three"), out)
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_what_is_no_site_is_not_switched(tmp_path: Path) -> None:
    publish(site_of(3, "one"), tmp_path / "old")
    (tmp_path / "site").mkdir()
    (tmp_path / "site/thesis.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(UnsafeOutputError):
        switch(tmp_path / "site", tmp_path / "old", tmp_path / "kept")
    assert (tmp_path / "site/thesis.txt").is_file()
