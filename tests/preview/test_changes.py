"""What changes is shown, once and whole, and what is wrong is not."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sitegen.preview import News
from sitegen.site import address
from tests.conftest import SAMPLE
from tests.preview.conftest import LONG_S, Preview, Start, a_place, with_median

MEDIAN = 31_007


def shown_medians(preview: Preview) -> set[str]:
    """The primary values of all runs, as the data of the site has them."""
    lines = preview.get("/data/runs.csv").text.splitlines()
    column = lines[0].split(",").index("value")
    return {line.split(",")[column] for line in lines[1:]}


@contextmanager
def builds(preview: Preview, count: int) -> Iterator[None]:
    """What is done makes so many builds, none of them with anything wrong. No more are under way when it ends."""
    before = preview.build
    yield
    marker = preview.records / "liger/layer_norm/002-forward-liger.json"
    number = 40_000 + before
    marker.write_text(with_median(marker.read_text(), number))
    told: list[News] = []
    while str(number) not in shown_medians(preview):
        told.append(preview.news.get(timeout=LONG_S))
    assert preview.build == before + count + 1
    assert [news.outcome.failed for news in told if news.outcome.failed] == []


# Ways of saving, as editors have them


def in_place(path: Path, text: str) -> None:
    path.write_text(text)


def over_the_old(path: Path, text: str) -> None:
    with path.open("r+") as file:
        file.write(text)
        file.truncate()


def in_pieces(path: Path, text: str) -> None:
    with path.open("w") as file:
        for start in range(0, len(text), 400):
            file.write(text[start : start + 400])
            file.flush()
            os.fsync(file.fileno())


def truncate_and_write(path: Path, text: str) -> None:
    path.open("w").close()
    with path.open("a") as file:
        file.write(text)


def write_and_rename(path: Path, text: str) -> None:
    beside = path.with_suffix(".json.tmp")
    beside.write_text(text)
    beside.replace(path)


def hidden_and_rename(path: Path, text: str) -> None:
    beside = path.with_name(f".{path.name}.swp")
    beside.write_text(text)
    beside.replace(path)


def backup_and_write(path: Path, text: str) -> None:
    backup = path.with_name(path.name + "~")
    path.rename(backup)
    path.write_text(text)
    backup.unlink()


def backup_and_rename(path: Path, text: str) -> None:
    shutil.copy2(path, path.with_suffix(".bak"))
    write_and_rename(path, text)


def probe_and_write(path: Path, text: str) -> None:
    probe = path.with_name("4913")
    probe.touch()
    probe.unlink()
    backup_and_write(path, text)


def delete_and_write(path: Path, text: str) -> None:
    path.unlink()
    path.write_text(text)


def move_in(path: Path, text: str) -> None:
    elsewhere = path.parents[3] / "elsewhere.json"
    elsewhere.write_text(text)
    elsewhere.replace(path)


def save_twice(path: Path, text: str) -> None:
    path.write_text(text)
    path.write_text(text)


def save_and_set_mode(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o600)
    os.utime(path)


WAYS = (
    in_place,
    over_the_old,
    in_pieces,
    truncate_and_write,
    write_and_rename,
    hidden_and_rename,
    backup_and_write,
    backup_and_rename,
    probe_and_write,
    delete_and_write,
    move_in,
    save_twice,
    save_and_set_mode,
)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_each_way_of_saving_is_one_build_of_a_whole_file(
    way: Callable[[Path, str], None], preview: Preview, record: Path
) -> None:
    text = record.read_text()
    with builds(preview, 1):
        news = preview.after(lambda: way(record, with_median(text, MEDIAN)))
        assert news.outcome.failed == ()
        assert news.outcome.files == (record,)
        assert str(MEDIAN) in shown_medians(preview)


def test_a_file_that_stays_open_is_shown_and_not_again_when_it_is_closed(preview: Preview, record: Path) -> None:
    text = with_median(record.read_text(), MEDIAN)
    with builds(preview, 1), record.open("w") as file:

        def write() -> None:
            file.write(text)
            file.flush()

        assert preview.after(write).outcome.failed == ()
        assert str(MEDIAN) in shown_medians(preview)


def test_reading_and_touching_and_other_files_trigger_nothing(preview: Preview, record: Path) -> None:
    with builds(preview, 0):
        for path in preview.place.rglob("*"):
            if path.is_file():
                path.read_bytes()
        os.utime(record)
        record.write_bytes(record.read_bytes())
        (record.parent / ".hidden.json").write_text("{")
        (record.parent / "notes.txt").write_text("x")
        (preview.templates / "base.html~").write_text("{% if")
        (preview.static / ".site.css.swp").write_text("x")
        (preview.place / "README.md").write_text("x")


def test_a_new_file_appears_and_a_deleted_one_goes(preview: Preview, record: Path) -> None:
    new = record.with_name("new.json")
    news = preview.after(lambda: new.write_text(with_median(record.read_text(), MEDIAN)))
    assert news.outcome.files == (new,)
    assert str(MEDIAN) in shown_medians(preview)
    preview.after(new.unlink)
    assert str(MEDIAN) not in shown_medians(preview)
    assert preview.build == 3


def test_a_file_moved_out_of_sight_goes_at_once(preview: Preview, record: Path, tmp_path: Path) -> None:
    before = len(preview.get("/data/runs.jsonl").text.splitlines())
    preview.after(lambda: record.rename(tmp_path / "elsewhere.json"))
    assert len(preview.get("/data/runs.jsonl").text.splitlines()) == before - 1


def test_a_renamed_file_is_one_build(preview: Preview, record: Path) -> None:
    with builds(preview, 1):
        preview.after(lambda: record.rename(record.with_name("renamed.json")))
        files = {run.file for run in preview.session.state.version.site.pages.book.judged.catalogue.loaded.runs}  # type: ignore[union-attr]
        assert "liger/layer_norm/renamed.json" in files
        assert "liger/layer_norm/001-forward-liger.json" not in files


class TestFolders:
    """Folders come, go and move with all that is in them."""

    def test_a_new_one_appears_and_is_watched(self, preview: Preview) -> None:
        new = preview.records / "gpumode/trimul"
        preview.after(lambda: shutil.copytree(SAMPLE / "gpumode/trimul", new))
        assert preview.get("/kernels/").text.count("trimul")
        before = len(shown_medians(preview))
        with builds(preview, 1):
            preview.after((new / "001.json").unlink)
        assert len(shown_medians(preview)) <= before

    def test_one_that_is_renamed_moves_and_is_watched(self, preview: Preview) -> None:
        new = preview.records / "liger/other"
        preview.after(lambda: (preview.records / "liger/layer_norm").rename(new))
        text = (new / "001-forward-liger.json").read_text()
        news = preview.after(lambda: in_place(new / "001-forward-liger.json", with_median(text, MEDIAN)))
        assert news.outcome.files == (new / "001-forward-liger.json",)
        assert str(MEDIAN) in shown_medians(preview)

    def test_one_that_is_moved_out_of_sight_goes_and_may_come_back(self, preview: Preview, tmp_path: Path) -> None:
        shutil.copytree(SAMPLE / "gpumode/trimul", tmp_path / "trimul")
        here = preview.records / "trimul"
        for _ in range(2):
            preview.after(lambda: (tmp_path / "trimul").rename(here))
            assert "trimul" in preview.get("/kernels/").text
            preview.after(lambda: here.rename(tmp_path / "trimul"))
            assert "trimul" not in preview.get("/kernels/").text

    def test_the_folder_of_records_itself_may_be_replaced(self, preview: Preview, tmp_path: Path) -> None:
        news = preview.after(lambda: preview.records.rename(tmp_path / "old"))
        assert [problem.code for problem in news.outcome.failed] == ["folder-missing"]
        assert preview.get("/").status == 200
        (tmp_path / "again/liger").mkdir(parents=True)
        shutil.copytree(tmp_path / "old/liger/layer_norm", tmp_path / "again/liger/layer_norm")
        assert preview.after(lambda: (tmp_path / "again").rename(preview.records)).outcome.failed == ()
        record = preview.records / "liger/layer_norm/001-forward-liger.json"
        preview.after(lambda: in_place(record, with_median(record.read_text(), MEDIAN)))
        assert str(MEDIAN) in shown_medians(preview)


def git(place: Path, *words: str) -> None:
    settings = (
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@example.org",
        "-c",
        "init.defaultBranch=main",
        "-c",
        "gc.auto=0",
    )
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *settings, "-C", place, *words], check=True, capture_output=True, env=environment)


def test_a_checkout_of_200_files_is_one_build(start: Start, place: Path, record: Path) -> None:
    text = record.read_text()
    many = place / "records/many"
    many.mkdir()

    def write(base: int) -> None:
        for number in range(200):
            (many / f"{number:03}.json").write_text(with_median(text, base + number))

    git(place, "init")
    write(50_000)
    git(place, "add", "records")
    git(place, "commit", "-m", "one")
    git(place, "checkout", "-b", "other")
    write(60_000)
    git(place, "commit", "-a", "-m", "other")
    preview = start()
    with builds(preview, 1):
        news = preview.after(lambda: git(place, "checkout", "main"))
        assert len(news.outcome.files) == 200
        assert "50199" in shown_medians(preview)
        assert "60000" not in shown_medians(preview)


def test_what_changed_while_it_was_read_is_not_missed(place: Path, record: Path) -> None:
    preview = Preview(place)
    try:
        preview.session.load()
        preview.news.get_nowait()
        in_place(record, with_median(record.read_text(), MEDIAN))
        assert preview.after(preview.session.start).outcome.files == (record,)
    finally:
        preview.stop()


def problems(news: News) -> list[tuple[str, str, int | None]]:
    return [(Path(each.file).name, each.code, each.line) for each in news.outcome.failed]


class TestWrongRecords:
    """The site stays as it was, and all that is wrong is told, until it is right."""

    def test_the_last_good_site_stays(self, preview: Preview, record: Path) -> None:
        text = record.read_text()
        before = preview.get("/kernels/").text
        other = record.with_name("003-forward-liger.json")
        news = preview.after(lambda: in_place(record, text[:700]))
        assert problems(news) == [(record.name, "truncated", news.outcome.failed[0].line)]
        news = preview.after(lambda: in_place(other, other.read_text().replace('"passed"', '"fine"')))
        assert [name for name, _, _ in problems(news)] == [record.name, other.name]
        assert preview.get("/kernels/").text == before
        told = preview.poll()["problems"]
        assert [each["code"] for each in told] == ["truncated", "unknown-status"]
        assert told[1]["place"] == "run.spec.status"
        assert told[1]["file"].startswith(f"{other}:")
        assert all(each["message"] and each["hint"] for each in told)
        preview.after(lambda: in_place(other, other.read_text().replace('"fine"', '"passed"')))
        news = preview.after(lambda: in_place(record, text))
        assert news.outcome.failed == ()
        assert preview.poll()["problems"] == []

    def test_the_page_of_a_broken_record_stays(self, preview: Preview, record: Path) -> None:
        site = preview.session.state.version.site
        assert site is not None
        run = next(run for run in site.pages.book.judged.catalogue.loaded.runs if record.match(f"*/{run.file}"))
        at = f"/runs/{run.digest[7:9]}/{run.digest[7:]}.html"
        before = preview.get(at).text
        preview.after(lambda: in_place(record, "{"))
        assert preview.get(at).text == before

    def test_a_warning_does_not_hold_it_back(self, preview: Preview, record: Path) -> None:
        text = with_median(record.read_text(), MEDIAN).replace('"title":', '"mood": "good", "title":', 1)
        news = preview.after(lambda: in_place(record, text))
        assert {problem.code for problem in news.outcome.problems} == {"unknown-field"}
        assert news.outcome.failed == ()
        assert str(MEDIAN) in shown_medians(preview)

    def test_when_the_first_load_fails_the_page_shows_what_is_wrong(self, start: Start, record: Path) -> None:
        text = record.read_text()
        record.write_text('{"run": <b>')
        preview = start()
        for path in ("/", "/kernels/index.html", "/anything"):
            reply = preview.get(path)
            assert reply.status == 503
            assert "There is no site to show yet" in reply.text
            assert record.name in reply.text
            assert "error[not-json]" in reply.text
            assert "/_sitegen/reload.js" in reply.text
        pages = preview.poll()["pages"]
        news = preview.after(lambda: in_place(record, '{"run": 1}'))
        assert news.outcome.site is None
        assert preview.poll()["pages"] > pages, "the page that shows what is wrong is another one"
        preview.after(lambda: in_place(record, text))
        assert preview.get("/kernels/").status == 200


class TestTemplates:
    """A template is a file like others, and what is wrong in it has a line."""

    def edit(self, preview: Preview, name: str, old: str, new: str) -> News:
        path = preview.templates / name
        text = path.read_text()
        assert old in text
        return preview.after(lambda: path.write_text(text.replace(old, new, 1)))

    def test_a_change_is_shown(self, preview: Preview) -> None:
        self.edit(preview, "base.html", "<body>", '<body><p id="new">New</p>')
        assert '<p id="new">New</p>' in preview.get("/").text

    def test_the_grammar(self, preview: Preview) -> None:
        before = preview.get("/kernels/").text
        news = self.edit(preview, "kernels.html", "{% block main %}", "{% block main %}\n{% if %}")
        lines = (preview.templates / "kernels.html").read_text().splitlines()
        assert problems(news) == [("kernels.html", "template-syntax", lines.index("{% if %}") + 1)]
        assert preview.get("/kernels/").text == before
        assert preview.get("/hardware/").status == 200, "a page that nobody had seen yet stays as it was, too"
        news = self.edit(preview, "kernels.html", "\n{% if %}", "")
        assert news.outcome.failed == ()

    @pytest.mark.parametrize(
        ("wrong", "code"),
        [
            ("{{ nothing }}", "template-undefined"),
            ("{{ view.nothing }}", "template-undefined"),
            ("{{ 1 + 'a' }}", "template-failed"),
            ("{{ 1 / 0 }}", "template-failed"),
            ("{% include 'nothing.html' %}", "template-missing"),
            ("{{ 1 | nothing }}", "template-syntax"),
        ],
    )
    @pytest.mark.parametrize("seen", [True, False])
    def test_what_fails_when_a_page_is_rendered(self, preview: Preview, wrong: str, code: str, seen: bool) -> None:
        path = preview.templates / "kernels.html"
        lines = path.read_text().replace("{% block main %}", "{% block main %}\n" + wrong, 1)
        if seen:
            before = preview.get("/kernels/").text
            news = preview.after(lambda: path.write_text(lines))
        else:
            preview.after(lambda: path.write_text(lines))
            before = preview.get("/kernels/").text
            news = preview.news.get(timeout=LONG_S)
        assert problems(news) == [("kernels.html", code, lines.splitlines().index(wrong) + 1)]
        assert preview.get("/kernels/").text.split('<script src="/_')[0] == before.split('<script src="/_')[0]
        assert [each["code"] for each in preview.poll()["problems"]] == [code]
        text = lines.replace("\n" + wrong, "")
        assert preview.after(lambda: path.write_text(text)).outcome.failed == ()

    def test_when_it_is_wrong_from_the_start(self, start: Start, place: Path) -> None:
        path = place / "templates/base.html"
        text = path.read_text()
        path.write_text(text.replace("<body>", "<body>{{ nothing }}", 1))
        preview = start()
        reply = preview.get("/")
        assert reply.status == 503
        assert "error[template-undefined]" in reply.text
        assert problems(preview.news.get(timeout=LONG_S))[0][:2] == ("base.html", "template-undefined")
        preview.after(lambda: path.write_text(text))
        assert preview.get("/").status == 200

    def test_one_that_is_missing_or_unreadable(self, preview: Preview) -> None:
        path = preview.templates / "method.html"
        text = path.read_text()
        preview.get("/method/")
        news = preview.after(path.unlink)
        assert [problem.code for problem in news.outcome.failed] == ["template-missing"]
        assert preview.get("/method/").status == 200
        preview.after(lambda: path.write_text(text))
        news = preview.after(lambda: path.write_bytes(b"\xff"))
        assert problems(news) == [("method.html", "template-not-utf8", None)]

    def test_the_markdown_of_a_page(self, preview: Preview) -> None:
        path = preview.templates / "method.md"
        preview.after(lambda: path.write_text(path.read_text() + "\n## A new part\n\nNew *words*.\n"))
        assert "New <em>words</em>." in preview.get("/method/").text


class TestTheUsersOwnTemplates:
    """The settings may name a folder of templates, which is then watched like ours."""

    def test_come_change_and_go(self, preview: Preview) -> None:
        own = preview.place / "own"
        news = preview.after(lambda: preview.config.write_text('templates = "own"\n'))
        assert problems(news) == [("sitegen.toml", "templates-missing", 1)]
        assert preview.after(own.mkdir).outcome.failed == ()
        text = (preview.templates / "method.html").read_text()
        for mark in ("Mark 1", "Mark 2"):
            changed = text.replace("{% block main %}", "{% block main %}" + mark, 1)
            preview.after(lambda changed=changed: (own / "method.html").write_text(changed))  # type: ignore[misc]
            assert mark in preview.get("/method/").text
        news = preview.after(lambda: (own / "method.html").write_text("{% if"))
        assert problems(news) == [("method.html", "template-syntax", 1)]
        preview.after(preview.config.unlink)
        assert "Mark 2" not in preview.get("/method/").text


class TestStatic:
    """Static files have names that change with them."""

    def test_a_style_sheet_changes_no_page(self, preview: Preview) -> None:
        before = preview.poll()
        path = preview.static / "site.css"
        preview.after(lambda: path.write_text(path.read_text() + "\nbody { outline: 0 }\n"))
        after = preview.poll()
        assert after["build"] == before["build"] + 1
        assert after["pages"] == before["pages"]
        assert after["styles"]["site"] != before["styles"]["site"]
        assert after["styles"]["charts"] == before["styles"]["charts"]
        assert "outline: 0" in preview.get(after["styles"]["site"]).text
        assert preview.get(before["styles"]["site"]).status == 200, "a page of before may just be loading"
        assert f'href="{after["styles"]["site"][1:]}"' in preview.get("/").text

    def test_a_script_does(self, preview: Preview) -> None:
        before = preview.poll()["pages"]
        path = preview.static / "site.js"
        preview.after(lambda: path.write_text(path.read_text() + "\n"))
        assert preview.poll()["pages"] > before

    def test_one_that_is_gone_is_a_problem(self, preview: Preview) -> None:
        news = preview.after((preview.static / "theme.js").unlink)
        assert problems(news) == [("theme.js", "static-unreadable", None)]
        assert preview.get("/").status == 200


class TestSettings:
    """sitegen.toml comes, changes and goes."""

    def test_a_title(self, preview: Preview) -> None:
        preview.after(lambda: preview.config.write_text('title = "Kernels here"\n'))
        assert "Kernels here" in preview.get("/kernels/").text
        preview.after(preview.config.unlink)
        assert "Kernels here" not in preview.get("/kernels/").text

    def test_baselines_judge_anew(self, preview: Preview) -> None:
        before = preview.get("/").text
        text = '[sources.liger-kernel-bench]\nbaselines = ["liger"]\n'
        preview.after(lambda: preview.config.write_text(text))
        assert preview.get("/").text.split('<script src="/_')[0] != before.split('<script src="/_')[0]

    def test_what_was_renamed_leads_on(self, preview: Preview) -> None:
        alias = '[aliases.kernels]\n"liger-kernel-bench/old_norm" = '
        preview.after(lambda: preview.config.write_text(alias + '"layer_norm"\n'))
        old = "/" + address.kernel("liger-kernel-bench", "old_norm")
        reply = preview.get(old)
        assert reply.status == 200
        assert "layer_norm.html" in reply.text
        news = preview.after(lambda: preview.config.write_text(alias + '"nothing"\n'))
        assert problems(news) == [("sitegen.toml", "wrong-alias", 2)]
        preview.after(preview.config.unlink)
        assert preview.get(old).status == 404

    def test_a_base_address_is_in_the_sitemap(self, preview: Preview) -> None:
        preview.after(lambda: preview.config.write_text('base_url = "https://one.example.org"\n'))
        assert "https://one.example.org/kernels/" in preview.get("/sitemap.xml").text
        preview.after(lambda: preview.config.write_text('base_url = "https://two.example.org"\n'))
        assert "https://two.example.org/kernels/" in preview.get("/sitemap.xml").text

    def test_a_mistake_is_a_problem_with_a_line(self, preview: Preview) -> None:
        news = preview.after(lambda: preview.config.write_text('title = "x"\nbase_url = 3\n'))
        assert problems(news) == [("sitegen.toml", "wrong-setting", 2)]


class TestPolling:
    """Where the system does not tell, the files are looked at again and again."""

    def test_as_asked_for(self, start: Start, record: Path) -> None:
        preview = start(poll=True)
        assert preview.polls == "as asked for"
        preview.after(lambda: in_place(record, with_median(record.read_text(), MEDIAN)))
        assert str(MEDIAN) in shown_medians(preview)

    def test_where_no_watches_are_left(self, start: Start, record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse() -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("sitegen.preview.watch.Observer", refuse)
        preview = start()
        assert preview.polls == "because the system has no watches left (No space left on device)"
        preview.after(lambda: in_place(record, with_median(record.read_text(), MEDIAN)))
        assert str(MEDIAN) in shown_medians(preview)

    def test_where_they_run_out_later(self, preview: Preview, monkeypatch: pytest.MonkeyPatch) -> None:
        assert preview.polls == ""
        monkeypatch.setattr("sitegen.preview.watch._most_watches", lambda: 1)
        news = preview.after(lambda: shutil.copytree(SAMPLE / "gpumode/trimul", preview.records / "trimul"))
        assert news.polls == "because the system has no watches left"
        record = preview.records / "trimul/001.json"
        assert preview.after(record.unlink).outcome.files == (record,)


def test_records_behind_a_link_are_watched(tmp_path: Path) -> None:
    place = a_place(tmp_path / "place")
    shutil.copytree(SAMPLE / "gpumode/trimul", tmp_path / "elsewhere")
    (place / "records/linked").symlink_to(tmp_path / "elsewhere")
    preview = Preview(place).start()
    try:
        news = preview.after((tmp_path / "elsewhere/001.json").unlink)
        assert news.outcome.files == (place / "records/linked/001.json",)
    finally:
        preview.stop()
