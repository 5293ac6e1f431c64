"""The environment of a run: its digest is what tells one GPU from another."""

import pytest

from sitegen.identity import digest
from sitegen.importing.liger.hardware import environment

KNOWN = {
    "NVIDIA A100-SXM4-80GB": (
        "sha256:90c9e2764222f592477cfccf3373519add5a1b881563956ad058c4f99e41b6b9",
        {"vendor": "nvidia", "product": "NVIDIA A100", "architecture": "sm_80", "formFactor": "SXM4-80GB"},
    ),
    "NVIDIA H100 80GB HBM3": (
        "sha256:2750ae381d6de582f1eb6b9008e0987463d19ede8af127d97d76c5ae09121393",
        {"vendor": "nvidia", "product": "NVIDIA H100", "architecture": "sm_90", "formFactor": "80GB HBM3"},
    ),
    "NVIDIA H100 PCIe": (
        "sha256:89f9b28b06758f22a1df331fea58bfde2c9cc0f3627d1829509743ea538f0011",
        {"vendor": "nvidia", "product": "NVIDIA H100", "architecture": "sm_90", "formFactor": "PCIe"},
    ),
    "NVIDIA GeForce RTX 3090": (
        "sha256:b12fdfab6a337672499b10212a1e986e49e4383777bd7cbb58321b09af4bf6a3",
        {"vendor": "nvidia", "product": "NVIDIA GeForce RTX 3090", "architecture": "sm_86"},
    ),
    "NVIDIA GeForce RTX 4090": (
        "sha256:e2646efafa5e5fbd428b49a99b1c076c10d51654a549c4e50ec36da7662d4328",
        {"vendor": "nvidia", "product": "NVIDIA GeForce RTX 4090", "architecture": "sm_89"},
    ),
    "NVIDIA B200": (
        "sha256:ad459e643ef802f7008f1fa8915785c905d05abbfdb5eb0328be214f8d9f3a8b",
        {"vendor": "nvidia", "product": "NVIDIA B200", "architecture": "sm_100"},
    ),
}


@pytest.mark.parametrize("gpu", KNOWN)
def test_a_known_gpu_has_its_known_digest(gpu: str) -> None:
    expected, hardware = KNOWN[gpu]
    document = environment(gpu)
    assert document["spec"] == {"hardware": hardware, "software": {}}
    assert digest(document) == expected


@pytest.mark.parametrize(
    ("gpu", "vendor", "product", "form_factor", "architecture"),
    [
        ("NVIDIA H200", "nvidia", "NVIDIA H200", None, "sm_90"),
        ("NVIDIA H100 NVL", "nvidia", "NVIDIA H100", "NVL", "sm_90"),
        ("AMD Instinct MI300X", "amd", "AMD Instinct MI300X", None, "gfx942"),
        ("NVIDIA L40S", "nvidia", "NVIDIA L40S", None, "sm_89"),
        ("NVIDIA A1000", "nvidia", "NVIDIA A1000", None, "unknown"),
        ("Ascend 910B", "unknown", "Ascend 910B", None, "unknown"),
    ],
)
def test_another_gpu_is_parted_by_the_same_rule_and_nothing_is_guessed(
    gpu: str, vendor: str, product: str, form_factor: str | None, architecture: str
) -> None:
    hardware = environment(gpu)["spec"]["hardware"]
    assert hardware["vendor"] == vendor
    assert hardware["product"] == product
    assert hardware.get("formFactor") == form_factor
    assert hardware["architecture"] == architecture
