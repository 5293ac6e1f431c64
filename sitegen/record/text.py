"""The kinds of text and number that records are made of: digests, names, times, latencies, statuses."""

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

API_VERSION = "kernelindex.dev/v1alpha1"
"""The one version of the format that is read."""

DIGEST_PATTERN = "^sha256:[0-9a-f]{64}$"
NAME_PATTERN = "^[A-Za-z0-9][A-Za-z0-9._-]*$"
TIME_PATTERN = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z$"

LATENCY_LIMIT = 2**53
"""Latencies lie below this: beyond it, JSON readers disagree on what integer they read."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_is_time = re.compile(TIME_PATTERN, re.ASCII).fullmatch


def milliseconds(observed_at: str) -> int:
    """Milliseconds since 1970 in UTC of a time written `2025-04-28T04:46:14Z`, with or without milliseconds.

    Raises `ValueError` for any other form, and for a day or hour that does not exist.
    """
    if not _is_time(observed_at):
        raise ValueError("not a time in UTC that ends in Z")
    return (datetime.fromisoformat(observed_at) - _EPOCH) // _MILLISECOND


def _real_time(observed_at: str) -> str:
    try:
        milliseconds(observed_at)
    except ValueError as error:
        raise PydanticCustomError("not_a_time", "not a time in UTC") from error
    return observed_at


type_of_json = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}


def kind_of(value: Any) -> str:
    """What a JSON value is, in words: an object, a list, a text, a whole number, a number, true or false, null."""
    return type_of_json.get(type(value)) or ("a whole number" if isinstance(value, int) else "a number")


Status = Literal[
    "passed",
    "incorrect_shape",
    "incorrect_dtype",
    "incorrect_numerical",
    "compile_error",
    "runtime_error",
    "timeout",
    "resource_exceeded",
    "invalid_reference",
    "policy_violation",
    "suspected_reward_hack",
    "incomplete_evidence",
    "revoked",
]
STATUSES: tuple[str, ...] = get_args(Status)
"""Every status that a run may have; `passed` comes first, the others say how it failed."""

Digest = Annotated[str, Field(pattern=DIGEST_PATTERN)]
Name = Annotated[str, Field(pattern=NAME_PATTERN, max_length=255)]
Text = Annotated[str, Field(min_length=1)]
Url = str
"""Any text: what becomes a link is decided where links are made, and only http and https do."""
UtcTime = Annotated[str, AfterValidator(_real_time), Field(json_schema_extra={"pattern": TIME_PATTERN})]
Number = Annotated[float, Field(allow_inf_nan=False)]
Nanoseconds = Annotated[int, Field(gt=0, lt=LATENCY_LIMIT)]
Deviation = Annotated[int, Field(ge=0, lt=LATENCY_LIMIT)]
"""Nanoseconds of a width, which unlike a latency may be nought."""
