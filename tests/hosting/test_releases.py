"""Releases: which are kept, and going back to one of them."""

import shutil
from pathlib import Path

import pytest

from sitegen.cli import main
from sitegen.hosting import HostingError, Release, Releases
from sitegen.publish import exchange, publish
from tests.publish.fake_site import site_of

Capture = pytest.CaptureFixture[str]


def commit(number: int) -> str:
    return f"{number:040x}"


def publish_release(releases: Releases, number: int, keep: int = 5) -> None:
    with releases.held(lambda: None):
        publish(site_of(3, f"release {number}"), releases.site, kept=releases.place_for_current())
        assert releases.published(commit(number), f"inputs {number}", keep) == Release(number, commit(number))


def shown(releases: Releases) -> int:
    """The number of the release that the site's pages are of."""
    return int((releases.site / "runs/0/0000.html").read_text().split()[1])


def numbers(releases: Releases) -> list[int]:
    return [release.number for release in releases.kept()]


@pytest.fixture
def releases(tmp_path: Path) -> Releases:
    """Three releases of a site, of which the third stands."""
    made = Releases(tmp_path / "www/site")
    for number in (1, 2, 3):
        publish_release(made, number)
    return made


def test_earlier_sites_are_kept_and_the_oldest_removed(releases: Releases) -> None:
    assert numbers(releases) == [1, 2]
    publish_release(releases, 4, keep=2)
    assert numbers(releases) == [2, 3]
    publish_release(releases, 5, keep=0)
    assert numbers(releases) == []
    assert shown(releases) == 5


def test_only_the_owner_can_enter_the_releases_and_all_can_read_the_site(releases: Releases) -> None:
    assert releases.folder.stat().st_mode & 0o777 == 0o700
    assert releases.site.stat().st_mode & 0o777 == 0o755


def test_going_back_goes_back_one_at_a_time(releases: Releases) -> None:
    for number in (2, 1):
        assert releases.go_back(None).number == number
        assert shown(releases) == number
    with pytest.raises(HostingError, match=r"no earlier release is kept\. Kept: 2, 3\."):
        releases.go_back(None)
    assert shown(releases) == 1


def test_going_back_to_a_number_goes_forth_too(releases: Releases) -> None:
    releases.go_back(1)
    assert (shown(releases), numbers(releases)) == (1, [2, 3])
    releases.go_back(3)
    assert (shown(releases), numbers(releases)) == (3, [1, 2])
    with pytest.raises(HostingError, match=r"no release 3 is kept\. Kept: 1, 2\."):
        releases.go_back(3)


def test_a_release_after_going_back_has_a_number_of_its_own(releases: Releases) -> None:
    releases.go_back(1)
    assert releases.state().built == commit(3)
    publish_release(releases, 4)
    assert (shown(releases), numbers(releases)) == (4, [1, 2, 3])
    assert releases.go_back(None).number == 3


def test_without_an_exchange_going_back_works_too(releases: Releases, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "exchange", lambda *_: False)
    releases.go_back(1)
    assert (shown(releases), numbers(releases)) == (1, [2, 3])


def test_a_site_that_was_there_before_the_first_push_is_kept(tmp_path: Path) -> None:
    releases = Releases(tmp_path / "site")
    publish(site_of(3, "release 0"), releases.site)
    publish_release(releases, 1)
    assert numbers(releases) == [0]
    assert releases.go_back(None).number == 0
    assert shown(releases) == 0


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"current": 3}', '{"current": null, "more": 1}'])
def test_where_the_state_is_damaged_numbers_still_go_up(releases: Releases, damage: str) -> None:
    (releases.folder / "state.json").write_text(damage)
    state = releases.state()
    assert (state.built, state.last) == ("", 2)
    with releases.held(lambda: None):
        publish(site_of(3, "release 9"), releases.site, kept=releases.place_for_current())
        assert releases.published(commit(9), "", 5).number == 3
    assert shown(releases) == 9


class TestCommand:
    """`sitegen rollback`."""

    def test_it_lists_goes_back_and_says_so(self, releases: Releases, capsys: Capture) -> None:
        site = str(releases.site)
        assert main(["rollback", site, "--list"]) == 0
        listed = [f"    {number}  {commit(number)[:12]}" for number in (1, 2, 3)]
        assert capsys.readouterr().out.splitlines() == [*listed[:2], f"{listed[2]}  published"]
        assert main(["rollback", site]) == 0
        assert capsys.readouterr().out == f"{site} is release 2 again, made from {commit(2)[:12]}.\n"
        assert main(["rollback", site, "1"]) == 0
        assert shown(releases) == 1
        capsys.readouterr()
        assert main(["rollback", site, "7"]) == 1
        assert capsys.readouterr().err == f"sitegen: error: {site}: no release 7 is kept. Kept: 2, 3.\n"

    def test_a_site_without_releases_is_left_alone(self, tmp_path: Path, capsys: Capture) -> None:
        assert main(["rollback", str(tmp_path)]) == 1
        assert "has no releases" in capsys.readouterr().err
        assert list(tmp_path.iterdir()) == []

    def test_a_folder_that_is_no_site_is_not_replaced(self, releases: Releases, capsys: Capture) -> None:
        shutil.rmtree(releases.site)
        releases.site.mkdir()
        (releases.site / "thesis.txt").write_text("years of work")
        assert main(["rollback", str(releases.site)]) == 1
        assert "is not empty" in capsys.readouterr().err
        assert (releases.site / "thesis.txt").is_file()
        assert numbers(releases) == [1, 2]
