"""The commands from outside: arguments in; lines, files and an exit status out."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import sitegen
from sitegen.cli import commands, main
from tests.conftest import ROOT, SAMPLE

COMMAND = [sys.executable, "-m", "sitegen"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}

Capture = pytest.CaptureFixture[str]


def edit(path: Path, change: Callable[[dict[str, object]], None]) -> None:
    record = json.loads(path.read_text(encoding="utf-8"))
    change(record)
    path.write_text(json.dumps(record), encoding="utf-8")


def break_status(record: dict[str, object]) -> None:
    record["run"]["spec"]["status"] = "fine"  # type: ignore[index] # a record is an object of objects


def add_field(record: dict[str, object]) -> None:
    record["environment"]["metadata"]["mood"] = "good"  # type: ignore[index] # as above


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with `records`: six runs of the sample in three groups."""
    (tmp_path / "records").mkdir()
    for name in ("001-forward-liger", "006-forward-huggingface", "002-forward-liger", "007-forward-huggingface"):
        shutil.copy(SAMPLE / f"liger/layer_norm/{name}.json", tmp_path / "records")
    for name in ("001", "002"):
        shutil.copy(SAMPLE / f"gpumode/trimul/{name}.json", tmp_path / "records" / f"trimul-{name}.json")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def bad(place: Path) -> Path:
    """One of the records has an error."""
    edit(place / "records/trimul-002.json", break_status)
    return place


@pytest.fixture
def doubtful(place: Path) -> Path:
    """One of the records gives a warning."""
    edit(place / "records/trimul-002.json", add_field)
    return place


class TestWrongUse:
    """Status 2, and a line that says what to do."""

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            (["bild"], "invalid choice: 'bild'"),
            (["build", "--nothing"], "unrecognized arguments: --nothing"),
            (["build", "--stric"], "unrecognized arguments: --stric"),
            (["build", "-j", "0"], "'0' is not a number of processes"),
            (["build", "-j", "many"], "'many' is not a number of processes"),
            (["build", "--format", "xml"], "invalid choice: 'xml'"),
            (["build", "--base-url", "example.org"], "'example.org' is not an absolute http or https URL"),
            (["build", "--base-url", "ftp://example.org"], "is not an absolute http or https URL"),
            (["build", "--strict", "--skip-bad"], "not allowed with argument"),
            (["import"], "the following arguments are required: SOURCE"),
            (["import", "liger", "table.csv"], "the following arguments are required: --into"),
            (["import", "other", "table.csv", "--into", "x"], "invalid choice: 'other'"),
            (["check", "-o", "x"], "unrecognized arguments: -o"),
        ],
    )
    def test_of_the_options(self, arguments: list[str], says: str, capsys: Capture) -> None:
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        assert caught.value.code == 2
        assert says in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            (["build", "nowhere"], "nowhere: no such folder"),
            (["check", "nowhere"], "nowhere: no such folder"),
            (["build", "records/trimul-001.json"], "no such folder"),
            (["build", "--config", "nowhere.toml"], "nowhere.toml: no such file"),
            (["import", "liger", "nowhere.csv", "--into", "records"], "nowhere.csv: no such file"),
        ],
    )
    @pytest.mark.usefixtures("place")
    def test_of_what_is_not_there(self, arguments: list[str], says: str, capsys: Capture) -> None:
        assert main(arguments) == 2
        told = capsys.readouterr()
        assert says in told.err
        assert told.err.count("\n") == 1
        assert told.out == ""


def test_alone_it_prints_its_help(capsys: Capture) -> None:
    assert main([]) == 0
    told = capsys.readouterr().out
    assert all(command in told for command in ("build", "check", "import", "schema", "Exit status"))


