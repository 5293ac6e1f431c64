"""One row of a Liger-Kernel table: what its cells mean, and what is wrong with those that mean nothing."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

COLUMNS = (
    "kernel_name",
    "kernel_provider",
    "kernel_operation_mode",
    "metric_name",
    "metric_unit",
    "x_name",
    "x_label",
    "x_value",
    "y_value_50",
    "y_value_20",
    "y_value_80",
    "extra_benchmark_config_str",
    "gpu_name",
    "timestamp",
    "liger_version",
)
UNITS = {"speed": "ms", "memory": "MB"}
LONGEST_MS = (2**53 - 1) / 1e6
"""Milliseconds beyond which a latency in whole nanoseconds is no longer exact in JSON."""

_DEEPEST = 500
"""Brackets that settings may open: less than Python can follow."""

Setting: TypeAlias = str | int | float | bool | list[Any] | dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table: three quantiles of a speed (in ms) or of a memory use (in MB).

    `line` is the first line of the row in the file, counted from 1. `x` is a whole number, a number or a name, and
    `config` the settings that the row was measured with, without `x`. `timestamp` has no time zone, as in the table.
    """

    line: int
    kernel: str
    provider: str
    mode: str
    metric: str
    x_name: str
    x_label: str
    x: int | float | str
    median: float
    p20: float
    p80: float
    config: Mapping[str, Setting]
    gpu: str
    timestamp: datetime
    release: str

    @property
    def measured(self) -> tuple[object, ...]:
        """What was measured, of what and on what, whenever that was: a memory row and its run agree in it."""
        return (
            self.kernel,
            self.provider,
            self.mode,
            self.x_name,
            str(self.x),
            json.dumps(self.config, sort_keys=True),
            self.gpu,
            self.release,
        )

    @property
    def words(self) -> str:
        """The row for a reader: `rope/full, liger, T=1024, NVIDIA B200, 2026-06-16 04:03:53`."""
        return f"{self.kernel}/{self.mode}, {self.provider}, {self.x_name}={self.x}, {self.gpu}, {self.timestamp}"


class RowError(ValueError):
    """A row that cannot be understood: what is wrong, and what to do about it."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def quoted(text: str, longest: int = 80) -> str:
    """A value of the table inside a message, cut where it is long."""
    return f"“{text if len(text) <= longest else text[:longest] + '…'}”"


def read_row(line: int, names: Sequence[str], cells: Sequence[str]) -> Row:
    """The row whose `cells` stand below the column `names`; raises `RowError` where they make none."""
    if len(cells) != len(names):
        raise RowError(
            f"The row has {len(cells)} cells, the header {len(names)}.",
            "Give the row a cell for each column; put quotation marks around cells that hold commas.",
        )
    values = dict(zip(names, (cell.strip() for cell in cells), strict=True))
    metric = _metric(values)
    median, p20, p80 = (_figure(values, f"y_value_{quantile}", metric) for quantile in (50, 20, 80))
    if not p20 <= median <= p80:
        raise RowError(
            f"The median {median:g} does not lie between y_value_20 {p20:g} and y_value_80 {p80:g}.",
            "Check the three figures against the benchmark's output.",
        )
    x_name = _key("x_name", values["x_name"])
    return Row(
        line=line,
        kernel=_name(values, "kernel_name"),
        provider=_name(values, "kernel_provider"),
        mode=_name(values, "kernel_operation_mode"),
        metric=metric,
        x_name=x_name,
        x_label=values["x_label"],
        x=_x(values["x_value"]),
        median=median,
        p20=p20,
        p80=p80,
        config=_config(values["extra_benchmark_config_str"], x_name),
        gpu=_name(values, "gpu_name"),
        timestamp=_timestamp(values["timestamp"]),
        release=_name(values, "liger_version") if values["liger_version"] else "",
    )


def _metric(values: Mapping[str, str]) -> str:
    metric, unit = values["metric_name"], values["metric_unit"]
    if metric not in UNITS:
        raise RowError(
            f"metric_name is {quoted(metric)}.", "Rows of speed and of memory can be imported; take out the others."
        )
    if unit != UNITS[metric]:
        raise RowError(f"metric_unit is {quoted(unit)} in a row of {metric}.", f"Give the figures in {UNITS[metric]}.")
    return metric


def _figure(values: Mapping[str, str], column: str, metric: str) -> float:
    try:
        value = float(values[column])
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise RowError(f"{column} is {quoted(values[column])}, which is no number.", "Give a number, such as 0.532.")
    if value < 0 or (metric == "speed" and not 1e-6 <= value <= LONGEST_MS):
        raise RowError(
            f"{column} is {value:g} {UNITS[metric]}, which cannot be.",
            "A latency is at least one nanosecond, and no figure is negative: check the benchmark's output.",
        )
    return value


def _name(values: Mapping[str, str], column: str) -> str:
    """A name that becomes part of the run's identity, where a slash parts one name from the next."""
    name = values[column]
    if not name or not name.isprintable():
        raise RowError(f"{column} is {'empty' if not name else 'not printable text'}.", f"Fill in {column}.")
    if "/" in name or len(name) > 200:
        what = "holds a slash" if "/" in name else "is longer than 200 characters"
        raise RowError(f"{column} {quoted(name)} {what}.", "Rename it: names are short, and are parted by slashes.")
    return name


_is_key = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}", re.ASCII).fullmatch


def _key(where: str, key: str) -> str:
    if not _is_key(key):
        raise RowError(f"{where} holds the name {quoted(key)}.", "Names are made of letters, digits and “_”.")
    return key


def _x(text: str) -> int | float | str:
    if re.fullmatch(r"-?[0-9]{1,15}(\.0+)?", text, re.ASCII):
        return int(text.partition(".")[0])
    if re.fullmatch(r"-?[0-9]{1,15}(\.[0-9]{1,15})?([eE][-+]?[0-9]{1,2})?", text, re.ASCII):
        return float(text)
    if not text or not text.isprintable() or len(text) > 200:
        raise RowError(f"x_value is {quoted(text)}.", "Give the number or the name that the sweep stands at.")
    return text


def _config(text: str, x_name: str) -> dict[str, Setting]:
    hint = 'extra_benchmark_config_str must be a JSON object, such as {"B": 8, "T": 2048}, with each name once.'
    try:
        config = _json(text or "{}")
    except ValueError as error:
        raise RowError(f"extra_benchmark_config_str cannot be read: {error}.", hint) from error
    if not isinstance(config, dict):
        raise RowError("extra_benchmark_config_str is no JSON object.", hint)
    for key in config:
        _key("extra_benchmark_config_str", key)
    if config.pop(x_name, None) is not None:
        raise RowError(
            f"extra_benchmark_config_str gives a value for {x_name}, which is the axis of the sweep.",
            f"Take {x_name} out of the settings, or set it to null: x_value says where the sweep stands.",
        )
    return config


def _json(text: str) -> Any:
    """The value of a JSON text; raises `ValueError` where it is none, or more than can be trusted."""
    if text.count("[") + text.count("{") > _DEEPEST:
        raise ValueError("it is nested too deeply")
    return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is given twice")
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _timestamp(text: str) -> datetime:
    hint = "Write the time as 2024-09-03 15:31:39."
    if not re.fullmatch(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d", text, re.ASCII):
        raise RowError(f"timestamp is {quoted(text)}.", hint)
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise RowError(f"timestamp is {quoted(text)}: there is no such time.", hint) from error
