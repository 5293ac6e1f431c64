"""Real pushes to a real bare repository: what the pusher is told, and what readers of the site see."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sitegen.hosting import Releases
from tests.hosting.conftest import FIRST, SECOND, THIRD, Clone, Server

BAD = '{\n "run": {\n  "kind": "BenchmarkRun",\n  "kind": "BenchmarkRun"\n }\n}\n'


def break_records(clone: Clone) -> None:
    (clone.folder / "records/bad.json").write_text(BAD, encoding="utf-8")
    clone.commit()


def lines(told: str) -> list[str]:
    """What the hooks said."""
    return re.findall(r"^remote: sitegen: (.*?)\s*$", told, re.MULTILINE)


def test_the_first_push_publishes_the_site_and_shows_each_line(published: tuple[Path, str]) -> None:
    server, told = Server(published[0]), published[1]
    commit = server.tip[:12]
    assert server.runs() == 1
    assert (server.site / "index.html").is_file()
    checked, building, wrote, done = lines(told)
    assert checked == "Checked 1 record in 1 comparison group: no problems."
    assert building == f"Building main at {commit}."
    assert wrote.startswith("Read 1 record in 1 comparison group; wrote ")
    assert done == f"Published {commit} as release 1."


def test_a_further_record_is_published_and_the_old_site_kept(server: Server) -> None:
    server.clone.add(SECOND)
    server.clone.commit()
    status, told = server.clone.push()
    assert status == 0, told
    assert server.runs() == 2
    releases = Releases(server.site)
    assert [release.number for release in releases.kept()] == [1]
    old = releases.folder / releases.kept()[0].name
    assert len((old / "data/runs.jsonl").read_text(encoding="utf-8").splitlines()) == 1


def test_a_file_that_is_the_same_in_the_next_release_keeps_its_time(server: Server) -> None:
    style = next((server.site / "assets").glob("site.*.css"))
    before = style.stat().st_mtime_ns
    server.clone.add(SECOND)
    server.clone.commit()
    server.clone.push()
    assert server.runs() == 2
    assert style.stat().st_mtime_ns == before


def test_the_gate_refuses_a_bad_record_with_its_line_and_place_and_the_site_stays(server: Server) -> None:
    tip, files = server.tip, server.files()
    break_records(server.clone)
    status, told = server.clone.push()
    assert status == 1
    assert 'records/bad.json:4: error[duplicate-key]: run.kind: The key "kind" stands twice in one object.' in told
    assert lines(told)[-1].startswith("Refused: the records of main must be right.")
    assert "pre-receive hook declined" in told
    assert server.tip == tip
    assert server.files() == files


def test_without_a_gate_a_bad_record_comes_in_but_the_site_stays(server: Server) -> None:
    (server.bare / "hooks/pre-receive").unlink()
    files = server.files()
    break_records(server.clone)
    status, told = server.clone.push()
    assert status == 0
    assert "records/bad.json:4: error[duplicate-key]" in told
    assert lines(told)[-1] == "Not published: the site is as it was."
    assert server.files() == files
    assert [release.number for release in Releases(server.site).kept()] == []


def test_mending_the_record_publishes_it(server: Server) -> None:
    break_records(server.clone)
    assert server.clone.push()[0] == 1
    server.clone.add(SECOND, "bad.json")
    server.clone.commit()
    assert server.clone.push()[0] == 0
    assert server.runs() == 2


def test_another_branch_is_neither_refused_nor_built(server: Server) -> None:
    files = server.files()
    break_records(server.clone)
    status, told = server.clone.push("main:other", "main:refs/heads/feature/main", "main:refs/tags/main")
    assert status == 0, told
    assert lines(told) == []
    assert server.files() == files


def test_a_forced_push_publishes_what_the_branch_holds_then(server: Server) -> None:
    server.clone.add(SECOND)
    server.clone.git("rm", "--quiet", f"records/{FIRST}.json")
    server.clone.git("add", "--all")
    server.clone.git("commit", "--quiet", "--amend", "--message", "other")
    assert server.clone.push()[0] == 1  # not forced
    status, told = server.clone.push("--force", "main")
    assert status == 0, told
    assert server.runs() == 1
    assert "huggingface" in (server.site / "data/runs.jsonl").read_text(encoding="utf-8")


def test_a_removed_record_is_gone_from_the_site(server: Server) -> None:
    server.clone.add(SECOND)
    server.clone.git("rm", "--quiet", f"records/{FIRST}.json")
    server.clone.commit()
    gone = [path.relative_to(server.site) for path in server.site.glob("runs/*/*.html")]
    assert len(gone) == 1
    assert server.clone.push()[0] == 0
    assert server.runs() == 1
    assert not (server.site / gone[0]).exists()


def test_nothing_is_built_where_nothing_relevant_changed(server: Server) -> None:
    files = server.files()
    (server.clone.folder / "README.md").write_text("About these records.\n", encoding="utf-8")
    server.clone.commit()
    status, told = server.clone.push()
    assert status == 0
    assert lines(told) == ["Nothing that the site is made from changed: nothing built."]
    assert server.files() == files


def test_the_settings_that_are_pushed_are_those_of_the_site(server: Server) -> None:
    (server.clone.folder / "sitegen.toml").write_text('title = "Ours alone"\n', encoding="utf-8")
    server.clone.commit()
    assert server.clone.push()[0] == 0
    assert "Ours alone" in (server.site / "index.html").read_text(encoding="utf-8")


def test_a_deleted_branch_leaves_the_site_and_comes_back(server: Server) -> None:
    Clone(server.bare).git("config", "receive.denyDeleteCurrent", "ignore")
    files = server.files()
    status, told = server.clone.push("--delete", "main")
    assert status == 0, told
    assert lines(told) == ["main is gone; the site stays as it is."]
    assert server.files() == files
    status, told = server.clone.push()
    assert status == 0
    assert lines(told)[-1].endswith("is published already.")


def test_pushes_that_come_while_a_build_runs_wait_and_are_built_once(server: Server) -> None:
    releases = Releases(server.site)
    other = server.another_clone()
    with releases.held(lambda: None):
        server.clone.add(SECOND)
        server.clone.commit()
        first = server.clone.start_push()
        heard = [_until_it_waits(first)]
        other.git("pull", "--quiet", "origin", "main")
        other.add(THIRD)
        newest = other.commit()
        second = other.start_push()
        heard.append(_until_it_waits(second))
        assert server.runs() == 1
    told = [before + push.communicate()[0] for push, before in zip((first, second), heard, strict=True)]
    assert (first.returncode, second.returncode) == (0, 0)
    ends = {lines(each)[-1] for each in told}
    assert ends == {f"{newest[:12]} is published already.", f"Published {newest[:12]} as release 2."}
    assert sum("Building" in each for each in told) == 1
    assert server.runs() == 3


def _until_it_waits(push: subprocess.Popen[str]) -> str:
    heard = ""
    for line in push.stdout or ():
        heard += line
        if "waiting for it" in line:
            return heard
    pytest.fail(f"the push did not wait:\n{heard}")


def test_where_the_pusher_goes_away_the_site_is_published_all_the_same(server: Server) -> None:
    server.clone.add(SECOND)
    server.clone.commit()
    with server.clone.start_push() as push:
        assert any("Building" in line for line in push.stdout or ())
        push.kill()
    with Releases(server.site).held(lambda: None):  # which the hook has until it is done
        assert server.runs() == 2
        assert Releases(server.site).state().built == server.tip


def test_the_hook_of_a_killed_build_leaves_the_releases_free(server: Server) -> None:
    """What a process holds, the system frees when it dies: nothing needs to be removed by hand."""
    (Releases(server.site).folder / "lock").write_text("left by another")
    server.clone.add(SECOND)
    server.clone.commit()
    assert server.clone.push()[0] == 0
    assert server.runs() == 2


class TestHostile:
    """Names and contents that would do more than a record should."""

    def test_names_of_files_are_names_alone(self, server: Server) -> None:
        names = ["$(touch pwned).json", "`touch pwned`.json", "--help.json", "a\nb;touch pwned.json", "é \x1b[2J.json"]
        for record, name in zip((SECOND, THIRD, "007-forward-huggingface"), names, strict=False):
            server.clone.add(record, name)
        for name in names[3:]:
            (server.clone.folder / "records" / name).write_text(BAD, encoding="utf-8")
        (server.clone.folder / ".gitattributes").write_text("records/** export-ignore\n", encoding="utf-8")
        server.clone.commit()
        status, told = server.clone.push()
        assert status == 1
        assert told.count("error[duplicate-key]") == 2
        assert "\x1b[2J" not in told
        for name in names[3:]:
            (server.clone.folder / "records" / name).unlink()
        server.clone.commit()
        assert server.clone.push()[0] == 0
        assert server.runs() == 4
        assert list(server.place.rglob("pwned")) == []

    def test_a_name_that_is_no_text_is_a_line_for_the_pusher(self, server: Server) -> None:
        server.clone.add(SECOND)
        os.rename(  # noqa: PTH104 - a path of bytes
            os.fsencode(server.clone.folder / f"records/{SECOND}.json"),
            os.fsencode(server.clone.folder / "records") + b"/\xff.json",
        )
        server.clone.commit()
        status, told = server.clone.push()
        assert status == 1
        assert "error[file-name]" in told

    def test_a_branch_whose_name_is_a_program_is_a_branch(self, fresh: Callable[..., Server]) -> None:
        branch = "a'b;touch${IFS}pwned;$(touch${IFS}pwned)\"&-x"
        server = fresh("--gate", f"--branch={branch}")
        server.clone.add(FIRST)
        server.clone.commit()
        server.clone.push("main:main")
        assert not server.site.exists()
        status, told = server.clone.push(f"main:refs/heads/{branch}")
        assert status == 0, told
        assert server.runs() == 1
        assert list(server.place.rglob("pwned")) == []

    def test_a_link_is_refused_and_what_it_leads_to_is_not_read(self, server: Server) -> None:
        secret = server.place / "secret.json"
        secret.write_text("sesame", encoding="utf-8")
        (server.clone.folder / "records/link.json").symlink_to(secret)
        server.clone.commit()
        status, told = server.clone.push()
        assert status == 1
        assert lines(told) == [
            "records/link.json: is a link or another repository. Put a file in its place, and push again."
        ]
        assert "sesame" not in told

    def test_a_module_that_is_pushed_is_not_imported(self, fresh: Callable[..., Server]) -> None:
        server = fresh("--records", ".")
        server.clone.add(FIRST)
        for name in ("json.py", "sitegen.py"):
            (server.clone.folder / name).write_text("open('pwned', 'w')\nraise SystemExit(3)\n", encoding="utf-8")
        server.clone.commit()
        status, told = server.clone.push()
        assert status == 0, told
        assert server.runs() == 1


def test_a_commit_without_records_is_refused(server: Server) -> None:
    server.clone.git("rm", "--quiet", "-r", "records")
    (server.clone.folder / "README.md").write_text("Nothing else.\n", encoding="utf-8")
    server.clone.commit()
    status, told = server.clone.push()
    assert status == 1
    assert "records: no such folder" in told


def test_the_hooks_are_small_and_call_the_interpreter_that_wrote_them(server: Server) -> None:
    for name in ("post-receive", "pre-receive"):
        hook = server.bare / "hooks" / name
        script = hook.read_text(encoding="utf-8").splitlines()
        assert len(script) == 3
        assert f"{sys.executable} -P -m sitegen hook {name} --branch=main --records=records" in script[-1]
        assert os.access(hook, os.X_OK)
