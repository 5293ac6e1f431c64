"""WorkloadCase, WorkloadSuite and OperationSpec: the exact shapes that were run, and what is computed of them."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field, JsonValue

from sitegen.record.envelope import Document, Listed, Part
from sitegen.record.run import Correctness
from sitegen.record.text import Digest, Text


class Tensor(Part):
    """A tensor. A dimension of `shape` is a number, or in an OperationSpec the name of an axis."""

    shape: Listed[int | str]
    dtype: str
    layout: str = ""
    data: Mapping[str, JsonValue] = Field(default_factory=dict)


class Scalar(Part):
    """A scalar argument; an OperationSpec leaves its value open."""

    dtype: str
    value: JsonValue = None


class WorkloadCaseSpec(Part):
    """Exact sizes, dtypes and scalars. `axes` are in the author's order."""

    operation_spec_digest: Digest | None = None
    axes: Mapping[str, int | float | str] = Field(default_factory=dict)
    tensors: Mapping[str, Tensor] = Field(default_factory=dict)
    scalars: Mapping[str, Scalar] = Field(default_factory=dict)
    correctness: Correctness | None = None


class WorkloadCase(Document):
    """One exact workload."""

    kind: Literal["WorkloadCase"]
    spec: WorkloadCaseSpec


class SuiteCase(Part):
    """One case of a suite, by its sizes."""

    external_id: str = ""
    axes: Mapping[str, int | float | str] = Field(default_factory=dict)


class Aggregation(Part):
    """How the figures of a suite's cases become its one figure."""

    metric: Text
    statistic: Text


class WorkloadSuiteSpec(Part):
    """The cases that a score is taken over."""

    operation_spec_digest: Digest | None = None
    cases: Listed[SuiteCase] = ()
    aggregation: Aggregation | None = None
    correctness: Correctness | None = None


class WorkloadSuite(Document):
    """Several cases that are measured together and scored as one."""

    kind: Literal["WorkloadSuite"]
    spec: WorkloadSuiteSpec


class OperationAxis(Part):
    """An axis of an operation: constant (`value`), variable, or derived (`expression`)."""

    type: str = ""
    role: str = ""
    value: int | float | str | None = None
    expression: str = ""


class Argument(Part):
    """An input or output of an operation: a tensor or a scalar."""

    name: Text
    tensor: Tensor | None = None
    scalar: Scalar | None = None


class Reference(Part):
    """The code that says what the right answer is."""

    language: str = ""


class Semantics(Part):
    """What an operation promises beyond its outputs."""

    determinism: str = ""
    mutation: str = ""


class OperationSpecSpec(Part):
    """What is computed: the arguments and the axes that tie their shapes together."""

    family: str = ""
    axes: Mapping[str, OperationAxis] = Field(default_factory=dict)
    inputs: Listed[Argument] = ()
    outputs: Listed[Argument] = ()
    reference: Reference | None = None
    semantics: Semantics | None = None


class OperationSpec(Document):
    """What an operation computes."""

    kind: Literal["OperationSpec"]
    spec: OperationSpecSpec
