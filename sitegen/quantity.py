"""Numbers as a reader sees them: one unit per table or chart, three significant digits, never scientific notation."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

NANOSECONDS = {"ns": 1.0, "µs": 1e3, "us": 1e3, "ms": 1e6, "s": 1e9}
"""How many nanoseconds each unit of time holds, by the names that records use."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of time to show values in: `name` for the head of the table, `ns` for how many nanoseconds it holds."""

    name: str
    ns: float

    def show(self, value_ns: float) -> str:
        """`value_ns`, in nanoseconds, as text in this unit, without the unit's name."""
        return significant(value_ns / self.ns)

    def between(self, low_ns: float, high_ns: float) -> str:
        """Two ends, with as many digits, from three on, as show that a spread is not of zero width: 25.19–25.22."""
        for digits in (3, 4, 5, 6):
            low, high = significant(low_ns / self.ns, digits), significant(high_ns / self.ns, digits)
            if low != high:
                break
        return f"{low}–{high}"


UNITS = (Unit("ns", 1.0), Unit("µs", 1e3), Unit("ms", 1e6), Unit("s", 1e9))
_LARGEST_FIRST = UNITS[::-1]


def unit_for(values_ns: Iterable[float]) -> Unit:
    """The one unit for a table or chart of `values_ns`: the largest of which the middle of their range holds one.

    The middle is the geometric mean of the smallest and the largest positive value, since latencies spread by factors.
    Without a positive value, nanoseconds.
    """
    positive = [value for value in values_ns if value > 0]
    return unit_at(math.sqrt(min(positive)) * math.sqrt(max(positive)) if positive else 0.0)


def unit_at(value_ns: float) -> Unit:
    """The unit for one value: the largest of which it holds one; nanoseconds where it holds none."""
    for unit in _LARGEST_FIRST:
        if value_ns >= unit.ns:
            return unit
    return UNITS[0]


@lru_cache(maxsize=8192)
def significant(value: float, digits: int = 3) -> str:
    """`value` with that many significant digits and grouped thousands: 0.0123, 1.62, 25.0, 31,100."""
    if 0.001 <= value < 10**digits - 0.6:
        # Most figures: the general format with its trailing zeros kept is what is wanted, in a third of the time.
        return f"{value:#.{digits}g}".rstrip(".")
    if not math.isfinite(value) or value == 0:
        return "0" if value == 0 else str(value)
    places = digits - 1 - math.floor(math.log10(abs(value)))
    # Rounding may carry into one more digit: 9.996 is 10.0, not 10.00.
    if abs(round(value, places)) >= 10.0 ** (digits - places):
        places -= 1
    return f"{round(value, places):,.{max(places, 0)}f}"


@lru_cache(maxsize=8192)
def number(value: float) -> str:
    """`value` in full, with grouped thousands and no needless zero: 0.05, 4,096, 2.5."""
    return f"{int(value):,}" if value == int(value) else f"{Decimal(repr(value)):,f}"


def multiple(ratio: float) -> str:
    """A ratio as a multiple: two decimals below 10, one below 100, none above: 1.62×, 12.4×, 326×."""
    places = 2 if ratio < 9.995 else 1 if ratio < 99.95 else 0
    return f"{ratio:,.{places}f}×"


def multiples(ratios: Sequence[float]) -> str:
    """Several ratios as a range: "1.6× to 3.9×", "20× to 170×"; one of them when both ends show alike.

    Two significant digits, but two decimals near 1, where they are what is said.
    """
    low, high = (f"{end:.2f}" if 0.9 < end < 1.1 else significant(end, 2) for end in (min(ratios), max(ratios)))
    return f"{low}×" if low == high else f"{low}× to {high}×"


def counted(count: int, one: str, many: str | None = None) -> str:
    """A count with its noun: 1 run, 1,649 runs."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
