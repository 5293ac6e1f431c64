"""A workload as the site says it: from its document where there is one, else from the label that its source gives."""

import pytest

from sitegen.catalogue import Workload
from sitegen.catalogue.workload import natural
from tests.making import catalogue, digest, run, workload

PROVED = digest("proved")


def of(label: str) -> Workload:
    (only,) = catalogue(run(workload=PROVED, workload_label=label)).workloads.values()
    return only


@pytest.mark.parametrize(
    ("label", "words"),
    [
        (
            "batch128-channels128-channels_per_group4-hidden512-fp32",
            "batch 128, channels 128, channels_per_group 4, hidden 512, fp32",
        ),
        ("batch8-seq2048-vocab131072-bf16", "batch 8, seq 2,048, vocab 131,072, bf16"),
        ("case 3", "case 3"),
        ("9dd2ad9c824c", "9dd2ad9c824c"),
        ("n" + "9" * 400, "n" + "9" * 400),
    ],
)
def test_a_label_is_said_in_words(label: str, words: str) -> None:
    assert of(label).words == words


@pytest.mark.parametrize("label", ["e07bedc81743", "gpt2", "batch8-seq2048-bf16", "case 3", "a=1"])
def test_what_another_source_calls_a_workload_is_no_list_of_axes(label: str) -> None:
    found = catalogue(run(workload_label=label, source="some-bench")).groups[0].workload
    assert (found.axes, found.words) == ((), label)


def test_a_digest_is_no_list_of_axes_though_it_looks_like_one() -> None:
    """It begins with a letter and ends with a digit: so do more than a fifth of all short digests."""
    workload_digest = "sha256:e07bedc81743" + "0" * 52
    found = catalogue(run(workload=workload_digest, workload_label="e07bedc81743")).groups[0].workload
    assert (found.axes, found.words) == ((), "e07bedc81743")


def test_words_that_are_neither_axis_nor_dtype_keep_workloads_apart() -> None:
    assert of("n1-causal-bf16").fixed != of("n1-full-bf16").fixed
    assert of("n1-causal-bf16").fixed != of("n1-causal-fp32").fixed


def test_a_document_says_the_axes_and_dtypes() -> None:
    tensors = {
        "x": {"shape": [8, 4096], "dtype": "bfloat16"},
        "target": {"shape": [8], "dtype": "int64"},
        "scale": {"shape": [1], "dtype": "float32"},
    }
    document = workload({"vocab": 131072, "batch": 8, "layout": "thd", "p": 0.5}, tensors=tensors)
    (found,) = catalogue(run(workload=PROVED), workloads={PROVED: document}).workloads.values()
    assert found.axes == (("batch", 8), ("layout", "thd"), ("p", 0.5), ("vocab", 131072))
    assert found.words == "batch 8, layout thd, p 0.5, vocab 131,072, bfloat16/float32"


@pytest.mark.parametrize("value", [1e300, -1e300, 1e-300, 5e-324, 1e15, -1e15, 10**15])
def test_a_size_that_no_axis_reaches_is_a_name(value: float) -> None:
    document = workload({"n": value})
    (found,) = catalogue(run(workload=PROVED), workloads={PROVED: document}).workloads.values()
    assert found.axes == (("n", repr(value)),)
    assert found.words == f"n {value!r}"


@pytest.mark.parametrize("value", [0, -1, 0.1, 1e-15, 999_999_999_999_999])
def test_a_size_that_an_axis_reaches_is_a_number(value: float) -> None:
    document = workload({"n": value})
    (found,) = catalogue(run(workload=PROVED), workloads={PROVED: document}).workloads.values()
    assert found.axes == (("n", float(value)),)


def test_documents_that_differ_in_dtype_or_scalar_are_on_no_common_sweep() -> None:
    tensors = {"x": {"shape": [1], "dtype": "float16"}}
    plain = workload({"n": 1}, tensors=tensors)
    other_dtype = workload({"n": 1}, tensors={"x": {"shape": [1], "dtype": "float32"}})
    other_scalar = workload({"n": 1}, tensors=tensors, scalars={"eps": {"dtype": "float32", "value": 1e-5}})
    fixed = []
    for document in (plain, other_dtype, other_scalar):
        (found,) = catalogue(run(workload=PROVED), workloads={PROVED: document}).workloads.values()
        fixed.append(found.fixed)
    assert len(set(fixed)) == 3


def test_a_document_without_axes_leaves_the_label() -> None:
    (found,) = catalogue(
        run(workload=PROVED, workload_label="case 3"), workloads={PROVED: workload({})}
    ).workloads.values()
    assert found.words == "case 3"


def test_numbers_in_names_are_read_as_numbers() -> None:
    names = ["case 10", "case 9", "case 09", "case", "case b", "case 9b"]
    assert sorted(names, key=natural) == ["case", "case 09", "case 9", "case 9b", "case 10", "case b"]
