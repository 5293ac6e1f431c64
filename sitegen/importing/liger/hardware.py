"""The GPU of a row: the table gives one name, a record parts it into product, form factor and architecture."""

import re
from typing import Any

from sitegen.importing.liger.naming import slug
from sitegen.record import API_VERSION

# The parts that are sold in several form factors are named product first, then form factor.
_FORM_FACTORS = re.compile(r"(NVIDIA (?:A100|A800|H100|H200|H800))[- ](.+)", re.ASCII)

# Compute capabilities as published by the vendor; the first pattern that is found in the product's name counts.
_ARCHITECTURES = tuple(
    (re.compile(pattern, re.ASCII), architecture)
    for pattern, architecture in (
        (r"NVIDIA (Tesla )?V100\b", "sm_70"),
        (r"NVIDIA (Tesla )?T4\b", "sm_75"),
        (r"NVIDIA (A100|A800)\b", "sm_80"),
        (r"NVIDIA GeForce RTX 30\d\d\b", "sm_86"),
        (r"NVIDIA GeForce RTX 40\d\d\b", "sm_89"),
        (r"NVIDIA (L4|L40|L40S)\b", "sm_89"),
        (r"NVIDIA (H100|H200|H800|GH200)\b", "sm_90"),
        (r"NVIDIA (B200|GB200)\b", "sm_100"),
        (r"NVIDIA GeForce RTX 50\d\d\b", "sm_120"),
        (r"AMD Instinct MI300[AX]\b", "gfx942"),
    )
)
_VENDORS = {"NVIDIA": "nvidia", "AMD": "amd", "Intel": "intel"}


def environment(gpu: str) -> dict[str, Any]:
    """The ExecutionEnvironment of a run on `gpu`; the table says nothing of the software."""
    split = _FORM_FACTORS.fullmatch(gpu)
    product, form_factor = split.groups() if split else (gpu, "")
    architecture = next((name for pattern, name in _ARCHITECTURES if pattern.match(product)), "unknown")
    hardware = {
        "vendor": _VENDORS.get(gpu.partition(" ")[0], "unknown"),
        "product": product,
        "architecture": architecture,
    }
    if form_factor:
        hardware["formFactor"] = form_factor
    return {
        "apiVersion": API_VERSION,
        "kind": "ExecutionEnvironment",
        "metadata": {"name": f"liger-bench-{slug(gpu)}", "title": f"Liger benchmark host · {gpu}"},
        "spec": {"hardware": hardware, "software": {}},
    }
