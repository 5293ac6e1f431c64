"""The workload of a row: axes, tensors and label of known kernels, the general rule for all others."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.identity import canonical, digest
from sitegen.importing import import_liger
from sitegen.importing.liger.kernels import kernel_named, known_kernels, names_in, size
from sitegen.importing.liger.row import COLUMNS, Row, RowError, read_row
from sitegen.importing.liger.workloads import Workload, workload
from tests.importing.liger_rows import CROSS_ENTROPY, TABLES, documents, records

NO_OPERATION = "sha256:" + 64 * "0"
EXPECTED = json.loads((TABLES / "workloads.json").read_text(encoding="utf-8"))


def read(**cells: str) -> Row:
    return read_row(2, COLUMNS, [{**CROSS_ENTROPY, **cells}[column] for column in COLUMNS])


def workload_of(**cells: str) -> Workload:
    found = read(**cells)
    return workload(found, kernel_named(found.kernel), NO_OPERATION)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    """The workloads of the real rows, by kernel and label."""
    into = tmp_path_factory.mktemp("records")
    import_liger(TABLES / "one_of_each.csv", into)
    specs = {digest(document): document["spec"] for document in documents(into, "workloads")}
    found = {}
    for name, record in records(into).items():
        spec = specs[record["run"]["spec"]["workloadDigest"]]
        tensors = {name: each["dtype"] + json.dumps(each["shape"]) for name, each in spec.get("tensors", {}).items()}
        kernel, _, _, _, label, _ = name.split("/")
        found[f"{kernel}/{label}"] = {
            "axes": spec["axes"],
            "tensors": {name: text.replace(" ", "") for name, text in tensors.items()},
            "settings": {name: each["value"] for name, each in spec.get("scalars", {}).items()},
        }
    return found


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_real_row_has_these_axes_tensors_and_settings(real: dict[str, dict[str, object]], name: str) -> None:
    assert real[name] == EXPECTED[name]


def test_real_rows_have_no_other_workloads(real: dict[str, dict[str, object]]) -> None:
    assert real.keys() == EXPECTED.keys()


def test_two_sweeps_that_cross_meet_in_one_workload(tmp_path: Path) -> None:
    import_liger(TABLES / "crossing_sweeps.csv", tmp_path)
    assert len(records(tmp_path)) == 4
    assert len(documents(tmp_path, "workloads")) == 1


def test_batch_and_sequence_are_one_axis_where_the_kernel_sees_only_tokens() -> None:
    halved = workload_of(extra_benchmark_config_str='{"B": 4, "T": 4096}')
    assert halved.digest == workload_of().digest
    assert halved.label == "tokens16384-vocab4096-fp32"


SETTINGS = {
    "kernel_name": "fused_neighborhood_attention",
    "x_name": "seq_len",
    "x_value": "64",
}
NEIGHBORHOOD = {
    "batch_size": 2,
    "hidden_size": 512,
    "num_heads": 8,
    "kernel_size": 7,
    "dilation": 1,
    "bias": True,
    "dtype": "torch.float32",
}


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("dilation", 2, "batch2-dilation2-heads8-hidden512-kernel_size7-seq64-fp32"),
        ("dtype", "torch.bfloat16", "batch2-dilation1-heads8-hidden512-kernel_size7-seq64-bf16"),
        ("bias", False, "batch2-bias=false-dilation1-heads8-hidden512-kernel_size7-seq64-fp32"),
        ("window", "banded", "batch2-dilation1-heads8-hidden512-kernel_size7-seq64-window=banded-fp32"),
        ("groups", 2, "batch2-dilation1-groups2-heads8-hidden512-kernel_size7-seq64-fp32"),
    ],
)
def test_a_setting_at_another_value_makes_another_workload_with_another_label(
    setting: str, value: object, said: str
) -> None:
    plain = workload_of(**SETTINGS, extra_benchmark_config_str=json.dumps(NEIGHBORHOOD))
    other = workload_of(**SETTINGS, extra_benchmark_config_str=json.dumps({**NEIGHBORHOOD, setting: value}))
    assert other.digest != plain.digest
    assert other.label == said


def test_the_shapes_are_not_claimed_where_a_setting_may_change_them() -> None:
    spec = workload_of(**SETTINGS, extra_benchmark_config_str=json.dumps({**NEIGHBORHOOD, "bias": False})).document[
        "spec"
    ]
    assert "tensors" not in spec
    assert (spec["axes"]["bias"], spec["axes"]["dtype"]) == ("false", "fp32")


def test_a_kernel_in_a_layout_never_seen_is_imported_by_the_general_rule() -> None:
    found = workload_of(x_name="rows", extra_benchmark_config_str='{"columns": 7}')
    assert found.label == "columns7-rows4096-fp32"
    assert "tensors" not in found.document["spec"]


def test_an_unknown_kernel_has_the_axes_that_its_table_states() -> None:
    settings = '{"N": 3, "rate": 0.5, "flag": true, "act": "silu", "off": -1, "none": null, "dtype": "torch.float16"}'
    found = workload_of(kernel_name="brand_new", x_name="M", x_value="64", extra_benchmark_config_str=settings)
    assert found.document["spec"]["axes"] == {
        "M": 64,
        "N": 3,
        "rate": 0.5,
        "flag": "true",
        "act": "silu",
        "off": -1,
        "none": "null",
        "dtype": "fp16",
    }
    assert found.label == "M64-N3-act=silu-flag=true-none=null-off=_1-rate=0.5-fp16"
    assert "tensors" not in found.document["spec"]


def test_a_row_without_settings_still_has_a_label() -> None:
    assert workload_of(kernel_name="brand_new", extra_benchmark_config_str="").label == "V4096"


@pytest.mark.parametrize("value", ["0", "-4", "2.5", "huge"])
def test_an_axis_of_a_known_kernel_must_be_a_size(value: str) -> None:
    with pytest.raises(RowError, match="V is"):
        workload_of(x_value=value)


values = st.recursive(
    st.one_of(
        st.integers(-(2**53) + 1, 2**53 - 1),
        st.booleans(),
        st.none(),
        st.floats(-1e9, 1e9),
        st.sampled_from(["true", "null", "1", "[1]", '"true"', "silu", ""]),
    ),
    lambda inner: st.lists(inner, max_size=2),
    max_leaves=3,
)
stated = st.dictionaries(
    st.sampled_from(["seq", "seq_len", "model", "model_config", "dtype_", "bias", "window"]), values, max_size=3
)


@settings(deadline=None)
@given(stated, stated)
def test_rows_of_an_unknown_kernel_share_a_workload_exactly_where_their_settings_agree(
    one: dict[str, object], other: dict[str, object]
) -> None:
    first, second = (
        workload_of(kernel_name="brand_new", extra_benchmark_config_str=json.dumps(each)) for each in (one, other)
    )
    assert (first.digest == second.digest) == (canonical(one) == canonical(other))


@settings(deadline=None)
@given(stated, stated)
def test_rows_of_a_known_kernel_share_a_workload_exactly_where_their_other_settings_agree(
    one: dict[str, object], other: dict[str, object]
) -> None:
    one, other = (
        {name: value for name, value in {**NEIGHBORHOOD, **each}.items() if name != "seq_len"} for each in (one, other)
    )
    first, second = (workload_of(**SETTINGS, extra_benchmark_config_str=json.dumps(each)) for each in (one, other))
    assert (first.digest == second.digest) == (canonical(one) == canonical(other))


@settings(deadline=None)
@given(stated)
def test_a_label_is_one_segment_of_the_external_identity(found: dict[str, object]) -> None:
    label = workload_of(kernel_name="brand_new", extra_benchmark_config_str=json.dumps(found)).label
    assert label
    assert "/" not in label
    assert label.isprintable()


def test_the_table_of_kernels_is_sound() -> None:
    for kernel in known_kernels().values():
        assert kernel.title
        assert kernel.does.endswith(".")
        assert kernel.layouts
        for layout in kernel.layouts:
            used = {
                name for tensor in (*kernel.takes, *kernel.gives) for part in tensor.shape for name in names_in(part)
            }
            assert not layout.shapes or used <= layout.axes.keys(), kernel.name
            assert not layout.settings & set(layout.bounds), kernel.name
        assert not kernel.unsaid.keys() & set(kernel.ignored), kernel.name


def test_sizes_are_written_as_expressions() -> None:
    axes = {"hidden": 512, "heads": 8}
    assert size("hidden", axes) == 512
    assert size("3", axes) == 3
    assert size("hidden * 2", axes) == 1024
    assert size("hidden + 1", axes) == 513
    assert size("hidden // heads", axes) == 64
    with pytest.raises(ValueError, match="not a size"):
        size("hidden ** 2", axes)
