"""The declarative table of known kernels: its entries, and the sizes that are written in it as expressions."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

_EXPRESSION = re.compile(r"(\w+)(?: (\*|\+|//) (\w+))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor of a kernel: its sizes as expressions over axes, and its dtype ("" is the workload's own)."""

    name: str
    shape: tuple[str, ...]
    dtype: str


@dataclass(frozen=True, slots=True)
class Layout:
    """One way in which tables name the axes of a kernel: see kernels.toml."""

    axes: Mapping[str, str]
    label: str = ""
    bounds: tuple[str, ...] = ()
    shapes: bool = True

    @property
    def settings(self) -> frozenset[str]:
        """The columns and settings of the table that the axes are made of."""
        return frozenset(name for expression in self.axes.values() for name in names_in(expression))


@dataclass(frozen=True, slots=True)
class Kernel:
    """What is known of a kernel; of an unknown one only its name, as the title."""

    name: str
    title: str
    does: str = ""
    dtype: str = ""
    takes: tuple[Tensor, ...] = ()
    gives: tuple[Tensor, ...] = ()
    unsaid: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()
    layouts: tuple[Layout, ...] = ()


def names_in(expression: str) -> tuple[str, ...]:
    """The names of an expression, without its numbers. Raises `ValueError` where it is none."""
    match = _EXPRESSION.fullmatch(expression)
    if match is None:
        raise ValueError(f"not a size: {expression}")
    return tuple(part for part in (match[1], match[3]) if part and not part.isdecimal())


def size(expression: str, values: Mapping[str, Any]) -> int:
    """The value of an expression over whole numbers; `values` must have every name of it."""
    match = _EXPRESSION.fullmatch(expression)
    if match is None:
        raise ValueError(f"not a size: {expression}")
    left, operator, right = match.groups()
    first = int(left) if left.isdecimal() else int(values[left])
    if operator is None:
        return first
    second = int(right) if right.isdecimal() else int(values[right])
    return {"*": first * second, "+": first + second, "//": first // second}[operator]


@cache
def known_kernels() -> Mapping[str, Kernel]:
    """The kernels of kernels.toml by their names in the table."""
    data = tomllib.loads((files(__package__) / "kernels.toml").read_text(encoding="utf-8"))
    return {name: _kernel(name, entry) for name, entry in data.items()}


def kernel_named(name: str) -> Kernel:
    """The kernel called `name` in the table, known or not."""
    return known_kernels().get(name) or Kernel(name, name)


def _kernel(name: str, entry: dict[str, Any]) -> Kernel:
    parts = dict(entry)
    return Kernel(
        name=name,
        takes=_tensors(parts.pop("takes", {})),
        gives=_tensors(parts.pop("gives", {})),
        ignored=tuple(parts.pop("ignored", ())),
        layouts=tuple(
            Layout(**{**layout, "bounds": tuple(layout.get("bounds", ()))}) for layout in parts.pop("layouts")
        ),
        **parts,
    )


def _tensors(entry: Mapping[str, str]) -> tuple[Tensor, ...]:
    found = []
    for name, text in entry.items():
        shape, _, dtype = text.partition(" : ")
        found.append(Tensor(name, tuple(shape.split(", ")), dtype))
    return tuple(found)
