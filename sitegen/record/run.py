"""BenchmarkRun: what was measured."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field, JsonValue

from sitegen.record.envelope import Document, Listed, Part
from sitegen.record.text import Deviation, Digest, Nanoseconds, Number, Status, Text, Url, UtcTime


class LatencyNs(Part):
    """Latency in integer nanoseconds, by statistic. `mad` and `confidence95` are half-widths, not places."""

    median: Nanoseconds | None = None
    mean: Nanoseconds | None = None
    p05: Nanoseconds | None = None
    p95: Nanoseconds | None = None
    minimum: Nanoseconds | None = None
    maximum: Nanoseconds | None = None
    mad: Deviation | None = None
    confidence95: Deviation | None = None


class Timing(Part):
    """Latencies, and the statistic among them to rank by."""

    primary_statistic: Text
    latency_ns: LatencyNs
    samples: int | None = Field(default=None, ge=0)


class Measurement(Part):
    """One further figure: `value` in `unit`."""

    metric: Text
    statistic: Text
    unit: str
    value: Number
    sample_count: int | None = Field(default=None, ge=0)


class SourceNative(Part):
    """The run in its source's own words. Only `sitegen.sources` reads meaning into `benchmark` and `external_id`."""

    source: Text
    benchmark: Text
    external_id: str = ""
    metrics: Mapping[str, JsonValue] = Field(default_factory=dict)


class Correctness(Part):
    """How the outputs were compared, and how far they lay from the reference."""

    comparator: str = ""
    reference: str = ""
    maximum_absolute_error: Number | None = None
    maximum_relative_error: Number | None = None


class Artifact(Part):
    """A file that backs a run up, by digest and by where it was."""

    digest: Digest | None = None
    uri: Url = ""


class Evidence(Part):
    """What backs a run up."""

    logs: Artifact | None = None


class BenchmarkRunSpec(Part):
    """What was measured: of what, how, on what, when, and with which outcome.

    A run that failed may have no figures at all; so may one that passed.
    """

    implementation_digest: Digest
    workload_digest: Digest
    protocol_digest: Digest
    environment_digest: Digest
    status: Status
    observed_at: UtcTime
    source_native: SourceNative
    timing: Timing | None = None
    measurements: Listed[Measurement] = ()
    correctness: Correctness | None = None
    evidence: Evidence | None = None


class BenchmarkRun(Document):
    """One run of one implementation on one workload, by one protocol, in one environment."""

    kind: Literal["BenchmarkRun"]
    spec: BenchmarkRunSpec
