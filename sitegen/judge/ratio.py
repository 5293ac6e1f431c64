"""How many times faster one figure is than another, in what range, and whether that can be said at all."""

from dataclasses import dataclass
from enum import StrEnum

from sitegen.load.model import Figure


class Verdict(StrEnum):
    """What the figures allow to be said of one run against a reference."""

    FASTER = "faster"
    SLOWER = "slower"
    TIE = "tie"
    UNSURE = "not enough data"


@dataclass(frozen=True, slots=True)
class Ratio:
    """The reference's figure over the subject's: 1.62 says that the subject is 1.62 times as fast.

    `low` and `high` are the ratio at the ends of both spreads that are farthest apart, each way; None where a spread is
    not known.
    """

    value: float
    low: float | None
    high: float | None
    verdict: Verdict

    @property
    def multiple(self) -> float:
        """How many times, at least 1, whichever way it goes."""
        return self.value if self.value >= 1 else 1 / self.value

    @property
    def range(self) -> tuple[float, float] | None:
        """The range of `multiple`, lower end first; it may reach below 1. None where it is not known."""
        if self.low is None or self.high is None:
            return None
        return (self.low, self.high) if self.value >= 1 else (1 / self.high, 1 / self.low)


def bounds(figure: Figure) -> tuple[float, float]:
    """The ends of a figure's spread; where it is not known, the value alone, which any spread must hold."""
    if figure.low is None or figure.high is None:
        return (figure.value, figure.value)
    return (figure.low, figure.high)


def overlap(one: Figure, other: Figure) -> bool:
    """Whether two spreads meet. They are closed: ends that touch do."""
    low, high = bounds(one)
    other_low, other_high = bounds(other)
    return low <= other_high and other_low <= high


def ratio(subject: Figure, reference: Figure) -> Ratio:
    """The ratio of `subject` to `reference`, two figures of one metric, statistic and unit, both above zero."""
    value = reference.value / subject.value
    known = subject.low is not None and reference.low is not None
    low, high = bounds(subject)
    reference_low, reference_high = bounds(reference)
    if overlap(subject, reference):
        verdict = Verdict.TIE
    elif not known:
        verdict = Verdict.UNSURE
    else:
        verdict = Verdict.FASTER if value > 1 else Verdict.SLOWER
    return Ratio(value, reference_low / high if known else None, reference_high / low if known else None, verdict)
