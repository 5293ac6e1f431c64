"""The identity of documents, against known answers and against the reference implementation of RFC 8785."""

import hashlib
from typing import Any

import pytest
import rfc8785
from hypothesis import example, given
from hypothesis import strategies as st

from sitegen.identity import NotCanonicalError, canonical, digest

ENVIRONMENT = {
    "apiVersion": "kernelindex.dev/v1alpha1",
    "kind": "ExecutionEnvironment",
    "metadata": {"name": "rtx-3090"},
    "spec": {
        "hardware": {"architecture": "sm_86", "product": "NVIDIA GeForce RTX 3090", "vendor": "nvidia"},
        "software": {},
    },
}
KNOWN = "sha256:b12fdfab6a337672499b10212a1e986e49e4383777bd7cbb58321b09af4bf6a3"

LARGEST = 2**53 - 1
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
NUMBERS = (
    st.integers(-LARGEST, LARGEST)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.integers(-330, 330).map(lambda exponent: float(f"1e{exponent}") if exponent < 308 else 0.5)
    | st.integers(-10_000, 10_000).map(float)
)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXT, inner, max_size=5),
    max_leaves=20,
)


def test_a_known_environment_has_its_known_digest() -> None:
    assert digest(ENVIRONMENT) == KNOWN


def test_metadata_and_the_order_of_keys_take_no_part() -> None:
    other = {key: ENVIRONMENT[key] for key in reversed(ENVIRONMENT)} | {"metadata": {"name": "another"}, "note": 1}
    assert digest(other) == KNOWN


@pytest.mark.parametrize("part", ["apiVersion", "kind", "spec"])
def test_each_covered_part_changes_the_digest(part: str) -> None:
    assert digest({**ENVIRONMENT, part: "other"}) != KNOWN
    with pytest.raises(KeyError):
        digest({key: value for key, value in ENVIRONMENT.items() if key != part})


@given(JSON)
@example({"\U0001f600": 1, "\ufb33": 2, "\r": 3})
@example([1.0, 1e21, 1e-7, 1e-6, 123456789012345680.0, 5e-324, -0.0, 0.1, 1e16, 333333333.33333329])
@example({"1.0": "1e+5", "a": "1.0,"})
@example(1.0)
@example([LARGEST, -LARGEST])
@example(LARGEST)
@example('\u2028\x7f\x1f\\"/')
def test_any_json_has_the_form_of_rfc_8785(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@given(JSON)
def test_the_digest_is_the_sha_256_of_that_form(value: Any) -> None:
    document = {**ENVIRONMENT, "spec": value}
    covered = {"apiVersion": document["apiVersion"], "kind": document["kind"], "spec": value}
    assert digest(document) == "sha256:" + hashlib.sha256(rfc8785.dumps(covered)).hexdigest()


@pytest.mark.parametrize(
    "value", [2**53, -(2**53), 10**400, float("nan"), float("inf"), -float("inf"), "\ud800", {"\ud800": 1}, {1, 2}]
)
def test_what_has_no_canonical_form_is_refused(value: object) -> None:
    for place in (value, [value], {"a": value}):
        with pytest.raises(NotCanonicalError):
            canonical(place)
