"""One page of each kind that the sample catalogue's site has, and of each thing that can be on it."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

Row = dict[str, Any]

FIXED = {
    "home": "index.html",
    "kernels": "kernels/index.html",
    "hardware": "hardware/index.html",
    "implementations": "implementations/index.html",
    "data": "data/index.html",
    "method": "method/index.html",
    "404": "404.html",
}


def has(**facts: object) -> Callable[[Row], bool]:
    return lambda row: all(row[name] == value for name, value in facts.items())


def tied(row: Row) -> bool:
    return any(entry["tied"] for entry in row["entries"])


def spread_unknown(row: Row) -> bool:
    return len(row["entries"]) > 1 and all(entry["low"] is None for entry in row["entries"])


def hostile(row: Row) -> bool:
    return "<img" in row["kernel"]


GROUPS: dict[str, Callable[[Row], bool]] = {
    "group": has(kernel="layer_norm"),
    "group with a tie": lambda row: row["kernel"] == "megatron_rms_norm" and tied(row),
    "group without spreads": spread_unknown,
    "group with history": lambda row: bool(row["history"]),
    "group with a failed run": lambda row: bool(row["unranked"]),
    "group of scores": has(metric="score"),
    "group, hostile": hostile,
}
RUNS: dict[str, Callable[[Row], bool]] = {
    "run": has(kernel="layer_norm"),
    "run that failed": has(status="runtime_error"),
    "run with a score": has(metric="score"),
    "run with a deviation": has(source="gpumode-kernelbot", statistic="mean"),
    "run, hostile": lambda row: hostile(row) and "<script>" in row["implementation"],
}
# Where a kernel, a GPU or an implementation has its page is said by the page of a group or a run that links it.
LINKED: dict[str, tuple[str, str]] = {
    "kernel": ("group", "kernels"),
    "kernel with ties": ("group with a tie", "kernels"),
    "kernel without spreads": ("group without spreads", "kernels"),
    "kernel of scores": ("group of scores", "kernels"),
    "kernel, hostile": ("group, hostile", "kernels"),
    "GPU": ("group", "hardware"),
    "GPU, hostile": ("group, hostile", "hardware"),
    "implementation": ("run", "implementations"),
    "implementation, hostile": ("run, hostile", "implementations"),
}

KINDS = (*FIXED, *GROUPS, *RUNS, *LINKED)


def addresses(site: Path, links: Callable[[str], Iterable[str]]) -> dict[str, str]:
    """The address of a page of each kind; `links` gives the addresses that a page links."""
    found = dict(FIXED)
    for table, kinds in (("groups", GROUPS), ("runs", RUNS)):
        rows = [json.loads(line) for line in (site / f"data/{table}.jsonl").read_text(encoding="utf-8").splitlines()]
        for kind, wanted in kinds.items():
            found[kind] = next(row["page"] for row in rows if wanted(row))
    for kind, (of, folder) in LINKED.items():
        linked = [
            link for link in links(found[of]) if link.startswith(f"{folder}/") and not link.endswith("/index.html")
        ]
        found[kind] = linked[0]
    return found
