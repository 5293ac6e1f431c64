"""A record reduced to its `Run`: what grouping needs, and no more. And what only the whole record can be blamed for."""

from collections.abc import Iterator
from sys import intern
from typing import Final

from sitegen import sources
from sitegen.load import figure as figures
from sitegen.load.model import Figure, Gpu, Run
from sitegen.load.parse import Fault
from sitegen.load.quoting import one_line
from sitegen.problem import Severity
from sitegen.record import BenchmarkProtocol, BenchmarkRun, LatencyNs, milliseconds

_SHORT_DIGEST: Final = slice(7, 19)
_SPEC: Final = ("run", "spec")


def reduced(
    run: BenchmarkRun, digest: str, path: str, *, gpu: Gpu, figure: Figure | None, naming: sources.Naming
) -> Run:
    """The run of that digest, from the file at `path`.

    Texts that many runs share are interned, so that a hundred thousand runs stay small.
    """
    spec, title = run.spec, intern(run.metadata.shown)
    source = intern(spec.source_native.source)
    implementation = intern(spec.implementation_digest)
    named = intern(naming.implementation)
    return Run(
        digest=digest,
        file=path,
        title=title,
        source=source,
        kernel=intern(naming.kernel),
        pass_name=intern(naming.pass_name),
        workload=intern(spec.workload_digest),
        workload_label=intern(naming.workload_label or case_or_digest(naming.case, spec.workload_digest)),
        gpu=gpu,
        protocol=intern(spec.protocol_digest),
        environment=intern(spec.environment_digest),
        implementation=named or title,
        implementation_key=named or implementation,
        implementation_digest=implementation,
        status=intern(spec.status),
        figure=figure,
        unranked=intern(figures.unranked_reason(spec.status, figure)),
        observed_ms=milliseconds(spec.observed_at),
        release=intern(sources.release(source, run.metadata.labels)),
    )


def case_or_digest(case: str, workload_digest: str) -> str:
    """How to call a workload that nobody named: by the number of its test case, else by the start of its digest."""
    return f"case {case}" if case else workload_digest[_SHORT_DIGEST]


def altered(run: BenchmarkRun, protocol_digest: str, environment_digest: str) -> Iterator[Fault]:
    """A fault for each embedded document that is not the one that the run was made with."""
    if run.spec.protocol_digest != protocol_digest:
        yield _altered("protocol", protocol_digest)
    if run.spec.environment_digest != environment_digest:
        yield _altered("environment", environment_digest)


def _altered(name: str, digest: str) -> Fault:
    message = f"The record has been altered: its {name} has the digest {digest}, not the one that the run states."
    hint = f"Restore the {name} that the run was made with; if it was mistaken, publish the run anew."
    return Fault("altered", message, hint, (*_SPEC, f"{name}Digest"))


def missing_statistic(run: BenchmarkRun) -> Iterator[Fault]:
    """A fault where the timing names a primary statistic that it does not give."""
    timing = run.spec.timing
    if timing is not None and figures.latency(timing, timing.primary_statistic) is None:
        statistic = timing.primary_statistic
        if statistic in LatencyNs.model_fields:
            message, hint = f"The primary statistic, {statistic}, has no latency.", "Add it, or name one that is there."
            yield Fault("missing-statistic", message, hint, (*_SPEC, "timing", "latencyNs", statistic))
        else:
            hint = f"Use one of: {', '.join(LatencyNs.model_fields)}."
            message = "The primary statistic is none that latencies are given for."
            yield Fault("missing-statistic", message, hint, (*_SPEC, "timing", "primaryStatistic"))


def doubts(run: BenchmarkRun, protocol: BenchmarkProtocol, figure: Figure | None) -> Iterator[Fault]:
    """Warnings about figures that can be shown, but hardly are what their author meant."""
    spec = run.spec
    if figure is not None and figure.low is None and (bound := figures.misplaced_spread(spec, figure)):
        side = "above" if bound in {"p20", "p05"} else "below"
        message = f"{bound} lies {side} the {figure.statistic}, so the spread counts as not known."
        hint = "Check the figures of this run: the spread lies around its primary statistic."
        yield Fault("spread-misplaced", message, hint, _place_of(run, bound), severity=Severity.WARNING)
    timing, rule = spec.timing, protocol.spec.measurement
    if timing is not None and timing.primary_statistic != rule.primary_statistic:
        ranked, meant = one_line(timing.primary_statistic), one_line(rule.primary_statistic)
        message = f"The run is ranked by its {ranked}, and the runs of its protocol by their {meant}."
        hint = "Make them agree, or check that this is meant: the run's own counts."
        place = (*_SPEC, "timing", "primaryStatistic")
        yield Fault("statistics-differ", message, hint, place, severity=Severity.WARNING)


def _place_of(run: BenchmarkRun, statistic: str) -> tuple[str | int, ...]:
    for index, measurement in enumerate(run.spec.measurements):
        if measurement.statistic == statistic:
            return (*_SPEC, "measurements", index, "value")
    return (*_SPEC, "timing", "latencyNs", statistic)
