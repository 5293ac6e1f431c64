"""BenchmarkProtocol and ExecutionEnvironment: how a run was timed, and on what."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from sitegen.record.envelope import Document, Part
from sitegen.record.run import Correctness
from sitegen.record.text import Text, Url


class Harness(Part):
    """The program that timed the run."""

    name: Text
    repository: Url = ""


class MeasurementRule(Part):
    """What timed the run, and the statistic that its figures are ranked by."""

    timer: Text
    primary_statistic: Text


class Comparability(Part):
    """What the protocol's runs may be compared with, in its authors' words."""

    family: str = ""
    notes: str = ""


class BenchmarkProtocolSpec(Part):
    """How a run was timed."""

    harness: Harness
    measurement: MeasurementRule
    comparability: Comparability = Comparability()
    correctness: Correctness | None = None


class BenchmarkProtocol(Document):
    """How runs were timed; only runs of one protocol may be ranked against each other."""

    kind: Literal["BenchmarkProtocol"]
    spec: BenchmarkProtocolSpec


class Hardware(Part):
    """The GPU. `form_factor` is part of the exact product: an H100 PCIe is not an H100 SXM."""

    vendor: Text
    product: Text
    architecture: str = "unknown"
    form_factor: str = ""


class Framework(Part):
    """The framework that the implementation ran in."""

    name: Text
    version: str = ""


class Software(Part):
    """Versions, as far as the record gives them."""

    cuda_toolkit: str = ""
    framework: Framework | None = None
    libraries: Mapping[str, str] = Field(default_factory=dict)


class ExecutionEnvironmentSpec(Part):
    """What a run was made on."""

    hardware: Hardware
    software: Software = Software()


class ExecutionEnvironment(Document):
    """What runs were made on: the GPU and the software."""

    kind: Literal["ExecutionEnvironment"]
    spec: ExecutionEnvironmentSpec
