"""Static files: a name that changes with the content, and prose from Markdown."""

import hashlib
import re
from pathlib import Path

import pytest

from sitegen.render import read_assets, render_markdown, template_folder

OURS = ("site.css", "charts.css", "site.js", "charts.js", "theme.js", "favicon.svg")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in OURS:
        (tmp_path / name).write_bytes((template_folder("static") / name).read_bytes())
    return tmp_path


def test_a_name_holds_the_hash_of_the_content(folder: Path) -> None:
    assets = read_assets(folder)
    for asset in assets.files:
        (mark,) = re.findall(r"^assets/[a-z]+\.([0-9a-f]{10})\.(?:css|js|svg)$", asset.address)
        assert hashlib.sha256(asset.content).hexdigest().startswith(mark)
    named = {assets.css, assets.charts_css, assets.js, assets.charts_js, assets.theme, assets.icon, assets.plotly}
    assert named == {asset.address for asset in assets.files}


def test_a_file_that_changes_has_another_name_and_the_others_keep_theirs(folder: Path) -> None:
    before = read_assets(folder)
    (folder / "site.css").write_bytes(b"body{}")
    after = read_assets(folder)
    assert after.css != before.css
    assert (after.js, after.charts_js, after.plotly) == (before.js, before.charts_js, before.plotly)


def test_the_chart_library_is_the_installed_one_and_asks_nobody(folder: Path) -> None:
    assets = read_assets(folder)
    (script,) = [asset for asset in assets.files if asset.address == assets.plotly]
    assert len(script.content) > 1_000_000
    assert b"plotly.js v" in script.content[:200]


def test_a_file_that_is_missing_is_an_error_that_names_it(folder: Path) -> None:
    (folder / "theme.js").unlink()
    with pytest.raises(FileNotFoundError, match=r"theme\.js"):
        read_assets(folder)


def test_our_own_scripts_name_no_other_host() -> None:
    for name in OURS:
        text = (template_folder("static") / name).read_text(encoding="utf-8")
        hosts = set(re.findall(r"(?:https?:)?//([a-z0-9-]+\.[a-z0-9.-]+)", text))
        assert hosts <= {"www.w3.org"}, name


def test_prose_becomes_markup_with_its_headings() -> None:
    markup, contents = render_markdown("## Ranks & ties\n\nA *tie*.\n\n### Deeper\n\n| a |\n| - |\n| 1 |\n")
    assert contents == (("Ranks & ties", "ranks-ties"),)
    assert '<h2 id="ranks-ties">Ranks &amp; ties</h2>' in markup
    assert "<em>tie</em>" in markup
    assert '<h3 id="deeper">' in markup
    assert "<td>1</td>" in markup


@pytest.mark.parametrize(
    "text", ["<script>x</script>", "a <img src=x onerror=y>", "[x](javascript:alert(1))", "<!-- x -->"]
)
def test_prose_brings_no_markup_of_its_own(text: str) -> None:
    markup, _ = render_markdown(text)
    assert "<script" not in markup
    assert "<img" not in markup
    assert "<!--" not in markup
    assert 'href="javascript' not in markup
