"""`sitegen init`: files that are written, and files that are not written over."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sitegen import hosting
from sitegen.cli import main
from sitegen.hosting import HostingError, Workflow, github, gitlab, path_in_repository
from sitegen.hosting.origin import installed_from
from tests.hosting.conftest import Server, made

Capture = pytest.CaptureFixture[str]
INSTALL = "sitegen @ git+https://example.org/sitegen@0123456789abcdef"
FILES = {"github": ".github/workflows/site.yml", "gitlab": ".gitlab-ci.yml"}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("host", FILES)
class TestWorkflow:
    """For GitHub and for GitLab."""

    def test_it_is_written_and_says_what_is_next(self, host: str, here: Path, capsys: Capture) -> None:
        assert main(["init", host, "--install", INSTALL]) == 0
        said = capsys.readouterr().out.splitlines()
        assert said[0] == f"Wrote {FILES[host]}."
        assert said[1].startswith("Next: ")
        assert json.dumps(INSTALL) in (here / FILES[host]).read_text(encoding="utf-8")

    def test_doing_it_again_changes_nothing(self, host: str, here: Path, capsys: Capture) -> None:
        main(["init", host, "--install", INSTALL])
        before = (here / FILES[host]).stat().st_mtime_ns
        capsys.readouterr()
        assert main(["init", host, "--install", INSTALL]) == 0
        assert capsys.readouterr().out.startswith(f"{FILES[host]} says so already.\n")
        assert (here / FILES[host]).stat().st_mtime_ns == before

    def test_somebody_elses_file_stays_unless_forced(self, host: str, here: Path, capsys: Capture) -> None:
        file = here / FILES[host]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("mine", encoding="utf-8")
        assert main(["init", host, "--install", INSTALL]) == 1
        assert capsys.readouterr().err == (
            f"sitegen: error: {FILES[host]}: is there already and says something else. "
            "Move it away, or replace it by giving --force as well.\n"
        )
        assert file.read_text(encoding="utf-8") == "mine"
        assert main(["init", host, "--install", INSTALL, "--force"]) == 0
        assert capsys.readouterr().out.startswith(f"Wrote {FILES[host]} in place of another.\n")
        assert file.read_text(encoding="utf-8") != "mine"

    def test_it_goes_where_it_is_told(self, host: str, here: Path) -> None:
        options = ["--into", "repo", "--records", "data/runs/", "--branch", "release/1.x"]
        assert main(["init", host, "--install", INSTALL, *options]) == 0
        text = (here / "repo" / FILES[host]).read_text(encoding="utf-8")
        assert 'RECORDS: "data/runs"' in text
        assert '"release/1.x"' in text

    def test_it_never_installs_a_program_of_the_same_name(
        self, host: str, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
    ) -> None:
        monkeypatch.setattr("sitegen.cli.init.installed_from", lambda: "")
        assert main(["init", host]) == 1
        assert "Say it with --install" in capsys.readouterr().err
        assert list(here.iterdir()) == []

    def test_it_installs_what_is_installed_here(self, host: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sitegen.cli.init.installed_from", lambda: INSTALL)
        assert main(["init", host]) == 0
        assert json.dumps(INSTALL) in (here / FILES[host]).read_text(encoding="utf-8")


class TestWhereItCameFrom:
    """What pip noted of this installation."""

    class Installed:
        def __init__(self, noted: str | None) -> None:
            self.noted = noted

        def read_text(self, name: str) -> str | None:
            assert name == "direct_url.json"
            return self.noted

    @pytest.mark.parametrize(
        ("noted", "says"),
        [
            (
                {"url": "https://example.org/s.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}},
                "sitegen @ git+https://example.org/s.git@abc",
            ),
            ({"url": "file:///home/me/sitegen", "dir_info": {"editable": True}}, ""),
            (None, ""),
            ("damaged", ""),
        ],
    )
    def test_it_is_a_commit_of_a_repository_or_nothing(
        self, noted: object, says: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        text = None if noted is None else json.dumps(noted)
        monkeypatch.setattr("sitegen.hosting.origin.distribution", lambda _: self.Installed(text))
        assert installed_from() == says


@pytest.mark.parametrize("path", ["", "/etc", "../records", "a/../../b", "a\nb"])
def test_a_folder_outside_the_repository_is_refused(path: str) -> None:
    with pytest.raises(HostingError, match="from the root of the repository"):
        path_in_repository(path)


@pytest.mark.parametrize("make", [github, gitlab])
@pytest.mark.parametrize(
    "asked",
    [
        Workflow("${{ github.token }}", "main", "x"),
        Workflow("records", "main", "$(id)"),
        Workflow("records", "main", "a\nb"),
        Workflow("records", "'}}", "x"),
        Workflow("records", "**", "x"),
        Workflow("records", "-x", "x"),
    ],
)
def test_nothing_that_the_host_would_read_as_a_program_is_written(
    make: "type[github]", asked: Workflow, tmp_path: Path
) -> None:
    with pytest.raises(HostingError):
        make(asked, tmp_path)


class TestHook:
    """For a bare repository."""

    @pytest.fixture
    def server(self, tmp_path: Path) -> Server:
        return made(tmp_path)

    def test_only_what_was_asked_for_is_written(self, server: Server, capsys: Capture) -> None:
        assert main(["init", "hook", str(server.bare), "--site", str(server.site)]) == 0
        said = capsys.readouterr().out
        assert f"Wrote {server.bare}/hooks/post-receive." in said
        assert f"sitegen rollback {server.site}" in said
        assert not (server.bare / "hooks/pre-receive").exists()

    def test_somebody_elses_hook_stays_and_nothing_else_is_written(self, server: Server, capsys: Capture) -> None:
        (server.bare / "hooks/pre-receive").write_text("#!/bin/sh\n")
        command = ["init", "hook", str(server.bare), "--site", str(server.site), "--gate"]
        assert main(command) == 1
        assert "pre-receive: is there already" in capsys.readouterr().err
        assert not (server.bare / "hooks/post-receive").exists()
        assert main([*command, "--force"]) == 0

    def test_a_folder_of_hooks_of_its_own_is_respected(self, server: Server) -> None:
        subprocess.run(["git", "config", "core.hooksPath", "my hooks"], cwd=server.bare, check=True)
        assert main(["init", "hook", str(server.bare), "--site", str(server.site)]) == 0
        assert os.access(server.bare / "my hooks/post-receive", os.X_OK)

    @pytest.mark.parametrize("folder", ["clone", "nowhere", "clone/.git/info"])
    def test_what_is_no_bare_repository_is_refused(self, server: Server, folder: str, capsys: Capture) -> None:
        assert main(["init", "hook", str(server.place / folder), "--site", str(server.site)]) == 1
        told = capsys.readouterr().err
        assert told.count("\n") == 1
        assert "is no bare repository" in told

    @pytest.mark.parametrize("branch", ["", "a b", "a..b", "-x/", "a\nb"])
    def test_what_is_no_name_of_a_branch_is_refused(self, server: Server, branch: str, capsys: Capture) -> None:
        assert main(["init", "hook", str(server.bare), "--site", str(server.site), f"--branch={branch}"]) == 1
        assert "is no name of a branch" in capsys.readouterr().err

    def test_a_folder_that_must_not_be_replaced_is_refused(self, server: Server, capsys: Capture) -> None:
        assert main(["init", "hook", str(server.bare), "--site", str(server.place)]) == 1
        assert "Choose" in capsys.readouterr().err

    def test_a_hook_is_not_run_with_modules_of_the_current_folder(self) -> None:
        assert hosting.PROGRAM[:2] == (sys.executable, "-P")
