"""The workload of a row: axes, dtype and settings from its columns, tensors from what is known of its kernel."""

import json
import re
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from sitegen.identity import digest
from sitegen.importing.liger.kernels import Kernel, Layout, names_in, size
from sitegen.importing.liger.naming import label_part, short_hash, slug
from sitegen.importing.liger.row import Row, RowError, Setting, quoted
from sitegen.record import API_VERSION

AxisValue: TypeAlias = int | float | str

_is_dtype = re.compile(r"(torch\.)?[a-z][a-z0-9_]{0,30}", re.ASCII).fullmatch
_DTYPES = {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32", "float64": "fp64"}
_LARGEST = 2**53 - 1
# Characters of a value in a label or a title; the identity has all of it.
_LONGEST = 80


@dataclass(frozen=True, slots=True)
class Workload:
    """The exact shapes, dtype and settings of a row. `label` names them in the run's external identity."""

    label: str
    digest: str
    document: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What a row says of its workload: axes in order, settings that are no axis, and whether the shapes are known."""

    axes: dict[str, AxisValue]
    settings: dict[str, Setting]
    shapes: bool


def workload(row: Row, kernel: Kernel, operation: str) -> Workload:
    """The workload of `row`, whose operation has the digest `operation`.

    Raises `RowError` where the row's settings make no workload, and `NotCanonicalError` where a text has no digest.
    """
    config = dict(row.config)
    dtype = _dtype(config.pop("dtype", None)) or kernel.dtype
    stated: dict[str, Setting] = {row.x_name: row.x, **config}
    layout = _layout(kernel, row, stated)
    meaning = _by_layout(kernel, layout, stated) if layout else _by_rule(stated)
    dtypes = [dtype] if dtype else []
    label = "-".join([*sorted(_labelled(name, value) for name, value in meaning.axes.items()), *dtypes])
    axes = ", ".join(f"{name}={str(value)[:_LONGEST]}" for name, value in meaning.axes.items())
    document = {
        "apiVersion": API_VERSION,
        "kind": "WorkloadCase",
        "metadata": {
            "name": f"liger-{slug(kernel.name)[:60]}-{slug(label)[:150]}-{short_hash(label, 8)}",
            "title": " · ".join([kernel.title, axes, *dtypes]),
        },
        "spec": _spec(meaning, kernel, dtype, operation),
    }
    return Workload(label, digest(document), document)


def _spec(meaning: _Meaning, kernel: Kernel, dtype: str, operation: str) -> dict[str, Any]:
    """What makes the workload's identity."""
    spec: dict[str, Any] = {"operationSpecDigest": operation, "axes": meaning.axes}
    if meaning.shapes and dtype:
        spec["tensors"] = {
            tensor.name: {"shape": [size(part, meaning.axes) for part in tensor.shape], "dtype": tensor.dtype or dtype}
            for tensor in kernel.takes
        }
    elif dtype:
        # Without tensors nothing else would tell one dtype from another.
        spec["axes"] = {**meaning.axes, "dtype": dtype}
    if meaning.settings:
        spec["scalars"] = {name: _scalar(value) for name, value in sorted(meaning.settings.items())}
    return {**spec, "correctness": {"comparator": "not_asserted"}}


def _layout(kernel: Kernel, row: Row, stated: Mapping[str, Setting]) -> Layout | None:
    """The first layout of the kernel whose axes the row states, None where it states those of no layout."""
    for layout in kernel.layouts:
        if layout.settings <= stated.keys() and layout.label in ("", row.x_label.lower()):
            return layout
    return None


def _by_layout(kernel: Kernel, layout: Layout, stated: Mapping[str, Setting]) -> _Meaning:
    axes: dict[str, AxisValue] = {}
    for axis, expression in layout.axes.items():
        names = names_in(expression)
        if names == ("model_config",):
            axes[axis] = str(stated["model_config"])
            continue
        for name in names:
            _positive(name, stated[name])
        axes[axis] = size(expression, stated)
    left = {
        name: value
        for name, value in stated.items()
        if name not in layout.settings and name not in layout.bounds and name not in kernel.ignored
    }
    settings = {name: value for name, value in left.items() if _same(value, kernel.unsaid.get(name))}
    said = {name: value for name, value in left.items() if name not in settings}
    for name, value in said.items():
        axes[_apart(name, layout.axes)] = _axis(value)
    return _Meaning(axes, settings, layout.shapes and not said)


def _by_rule(stated: Mapping[str, Setting]) -> _Meaning:
    """The general rule: everything that the table states is an axis under the table's own name."""
    return _Meaning({_apart(name, ()): _axis(value) for name, value in stated.items()}, {}, shapes=False)


def _apart(name: str, taken: Container[str]) -> str:
    """The axis for a setting of the table, apart from an axis that means something else under the same name.

    No setting's own name holds a dot, so two settings never meet in one axis.
    """
    return f"table.{name}" if name in taken or name == "dtype" else name


def _positive(name: str, value: Setting) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= 2**31:
        raise RowError(
            f"{name} is {quoted(json.dumps(value))}, and must be a whole number above 0 for this kernel.",
            f"Check x_value and extra_benchmark_config_str for {name}.",
        )


def _same(value: Setting, unsaid: Setting) -> bool:
    """Whether a setting has the value that goes without saying; `True` and 1 are two values."""
    return value == unsaid and isinstance(value, bool) == isinstance(unsaid, bool) and value is not None


def _axis(value: Setting) -> AxisValue:
    """A value as an axis: numbers and text as they are, everything else as the text of its JSON.

    Text that would read as such JSON is quoted as JSON quotes it, so that "true" is not true.
    """
    if isinstance(value, str):
        return json.dumps(value) if value in ("true", "false", "null") or value.startswith(('"', "[", "{")) else value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return json.dumps(value, sort_keys=True)
    if isinstance(value, int) and abs(value) > _LARGEST:
        raise RowError(f"The setting {quoted(str(value))} is too large.", "Check extra_benchmark_config_str.")
    return value


def _labelled(name: str, value: AxisValue) -> str:
    """`hidden4096`, or `model=llama_2_7b` for a value that is no whole number."""
    plain = isinstance(value, int) and value >= 0
    return f"{label_part(name)}{value}" if plain else f"{label_part(name)}={label_part(str(value)[:_LONGEST])}"


def _scalar(value: Setting) -> dict[str, Any]:
    kind = {bool: "bool", int: "int", float: "float"}.get(type(value), "string")
    return {"dtype": kind, "value": value}


def _dtype(value: Setting) -> str:
    """`bf16` for `torch.bfloat16`; "" where the table states none."""
    if value is None:
        return ""
    if not isinstance(value, str) or not _is_dtype(value):
        raise RowError(f"dtype is {quoted(json.dumps(value))}.", "Write it as torch.bfloat16.")
    name = value.removeprefix("torch.")
    return _DTYPES.get(name, name)
