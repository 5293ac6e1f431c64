"""The primary figure of a run: the one value that it is ranked by, with its spread, or the reason why there is none."""

from collections.abc import Iterator
from sys import intern
from typing import Final

from sitegen.load.model import Figure
from sitegen.quantity import NANOSECONDS
from sitegen.record.run import BenchmarkRunSpec, LatencyNs, Measurement, Timing
from sitegen.record.text import LATENCY_LIMIT

LATENCY: Final = "latency"

_FAILURES: Final = {
    "incorrect_shape": "its output has the wrong shape",
    "incorrect_dtype": "its output has the wrong dtype",
    "incorrect_numerical": "its output is numerically wrong",
    "compile_error": "it did not compile",
    "runtime_error": "it failed while running",
    "timeout": "it ran out of time",
    "resource_exceeded": "it ran out of a resource",
    "invalid_reference": "its reference is not valid",
    "policy_violation": "it broke the rules of its source",
    "suspected_reward_hack": "it is suspected of gaming the measurement",
    "incomplete_evidence": "its evidence is incomplete",
    "revoked": "it was revoked",
}
_LEAST_NS: Final = 1e-6
_STATISTICS: Final = frozenset(LatencyNs.model_fields)
_BYTE_UNITS: Final = frozenset({"B", "KB", "kB", "MB", "GB", "KiB", "MiB", "GiB", "bytes"})
# Pairs of statistics that bound a spread, the preferred first.
_BOUNDS: Final = (("p20", "p80"), ("p05", "p95"))
# Half-widths around the primary statistic; the deviation from the median says nothing about a mean.
_WIDTHS: Final = (("confidence95", ("median", "mean"), "95% confidence"), ("mad", ("median",), "± MAD"))


def primary_figure(spec: BenchmarkRunSpec, protocol_statistic: str) -> Figure | None:
    """The figure to rank by, None where the run has none.

    With timing it is `timing.latencyNs[primaryStatistic]`. Without, it is the measurement of the protocol's primary
    statistic, else the only measurement that is not of memory. Every latency is given in nanoseconds, and every other
    time in seconds, so that figures of one metric can be compared.
    """
    timing = spec.timing
    if timing is not None:
        value = latency(timing, timing.primary_statistic)
        if value is None:
            return None
        return _with_spread(spec, Figure(LATENCY, intern(timing.primary_statistic), "ns", value))
    chosen = _primary_measurement(spec.measurements, protocol_statistic)
    if chosen is None:
        return None
    unit, scale = _unit(chosen)
    bare = Figure(intern(chosen.metric), intern(chosen.statistic), intern(unit), chosen.value * scale)
    return _with_spread(spec, bare)


def latency(timing: Timing, statistic: str) -> float | None:
    """The latency of that statistic in nanoseconds, None where the run does not give it or there is no such one."""
    # The name comes from the record, so it is looked up among the statistics, not among all that a model has.
    value = getattr(timing.latency_ns, statistic) if statistic in _STATISTICS else None
    return None if value is None else float(value)


def unranked_reason(status: str, figure: Figure | None) -> str:
    """Why a run cannot be ranked, in words that follow "because"; "" where it can."""
    if status != "passed":
        return _FAILURES[status]
    if figure is None:
        return "it has no figure for its primary statistic"
    if figure.unit not in NANOSECONDS:
        return f"its figure is in {figure.unit or 'no unit'}, which is not a unit of time"
    if figure.value <= 0:
        return "its figure is not above zero"
    if not _measurable(figure.value * NANOSECONDS[figure.unit]):
        return "its figure is beyond any time that can be measured"
    return ""


def _measurable(ns: float) -> bool:
    """Whether so many nanoseconds can be a measured time: a hundred days at most, as for any latency of a record."""
    return _LEAST_NS <= ns < LATENCY_LIMIT


def misplaced_spread(spec: BenchmarkRunSpec, figure: Figure) -> str:
    """The bound that lies on the wrong side of the primary figure, by its statistic; "" where none does."""
    for low_name, high_name in _BOUNDS:
        low, high = _bound(spec, figure, low_name), _bound(spec, figure, high_name)
        if low is not None and high is not None:
            return low_name if low > figure.value else high_name if high < figure.value else ""
    return ""


def _is_memory(measurement: Measurement) -> bool:
    return "memory" in measurement.metric.lower() or measurement.unit in _BYTE_UNITS


def _primary_measurement(measurements: tuple[Measurement, ...], statistic: str) -> Measurement | None:
    candidates = [measurement for measurement in measurements if not _is_memory(measurement)]
    matching = [measurement for measurement in candidates if measurement.statistic == statistic]
    if len(matching) > 1:
        matching = [measurement for measurement in matching if measurement.metric == LATENCY]
    if len(matching) == 1:
        return matching[0]
    return candidates[0] if len(candidates) == 1 else None


def _unit(measurement: Measurement) -> tuple[str, float]:
    """The unit to give a measurement in, and what to multiply its value by."""
    scale = NANOSECONDS.get(measurement.unit)
    if scale is None or abs(measurement.value) * scale >= LATENCY_LIMIT:
        return (measurement.unit, 1.0)
    return ("ns", scale) if measurement.metric == LATENCY else ("s", scale / NANOSECONDS["s"])


def _bound(spec: BenchmarkRunSpec, figure: Figure, statistic: str) -> float | None:
    """The statistic of the figure's metric, in the figure's unit, None where the run does not give it."""
    for measurement in spec.measurements:
        if measurement.statistic == statistic and measurement.metric == figure.metric:
            unit, scale = _unit(measurement)
            if unit == figure.unit:
                return measurement.value * scale
    if spec.timing is not None and figure.metric == LATENCY:
        return latency(spec.timing, statistic)
    return None


def _spreads(spec: BenchmarkRunSpec, figure: Figure) -> Iterator[tuple[float, float, str]]:
    """The spreads that the run gives, the preferred first."""
    for low_name, high_name in _BOUNDS:
        low, high = _bound(spec, figure, low_name), _bound(spec, figure, high_name)
        if low is not None and high is not None:
            yield low, high, f"{low_name}–{high_name}"
    if spec.timing is None:
        return
    for name, statistics, shown in _WIDTHS:
        width = latency(spec.timing, name)
        if width is not None and figure.statistic in statistics:
            yield figure.value - width, figure.value + width, shown


def _with_spread(spec: BenchmarkRunSpec, bare: Figure) -> Figure:
    """The figure with its spread. The first spread that is given decides: a bad one is not made up for by the next."""
    scale = NANOSECONDS.get(bare.unit, 1.0)
    for low, high, name in _spreads(spec, bare):
        if low <= bare.value <= high and low < high and all(_measurable(end * scale) for end in (low, high)):
            return Figure(bare.metric, bare.statistic, bare.unit, bare.value, low, high, name)
        break
    return bare
