"""What tells comparison groups apart, and what does not."""

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.catalogue import Key
from sitegen.load.model import Gpu
from tests.making import A100, catalogue, digest, latency, run, score

KEY = Key(
    "liger-kernel-bench",
    "fused_neighborhood_attention",
    "sha256:3a09be94475040154aeb124ce712975c5dc8232462bc42f434ba3fb907c7bf88",
    "full",
    "sha256:5b02ee9a2140fbc6fcc1c89800f6c177ba22718c8897cb532bf0ba91867c1e58",
    "latency",
    "median",
    Gpu("nvidia", "NVIDIA H100", "80GB HBM3"),
)

SEPARATE: dict[str, dict[str, Any]] = {
    "kernel": {"kernel": "layer_norm"},
    "source": {"source": "another-bench"},
    "workload": {"workload": digest("another workload")},
    "pass": {"pass_name": "backward"},
    "pass, not stated": {"pass_name": ""},
    "protocol": {"protocol": digest("another protocol")},
    "metric": {"figure": latency(600, metric="score")},
    "statistic": {"figure": latency(600, statistic="mean")},
    "vendor": {"gpu": replace(A100, vendor="amd")},
    "product": {"gpu": replace(A100, product="NVIDIA A100 80GB")},
    "form factor": {"gpu": replace(A100, form_factor="PCIe")},
    "form factor, not stated": {"gpu": replace(A100, form_factor="")},
}
TOGETHER: dict[str, dict[str, Any]] = {
    "software": {"environment": digest("another environment")},
    "title": {"title": "another title"},
    "time": {"observed_ms": 0},
    "release": {"release": "0.6.2"},
    "the label that a workload is called by": {"workload_label": "hidden=1024"},
    "spread": {"figure": latency(600)},
}


@pytest.mark.parametrize("changes", SEPARATE.values(), ids=SEPARATE)
def test_a_difference_in_the_key_separates(changes: dict[str, Any]) -> None:
    groups = catalogue(run("liger"), run(**{"implementation": "torch", **changes})).groups
    assert sorted(len(group.runs) for group in groups) == [1, 1]
    assert len({group.id for group in groups}) == 2


@pytest.mark.parametrize("changes", TOGETHER.values(), ids=TOGETHER)
def test_what_is_not_in_the_key_does_not_separate(changes: dict[str, Any]) -> None:
    (group,) = catalogue(run("liger"), run(**{"implementation": "torch", **changes})).groups
    assert {each.implementation for each in group.runs} == {"liger", "torch"}


def test_two_sources_share_no_kernel_and_no_group() -> None:
    found = catalogue(run("liger"), run("liger", source="flashinfer-bench"))
    assert len(found.groups) == 2
    assert set(found.kernels) == {("liger-kernel-bench", "rms_norm"), ("flashinfer-bench", "rms_norm")}
    assert len(found.implementations) == 2


def test_a_score_and_a_latency_never_meet() -> None:
    groups = catalogue(run("a", score(1e-5)), run("b", latency(1e4))).groups
    assert [len(group.runs) for group in groups] == [1, 1]


def test_the_id_of_a_group_is_the_start_of_the_hash_of_its_key() -> None:
    parts = [*KEY[:7], "nvidia", "NVIDIA H100", "80GB HBM3"]
    text = json.dumps(parts, separators=(",", ":"), ensure_ascii=False)
    assert KEY.id == hashlib.sha256(text.encode()).hexdigest()[:20]


# Addresses are made of these: once published they stay.
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "d528ec44bbbee909b304"),
        ({"pass_name": ""}, "4e295d44c8b938eeff26"),
        ({"kernel": "grüße_норма"}, "58ef7a466c235c5056d7"),
        ({"gpu": Gpu("amd", "AMD Instinct MI300X", "")}, "902b6bfb892e3a0a22a8"),
    ],
)
def test_the_ids_of_known_keys_stay(changes: dict[str, Any], expected: str) -> None:
    assert KEY._replace(**changes).id == expected


PARTS = st.sampled_from(["", "a", "b", "a\0b", '","', "ab"])
KEYS = st.builds(Key, PARTS, PARTS, PARTS, PARTS, PARTS, PARTS, PARTS, st.builds(Gpu, PARTS, PARTS, PARTS))


@given(KEYS, KEYS)
def test_ids_are_equal_only_where_keys_are(one: Key, other: Key) -> None:
    assert (one.id == other.id) == (one == other)


def test_text_cannot_move_from_one_part_of_the_key_to_the_next() -> None:
    moved = KEY._replace(kernel=KEY.kernel + KEY.workload, workload="")
    assert moved.id != KEY.id
    assert KEY._replace(gpu=Gpu("nvidia", "NVIDIA H100 80GB", "HBM3")).id != KEY.id
