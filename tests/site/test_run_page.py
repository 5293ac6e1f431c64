"""A run's page: every figure exact, its place under its key, and the record whole."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sitegen.catalogue import build
from sitegen.load import load
from sitegen.settings import Settings
from sitegen.site import Site, address, build_site
from sitegen.site.run_page import shown_record
from tests.conftest import SAMPLE
from tests.load.good_records import Folder, changed, good, sealed
from tests.making import catalogue, digest, latency, run, score
from tests.site.pages import Element, files, read

Page = Callable[..., Element]


@pytest.fixture
def page_of(tmp_path: Path) -> Page:
    """Makes the page of the first of some records."""

    def make(*records: Any, settings: Settings | None = None) -> Element:
        folder = Folder(tmp_path / "records")
        for number, record in enumerate(records):
            folder.put(f"{number}.json", sealed(record) if "run" in record else record)
        loaded = folder.load()
        assert not [problem for problem in loaded.problems if problem.severity == "error"]
        site = build_site(build(loaded), settings or Settings())
        (first,) = [each for each in loaded.runs if each.file == "0.json"]
        return read(site.render(address.run(first)) or b"")

    return make


def figures(page: Element) -> list[tuple[str, ...]]:
    found = page.one("div", **{"aria-label": "Figures"})
    return [
        tuple(cell.text for cell in row.children if isinstance(cell, Element)) for row in found.one("tbody").all("tr")
    ]


def facts(page: Element) -> dict[str, str]:
    return {pair.one("dt").text: pair.one("dd").text for each in page.all("dl") for pair in each.all("div")}


def with_latencies(**values: Any) -> Any:
    return changed(good("liger"), "run", "spec", "timing", "latencyNs", to={"median": 532_416, **values})


def test_every_figure_is_exact_and_the_primary_one_first(page_of: Page) -> None:
    assert figures(page_of(with_latencies(mean=533_001, maximum=12_345_678))) == [
        ("median ranked by this", "latency", "532,416", "ns", "532 µs"),
        ("mean", "latency", "533,001", "ns", "533 µs"),
        ("maximum", "latency", "12,345,678", "ns", "12.3 ms"),
        ("p20", "latency", "529,101", "ns", "529 µs"),
        ("p80", "latency", "534,765", "ns", "535 µs"),
    ]


def test_a_score_is_shown_with_all_its_digits_and_no_exponent(page_of: Page) -> None:
    (row,) = figures(page_of(good("score")))
    assert row == ("geometric mean ranked by this", "score", "0.000010048658277929109", "s", "10.0 µs")


@pytest.mark.parametrize("odd", [{"mean": None}, {"p99": "fast"}, {"note": {"a": 1}}, {"p42": [1]}])
def test_what_is_no_figure_is_no_row(odd: Any, page_of: Page) -> None:
    assert [row[0] for row in figures(page_of(with_latencies(**odd)))] == ["median ranked by this", "p20", "p80"]


def test_a_count_of_samples_stands_with_its_figure_where_there_is_one(page_of: Page) -> None:
    record = good("liger")
    for place, count in ((0, 1234), (1, None)):
        record = changed(record, "run", "spec", "measurements", place, "sampleCount", to=count)
    assert [row[0] for row in figures(page_of(record))][1:] == ["p20, 1,234 samples", "p80"]


def test_only_the_figure_of_that_metric_and_statistic_ranks(page_of: Page) -> None:
    memory = {"metric": "memory", "statistic": "geomean", "unit": "MiB", "value": 512}
    other = good("score")["run"]["spec"]["measurements"][0]
    page = page_of(changed(good("score"), "run", "spec", "measurements", to=[memory, other]))
    assert [row[0] for row in figures(page)] == ["geometric mean ranked by this", "geometric mean"]
    assert [row[1] for row in figures(page)] == ["score", "memory"]


def test_a_failed_run_is_ranked_by_nothing(page_of: Page) -> None:
    page = page_of(changed(with_latencies(), "run", "spec", "status", to="incorrect_numerical"))
    assert [row[0] for row in figures(page)] == ["median", "p20", "p80"]
    assert "Ranked by" not in facts(page)
    assert page.one("div", kind="problem").text == "Not passedThe run gave numerically wrong results."
    assert page.one("p", kind="answer").text == "liger: its output is numerically wrong. No ranked run shares its key."


def test_a_run_without_figures_says_so(page_of: Page) -> None:
    page = page_of(good("failed"))
    assert "The record holds no figure." in page.text


def rival(value: int, low: int, high: int, name: str = "huggingface") -> Any:
    record = changed(good("liger"), "run", "spec", "timing", "latencyNs", "median", to=value)
    for place, bound in enumerate((low, high)):
        record = changed(record, "run", "spec", "measurements", place, "value", to=bound)
    external = record["run"]["spec"]["sourceNative"]["externalId"].replace("/liger/", f"/{name}/")
    return changed(record, "run", "spec", "sourceNative", "externalId", to=external)


def test_its_place_stands_in_words_and_in_facts(page_of: Page) -> None:
    page = page_of(good("liger"), rival(875_136, 873_306, 877_325))
    says = "liger took 532 µs (p20–p80 529–535): rank 1 of 2 in its group."
    assert page.one("p", kind="answer").text == says
    assert facts(page)["To the baseline"] == "1.64× faster (1.63–1.66)than huggingface"
    assert "To the leader" not in facts(page)


def test_a_tie_is_with_another_and_not_than_another(page_of: Page) -> None:
    page = page_of(good("liger"), rival(533_000, 530_000, 536_000))
    assert "rank 1–2 (tie) of 2" in page.one("p", kind="answer").text
    assert facts(page)["To the baseline"] == "1.00× tie (0.99–1.01)with huggingface"


def test_a_run_that_trails_is_slower_than_the_leader(page_of: Page) -> None:
    page = page_of(rival(875_136, 873_306, 877_325), good("liger"))
    assert "rank 2 of 2" in page.one("p", kind="answer").text
    assert facts(page)["To the leader"] == "1.64× slower (1.63–1.66)than liger"


def test_an_older_run_is_history_and_leads_to_the_newer(page_of: Page) -> None:
    newer = changed(good("liger"), "run", "spec", "observedAt", to="2025-01-01T00:00:00Z")
    page = page_of(good("liger"), newer)
    answer = page.one("p", kind="answer")
    assert answer.text.endswith("It is history in its group: a newer run stands for the implementation.")
    assert len([link for link in answer.all("a") if "/runs/" in link.attributes["href"]]) == 1
    assert "To the leader" not in facts(page)


def test_alone_in_its_group_it_has_no_rank_to_boast_of(page_of: Page) -> None:
    assert page_of(good("liger")).one("p", kind="answer").text == (
        "liger took 532 µs (p20–p80 529–535). It is the only implementation in its group."
    )


def test_it_says_how_to_cite_it(page_of: Page) -> None:
    cited = page_of(good("liger"), settings=Settings(base_url="https://example.org/bench")).one("p", kind="cite").text
    before, _, after = cited.partition(" sha256:")
    assert before == (
        "liger on cross_entropy (forward), NVIDIA A100 SXM4-80GB: 532 µs (p20–p80 529–535). Liger-Kernel, 2024-09-03."
    )
    name, _, where = after.partition(". ")
    assert where == f"https://example.org/bench/runs/{name[:2]}/{name}.html"


def test_the_record_stands_there_whole() -> None:
    loaded = load(SAMPLE)
    site = build_site(build(loaded), Settings())
    for each in loaded.runs:
        page = read(site.render(address.run(each)) or b"")
        text = (SAMPLE / each.file).read_text(encoding="utf-8")
        shown = page.one("div", kind="code-block").one("code").text
        assert json.loads(shown) == json.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        '{\n  "a": "<b> & </code>",\n  "c": {\n    "d": [\n      1\n    ]\n  }\n}',
        '{"a": 1}',
        '{\n    "four": {\n        "deep": 1\n    }\n}',
        '{\r\n  "a": 1\r\n}',
        '{\n  "a": "\\n    b"\n}',
    ],
)
def test_a_record_is_shown_as_it_is_but_for_its_indent(text: str) -> None:
    found = shown_record(text)
    assert "<" not in found
    shown = found.unescape()
    assert json.loads(shown) == json.loads(text)
    assert [line.lstrip() for line in shown.split("\n")] == [line.lstrip() for line in text.split("\n")]


def test_sections_that_runs_share_are_those_of_each(site_of: Callable[..., Site]) -> None:
    """Sections are rendered once for all runs of a digest: no run may show another's."""
    made = [
        run(name, figure, kernel=name, workload=digest(name), workload_label=f"label-{name}")
        for name, figure in (("a", latency(1)), ("b", latency(2)), ("c", score(3.0)))
    ]
    site = site_of(catalogue(*made))
    for each in made:
        page = read(site.render(address.run(each)) or b"")
        assert f"label-{each.kernel}" in page.one("main").text
        assert not [other for other in made if other is not each and f"label-{other.kernel}" in page.text]


def test_every_run_page_is_small() -> None:
    pages = files(build_site(build(load(SAMPLE)), Settings()))
    sizes = sorted(len(content) for at, content in pages.items() if at.startswith("runs/") and at.endswith(".html"))
    assert sizes[len(sizes) // 2] < 12_000


def test_the_page_of_a_run_is_made_from_its_own_record(site_of: Callable[..., Site]) -> None:
    made = (run("a"), run("b"))
    site = site_of(catalogue(*made))
    for each in made:
        facts = json.loads(site.render(address.twin(address.run(each))) or b"")
        assert facts["run"] == each.digest
        assert facts["record"]["run"]["metadata"]["title"] == each.title
