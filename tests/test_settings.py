"""The site's settings, from `sitegen.toml`."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from sitegen.problem import Problem
from sitegen.settings import Settings, absolute_url, read_settings
from sitegen.sources import baselines, display_name

LIGER = "liger-kernel-bench"


def read(tmp_path: Path, text: str | bytes) -> tuple[Settings, tuple[Problem, ...]]:
    path = tmp_path / "sitegen.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_settings(path)


def test_without_a_file_there_are_defaults(tmp_path: Path) -> None:
    settings, problems = read_settings(tmp_path / "sitegen.toml")
    assert problems == ()
    assert settings == Settings()
    assert (settings.title, settings.base_url) == ("GPU kernel benchmarks", "")
    assert settings.description.endswith(".")
    assert baselines(LIGER, settings) == ("huggingface", "torch")


def test_all_can_be_set(tmp_path: Path) -> None:
    text = """
title = "Kernels"
description = "Ours."
base_url = "https://bench.example.org/kernels/"

[sources.ours]
name = "Our own"
baselines = ["reference", "eager"]

[sources.liger-kernel-bench]
baselines = []
"""
    settings, problems = read(tmp_path, text)
    assert problems == ()
    assert (settings.title, settings.description) == ("Kernels", "Ours.")
    assert settings.base_url == "https://bench.example.org/kernels"
    assert baselines("ours", settings) == ("reference", "eager")
    assert display_name("ours", settings) == "Our own"
    assert baselines(LIGER, settings) == ()


def test_a_source_that_is_only_renamed_keeps_its_baselines(tmp_path: Path) -> None:
    settings, problems = read(tmp_path, '[sources.liger-kernel-bench]\nname = "Liger"\n')
    assert problems == ()
    assert display_name(LIGER, settings) == "Liger"
    assert baselines(LIGER, settings) == ("huggingface", "torch")


def test_another_source_does_not_take_the_defaults_away(tmp_path: Path) -> None:
    settings, _ = read(tmp_path, '[sources.ours]\nbaselines = ["eager"]\n')
    assert baselines(LIGER, settings) == ("huggingface", "torch")


@pytest.mark.parametrize(
    ("text", "place", "line", "said"),
    [
        ('\ntitel = "x"', "titel", 2, "There is no setting titel."),
        (
            '[sources.a]\nname = "x"\nbaseline = ["y"]',
            "sources.a.baseline",
            3,
            "There is no setting sources.a.baseline",
        ),
        ("title = 3", "title", 1, "title must be a text"),
        ('title = ""', "title", 1, "title is empty"),
        ('base_url = "bench.example.org"', "base_url", 1, "is not an absolute URL"),
        ('[sources.a]\n\nbaselines = "torch"', "sources.a.baselines", 3, "must be a list"),
        ('[sources.a]\nbaselines = ["torch", 3]', "sources.a.baselines[1]", 2, "must be a text"),
        ("sources = 3", "sources", 1, "must be a table"),
        ("[sources]\na = 3", "sources.a", 2, "must be a table"),
        ('[sources."a.b"]\nbaselines = 1', "sources.a.b.baselines", None, "must be a list"),
    ],
)
def test_a_wrong_setting_is_named_with_its_line(
    tmp_path: Path, text: str, place: str, line: int | None, said: str
) -> None:
    settings, (problem,) = read(tmp_path, text)
    assert (problem.severity, problem.place) == ("error", place)
    assert problem.file == str(tmp_path / "sitegen.toml")
    assert line is None or problem.line == line
    assert said in problem.message
    assert problem.hint
    assert settings.title == "GPU kernel benchmarks"


def test_one_wrong_setting_does_not_hide_the_others(tmp_path: Path) -> None:
    text = 'title = "Kept"\nbase_url = "nowhere"\ntitel = ""\n[sources.a]\nbaselines = [1, 2]\nname = "A"'
    settings, problems = read(tmp_path, text)
    assert [problem.place for problem in problems] == [
        "base_url",
        "sources.a.baselines[0]",
        "sources.a.baselines[1]",
        "titel",
    ]
    assert settings.title == "Kept"
    assert display_name("a", settings) == "A"


def test_text_that_is_not_toml_has_its_line(tmp_path: Path) -> None:
    settings, (problem,) = read(tmp_path, 'title = "x"\nbase_url = \n')
    assert (problem.code, problem.line) == ("settings-not-toml", 2)
    assert settings == Settings()


def test_a_file_that_is_not_utf_8_or_no_file_is_named(tmp_path: Path) -> None:
    assert [problem.code for problem in read(tmp_path, b'title = "\xff"')[1]] == ["settings-not-utf8"]
    assert [problem.code for problem in read_settings(tmp_path)[1]] == ["settings-unreadable"]


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(ValidationError):
        Settings().title = "x"  # type: ignore[misc] # this is what must fail


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("", ""),
        ("https://example.org", "https://example.org"),
        ("https://example.org/", "https://example.org"),
        ("http://localhost:8000/a/b/", "http://localhost:8000/a/b"),
    ],
)
def test_an_absolute_url_has_no_slash_at_its_end(text: str, url: str) -> None:
    assert absolute_url(text) == url


@pytest.mark.parametrize(
    "text",
    [
        "example.org",
        "/kernels",
        "//example.org",
        "javascript:alert(1)",
        "ftp://example.org",
        "https://",
        "https:///path",
        "https://example.org/?a=1",
        "https://example.org/#a",
        "https://example.org/a b",
        "https://example.org/\n",
        "https://[::1",
    ],
)
def test_what_is_no_address_of_a_site_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 -- what it says is not shown to anyone
        absolute_url(text)


def test_a_folder_of_templates_lies_beside_the_settings(tmp_path: Path) -> None:
    (tmp_path / "ours").mkdir()
    settings, problems = read(tmp_path, 'templates = "ours"')
    assert problems == ()
    assert settings.templates == tmp_path / "ours"


@pytest.mark.parametrize("text", ['templates = "ours"', 'title = "x"\ntemplates = "sitegen.toml"'])
def test_a_folder_of_templates_that_is_missing_is_an_error(tmp_path: Path, text: str) -> None:
    settings, (problem,) = read(tmp_path, text)
    assert settings.templates is None
    assert (problem.code, problem.line) == ("templates-missing", len(text.splitlines()))


def test_aliases_are_by_kind(tmp_path: Path) -> None:
    settings, problems = read(tmp_path, '[aliases.kernels]\n"lab/old" = "new"\n[aliases.hardware]\n"a/b" = "a/c"\n')
    assert problems == ()
    assert settings.aliases.kernels == {"lab/old": "new"}
    assert settings.aliases.hardware == {"a/b": "a/c"}


@pytest.mark.parametrize(
    ("text", "code", "line", "says"),
    [
        ('[aliases.gpus]\n"a" = "b"', "unknown-setting", 1, "There is no setting aliases.gpus."),
        ('[aliases.kernels]\n"lab/old" = 3', "wrong-setting", 2, "must be a text"),
        ('[aliases]\nkernels = "old"', "wrong-setting", 2, "must be a table"),
        ("templates = 3", "wrong-setting", 1, "must be a text"),
    ],
)
def test_a_mistake_in_aliases_and_templates_is_named(
    tmp_path: Path, text: str, code: str, line: int, says: str
) -> None:
    _, (problem,) = read(tmp_path, text)
    assert (problem.code, problem.line) == (code, line)
    assert says in problem.message
