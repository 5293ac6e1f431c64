"""The documents that runs share: what a kernel computes, who implements it, and how a pass was timed."""

from typing import Any, TypeAlias

from sitegen.importing.liger.kernels import Kernel, Tensor, names_in
from sitegen.importing.liger.naming import short_hash, slug
from sitegen.record import API_VERSION

REPOSITORY = "https://github.com/linkedin/Liger-Kernel"

# title, description, language, licence, whether it is what the others are measured against
_Provider: TypeAlias = tuple[str, str, str, str, bool]

_HUGGINGFACE: _Provider = ("Transformers", "Module of Hugging Face Transformers.", "python", "Apache-2.0", True)
_TORCH: _Provider = ("PyTorch", "Plain PyTorch.", "python", "BSD-3-Clause", True)
_LIGER: _Provider = ("Liger", "Liger-Kernel, in Triton.", "triton", "BSD-2-Clause", False)
_UNFUSED = "PyTorch adds the residual, Liger-Kernel normalizes in {}: two steps."
_FUSED = "Liger-Kernel adds the residual and normalizes in one {} kernel."

PROVIDERS: dict[str, _Provider] = {
    "huggingface": _HUGGINGFACE,
    "torch": _TORCH,
    "torch_compile": ("torch.compile", "PyTorch, compiled by torch.compile.", "python", "BSD-3-Clause", False),
    "liger": _LIGER,
    "liger_triton": _LIGER,
    "liger_cutile": ("Liger cuTile", "Liger-Kernel, in cuTile.", "cutile", "BSD-2-Clause", False),
    "liger_cutedsl": ("Liger CuTe DSL", "Liger-Kernel, in the CuTe DSL.", "cute", "BSD-2-Clause", False),
    "liger_in_place": ("Liger in place", "Liger-Kernel, writing over its input.", "triton", "BSD-2-Clause", False),
    "liger_tiled": ("Liger tiled", "Liger-Kernel, shard by shard of the sequence.", "triton", "BSD-2-Clause", False),
    "liger_rms_norm": ("Liger unfused", _UNFUSED.format("Triton"), "triton", "BSD-2-Clause", False),
    "liger_triton_rms_norm": ("Liger unfused", _UNFUSED.format("Triton"), "triton", "BSD-2-Clause", False),
    "liger_cutile_rms_norm": ("Liger cuTile unfused", _UNFUSED.format("cuTile"), "cutile", "BSD-2-Clause", False),
    "liger_fused_add_rms_norm": ("Liger fused", _FUSED.format("Triton"), "triton", "BSD-2-Clause", False),
    "liger_triton_fused_add_rms_norm": ("Liger fused", _FUSED.format("Triton"), "triton", "BSD-2-Clause", False),
    "liger_cutile_fused_add_rms_norm": ("Liger cuTile fused", _FUSED.format("cuTile"), "cutile", "BSD-2-Clause", False),
    "deepspeed_tiled": ("DeepSpeed tiled", "DeepSpeed, shard by shard of the sequence.", "python", "Apache-2.0", False),
    "megatron": ("Megatron", "Megatron-Core.", "python", "BSD-3-Clause", False),
    "megatron-fused": ("Megatron fused", "Megatron-Core, fused path.", "python", "BSD-3-Clause", False),
    "megatron-unfused": ("Megatron unfused", "Megatron-Core, unfused path.", "python", "BSD-3-Clause", True),
}

_PASSES = {
    "forward": ("forward pass", "the forward pass"),
    "backward": ("backward pass", "the backward pass alone, from a given gradient of the output"),
    "full": ("forward and backward pass", "the forward pass and the backward pass together"),
    "no-grad-forward": ("forward pass without gradients", "the forward pass with gradients switched off"),
}


def operation(kernel: Kernel) -> dict[str, Any]:
    """The OperationSpec of a kernel: its axes, tensors and meaning where it is known, else only its name."""
    layout = next((layout for layout in kernel.layouts if layout.shapes), None)
    axes = {axis: {"role": "variable", "type": "integer"} for axis in layout.axes} if layout else {}
    metadata: dict[str, Any] = {"name": f"liger-{slug(kernel.name)}", "title": kernel.title}
    if kernel.does:
        metadata["description"] = kernel.does
    return {
        "apiVersion": API_VERSION,
        "kind": "OperationSpec",
        "metadata": {**metadata, "sourceRefs": [{"url": REPOSITORY}]},
        "spec": {
            "family": kernel.name,
            "axes": axes,
            "inputs": [_tensor(tensor) for tensor in kernel.takes],
            "outputs": [_tensor(tensor) for tensor in kernel.gives],
            "semantics": {"mutation": "unspecified", "determinism": "unspecified"},
        },
    }


def _tensor(tensor: Tensor) -> dict[str, Any]:
    shape = [part if names_in(part) else int(part) for part in tensor.shape]
    return {"name": tensor.name, "tensor": {"shape": shape, "dtype": tensor.dtype or "float"}}


def implementation(kernel: Kernel, provider: str, operation_digest: str) -> dict[str, Any]:
    """The ImplementationRevision of a kernel by a provider of the table.

    The provider is its symbol, so no two providers share a digest. Of an unknown provider nothing is claimed.
    """
    title, description, language, licence, baseline = PROVIDERS.get(provider, (provider, "", "unknown", "", False))
    metadata: dict[str, Any] = {
        "name": f"liger-bench-{slug(kernel.name)[:60]}-{slug(provider)[:60]}-{short_hash(provider, 8)}",
        "title": f"{kernel.title} · {title}",
    }
    if description:
        metadata["description"] = description
    if baseline:
        metadata["labels"] = {"role": "baseline"}
    spec: dict[str, Any] = {
        "projectRevision": {},
        "operation": {"specDigest": operation_digest},
        "callable": {"language": language, "symbol": provider},
        "support": {"hardwareArchitectures": [], "dtypes": []},
    }
    if provider.partition("_")[0] == "liger":
        spec["buildVariants"] = [{"name": "pip", "install": {"kind": "pip", "package": "liger-kernel"}}]
    spec["licensing"] = {"declared": licence} if licence else {}
    return {
        "apiVersion": API_VERSION,
        "kind": "ImplementationRevision",
        "metadata": {**metadata, "sourceRefs": [{"url": REPOSITORY}]},
        "spec": spec,
    }


def protocol(mode: str) -> dict[str, Any]:
    """The BenchmarkProtocol of a pass: how the benchmark scripts time it."""
    title, timed = _PASSES.get(mode, (mode, f"the pass that the table calls {mode}"))
    return {
        "apiVersion": API_VERSION,
        "kind": "BenchmarkProtocol",
        "metadata": {
            "name": f"liger-bench-do-bench-{slug(mode)}",
            "title": f"Liger-Kernel benchmark scripts · {title}",
        },
        "spec": {
            "harness": {"name": "Liger-Kernel benchmark scripts", "repository": REPOSITORY},
            "measurement": {"timer": "cuda_events", "primaryStatistic": "median"},
            "comparability": {
                "family": "liger_kernel_bench",
                "notes": f"What is timed: {timed}. triton.testing.do_bench repeats it and gives the median with the "
                "20th and 80th percentile. The table does not say which driver, CUDA or PyTorch was used, so figures "
                "are comparable only for one kernel, workload, pass and GPU.",
            },
        },
    }
