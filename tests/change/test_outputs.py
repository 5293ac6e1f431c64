"""A difference as Markdown and as a page: what is cut, and that text from records stays text."""

import base64
import hashlib
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from sitegen.change import as_markdown, as_page, change_facts, compare, headline
from sitegen.change.markdown import LONGEST, code
from sitegen.load import Run
from sitegen.problem import Problem, Severity
from sitegen.render import Renderer, template_folder
from tests.change.sides import at, changed, plain, side
from tests.conftest import ROOT
from tests.making import failed, latency, run, sized

RENDERER = Renderer((template_folder("templates"),))
STYLE = (ROOT / "static/site.css").read_text(encoding="utf-8")
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "`](javascript:alert(1))",
    "[a](https://example.org) @everyone #1",
    "**bold** ``` ~~~",
    "{{ 7 * 7 }}{% raw %}",
    "a\n\n# b\n<!-- x",
    "\x1b[31mred\u202e",
    "-->",
)
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough")


def many(count: int) -> tuple[Run, ...]:
    return tuple(run("liger", latency(100 + place), **sized("hidden", place + 1)) for place in range(count))


def kinds(text: str) -> set[str]:
    """The kinds of tokens that a reader of Markdown finds."""
    blocks = MARKDOWN.parse(text)
    return {token.type for token in blocks} | {child.type for block in blocks for child in block.children or ()}


OURS = {
    *("heading_open", "heading_close", "paragraph_open", "paragraph_close", "inline", "text", "code_inline"),
    *("bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close", "strong_open", "strong_close"),
}


class TestMarkdown:
    """For a comment on a pull request."""

    @given(st.text(max_size=100))
    def test_any_text_is_one_code_span(self, text: str) -> None:
        (block,) = [token for token in MARKDOWN.parse(f"On {code(text)}, yes") if token.type == "inline"]
        inside = [(child.type, child.content) for child in block.children or ()]
        if not text.strip(" "):  # any other space is shown by its escape
            assert inside == [("text", "On (no name), yes")]
            return
        escaped = "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)
        assert inside == [("text", "On "), ("code_inline", escaped), ("text", ", yes")]

    @pytest.mark.parametrize("text", HOSTILE)
    def test_text_of_records_stays_text(self, text: str) -> None:
        problem = Problem(Severity.ERROR, "not-json", f"records/{text}.json", "", text, text, 1)
        old = side(text, at(0, "liger", 100, 90, 110))
        runs = (at(0, "liger", 100, 90, 110), run(text, latency(1, 0.5, 2), release=text, kernel=text, pass_name=text))
        new = side(text, *runs, failed(text, unranked=text, workload_label=text), problems=(problem,))
        report = as_markdown(compare(old, new), RENDERER).decode()
        assert kinds(report) <= OURS
        assert "\x1b" not in report

    def test_no_difference_is_one_line(self) -> None:
        report = as_markdown(changed(many(2), many(2)), RENDERER).decode()
        assert report == ("No difference between `old` and `new`: 2 runs in 2 comparison groups.\n")

    def test_a_long_list_is_told_by_kernel_and_gpu(self) -> None:
        report = as_markdown(changed((), many(21)), RENDERER).decode()
        assert "- On `NVIDIA A100 SXM4-80GB`, `rms_norm`: 21 groups.\n" in report
        assert "- On `NVIDIA A100 SXM4-80GB`, `rms_norm`: 21 runs.\n" in report
        assert "#### Runs added (21)" in report

    def test_what_is_left_out_is_counted(self) -> None:
        before = many(25)
        later = {"observed_ms": before[0].observed_ms + 1}
        after = [run("liger", latency(1000 + n), **sized("hidden", n + 1), **later) for n in range(25)]
        report = as_markdown(changed(before, (*before, *after)), RENDERER).decode()
        assert report.count("` is **") == 20
        assert "- … and 5 more, not listed here\n" in report

    def test_it_fits_into_a_comment(self) -> None:
        runs = [run(f"{place}" + "x" * 400, kernel=f"k{place}" + "`" * 300, release="r" * 500) for place in range(400)]
        report = as_markdown(changed((), tuple(runs)), RENDERER).decode()
        assert len(report) <= LONGEST
        assert "#### Runs added (400)" in report


