"""Build and verify from outside: force, copies, aliases, own templates, and what is said of a site."""

import json
import shutil
from pathlib import Path

import pytest

from sitegen.cli import main
from sitegen.publish import compress
from tests.conftest import SAMPLE

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with two records."""
    (tmp_path / "records").mkdir()
    for name in ("001-forward-liger", "006-forward-huggingface"):
        shutil.copy(SAMPLE / f"liger/layer_norm/{name}.json", tmp_path / "records")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> int:
    return main([*arguments, *(("-j", "1") if arguments[0] in {"build", "verify"} else ())])


@pytest.fixture
def site(place: Path, capsys: Capture) -> Path:
    assert run("build") == 0
    capsys.readouterr()
    return place / "site"


def test_a_site_is_whole_and_what_its_records_make(site: Path, capsys: Capture) -> None:
    assert run("verify", "site", "--records", "records") == 0
    assert capsys.readouterr().out.startswith(f"{site.name} is whole, and what records makes: ")
    (site / "index.html").write_text("x")
    (site / "robots.txt").unlink()
    (site / "more").touch()
    assert run("verify", "site") == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[:2] for line in lines[:-1]] == [
        ["site/index.html", "altered"],
        ["site/more", "extra"],
        ["site/robots.txt", "missing"],
    ]
    assert lines[-1].startswith("site is not as it should be: 1 missing, 1 altered, 1 extra, of ")


def test_other_records_make_another_site(site: Path, capsys: Capture) -> None:
    (site.parent / "records/006-forward-huggingface.json").unlink()
    assert run("verify", "site") == 0
    capsys.readouterr()
    assert run("verify", "site", "--records", "records", "--format", "json") == 1
    says = json.loads(capsys.readouterr().out)
    assert (says["whole"], says["asTheRecordsMake"]) == (True, False)
    assert says["records"] != says["madeFrom"]
    assert {each["kind"] for each in says["differences"]} == {"other", "stale"}


def test_records_that_lie_elsewhere_make_the_same_site(site: Path, capsys: Capture) -> None:
    (site.parent / "records").rename(site.parent / "moved")
    assert run("verify", "site", "--records", "moved") == 0
    assert "is whole, and what moved makes" in capsys.readouterr().out


def test_a_site_is_made_again_as_it_was(place: Path) -> None:
    assert run("build", "--base-url", "https://example.org/k", "--precompress", "br,gzip") == 0
    assert (place / "site/index.html.br").is_file()
    assert (place / "site/sitemap.xml").is_file()
    assert run("verify", "site", "--records", "records") == 0
    assert not (place / "site/sitegen.json.gz").exists()


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["verify", "nowhere"], 2, "nowhere: no such folder"),
        (["verify", "records"], 1, "records: holds no sitegen.json"),
        (["verify", "site", "--records", "nowhere"], 2, "nowhere: no such folder"),
    ],
)
def test_what_cannot_be_verified_is_said_in_a_line(
    site: Path, capsys: Capture, arguments: list[str], status: int, says: str
) -> None:
    assert run(*arguments) == status
    captured = capsys.readouterr()
    assert says in captured.err
    assert captured.err.count("\n") == 1
    assert site.is_dir()


def test_force_replaces_what_another_program_made(place: Path, capsys: Capture) -> None:
    (place / "site").mkdir()
    (place / "site/old.html").touch()
    assert run("build") == 1
    assert "--force" in capsys.readouterr().err
    assert run("build", "--force") == 0
    assert not (place / "site/old.html").exists()


def test_force_does_not_replace_the_records(place: Path, capsys: Capture) -> None:
    assert run("build", "--force", "-o", "records") == 1
    assert "which the site is made from" in capsys.readouterr().err
    assert len(list((place / "records").iterdir())) == 2


@pytest.mark.parametrize("asked", ["zip", "gzip,", "gzip br", ""])
def test_an_unknown_compression_is_wrong_use(place: Path, capsys: Capture, asked: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        run("build", "--precompress", asked)
    assert "is not a kind of compression" in capsys.readouterr().err
    assert not (place / "site").exists()


def test_a_compression_that_is_not_installed_is_named(
    place: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compress, "find_spec", lambda _: None)
    with pytest.raises(SystemExit, match="2"):
        run("build", "--precompress", "gzip,br")
    assert "pip install 'sitegen[brotli]'" in capsys.readouterr().err
    assert run("build", "--precompress", "gzip") == 0
    assert (place / "site/index.html.gz").is_file()


def test_an_alias_leads_on_and_one_to_nothing_stops_the_build(place: Path, capsys: Capture) -> None:
    (place / "sitegen.toml").write_text('[aliases.kernels]\n"liger-kernel-bench/ln" = "layer_norm"\n')
    assert run("build") == 0
    assert "layer_norm.html" in (place / "site/kernels/liger-kernel-bench/ln.html").read_text()
    with (place / "sitegen.toml").open("a") as file:
        file.write('"liger-kernel-bench/gone" = "nowhere"\n')
    capsys.readouterr()
    for command in ("build", "check"):
        assert run(command) == 1
        assert capsys.readouterr().out.startswith("sitegen.toml:3: error[wrong-alias]: ")
    assert run("check", "records/001-forward-liger.json") == 0


class TestOwnTemplates:
    """A folder of one's own, whose templates stand for ours."""

    @pytest.fixture
    def own(self, place: Path) -> Path:
        (place / "own").mkdir()
        (place / "sitegen.toml").write_text('templates = "own"\n')
        return place / "own"

    def test_those_of_the_same_name_win(self, own: Path) -> None:
        (own / "404.html").write_text("{% extends layout %}{% block main %}<h1>Lost</h1>{% endblock %}")
        assert run("build") == 0
        assert "<h1>Lost</h1>" in (own.parent / "site/404.html").read_text()
        assert run("verify", "site", "--records", "records") == 0

    @pytest.mark.parametrize("jobs", ["1", "3"])
    def test_one_that_fails_is_named_with_its_line(self, own: Path, capsys: Capture, jobs: str) -> None:
        (own / "run.html").write_text("{% extends layout %}\n{% block main %}{{ nothing.here }}{% endblock %}")
        assert main(["build", "-j", jobs]) == 1
        said = capsys.readouterr().err
        assert said.startswith("sitegen: error: own/run.html:2: the template failed: 'nothing' is undefined. ")
        assert said.count("\n") == 1
        assert not (own.parent / "site").exists()

    def test_one_that_is_no_template_is_a_problem(self, own: Path, capsys: Capture) -> None:
        (own / "kernel.html").write_text("\n{% if %}")
        assert run("check") == 1
        assert capsys.readouterr().out.startswith("own/kernel.html:2: error[template-syntax]: ")

    def test_the_site_is_not_written_into_it(self, own: Path, capsys: Capture) -> None:
        assert run("build", "-o", "own/site") == 1
        assert "which the site is made from" in capsys.readouterr().err
        assert not (own / "site").exists()
