"""Ratios: a value with a direction, a range and a verdict."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.judge import Verdict, ratio
from sitegen.judge.ratio import overlap
from sitegen.load.model import Figure
from tests.making import latency


@st.composite
def figures(draw: st.DrawFn) -> Figure:
    value = draw(st.floats(1.0, 1e12))
    if draw(st.booleans()):
        return latency(value)
    low = draw(st.floats(value / 3, value))
    high = draw(st.floats(value, value * 3))
    return latency(value, low, high) if low < high else latency(value)


OPPOSITE = {
    Verdict.FASTER: Verdict.SLOWER,
    Verdict.SLOWER: Verdict.FASTER,
    Verdict.TIE: Verdict.TIE,
    Verdict.UNSURE: Verdict.UNSURE,
}


@given(figures(), figures())
def test_the_value_lies_in_its_range(subject: Figure, reference: Figure) -> None:
    found = ratio(subject, reference)
    assert found.value == reference.value / subject.value
    assert (found.low is None) == (found.high is None) == (subject.low is None or reference.low is None)
    if found.low is not None and found.high is not None:
        assert found.low <= found.value <= found.high


@given(figures(), figures())
def test_the_other_way_round_it_is_the_reciprocal(subject: Figure, reference: Figure) -> None:
    there, back = ratio(subject, reference), ratio(reference, subject)
    assert there.value * back.value == pytest.approx(1)
    assert back.verdict is OPPOSITE[there.verdict]
    if there.low is not None and there.high is not None:
        assert back.low == pytest.approx(1 / there.high)
        assert back.high == pytest.approx(1 / there.low)


@given(figures(), figures())
def test_a_verdict_is_what_the_spreads_allow(subject: Figure, reference: Figure) -> None:
    verdict = ratio(subject, reference).verdict
    known = subject.low is not None and reference.low is not None
    assert (verdict is Verdict.TIE) == overlap(subject, reference) == overlap(reference, subject)
    assert (verdict is Verdict.UNSURE) == (not overlap(subject, reference) and not known)
    if verdict is Verdict.FASTER:
        assert (subject.high or 0) < (reference.low or 0)
    if verdict is Verdict.SLOWER:
        assert (subject.low or 0) > (reference.high or 0)


@given(figures(), figures())
def test_a_multiple_is_at_least_one_and_lies_in_its_range(subject: Figure, reference: Figure) -> None:
    found = ratio(subject, reference)
    assert found.multiple >= 1
    assert found.multiple == pytest.approx(ratio(reference, subject).multiple)
    if found.range:
        low, high = found.range
        assert low <= found.multiple <= high


@given(figures(), figures())
def test_a_sure_verdict_has_a_range_on_one_side_of_one(subject: Figure, reference: Figure) -> None:
    found = ratio(subject, reference)
    if found.verdict in (Verdict.FASTER, Verdict.SLOWER):
        assert found.range is not None
        assert found.range[0] >= 1


# Cross-entropy, forward, vocabulary 4,096, on an A100: as published (ns).
LIGER = latency(532_416, 529_101, 534_765)
HUGGINGFACE = latency(875_136, 873_306, 877_325)


def test_figures_as_published() -> None:
    found = ratio(LIGER, HUGGINGFACE)
    assert found.verdict is Verdict.FASTER
    assert found.value == pytest.approx(1.6437, abs=1e-4)
    assert found.range == pytest.approx((873_306 / 534_765, 877_325 / 529_101))


@pytest.mark.parametrize(
    ("subject", "verdict"),
    [
        (latency(100, 90, 110), Verdict.TIE),
        (latency(105, 101, 110), Verdict.TIE),
        (latency(95, 90, 100), Verdict.TIE),
        (latency(95, 90, 99), Verdict.FASTER),
        (latency(105, 102, 110), Verdict.SLOWER),
        (latency(101), Verdict.TIE),
        (latency(102), Verdict.UNSURE),
        (latency(1), Verdict.UNSURE),
    ],
)
def test_verdicts_against_a_spread_of_100_to_101(subject: Figure, verdict: Verdict) -> None:
    assert ratio(subject, latency(100.5, 100, 101)).verdict is verdict
