"""Scales and their ticks: from values to places along an axis, and which values to write beside it."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Final

from sitegen.quantity import number

PADDING: Final = 0.04
"""The part of an axis left free at each end, so that markers do not touch its edge."""

_ALONE: Final = 1.25
_WIDTHS: Final = dict.fromkeys("ijl.,:;|!'·", 3.3) | dict.fromkeys("frt ()[]-", 4.3) | dict.fromkeys("mwMW@%", 11.0)
_GAP_PX: Final = 10.0
_LINE_PX: Final = 26.0


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis from `low` to `high`, both in the unit that the axis shows; `log` only where both are above zero."""

    low: float
    high: float
    log: bool
    _span: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        span = math.log(self.high / self.low) if self.log else self.high - self.low
        object.__setattr__(self, "_span", span)

    def at(self, value: float) -> float:
        """The place of `value` along the axis: 0 at `low`, 1 at `high`."""
        return (math.log(value / self.low) if self.log else value - self.low) / self._span


@dataclass(frozen=True, slots=True)
class Tick:
    """One marked value: its text, and its place along the axis from 0 to 1."""

    value: float
    label: str
    at: float


def scale_of(values: Iterable[float], *, log: bool, least: float = 1.0) -> Scale:
    """The scale that holds `values` with some air at both ends. Raises ValueError when there are none.

    A log scale needs every value above zero, and is linear otherwise. A linear scale begins at zero where the values
    reach down to less than half of the largest. A single value stands in the middle. Positive values that lie within a
    factor of `least` are shown on a scale that spans it, so that a small difference looks small.
    """
    every = sorted(values)
    if not every:
        raise ValueError("an axis needs at least one value")
    low, high = every[0], every[-1]
    if low > 0 and high / low < (1 + 1e-9):
        low, high = low / _ALONE, high * _ALONE
    elif low > 0 and high / low < least:
        more = math.sqrt(least * low / high)
        low, high = low / more, high * more
    if log and low > 0:
        air = (high / low) ** PADDING
        return Scale(low / air, high * air, log=True)
    air = (high - low) * PADDING or abs(high) / 4 or 1.0
    return Scale(0.0 if 0 <= low < high / 2 else low - air, high + air, log=False)


@lru_cache(maxsize=8192)
def text_width(text: str) -> float:
    """About how wide `text` is in pixels, set in a sans of 12 pixels; rather too wide than too narrow."""
    return sum(_WIDTHS.get(letter, 7.1 if ord(letter) < 0x1100 else 12.6) for letter in text)


def ticks_at(scale: Scale, values: Iterable[float]) -> tuple[Tick, ...]:
    """A tick at each of `values`."""
    return tuple([Tick(value, number(value), scale.at(value)) for value in values])


def powers_of_two(values: Iterable[float]) -> bool:
    """Whether every value is a whole power of two, and there is one."""
    every = list(values)
    return bool(every) and all(value >= 1 and math.frexp(value)[0] == 0.5 for value in every)


# The drawing and the figure of one chart ask for the same.
@lru_cache(maxsize=1024)
def ticks_along(scale: Scale, length_px: float, *, binary: bool = False) -> tuple[Tick, ...]:
    """Ticks of an axis that lies flat and is `length_px` long: as many as their labels leave room for.

    With `binary`, powers of two on a log scale, or every second, third of them.
    """
    return _choose(scale, lambda ticks: fits(ticks, length_px), binary=binary)


@lru_cache(maxsize=1024)
def ticks_up(scale: Scale, length_px: float) -> tuple[Tick, ...]:
    """Ticks of an axis that stands and is `length_px` high: labels at least a line and a half apart."""

    def apart(ticks: Sequence[Tick]) -> bool:
        return all((b.at - a.at) * length_px >= _LINE_PX for a, b in pairwise(ticks))

    return _choose(scale, apart, binary=False)


def fits(ticks: Sequence[Tick], length_px: float) -> bool:
    """Whether the labels of `ticks`, each centred on its place along `length_px`, keep clear of each other."""
    end = -math.inf
    for tick in ticks:
        middle, half = tick.at * length_px, text_width(tick.label) / 2
        if middle - half < end:
            return False
        end = middle + half + _GAP_PX
    return True


def thinning(ticks: Sequence[Tick], length_px: float, step: int = 1) -> int:
    """Which ticks fit along `length_px`: every one (1), every second (2) and so on, in multiples of `step`."""
    chosen = step
    while not fits(ticks[::chosen], length_px):
        chosen += step
    return chosen


def _choose(scale: Scale, fit: Callable[[Sequence[Tick]], bool], *, binary: bool) -> tuple[Tick, ...]:
    """The first candidate with at least three ticks that fits, else the one that fits with most, else a single tick."""
    best: tuple[Tick, ...] = ()
    ticks = best
    for values in _candidates(scale, binary=binary):
        ticks = ticks_at(scale, values) or ticks
        if len(ticks) > len(best) and fit(ticks):
            best = ticks
            if len(best) >= 3:
                break
    return best or ticks[len(ticks) // 2 :][:1]


def _candidates(scale: Scale, *, binary: bool) -> Iterable[list[float]]:
    """Sets of round values inside the scale, the better ones first."""
    if scale.log:
        if binary:
            first, last = math.ceil(math.log2(scale.low)), math.floor(math.log2(scale.high))
            for step in range(1, max(last - first, 1) + 1):
                yield [2.0**power for power in range(first, last + 1, step)]
        yield from _decades(scale)
    span = scale.high - scale.low
    for parts in (8, 6, 4, 3, 2):
        yield _round_steps(scale, span / parts)


def _decades(scale: Scale) -> Iterable[list[float]]:
    """1, 2, 5 of each decade; then powers of ten, of a hundred, of a thousand and so on."""
    first, last = math.floor(math.log10(scale.low)), math.ceil(math.log10(scale.high))
    for mantissas, step in (((1, 2, 5), 1), ((1, 3), 1), *(((1,), step) for step in range(1, 7))):
        every = (_power(mantissa, power) for power in range(first, last + 1, step) for mantissa in mantissas)
        yield [value for value in every if scale.low <= value <= scale.high]


def _round_steps(scale: Scale, at_least: float) -> list[float]:
    """Multiples of the smallest 1, 2 or 5 times a power of ten that is no less than `at_least`."""
    power = math.floor(math.log10(at_least))
    mantissa = next(m for m in (1, 2, 5, 10) if _power(m, power) >= at_least * (1 - 1e-9))
    step = _power(mantissa, power)
    first, last = math.ceil(scale.low / step), math.floor(scale.high / step)
    return [_power(mantissa * count, power) for count in range(first, last + 1)]


def _power(mantissa: int, power: int) -> float:
    """`mantissa` times ten to `power`, rounded once."""
    return float(mantissa * 10**power) if power >= 0 else mantissa / 10**-power
