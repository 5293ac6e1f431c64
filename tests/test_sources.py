"""How each source names things."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.settings import Settings
from sitegen.sources import (
    FLASHINFER,
    GPU_MODE,
    LIGER,
    Label,
    Naming,
    baselines,
    display_name,
    naming,
    parse_label,
    release,
)

EXTERNAL_ID = "group_norm/backward/liger/nvidia-a100/batch128-channels32-fp32/2025-01-01-00-00-00"


def test_liger_names_kernel_pass_implementation_and_workload() -> None:
    assert naming(LIGER, "group_norm/backward", EXTERNAL_ID) == Naming(
        "group_norm", "backward", "", "batch128-channels32-fp32", "liger"
    )


@pytest.mark.parametrize("pass_name", ["forward", "backward", "full", "no-grad-forward"])
def test_a_pass_is_what_follows_the_slash_in_liger(pass_name: str) -> None:
    assert naming(LIGER, f"rope/{pass_name}").pass_name == pass_name


@pytest.mark.parametrize(
    ("source", "benchmark", "kernel", "case"),
    [
        (GPU_MODE, "amd-fp8-mm/1", "amd-fp8-mm", "1"),
        (GPU_MODE, "causal_conv1d", "causal_conv1d", ""),
        (GPU_MODE, "a/b", "a/b", ""),
        (FLASHINFER, "gemm_n4096_k4096", "gemm_n4096_k4096", ""),
        ("unheard-of", "group_norm/backward", "group_norm/backward", ""),
        ("unheard-of", "matmul/3", "matmul/3", ""),
        (LIGER, "group_norm/7", "group_norm", "7"),
        (LIGER, "group_norm", "group_norm", ""),
    ],
)
def test_only_a_known_source_has_passes_and_a_number_is_a_case(
    source: str, benchmark: str, kernel: str, case: str
) -> None:
    named = naming(source, benchmark, "submission/1")
    assert (named.kernel, named.pass_name, named.case) == (kernel, "", case)


def test_a_kernel_may_hold_slashes_and_dots() -> None:
    assert naming(LIGER, "../../owned/forward").kernel == "../../owned"


@pytest.mark.parametrize("external_id", ["", "a", "a/b/c", EXTERNAL_ID + "/more", EXTERNAL_ID.rpartition("/")[0]])
def test_an_external_id_of_another_form_states_nothing(external_id: str) -> None:
    named = naming(LIGER, "group_norm/backward", external_id)
    assert (named.workload_label, named.implementation) == ("", "")
    assert (named.kernel, named.pass_name) == ("group_norm", "backward")


@given(
    st.sampled_from([LIGER, GPU_MODE, FLASHINFER, "unheard-of"]),
    st.text("ab/1 \u0661", min_size=1),
    st.text("ab/1 "),
)
def test_any_text_is_named_and_no_kernel_is_empty(source: str, benchmark: str, external_id: str) -> None:
    assert naming(source, benchmark, external_id).kernel


@pytest.mark.parametrize(
    ("label", "parsed"),
    [
        (
            "batch128-channels128-channels_per_group4-hidden512-fp32",
            Label((("batch", 128), ("channels", 128), ("channels_per_group", 4), ("hidden", 512)), ("fp32",), ()),
        ),
        (
            "batch2-dilation1-heads8-hidden512-kernel_size7-seq64-bf16",
            Label(
                (("batch", 2), ("dilation", 1), ("heads", 8), ("hidden", 512), ("kernel_size", 7), ("seq", 64)),
                ("bf16",),
                (),
            ),
        ),
        ("k8-tokens128", Label((("k", 8), ("tokens", 128)), (), ())),
        ("beta0.5-rows4", Label((("beta", 0.5), ("rows", 4)), (), ())),
        ("rows4-fp8_e4m3fnuz-int32-bool", Label((("rows", 4),), ("fp8_e4m3fnuz", "int32", "bool"), ())),
        ("small-rows4", Label((("rows", 4),), (), ("small",))),
        ("", Label((), (), ())),
        ("---", Label((), (), ())),
    ],
)
def test_a_label_is_taken_apart_in_order(label: str, parsed: Label) -> None:
    assert parse_label(label) == parsed


@given(st.text())
def test_any_label_can_be_taken_apart(label: str) -> None:
    parsed = parse_label(label)
    words = [word for word in label.split("-") if word]
    assert len(parsed.axes) + len(parsed.dtypes) + len(parsed.others) == len(words)


def test_only_liger_names_its_implementations_and_releases() -> None:
    external_id = "rms_norm/forward/liger/nvidia-a100-sxm4-80gb/hidden4096-rows2048-bf16/2024-09-03-15-39-30"
    assert naming(LIGER, "rms_norm/forward", external_id).implementation == "liger"
    assert naming(GPU_MODE, "amd-fp8-mm/1", external_id).implementation == ""
    assert release(LIGER, {"liger_version": "0.5.10"}) == "0.5.10"
    assert release(LIGER, {}) == ""
    assert release("unheard-of", {"liger_version": "0.5.10"}) == ""


def test_known_sources_have_names_and_others_keep_their_own() -> None:
    assert display_name(LIGER) == "Liger-Kernel"
    assert display_name("unheard-of", Settings()) == "unheard-of"
    assert baselines("unheard-of", Settings()) == ()
