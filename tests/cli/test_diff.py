"""`sitegen diff` from outside: folders and revisions in; text, Markdown, JSON, a page and an exit status out."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sitegen.cli import main
from tests.conftest import SAMPLE

GOLDEN = Path(__file__).parent / "golden"
FORWARD = "liger/layer_norm/001-forward-liger.json"

Capture = pytest.CaptureFixture[str]


def edit(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    record = json.loads(path.read_text(encoding="utf-8"))
    change(record)
    path.write_text(json.dumps(record), encoding="utf-8")


def slower(record: dict[str, Any]) -> None:
    """The run of a day before, which took three times as long: another run, with another digest."""
    spec = record["run"]["spec"]
    spec["observedAt"] = "2024-01-01T00:00:00Z"
    spec["timing"]["latencyNs"]["median"] *= 3
    for measurement in spec["measurements"]:
        if measurement["metric"] == "latency":
            measurement["value"] *= 3


def retitle(record: dict[str, Any]) -> None:
    record["run"]["metadata"]["title"] = "Another title"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """`old` and `new`, of the sample: a run that was slower, one retitled, some that come, one that goes."""
    monkeypatch.chdir(tmp_path)
    for part in ("liger/layer_norm", "liger/rope", "gpumode/trimul", "garden", "flashinfer"):
        shutil.copytree(SAMPLE / part, tmp_path / "new" / part)
    shutil.copytree("new", "old")
    edit(Path("old") / FORWARD, slower)
    edit(Path("old/gpumode/trimul/001.json"), retitle)
    for path in (*Path("old/garden").glob("hostile-*"), *Path("old/garden").glob("failed-*")):
        path.unlink()
    for path in Path("old/liger/rope").glob("*.json"):
        if json.loads(path.read_text())["run"]["metadata"]["labels"].get("liger_version") == "0.3.0":
            path.unlink()
    Path("new/flashinfer/007-gemm-n4096-k4096.json").unlink()
    return tmp_path


def stable(text: str) -> str:
    """The output without what changes with every change of the style sheet or of our version."""
    text = re.sub(r"<style>.*?</style>", "<style>STYLE</style>", text, flags=re.DOTALL)
    text = re.sub(r"sha256-[A-Za-z0-9+/]{43}=", "sha256-HASH", text)
    return re.sub(r"sitegen \d+\.\d+\.\d+[\w.+-]*", "sitegen VERSION", text)


@pytest.mark.usefixtures("place")
class TestGolden:
    """What is said of the sample, whole, to be read in review. `pytest --update-golden` writes it anew."""

    FORMATS = (("text", "txt"), ("markdown", "md"), ("json", "json"), ("html", "html"))

    @pytest.mark.parametrize(("form", "suffix"), FORMATS)
    def test_a_report_is_what_it_was(self, form: str, suffix: str, request: pytest.FixtureRequest) -> None:
        assert main(["diff", "old", "new", "--format", form, "-o", "report"]) == 0
        text = stable(Path("report").read_bytes().decode())
        golden = GOLDEN / f"diff.{suffix}"
        if request.config.getoption("--update-golden"):
            golden.parent.mkdir(exist_ok=True)
            golden.write_text(text, encoding="utf-8")
        assert text == golden.read_text(encoding="utf-8")

    @pytest.mark.parametrize(("form", "suffix"), FORMATS)
    def test_where_the_files_lie_is_no_matter(self, form: str, suffix: str) -> None:
        main(["diff", "old", "new", "--format", form, "-o", f"first.{suffix}"])
        for side in ("old", "new"):
            Path(side).rename(f"{side}-before")
            for number, path in enumerate(sorted(Path(f"{side}-before").rglob("*.json"), reverse=True)):
                target = Path(side) / f"{number % 7}" / path.relative_to(f"{side}-before")
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, target)
        main(["diff", "old", "new", "--format", form, "-o", f"second.{suffix}"])
        # Only what names a file differs.
        first, second = (
            re.sub(r"(?:[0-6]/)?(?:garden|gpumode|liger|flashinfer)/[\w/.-]+json", "FILE", path.read_text("utf-8"))
            for path in (Path(f"first.{suffix}"), Path(f"second.{suffix}"))
        )
        assert first == second

    def test_the_terminal_shows_what_the_file_holds(self, capsys: Capture) -> None:
        for form in ("text", "markdown", "json", "html"):
            main(["diff", "old", "new", "--format", form, "-o", "report"])
            capsys.readouterr()
            main(["diff", "old", "new", "--format", form])
            assert capsys.readouterr().out == Path("report").read_bytes().decode()


@pytest.mark.usefixtures("place")
class TestStatus:
    """The exit status, by what was asked for."""

    @pytest.mark.parametrize(
        ("kinds", "status", "says"),
        [
            ("removed", 1, "2 runs removed"),
            ("altered", 1, "1 run altered"),
            ("leader", 1, "1 change of leader"),
            ("regression", 0, ""),
            ("problem", 0, ""),
            ("tie,regression", 0, ""),
            ("leader, removed", 1, "2 runs removed, 1 change of leader"),
        ],
    )
    def test_of_what_happened(self, kinds: str, status: int, says: str, capsys: Capture) -> None:
        assert main(["diff", "old", "new", "--fail-on", kinds]) == status
        told = capsys.readouterr().err
        assert says in told
        assert told.count("\n") == status

    def test_the_other_way_round_it_is_a_regression(self, capsys: Capture) -> None:
        assert main(["diff", "new", "old", "--fail-on", "regression"]) == 1
        assert capsys.readouterr().err == "sitegen: error: --fail-on: 1 regression\n"

    def test_nothing_that_is_not_named_counts(self) -> None:
        assert main(["diff", "old", "new"]) == 0

    @pytest.mark.parametrize("kinds", ["regressions", "", "leader,", "leader;tie"])
    def test_an_unknown_word_is_wrong_use(self, kinds: str, capsys: Capture) -> None:
        with pytest.raises(SystemExit) as caught:
            main(["diff", "old", "new", "--fail-on", kinds])
        assert caught.value.code == 2
        assert "is not one of regression, removed" in capsys.readouterr().err

    def test_no_difference_is_one_line(self, capsys: Capture) -> None:
        assert main(["diff", "new", "new", "--fail-on", "regression,removed,altered,leader,tie,problem"]) == 0
        told = capsys.readouterr().out
        assert re.fullmatch(r"No difference between `new` and `new`: \d+ runs in \d+ comparison groups\.\n", told)

    def test_a_bad_record_is_a_problem_that_came(self, capsys: Capture) -> None:
        Path("new/bad.json").write_text("{")
        assert main(["diff", "old", "new", "--fail-on", "problem"]) == 1
        told = capsys.readouterr().out
        assert "ALARM: New errors in the records (1)" in told
        assert "bad.json:1: error[truncated]: " in told

    def test_a_file_that_cannot_be_written_is_one_line(self, capsys: Capture) -> None:
        assert main(["diff", "old", "new", "-o", "nowhere/report"]) == 1
        told = capsys.readouterr()
        assert told.err.startswith("sitegen: error: nowhere/report: ")
        assert told.out == ""


def test_nothing_of_a_record_moves_the_cursor(place: Path, capsys: Capture) -> None:
    edit(place / "new" / FORWARD, lambda record: record["run"]["metadata"].update(title="\x1b[2J\u202ex\ny"))
    assert main(["diff", "old", "new"]) == 0
    told = capsys.readouterr().out
    assert all(letter.isprintable() or letter == "\n" for letter in told)


class TestRevisions:
    """A real repository, with the sample as its first revision and a changed one as its second."""

    @pytest.fixture
    def repository(self, place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        for name in [name for name in os.environ if name.startswith("GIT_")]:
            monkeypatch.delenv(name)
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        where = place / "repository"
        where.mkdir()
        monkeypatch.chdir(where)
        self.git("init", "--quiet", "--initial-branch", "main")
        Path("about.txt").write_text("before there were records\n")
        self.commit("Begin", "v0")
        shutil.copytree("../old", "records")
        self.commit("Old", "v1")
        shutil.rmtree("records")
        shutil.copytree("../new", "records")
        Path(".gitattributes").write_text("*.json export-ignore\n")
        self.commit("New", "v2")
        return where

    @staticmethod
    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=Name", "-c", "user.email=name@example.org"]
        done = subprocess.run(["git", *identity, *arguments], check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def commit(self, message: str, tag: str) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)
        self.git("tag", tag)

    def facts(self, capsys: Capture, *arguments: str) -> dict[str, Any]:
        capsys.readouterr()
        assert main(["diff", *arguments, "--format", "json"]) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    @pytest.mark.usefixtures("repository")
    def test_two_revisions_differ_as_their_folders_do(self, capsys: Capture) -> None:
        folders = self.facts(capsys, "../old", "../new")
        revisions = self.facts(capsys, "v1", "main")
        names = [revisions[side].pop("name") for side in ("before", "after")]
        assert names == [f"v1 ({self.git('rev-parse', 'v1')[:12]})", f"main ({self.git('rev-parse', 'HEAD')[:12]})"]
        for side in ("before", "after"):
            del folders[side]["name"]
        assert revisions == folders
        assert self.git("status", "--short") == ""

    def test_the_work_tree_takes_no_part(self, repository: Path, capsys: Capture) -> None:
        before = self.facts(capsys, "v1", "v2")
        shutil.rmtree(repository / "records")
        assert self.facts(capsys, "v1", "v2") == before

    @pytest.mark.usefixtures("repository")
    def test_a_revision_and_a_folder(self, capsys: Capture) -> None:
        assert self.facts(capsys, "v2", "records")["empty"]

    @pytest.mark.usefixtures("repository")
    def test_a_revision_from_before_there_were_records(self, capsys: Capture) -> None:
        facts = self.facts(capsys, "v0", "v1")
        assert facts["before"]["runs"] == facts["before"]["warnings"] == 0
        assert len(facts["added"]) == facts["after"]["runs"] > 0

    def test_from_a_folder_below_and_in_a_bare_repository(
        self, repository: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        expected = self.facts(capsys, "v1", "v2")
        (repository / "below").mkdir()
        monkeypatch.chdir(repository / "below")
        assert self.facts(capsys, "v1", "v2", "--records", "../records") == expected
        assert self.facts(capsys, "v1", "v2", "--records", str(repository / "records")) == expected
        self.git("clone", "--quiet", "--bare", str(repository), "../../bare.git")
        monkeypatch.chdir(repository.parent / "bare.git")
        assert self.facts(capsys, "v1", "v2") == expected

    def test_a_link_is_said_to_be_left_out(self, repository: Path, capsys: Capture) -> None:
        (repository / "records/link.json").symlink_to("index.json")
        self.commit("Link", "v3")
        (problem,) = self.facts(capsys, "v2", "v3")["problemsCame"]
        assert (problem["code"], problem["file"]) == ("not-followed", "link.json")

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            (["v1", "nothing"], "nothing: no such folder, and no such revision"),
            (["--", "--output=x", "v1"], "--output=x: no such folder, and no such revision"),
            (["v1", "v2", "--records", "elsewhere"], "elsewhere: is in neither revision"),
            (["v0", "v0"], "records: is in neither revision"),
            (["v1", "v2", "--records", ".."], "..: lies outside the repository"),
            (["v1", "v2", "--records", "about.txt"], "git ls-tree: "),
        ],
    )
    @pytest.mark.usefixtures("repository")
    def test_wrong_use_is_one_line_and_status_2(self, arguments: list[str], says: str, capsys: Capture) -> None:
        assert main(["diff", *arguments]) == 2
        told = capsys.readouterr()
        assert told.err.startswith(f"sitegen: error: {says}")
        assert (told.err.count("\n"), told.out) == (1, "")

    def test_outside_a_repository(self, repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
        monkeypatch.chdir(repository.parent)
        monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(repository.parent.parent))
        assert main(["diff", "v1", "v2"]) == 2
        told = capsys.readouterr().err
        assert told.startswith(
            "sitegen: error: v1: no such folder, and no revision can be looked for: git says fatal: not"
        )
        assert told.count("\n") == 1

    def test_without_git(self, repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
        monkeypatch.setenv("PATH", str(repository))
        assert main(["diff", "v1", "v2"]) == 2
        assert "git is not installed" in capsys.readouterr().err
