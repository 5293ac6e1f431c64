"""Compiled templates that are kept from run to run, and not believed when they are not what they should be."""

from pathlib import Path

import pytest
from jinja2 import Environment

from sitegen.render import Renderer, compiled_templates
from sitegen.render import compiled as module


@pytest.fixture
def templates(tmp_path: Path) -> Path:
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "a.html").write_text("{{ text }} and {{ text }}")
    return folder


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    folder = tmp_path / "kept"
    folder.mkdir()
    return folder


def shown(templates: Path, kept: Path) -> str:
    return Renderer([templates], compiled_templates(kept)).fragment("a.html", {"text": "<b>"})


def no_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a template was compiled")

    monkeypatch.setattr(Environment, "compile", refuse)


def test_a_template_is_compiled_once_for_all_runs(templates: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = shown(templates, kept)
    no_compiling(monkeypatch)
    assert shown(templates, kept) == first == "&lt;b&gt; and &lt;b&gt;"


def test_a_template_that_changed_is_compiled_again(templates: Path, kept: Path) -> None:
    shown(templates, kept)
    (templates / "a.html").write_text("{{ text }}!")
    assert shown(templates, kept) == "&lt;b&gt;!"


def test_what_another_compiler_made_is_not_taken(templates: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown(templates, kept)
    monkeypatch.setattr(module.jinja2, "__version__", "another")
    no_compiling(monkeypatch)
    with pytest.raises(AssertionError, match="was compiled"):
        shown(templates, kept)


@pytest.mark.parametrize("left", [0, 3, 20, 60, 200])
def test_a_kept_file_that_is_cut_off_or_spoilt_is_made_again(templates: Path, kept: Path, left: int) -> None:
    shown(templates, kept)
    (file,) = kept.iterdir()
    whole = file.read_bytes()
    for spoilt in (whole[:left], whole[:left] + bytes(50)):
        file.write_bytes(spoilt)
        assert shown(templates, kept) == "&lt;b&gt; and &lt;b&gt;"
        assert file.read_bytes() == whole


def test_where_nothing_can_be_kept_templates_are_compiled_each_time(templates: Path, tmp_path: Path) -> None:
    assert shown(templates, tmp_path / "absent") == "&lt;b&gt; and &lt;b&gt;"
    assert not (tmp_path / "absent").exists()


def test_a_folder_that_is_not_the_users_own_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> str:
        raise RuntimeError("Cannot determine safe temp directory.")

    monkeypatch.setattr(module.FileSystemBytecodeCache, "_get_default_cache_dir", refuse)
    assert compiled_templates() is None
