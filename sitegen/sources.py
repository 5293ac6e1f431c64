"""How each source names things: the one place that reads meaning into `sourceNative`.

A source that is not known is read by the general rule: all of `benchmark` is the kernel, and nothing else is guessed.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sitegen.settings import Settings

LIGER: Final = "liger-kernel-bench"
GPU_MODE: Final = "gpumode-kernelbot"
FLASHINFER: Final = "flashinfer-bench"

_NAMES: Final[Mapping[str, str]] = {
    LIGER: "Liger-Kernel",
    GPU_MODE: "GPU MODE KernelBot",
    FLASHINFER: "FlashInfer-Bench",
}
_RELEASE_LABELS: Final[Mapping[str, str]] = {LIGER: "liger_version"}
# kernel / pass / implementation / GPU / workload / time of measurement
_LIGER_SEGMENTS = 6
# At most 15 digits, which a float holds exactly: a longer number is a name, and no place on an axis.
_AXIS = re.compile(r"([A-Za-z](?:[A-Za-z0-9_]*[A-Za-z_])?)([0-9]{1,15}(?:\.[0-9]{1,15})?)")
_DTYPE = re.compile(r"(?:bf|fp|tf|float|bfloat|u?int)[0-9]+(?:_?e[0-9]+m[0-9]+[a-z]*)?|bool|half|double|float")


@dataclass(frozen=True, slots=True)
class Naming:
    """A run in the site's words. Each of the texts but `kernel` is "" where the source does not state it.

    `case` is the number of a test case, `workload_label` the workload as the source spells it.
    """

    kernel: str
    pass_name: str = ""
    case: str = ""
    workload_label: str = ""
    implementation: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """A workload label taken apart: its axes in order, its dtypes, and the words that are neither."""

    axes: tuple[tuple[str, int | float], ...]
    dtypes: tuple[str, ...]
    others: tuple[str, ...]


def naming(source: str, benchmark: str, external_id: str = "") -> Naming:
    """What `sourceNative` says in its source's dialect. Whatever is malformed is left unstated; nothing is raised."""
    if source == LIGER:
        return _liger(benchmark, external_id)
    if source == GPU_MODE:
        kernel, case = _split(benchmark)
        return Naming(kernel, case=case) if case.isdecimal() else Naming(benchmark)
    return Naming(benchmark)


def _split(benchmark: str) -> tuple[str, str]:
    """What lies before and after the last slash; all of it and "" where either would be empty."""
    before, _, after = benchmark.rpartition("/")
    return (before, after) if before and after else (benchmark, "")


def _liger(benchmark: str, external_id: str) -> Naming:
    kernel, word = _split(benchmark)
    segments = external_id.split("/")
    if len(segments) != _LIGER_SEGMENTS:
        segments = [""] * _LIGER_SEGMENTS
    pass_name, case = ("", word) if word.isdecimal() else (word, "")
    return Naming(kernel, pass_name, case, segments[4], segments[2])


def spells_workloads(source: str) -> bool:
    """Whether the source's labels of workloads are lists of axes and dtypes, which `parse_label` can take apart."""
    return source == LIGER


def parse_label(label: str) -> Label:
    """A label like `batch128-groups4-fp32` taken apart: the axes (batch, 128) and (groups, 4), and the dtype fp32."""
    axes: list[tuple[str, int | float]] = []
    dtypes: list[str] = []
    others: list[str] = []
    for word in label.split("-"):
        if _DTYPE.fullmatch(word):
            dtypes.append(word)
        elif axis := _AXIS.fullmatch(word):
            axes.append((axis[1], float(axis[2]) if "." in axis[2] else int(axis[2])))
        elif word:
            others.append(word)
    return Label(tuple(axes), tuple(dtypes), tuple(others))


def release(source: str, labels: Mapping[str, str]) -> str:
    """The release of the implementation that a run's labels give, "" where they give none."""
    return labels.get(_RELEASE_LABELS.get(source, ""), "")


def display_name(source: str, settings: Settings | None = None) -> str:
    """The source's name for readers: as set, else the built-in one, else the name that its records use."""
    chosen = settings.sources.get(source) if settings else None
    return (chosen and chosen.name) or _NAMES.get(source, source)


def baselines(source: str, settings: Settings) -> tuple[str, ...]:
    """The names of the implementations to compare with, the preferred first; empty where none is set."""
    chosen = settings.sources.get(source)
    return chosen.baselines if chosen else ()
