"""A workload as the site needs it: a label, its axes, and all that must stay the same along a sweep."""

import re
from dataclasses import dataclass

from sitegen.load.model import Loaded, Run
from sitegen.quantity import number
from sitegen.record import WorkloadCase, WorkloadSuite
from sitegen.sources import parse_label, spells_workloads

Axis = tuple[str, float | str]


@dataclass(frozen=True, slots=True)
class Workload:
    """The exact shapes, dtypes and scalars that a run was measured with.

    `axes` are names and values, by name, empty where nothing states them. `fixed` is everything else that
    makes up the workload (dtypes, scalars), as text: two workloads are on one sweep only when it agrees. `dtype` names
    the dtypes of its data, "" where they are not known.
    """

    digest: str
    label: str
    axes: tuple[Axis, ...]
    fixed: str
    dtype: str = ""
    title: str = ""

    @property
    def words(self) -> str:
        """The workload for a reader: its axes and dtypes where they are known, else the source's label."""
        if not self.axes:
            return self.label
        axes = [f"{name} {value if isinstance(value, str) else number(value)}" for name, value in self.axes]
        return ", ".join([*axes, self.dtype] if self.dtype else axes)

    @property
    def order(self) -> tuple[object, ...]:
        """The key by which workloads are listed: by axes, smallest first, then by label with its numbers as numbers."""
        return (
            tuple((name, isinstance(value, str), value) for name, value in self.axes),
            natural(self.label),
            self.digest,
        )


def natural(text: str) -> tuple[tuple[bool, int, str], ...]:
    """A sort key for `text` that reads its digits as numbers: case 2 before case 10."""
    parts = _PARTS.findall(text)
    return tuple((part[0] not in _DIGITS, int(part) if part[0] in _DIGITS else 0, part) for part in parts)


_LEAST, _MOST = 1e-15, 1e15
"""Between these lies every size that an axis is drawn for, as in a label: one further out is a name, and no place."""


def _place(value: float) -> float | str:
    """The value of an axis as a number, or as a text where no axis reaches that far or that close to nought."""
    place = float(value)
    return place if place == 0 or _LEAST <= abs(place) < _MOST else repr(value)


# The dtypes that name a workload: index and mask tensors (int64, bool) are the same in all of them.
_FLOATING = ("bf", "fp", "float", "int8", "uint8", "int4")
_DIGITS = "0123456789"
_PARTS = re.compile(r"[0-9]{1,18}|[^0-9]+")


def workload_of(run: Run, loaded: Loaded) -> Workload:
    """The workload that a run points at: from its document where the folder holds one, else from the source's label."""
    document = loaded.workloads.get(run.workload)
    if isinstance(document, WorkloadCase) and document.spec.axes:
        # By name: two files may write the axes of one workload in another order.
        axes = tuple(
            (name, value if isinstance(value, str) else _place(value))
            for name, value in sorted(document.spec.axes.items())
        )
        tensors = sorted(
            (name, tensor.dtype, tensor.layout, sorted((key, repr(value)) for key, value in tensor.data.items()))
            for name, tensor in document.spec.tensors.items()
        )
        scalars = sorted((name, str(scalar.value)) for name, scalar in document.spec.scalars.items())
        return Workload(
            digest=run.workload,
            label=run.workload_label,
            axes=axes,
            fixed=repr((tensors, scalars)),
            dtype="/".join(sorted({dtype for _, dtype, *_ in tensors if dtype.startswith(_FLOATING)})),
            title=document.metadata.title or "",
        )
    if isinstance(document, WorkloadSuite):
        return Workload(run.workload, run.workload_label, (), "", title=document.metadata.title or "")
    # What is no list of axes must not be read as one: the digest e07bedc81743 is not 81,743 of something.
    unnamed = run.workload.removeprefix("sha256:").startswith(run.workload_label)
    if unnamed or not spells_workloads(run.source):
        return Workload(run.workload, run.workload_label, (), run.workload_label)
    parsed = parse_label(run.workload_label)
    label_axes: tuple[Axis, ...] = tuple(sorted((name, float(value)) for name, value in parsed.axes))
    dtype = "/".join(parsed.dtypes)
    return Workload(run.workload, run.workload_label, label_axes, "-".join((*parsed.dtypes, *parsed.others)), dtype)
