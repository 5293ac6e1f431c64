"""The sentences that answer first: what they say in each situation, and that their numbers are those of the tables."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.judge import Standing
from sitegen.load.model import Figure, Run
from sitegen.site import Site, address
from sitegen.site.cell import answer, listed, with_spread
from sitegen.site.gpu_page import gpu_page
from sitegen.site.group_page import _scattered, claim, plain
from tests.making import A100, BASE, LIGER, catalogue, failed, latency, run, score, sized, standing
from tests.site.pages import Element, read, table

BASELINES = ("huggingface", "torch")
# Cross-entropy, forward, on an A100, vocabulary 4,096 to 131,072: as published, with p20 and p80 (ns).
PUBLISHED: Sequence[dict[str, Figure]] = [
    {"liger": latency(532_416, 529_101, 534_765), "huggingface": latency(875_136, 873_306, 877_325)},
    {"liger": latency(810_144, 756_576, 914_432), "huggingface": latency(1_188_480, 1_187_149, 1_190_182)},
    {"liger": latency(1_432_080, 1_408_704, 1_525_472), "huggingface": latency(1_952_224, 1_945_184, 1_962_074)},
    {"liger": latency(2_837_824, 2_805_760, 2_944_736), "huggingface": latency(5_316_768, 5_314_131, 5_319_046)},
    {"liger": latency(6_805_136, 6_790_579, 6_987_488), "huggingface": latency(10_615_104, 10_607_129, 10_617_235)},
    {"liger": latency(15_009_359, 15_004_832, 15_045_600), "huggingface": latency(20_726_433, 20_720_385, 20_758_554)},
]
WIN = {"liger": latency(100, 98, 102), "huggingface": latency(164, 160, 168)}
LOSS = {"liger": latency(100, 98, 102), "huggingface": latency(50, 49, 51)}
TIE = {"liger": latency(100, 98, 102), "huggingface": latency(101, 99, 103)}
UNSURE = {"liger": latency(100), "huggingface": latency(250, 240, 260)}


def runs(rows: Sequence[dict[str, Figure]], **changes: object) -> list[Run]:
    """A workload for each row, larger and larger."""
    return [
        run(name, figure, **{**sized("vocab", 4096 * 2**place), "kernel": "cross_entropy", **changes})
        for place, row in enumerate(rows)
        for name, figure in row.items()
    ]


def standings(rows: Sequence[dict[str, Figure]]) -> list[Standing]:
    listed_runs = [runs([{}] * place + [row]) for place, row in enumerate(rows)]
    return [standing(*each, baselines=BASELINES) for each in listed_runs]


SITUATIONS: dict[str, tuple[Sequence[dict[str, Figure]], str]] = {
    "one leads on all": (
        PUBLISHED,
        "liger leads on all 6 workloads, 1.4× to 1.9× faster than huggingface.",
    ),
    "one leads on both": ([WIN, WIN], "liger leads on both workloads, 1.6× faster than huggingface."),
    "one leads on the only one": ([WIN], "liger leads on the one workload, 1.6× faster than huggingface."),
    "the baseline leads": ([LOSS, LOSS], "huggingface leads on both workloads, 2.0× faster than liger."),
    "each leads on some": (
        [WIN, WIN, LOSS],
        (
            "liger leads on 2 of 3 workloads, 1.6× faster than huggingface; huggingface leads on 1 of 3 workloads, "
            "2.0× faster than liger."
        ),
    ),
    "a lead and a tie": (
        [WIN, TIE],
        "liger leads on 1 of 2 workloads, 1.6× faster than huggingface; 1 tie for first.",
    ),
    "a lead and ties": (
        [WIN, TIE, TIE],
        "liger leads on 1 of 3 workloads, 1.6× faster than huggingface; 2 ties for first.",
    ),
    "only ties": ([TIE, TIE], "huggingface and liger tie for first on both workloads."),
    "one tie": ([TIE], "huggingface and liger tie for first on the one workload."),
    "ties of different names": (
        [TIE, {"liger": latency(100, 98, 102), "torch": latency(101, 99, 103)}],
        "Ties for first, of liger, huggingface and torch, on both workloads.",
    ),
    "a best figure without a spread": (
        [UNSURE],
        (
            "liger has the best figure on the one workload, 2.5× faster than huggingface (not enough "
            "data: spread not known)."
        ),
    ),
    "some leads are sure": (
        [WIN, UNSURE, UNSURE],
        (
            "liger leads on 1 of 3 workloads, 1.6× faster than huggingface, and has the best figure on "
            "2 more, 2.5× faster than huggingface (not enough data: spread not known)."
        ),
    ),
    "measured alone": ([{"liger": latency(100)}], "liger: measured alone, so there is nothing to rank."),
    "several measured alone": (
        [{"liger": latency(100)}, {"torch": latency(100)}],
        "liger and torch: measured alone, so there is nothing to rank.",
    ),
    "alone here and compared there": (
        [WIN, {"liger": latency(100)}],
        "liger leads on the one workload, 1.6× faster than huggingface.",
    ),
    "the baseline is not everywhere": (
        [WIN, {"liger": latency(100, 98, 102), "other": latency(200, 190, 210)}],
        "liger leads on both workloads, 1.6× faster than huggingface on 1 of them.",
    ),
    "two baselines": (
        [WIN, {"liger": latency(100, 98, 102), "torch": latency(200, 190, 210)}],
        "liger leads on both workloads, 1.6× to 2.0× faster than the next.",
    ),
    "another is closer than the baseline": (
        [WIN | {"other": latency(104, 103, 105)}],
        "liger leads on the one workload, 1.6× faster than huggingface and 1.04× faster than other.",
    ),
    "a lead of less than a hundredth": (
        [{"liger": latency(1000, 999, 1001), "huggingface": latency(1004, 1003, 1005)}],
        "liger leads on the one workload, 1.004× faster than huggingface.",
    ),
    "many lead": (
        [{name: latency(50, 49, 51), "base": latency(100, 98, 102)} for name in "abcde"],
        (
            "a leads on 1 of 5 workloads, 2.0× faster than base; b leads on 1 of 5 workloads, 2.0× faster than base; "
            "c leads on 1 of 5 workloads, 2.0× faster than base; 2 others lead on the rest."
        ),
    ),
    "four lead": (
        [{name: latency(50, 49, 51), "base": latency(100, 98, 102)} for name in "abcd"],
        (
            "a leads on 1 of 4 workloads, 2.0× faster than base; b leads on 1 of 4 workloads, 2.0× faster than base; "
            "c leads on 1 of 4 workloads, 2.0× faster than base; 1 other leads on the rest."
        ),
    ),
}


@pytest.mark.parametrize(("rows", "says"), SITUATIONS.values(), ids=SITUATIONS)
def test_the_answer_for_several_workloads(rows: Sequence[dict[str, Figure]], says: str) -> None:
    assert plain(answer(standings(rows))) == says


CLAIMS: dict[str, tuple[dict[str, Figure], str]] = {
    "a lead": (
        PUBLISHED[0],
        "liger leads, at 532 µs (p20–p80 529–535), 1.64× faster than huggingface.",
    ),
    "a lead over a rival and the baseline": (
        {**WIN, "torch_compile": latency(120, 118, 122)},
        (
            "liger leads, at 100 ns (p20–p80 98.0–102), 1.20× faster than torch_compile and 1.64× "
            "faster than the baseline "
            "huggingface."
        ),
    ),
    "a tie": (
        {"torch_compile": latency(46_528, 45_318, 47_552), "liger": latency(46_688, 45_600, 48_256)},
        (
            "A tie for first: the spreads of torch_compile and liger overlap. The best figure is 46.5 "
            "µs (p20–p80 45.3–47.6)."
        ),
    ),
    "the same figure": (
        {"a": latency(100), "b": latency(100)},
        "A tie for first: a and b have the same figure, 100 ns (spread not known).",
    ),
    "no spread": (
        UNSURE,
        (
            "liger has the best figure, 100 ns (spread not known), 2.50× faster than huggingface; not "
            "enough data to be sure "
            "of it."
        ),
    ),
    "alone": (
        {"liger": latency(100, 98, 102)},
        ("liger was measured alone under this key, at 100 ns (p20–p80 98.0–102): there is nothing to rank it against."),
    ),
    "a spread that reaches back to the leader": (
        {"liger": latency(50, 40, 52), "torch": latency(60, 55, 65), "other": latency(70, 51, 80)},
        "liger leads, at 50.0 ns (p20–p80 40.0–52.0), 1.20× faster than torch.",
    ),
}


@pytest.mark.parametrize(("row", "says"), CLAIMS.values(), ids=CLAIMS)
def test_the_claim_of_a_group(row: dict[str, Figure], says: str) -> None:
    (found,) = standings([row])
    assert plain(claim(found)) == says


def test_a_score_is_called_a_score(site_of: Callable[..., Site]) -> None:
    site = site_of(catalogue(run("a", score(1.05e-5)), run("b", score(1.2e-5))))
    (at,) = [at for at in site.pages if at.startswith("groups/")]
    page = read(site.render(at) or b"").one("main")
    assert "Geometric mean score" in page.text
    assert "latency" not in page.text.lower()


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b and c"),
        (["a", "b", "c", "d"], "a, b, c and 1 other"),
        (["a", "b", "c", "d", "e"], "a, b, c and 2 others"),
    ],
)
def test_names_are_listed_as_a_sentence_does(names: list[str], says: str) -> None:
    assert plain(listed(names)) == says


@pytest.mark.parametrize(
    ("figure", "says"),
    [
        (latency(532_416, 529_101, 534_765), "532 µs (p20–p80 529–535)"),
        (latency(12_160, 11_936, 12_461), "12.2 µs (p20–p80 11.9–12.5)"),
        (latency(999.6, 990, 1010), "1,000 ns (p20–p80 990–1,010)"),
        (latency(2.5e9), "2.50 s (spread not known)"),
        (score(1.0048658277929109e-05), "10.0 µs (spread not known)"),
        (latency(100, 90, 110, spread="95% confidence"), "100 ns (95% confidence 90.0–110)"),
    ],
)
def test_a_figure_stands_with_its_spread(figure: Figure, says: str) -> None:
    assert with_spread(figure) == says


def page_of(site: Site, start: str) -> Element:
    (at,) = [at for at in site.pages if at.startswith(start) and not at.endswith("/index.html")]
    return read(site.render(at) or b"")


def test_a_group_page_claims_what_its_table_shows(site_of: Callable[..., Site]) -> None:
    site = site_of(catalogue(*runs([{**PUBLISHED[0], "torch": latency(900_000, 890_000, 910_000)}])))
    page = page_of(site, "groups/")
    claimed = page.one("p", kind="answer").text
    first, second, third = table(page, "ranking")
    assert claimed == "liger leads, at 532 µs (p20–p80 529–535), 1.64× faster than huggingface."
    assert (first[1], first[2], first[3]) == ("liger", "532", "529–535")
    assert "the leader" in first[4]
    assert re.sub(r"\s+", " ", second[4]) == "1.64× slower 1.63–1.66"
    assert "1.64×" in first[5]
    assert "faster" in first[5]
    assert "the baseline" in second[5]
    assert [row[0] for row in (first, second, third)] == ["1", "2", "3"]


def test_a_kernel_page_answers_with_the_numbers_of_its_table(site_of: Callable[..., Site]) -> None:
    page = page_of(site_of(catalogue(*runs(PUBLISHED))), "kernels/liger")
    (item,) = page.one("ul", kind="answers").all("li")
    says = "forward liger leads on all 6 workloads, 1.4× to 1.9× faster than huggingface."
    assert re.sub(r"\s+", " ", item.text) == says
    rows = table(page, "groups")
    over = sorted(float(found[1]) for row in rows for cell in row if (found := re.match(r"([\d.]+)× .*faster", cell)))
    assert (round(over[0], 1), round(over[-1], 1)) == (1.4, 1.9)
    assert [row[0] for row in rows] == [f"vocab {4096 * 2**place:,}" for place in range(6)]
    assert "Each row is one exact key, all at bf16." in page.one("main").text


def test_where_the_winner_flips_is_said_in_words(site_of: Callable[..., Site]) -> None:
    page = page_of(site_of(catalogue(*runs([LOSS, LOSS, TIE, WIN, WIN]))), "kernels/liger")
    (flips,) = page.all("span", kind="flip")
    assert "First place changes along vocab" in flips.text
    assert (
        "huggingface from 4,096 to 8,192; a tie of huggingface and liger at 16,384; liger from 32,768 to 65,536."
        in (re.sub(r"\s+", " ", flips.text))
    )


def test_a_flip_by_figures_of_unknown_spread_says_so(site_of: Callable[..., Site]) -> None:
    page = page_of(site_of(catalogue(*runs([LOSS, UNSURE, UNSURE]))), "kernels/liger")
    (flips,) = page.all("span", kind="flip")
    assert "The winner flips along vocab" in flips.text
    assert "huggingface at 4,096; liger from 8,192 to 16,384 (spread not known)." in re.sub(r"\s+", " ", flips.text)


def test_no_flip_is_claimed_where_one_leads_all_along(site_of: Callable[..., Site]) -> None:
    page = page_of(site_of(catalogue(*runs([WIN, WIN]))), "kernels/liger")
    assert "flip" not in page.one("main").text


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([WIN], "Of 1 comparison on this GPU, liger leads 1."),
        ([WIN, WIN, LOSS], "Of 3 comparisons on this GPU, liger leads 2; huggingface leads 1."),
        ([WIN, TIE], "Of 2 comparisons on this GPU, liger leads 1; 1 is a tie for first."),
        ([TIE], "Of 1 comparison on this GPU, 1 is a tie for first."),
        ([TIE, TIE], "Of 2 comparisons on this GPU, 2 are ties for first."),
        (
            [WIN, UNSURE],
            (
                "Of 2 comparisons on this GPU, liger leads 1; 1 has a best figure without a known spread "
                "to be sure of it."
            ),
        ),
        ([{"liger": latency(1)}], "Nothing was compared here: every implementation was measured alone under its key."),
        (
            [{name: latency(50, 49, 51), "base": latency(100, 98, 102)} for name in "abcde"],
            "Of 5 comparisons on this GPU, a leads 1; b leads 1; c leads 1; 2 others lead 2.",
        ),
    ],
)
def test_the_answer_of_a_gpu(rows: Sequence[dict[str, Figure]], says: str, site_of: Callable[..., Site]) -> None:
    site = site_of(catalogue(*runs(rows)))
    (html, _) = gpu_page(site.pages.book, A100)
    assert read(html[1]).one("p", kind="answer").text == says


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([], "No record was found, so there is nothing to compare yet."),
        ([{"liger": latency(1)}], "Nothing is compared yet: every implementation was measured alone under its key."),
        (
            [WIN],
            (
                "Of 1 comparison of two or more implementations under one exact key, 1 has a clear winner, "
                "0 are ties, and 0 "
                "have a best figure without a known spread to be sure of it."
            ),
        ),
        (
            [WIN, WIN, TIE, UNSURE],
            (
                "Of 4 comparisons of two or more implementations under one exact key, 2 have a clear "
                "winner, 1 is a tie, and 1 "
                "has a best figure without a known spread to be sure of it."
            ),
        ),
    ],
)
def test_the_answer_of_the_front_page(
    rows: Sequence[dict[str, Figure]], says: str, site_of: Callable[..., Site]
) -> None:
    page = read(site_of(catalogue(*runs(rows))).render("index.html") or b"")
    assert page.one("p", kind="answer").text == says


@pytest.mark.parametrize(
    ("listed_runs", "says"),
    [
        (
            runs([WIN, WIN, LOSS, TIE, UNSURE]),
            (
                "liger leads 2 of 5 comparisons, has the best figure without a known spread in 1, ties for "
                "first in 1 and "
                "trails in 1; where it leads it is 1.6× faster than huggingface."
            ),
        ),
        ([failed("liger")], "liger has 1 run, none of which can be ranked."),
        ([run("liger")], "liger was measured in 1 group, alone in each: nothing to rank it against."),
    ],
)
def test_the_answer_of_an_implementation(listed_runs: list[Run], says: str, site_of: Callable[..., Site]) -> None:
    site = site_of(catalogue(*listed_runs))
    page = read(site.render(address.implementation(LIGER, "liger")) or b"")
    assert page.one("p", kind="answer").text == says


SHORT = st.lists(st.sampled_from([WIN, LOSS, TIE, UNSURE, {"liger": latency(100)}]), min_size=1, max_size=5)


@given(SHORT)
def test_an_answer_is_a_sentence(rows: list[dict[str, Figure]]) -> None:
    text = plain(answer(standings(rows)))
    assert text.endswith(".")
    assert not re.search(r"  | [,;.:]|[,;]\.|\b1 workloads|\b1 ties|\b1 others|\.\.|;;|,,", text), text


def test_runs_that_scatter_more_than_they_spread_are_said_to() -> None:
    """Two runs of one day and release: 2.08 to 2.10 ms, then 2.22 to 2.23 ms."""
    earlier = run("liger", latency(2_090_000, 2_080_000, 2_100_000), release="0.7.0")
    later = run("liger", latency(2_225_000, 2_220_000, 2_230_000), release="0.7.0", observed_ms=BASE.observed_ms + 1)
    scattered = _scattered(standing(earlier, later, run("torch", latency(3_000_000, 2_990_000, 3_010_000))))
    assert plain(scattered).startswith("liger: runs of the same release differ by more than their spreads")
    newer = replace(later, release="0.8.0")
    assert _scattered(standing(earlier, newer)) == ()
