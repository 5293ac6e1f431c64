"""The record format as models."""

from typing import Any

import pytest
from pydantic import ValidationError

from sitegen.record import SINGLE_DOCUMENTS, STATUSES, BenchmarkRun, Record, kind_of, milliseconds
from tests.load.good_records import good

RECORDS = ("liger", "score", "failed")
DOCUMENTS = ("workload", "suite", "implementation", "submission", "operation")


def model_of(name: str) -> Any:
    document = good(name)
    return (
        Record.model_validate(document)
        if name in RECORDS
        else SINGLE_DOCUMENTS[document["kind"]].model_validate(document)
    )


@pytest.mark.parametrize("name", RECORDS + DOCUMENTS)
def test_nothing_of_a_document_is_lost(name: str) -> None:
    kept = model_of(name).model_dump(by_alias=True, exclude_unset=True, mode="json")
    assert kept == good(name)


@pytest.mark.parametrize("name", RECORDS + DOCUMENTS)
def test_every_field_of_the_good_documents_is_known(name: str) -> None:
    def unknown(part: Any) -> list[str]:
        if isinstance(part, tuple | dict):
            return [key for member in (part.values() if isinstance(part, dict) else part) for key in unknown(member)]
        if not hasattr(part, "model_extra"):
            return []
        fields = [getattr(part, field) for field in type(part).model_fields]
        return [*part.model_extra, *(key for field in fields for key in unknown(field))]

    assert unknown(model_of(name)) == []


def test_fields_have_the_names_of_python() -> None:
    record = model_of("liger")
    assert record.run.spec.timing.latency_ns.median == 532416
    assert record.run.spec.source_native.external_id.startswith("cross_entropy/forward/liger")
    assert record.environment.spec.hardware.form_factor == "SXM4-80GB"


def test_an_unknown_field_is_kept() -> None:
    document = good("liger")["run"]
    document["spec"]["clockMHz"] = 1410
    run = BenchmarkRun.model_validate(document)
    assert run.spec.model_extra == {"clockMHz": 1410}
    assert run.model_dump(by_alias=True, exclude_unset=True, mode="json") == document


def test_a_document_cannot_be_changed() -> None:
    run = model_of("liger").run
    with pytest.raises(ValidationError):
        run.spec = None


def test_a_document_is_shown_by_its_title_or_by_its_name() -> None:
    document = good("liger")["run"]
    assert BenchmarkRun.model_validate(document).metadata.shown == "Cross-entropy loss · liger · forward"
    del document["metadata"]["title"]
    assert BenchmarkRun.model_validate(document).metadata.shown == "cross-entropy-forward-liger"


@pytest.mark.parametrize("value", ["532416", 532416.0, True, None, 0, -1, 2**53])
def test_a_latency_is_a_positive_integer_below_2_53(value: object) -> None:
    document = good("liger")["run"]
    document["spec"]["timing"]["latencyNs"]["mean"] = value
    if value is None:
        assert BenchmarkRun.model_validate(document)
        return
    with pytest.raises(ValidationError):
        BenchmarkRun.model_validate(document)


def test_every_status_of_the_format_is_read() -> None:
    document = good("failed")["run"]
    for status in STATUSES:
        document["spec"]["status"] = status
        assert BenchmarkRun.model_validate(document).spec.status == status
    assert (len(STATUSES), STATUSES[0]) == (13, "passed")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01T00:00:00.001Z", 1),
        ("2024-09-03T15:31:39Z", 1725377499000),
        ("2024-09-03T15:31:39.250Z", 1725377499250),
        ("2024-02-29T23:59:59.999Z", 1709251199999),
        ("1969-12-31T23:59:59Z", -1000),
    ],
)
def test_a_time_is_milliseconds_in_utc(text: str, expected: int) -> None:
    assert milliseconds(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2024-09-03",
        "2024-09-03T15:31:39",
        "2024-09-03 15:31:39Z",
        "2024-09-03T15:31:39+00:00",
        "2024-09-03T15:31:39z",
        "2024-09-03T15:31:39.1Z",
        "2024-09-03T15:31:39Z\n",
        "2023-02-29T00:00:00Z",
        "2024-13-01T00:00:00Z",
        "2024-09-03T25:00:00Z",
        "2024-09-03T15:31:60Z",
        "0000-01-01T00:00:00Z",
    ],
)
def test_what_is_no_time_in_utc_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 -- what it says is Python's, and not shown to anyone
        milliseconds(text)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({}, "an object"),
        ([], "a list"),
        ("", "a text"),
        (1, "a whole number"),
        (1.5, "a number"),
        (True, "true or false"),
        (None, "null"),
    ],
)
def test_json_values_have_names(value: object, words: str) -> None:
    assert kind_of(value) == words