class TestPage:
    """One HTML file."""

    def test_it_needs_no_other_file_and_runs_nothing(self) -> None:
        page = as_page(changed((), many(3)), RENDERER, STYLE).decode()
        assert re.findall(r"<(?:script|link|iframe|img|object|base)\b", page) == []
        assert re.findall(r'(?:src|href)="([^"#][^"]*)"', page) == []
        (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
        (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
        assert f"'sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}'" in policy
        assert "default-src 'none'" in policy
        assert 'style="' not in page

    @pytest.mark.parametrize("text", HOSTILE)
    def test_text_of_records_stays_text(self, text: str) -> None:
        old = side(text, at(0, "liger", 100, 90, 110))
        new = side(text, run(text, release=text, kernel=text, pass_name=text), failed(text, unranked=text))
        harmless = as_page(changed((at(0, "liger", 100, 90, 110),), (run("x"), failed("x"))), RENDERER, STYLE)
        page = as_page(compare(old, new), RENDERER, STYLE).decode()
        tags = set(re.findall(r"<[a-z!/][^\s>]*", page))
        assert tags <= {*re.findall(r"<[a-z!/][^\s>]*", harmless.decode()), "<wbr"}

    def test_it_lists_everything(self) -> None:
        page = as_page(changed((), many(50)), RENDERER, STYLE).decode()
        assert page.count('<tr><th scope="row">') == 100

    def test_no_difference_is_said(self) -> None:
        page = as_page(changed(many(1), many(1)), RENDERER, STYLE).decode()
        assert "No difference between <code>old</code> and <code>new</code>: 1 run in 1 comparison group." in page

    def test_a_style_sheet_that_would_end_its_element_is_refused(self) -> None:
        with pytest.raises(ValueError, match="closing tag"):
            as_page(changed((), ()), RENDERER, "</style>")


class TestFacts:
    """Everything, for programs."""

    def test_each_figure_has_its_spread_and_its_run(self) -> None:
        before, after = at(0, "liger", 100, 95, 105), at(1, "liger", 120, 118, 122)
        facts = change_facts(changed((before,), (before, after)))
        (slower,) = json.loads(json.dumps(facts))["slower"]
        # 100 / 120; 95 / 122 and 105 / 118.
        assert slower["ratio"] == {
            "value": pytest.approx(0.8333, abs=1e-4),
            "low": pytest.approx(0.7787, abs=1e-4),
            "high": pytest.approx(0.8898, abs=1e-4),
            "verdict": "slower",
        }
        assert (slower["before"]["run"], slower["after"]["run"]) == (before.digest, after.digest)
        assert [slower["after"][part] for part in ("value", "low", "high", "unit")] == [120, 118, 122, "ns"]
        assert facts["happened"]["regression"] == 1

    def test_nothing_is_cut(self) -> None:
        facts = change_facts(changed((), many(50)))
        assert len(facts["added"]) == len(facts["groupsNew"]) == 50
        assert facts["empty"] is False

    def test_sides_are_counted(self) -> None:
        facts = change_facts(changed(many(1), many(3)))
        assert (facts["before"]["runs"], facts["after"]["runs"], facts["after"]["name"]) == (1, 3, "new")


def test_errors_of_the_new_side_are_said_to_be_left_out() -> None:
    problem = Problem(Severity.ERROR, "not-json", "records/a.json", "", "It is no JSON.", "Mend it.", 1)
    lines = [plain(text) for text in headline(compare(side("old"), side("new", problems=(problem,))))]
    assert lines[-1] == "The new side has 1 error; what these files hold takes no part in this."