def test_the_version_is_that_of_the_package(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"sitegen {sitegen.__version__}\n"


def test_the_schema_is_a_json_document(capsys: Capture) -> None:
    assert main(["schema"]) == 0
    assert "$schema" in json.loads(capsys.readouterr().out)


class TestBuild:
    """From records to a site."""

    def test_without_arguments_it_goes_from_records_to_site(self, place: Path, capsys: Capture) -> None:
        assert main(["build"]) == 0
        told = capsys.readouterr()
        files = [path for path in (place / "site").rglob("*") if path.is_file()]
        last = told.out.splitlines()[-1]
        pattern = (
            r"Read 6 records in 3 comparison groups; "
            rf"wrote {len(files):,} files \([\d.]+ MB\) to site in \d+\.\d\d s: no problems\."
        )
        assert re.fullmatch(pattern, last), last
        assert told.err == ""
        assert (place / "site/index.html").is_file()

    def test_an_error_publishes_nothing_and_leaves_the_old_site(self, bad: Path, capsys: Capture) -> None:
        shutil.copytree("records", "good")
        (bad / "good/trimul-002.json").unlink()
        assert main(["build", "good"]) == 0
        before = {path: path.stat().st_mtime_ns for path in (bad / "site").rglob("*")}
        capsys.readouterr()
        assert main(["build"]) == 1
        told = capsys.readouterr().out.splitlines()
        assert re.match(r"records/trimul-002\.json:\d+: error\[unknown-status\]: run\.spec\.status: ", told[0])
        assert told[-1] == "Nothing was published: 1 error. site is as it was."
        assert {path: path.stat().st_mtime_ns for path in (bad / "site").rglob("*")} == before

    def test_bad_records_can_be_left_out(self, bad: Path, capsys: Capture) -> None:
        assert main(["build", "--skip-bad"]) == 0
        told = capsys.readouterr().out
        assert "error[unknown-status]" in told
        assert told.splitlines()[-1].endswith(": 1 error.")
        counts = json.loads((bad / "site/data/catalogue.json").read_text())["counts"]
        assert counts["runs"] == 5

    def test_warnings_are_published_unless_strict(self, doubtful: Path, capsys: Capture) -> None:
        assert main(["build", "--strict"]) == 1
        assert "Nothing was published: 1 warning" in capsys.readouterr().out
        assert not (doubtful / "site").exists()
        assert main(["build"]) == 0
        assert "warning[unknown-field]" in capsys.readouterr().out
        assert (doubtful / "site/index.html").is_file()

    @pytest.mark.usefixtures("bad")
    def test_json_is_all_that_is_printed(self, capsys: Capture) -> None:
        assert main(["build", "--format", "json"]) == 1
        document = json.loads(capsys.readouterr().out)
        assert document["published"] is None
        assert [problem["code"] for problem in document["problems"]] == ["unknown-status"]
        assert document["counts"]["problems"] == 1
        assert main(["build", "--format", "json", "--skip-bad"]) == 0
        document = json.loads(capsys.readouterr().out)
        assert document["published"]["folder"] == "site"
        assert document["published"]["files"] == sum(path.is_file() for path in Path("site").rglob("*"))

    @pytest.mark.usefixtures("bad")
    def test_github_gets_annotations(self, capsys: Capture) -> None:
        assert main(["build", "--format", "github"]) == 1
        assert re.match(
            r"::error file=records/trimul-002\.json,line=\d+,title=unknown-status::run\.spec\.status: ",
            capsys.readouterr().out,
        )

    @pytest.mark.parametrize("out", [".", "records", "records/site", "/"])
    @pytest.mark.usefixtures("place")
    def test_an_output_folder_that_must_not_be_replaced_is_refused_at_once(self, out: str, capsys: Capture) -> None:
        assert main(["build", "-o", out]) == 1
        told = capsys.readouterr()
        assert re.fullmatch(rf"sitegen: error: {re.escape(out)}: .*\n", told.err)
        assert told.out == ""

    @pytest.mark.usefixtures("place")
    def test_the_base_url_wins_over_the_settings(self) -> None:
        Path("sitegen.toml").write_text('title = "Ours"\nbase_url = "https://a.example/x"\n')
        assert main(["build"]) == 0
        page = Path("site/404.html").read_text()
        assert "Ours" in page
        assert "/x/" in page
        assert main(["build", "--base-url", "https://b.example/y/"]) == 0
        page = Path("site/404.html").read_text()
        assert "/y/" in page
        assert "/x/" not in page

    @pytest.mark.parametrize("options", [[], ["--skip-bad"]])
    @pytest.mark.usefixtures("place")
    def test_a_mistake_in_the_settings_is_never_skipped(self, options: list[str], capsys: Capture) -> None:
        Path("other.toml").write_text("titel = 1\n")
        assert main(["build", "--config", "other.toml", *options]) == 1
        assert capsys.readouterr().out.startswith("other.toml:1: error[")
        assert not Path("site").exists()

    def test_a_folder_that_cannot_be_written_is_one_line(self, place: Path, capsys: Capture) -> None:
        (place / "file").touch()
        assert main(["build", "-o", "file/site"]) == 1
        told = capsys.readouterr()
        assert told.err.startswith("sitegen: error: file/site: ")
        assert told.err.count("\n") == 1


class TestCheck:
    """Reading and judging, without writing."""

    def test_good_records_are_counted(self, place: Path, capsys: Capture) -> None:
        before = sorted(place.rglob("*"))
        assert main(["check"]) == 0
        assert capsys.readouterr().out == "Checked 6 records in 3 comparison groups: no problems.\n"
        assert sorted(place.rglob("*")) == before

    @pytest.mark.usefixtures("bad")
    def test_an_error_is_status_1(self, capsys: Capture) -> None:
        assert main(["check"]) == 1
        assert capsys.readouterr().out.splitlines()[-1].endswith(": 1 error.")

    @pytest.mark.usefixtures("doubtful")
    def test_a_warning_is_status_1_when_strict(self) -> None:
        assert main(["check"]) == 0
        assert main(["check", "--strict"]) == 1

    @pytest.mark.usefixtures("bad")
    def test_json_has_problems_and_counts(self, capsys: Capture) -> None:
        assert main(["check", "--format", "json"]) == 1
        document = json.loads(capsys.readouterr().out)
        assert document.keys() == {"problems", "counts"}
        assert document["counts"]["groups"] == 3

    def test_the_sample_catalogue_has_nothing_to_complain_of(self, capsys: Capture) -> None:
        assert main(["check", "--strict", str(SAMPLE)]) == 0
        assert "137 records" in capsys.readouterr().out


TABLE = (
    "kernel_name,kernel_provider,kernel_operation_mode,metric_name,metric_unit,x_name,x_label,x_value,"
    "y_value_50,y_value_20,y_value_80,extra_benchmark_config_str,gpu_name,timestamp,liger_version\n"
    "layer_norm,liger,forward,speed,ms,N,hidden size,1024,0.030272,0.029216,0.031424,"
    '"{""M"": 4096, ""dtype"": ""torch.float32"", ""eps"": 1e-06}",NVIDIA A100-SXM4-80GB,2024-09-03 15:31:39,0.2.1\n'
)


class TestImport:
    """Other people's tables."""

    def test_a_table_becomes_records_that_can_be_built(self, place: Path, capsys: Capture) -> None:
        (place / "table.csv").write_text(TABLE)
        assert main(["import", "liger", "table.csv", "--into", "imported"]) == 0
        first = capsys.readouterr().out
        assert re.fullmatch(
            r"Read 1 row of table\.csv; wrote 1 run and \d documents? to imported, "
            r"where 0 files already said the same: no problems\.\n",
            first,
        )
        assert main(["import", "liger", "table.csv", "--into", "imported"]) == 0
        assert "wrote 0 runs and 0 documents" in capsys.readouterr().out
        assert main(["check", "--strict", "imported"]) == 0

    def test_a_row_that_cannot_be_understood_is_named_by_its_line(self, place: Path, capsys: Capture) -> None:
        (place / "table.csv").write_text(TABLE + TABLE.splitlines()[1].replace("0.030272", "fast") + "\n")
        assert main(["import", "liger", "table.csv", "--into", "imported"]) == 1
        assert capsys.readouterr().out.startswith("table.csv:3: error[")


class TestTheProcess:
    """What only a process of its own shows."""

    def test_the_exit_status_is_that_of_main(self, bad: Path) -> None:
        done = subprocess.run([*COMMAND, "check"], cwd=bad, env=ENVIRONMENT, capture_output=True, check=False)
        assert done.returncode == 1
        assert b"Traceback" not in done.stderr

    def test_ctrl_c_is_status_130_without_a_traceback(self, place: Path) -> None:
        waiting = (
            "import signal, sys; from sitegen.cli import commands, main\n"
            "def load(*_, **__): print(flush=True); signal.pause()\n"
            "commands.load = load; sys.exit(main(['build']))"
        )
        with subprocess.Popen(
            [sys.executable, "-c", waiting],
            cwd=place,
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            assert process.stdout.readline() == b"\n"
            process.send_signal(signal.SIGINT)
            assert process.stderr.read() == b""
            assert process.wait() == 130

    def test_a_reader_that_goes_away_is_no_traceback(self) -> None:
        with subprocess.Popen(
            [*COMMAND, "schema"], env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            assert process.stderr.read() == b""
            assert process.wait() == 1

    @pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
    def test_a_stream_that_was_closed_before_is_no_traceback(self, place: Path, closed: str) -> None:
        command = f'"$0" -m sitegen check {closed}'
        done = subprocess.run(
            ["sh", "-c", command, sys.executable], cwd=place, env=ENVIRONMENT, capture_output=True, check=False
        )
        assert done.returncode == 0
        assert done.stderr == b""

    def test_a_terminal_that_knows_ascii_alone_is_shown_escapes(self, place: Path) -> None:
        name = place / "records" / "größe.json"
        name.write_text("{")
        done = subprocess.run(
            [*COMMAND, "check"],
            cwd=place,
            env={**ENVIRONMENT, "PYTHONIOENCODING": "ascii:strict"},
            capture_output=True,
            check=False,
        )
        assert done.returncode == 1
        assert done.stdout.startswith(b"records/gr\\xf6\\xdfe.json:1: error[")


def test_a_failure_of_the_system_is_one_line(place: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(5, "Input/output error", "records/trimul-001.json")

    monkeypatch.setattr(commands, "build_site", fail)
    assert main(["build"]) == 1
    assert capsys.readouterr().err == "sitegen: error: records/trimul-001.json: Input/output error\n"
    assert not (place / "site").exists()


@pytest.mark.usefixtures("place")
def test_our_own_mistakes_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(commands, "build_site", fail)
    with pytest.raises(ZeroDivisionError):
        main(["build"])
