"""Templates: every value escaped, every name defined, a frame that is put around what a page holds."""

from pathlib import Path

import pytest
from jinja2 import TemplateNotFound, UndefinedError
from markupsafe import Markup

from sitegen.render import Renderer, template_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "own"
    made.mkdir()
    return made


def renderer(folder: Path) -> Renderer:
    return Renderer([folder, template_folder("templates")])


def test_a_value_is_escaped_and_markup_is_not(folder: Path) -> None:
    (folder / "a.html").write_text("{{ text }}|{{ safe }}|{{ text ~ safe }}", encoding="utf-8")
    shown = renderer(folder).fragment("a.html", {"text": "<b> & \"'", "safe": Markup("<i>")})
    assert shown == "&lt;b&gt; &amp; &#34;&#39;|<i>|&lt;b&gt; &amp; &#34;&#39;<i>"
    assert isinstance(shown, Markup)


def test_a_name_that_is_not_defined_is_an_error(folder: Path) -> None:
    (folder / "a.html").write_text("{{ nothing }}", encoding="utf-8")
    (folder / "b.html").write_text("{{ view.nothing }}", encoding="utf-8")
    with pytest.raises(UndefinedError):
        renderer(folder).fragment("a.html", {})
    with pytest.raises(UndefinedError):
        renderer(folder).fragment("b.html", {"view": object()})


def test_of_two_templates_of_one_name_that_in_the_earlier_folder_is_taken(folder: Path) -> None:
    (folder / "method.md").write_text("ours", encoding="utf-8")
    assert renderer(folder).source("method.md") == "ours"
    assert renderer(folder).source("home.html") != "ours"


def test_a_template_that_is_nowhere_is_named(folder: Path) -> None:
    with pytest.raises(TemplateNotFound, match=r"nowhere\.html"):
        renderer(folder).fragment("nowhere.html", {})


def test_a_value_is_no_template(folder: Path) -> None:
    (folder / "a.html").write_text("{{ text }}", encoding="utf-8")
    assert renderer(folder).fragment("a.html", {"text": "{{ 7*7 }}{% raw %}"}) == "{{ 7*7 }}{% raw %}"


def test_a_page_is_utf_8(folder: Path) -> None:
    (folder / "a.html").write_text("µ {{ text }}", encoding="utf-8")
    page = renderer(folder).page("a.html", {"text": "日本", "root": "", "section": ""}, {})
    assert page.decode("utf-8") == "µ 日本"


def framed(folder: Path) -> Renderer:
    """Templates of our own: a frame with a cut in each of two places, and a page that fills them."""
    parts = "{% block one %}{% endblock %}{{ cut }}{% block two %}{% endblock %}"
    (folder / "parts.html").write_text(parts, encoding="utf-8")
    (folder / "frame.html").write_text("[{{ root }}{{ section }} {{ cut }} | {{ cut }}]", encoding="utf-8")
    page = "{% extends layout %}{% block one %}{{ text }}{% endblock %}{% block two %}2{% endblock %}"
    (folder / "page.html").write_text(page, encoding="utf-8")
    return Renderer([folder])


def test_a_frame_is_put_around_the_blocks_of_a_page(folder: Path) -> None:
    made = framed(folder)
    assert made.page("page.html", {"root": "../", "section": "data", "text": "<1>"}, {}) == b"[../data &lt;1&gt; | 2]"


def test_frames_are_kept_for_each_place_and_apart_for_each_site(folder: Path) -> None:
    made = framed(folder)
    mine: dict[tuple[str, str], list[bytes]] = {}
    made.page("page.html", {"root": "a", "section": "", "text": ""}, mine)
    made.page("page.html", {"root": "b", "section": "", "text": ""}, mine)
    assert set(mine) == {("a", ""), ("b", "")}
    mine["a", ""][0] = b"kept "
    assert made.page("page.html", {"root": "a", "section": "", "text": "x"}, mine).startswith(b"kept ")
    assert made.page("page.html", {"root": "a", "section": "", "text": "x"}, {}).startswith(b"[a ")


def test_no_text_can_cut_a_page(folder: Path) -> None:
    made = framed(folder)
    for text in ("<cut-0>", "<cut-" + "0" * 32 + ">", str(made.__dict__)):
        page = made.page("page.html", {"root": "", "section": "", "text": text}, {})
        assert page.startswith(b"[ ")
        assert page.endswith(b" | 2]")
