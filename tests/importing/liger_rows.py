"""Tables to import: the real rows beside this file, and single rows of a table made for a test."""

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sitegen.importing.liger.row import COLUMNS

TABLES = Path(__file__).parent / "tables"

CROSS_ENTROPY: dict[str, str] = {
    "kernel_name": "cross_entropy",
    "kernel_provider": "liger",
    "kernel_operation_mode": "forward",
    "metric_name": "speed",
    "metric_unit": "ms",
    "x_name": "V",
    "x_label": "vocab size",
    "x_value": "4096",
    "y_value_50": "0.5324159860610962",
    "y_value_20": "0.5291008353233337",
    "y_value_80": "0.53476482629776",
    "extra_benchmark_config_str": '{"B": 8, "T": 2048}',
    "gpu_name": "NVIDIA A100-SXM4-80GB",
    "timestamp": "2024-09-03 15:31:39",
    "liger_version": "0.2.1",
}
"""The first row of the real main table."""


def row(**cells: str) -> dict[str, str]:
    """The real row with other cells."""
    return {**CROSS_ENTROPY, **cells}


def memory(**cells: str) -> dict[str, str]:
    """A memory row of the same measurement, a second later."""
    other = {
        "metric_name": "memory",
        "metric_unit": "MB",
        "y_value_50": "256.5",
        "y_value_20": "256.25",
        "y_value_80": "257.0",
        "timestamp": "2024-09-03 15:31:40",
    }
    return row(**{**other, **cells})


def text_of(*rows: Mapping[str, str]) -> str:
    """The rows as the text of a table, with its header."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def table(folder: Path, *rows: Mapping[str, str]) -> Path:
    """A table file of these rows."""
    path = folder / "table.csv"
    path.write_text(text_of(*rows), encoding="utf-8", newline="")
    return path


def records(into: Path) -> dict[str, dict[str, Any]]:
    """The run records below `into`, by their external identity."""
    found = {}
    for path in sorted(into.glob("liger/*/*.json")):
        record = json.loads(path.read_bytes())
        if "run" in record:
            found[record["run"]["spec"]["sourceNative"]["externalId"]] = record
    return found


def documents(into: Path, kind: str) -> list[dict[str, Any]]:
    """The documents of one folder below `into`: workloads, implementations or operations."""
    return [json.loads(path.read_bytes()) for path in sorted(into.glob(f"liger/documents/{kind}/*.json"))]
