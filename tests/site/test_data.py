"""The facts for programs: every field, of the right type, the same in every file."""

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.catalogue import build
from sitegen.load import load
from sitegen.problem import Problem, Severity
from sitegen.settings import Settings
from sitegen.site import Site, build_site
from sitegen.site.data_page import _harmless
from tests.conftest import SAMPLE
from tests.making import A100, catalogue, failed, latency, run, score
from tests.site.pages import files

Row = dict[str, Any]

FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


@pytest.fixture(scope="module")
def sample() -> dict[str, bytes]:
    """Every file of the sample's site."""
    return files(build_site(build(load(SAMPLE)), Settings()))


def lines(content: bytes) -> list[Row]:
    return [json.loads(line) for line in content.splitlines()]


@pytest.fixture(scope="module")
def groups(sample: dict[str, bytes]) -> list[Row]:
    return lines(sample["data/groups.jsonl"])


@pytest.fixture(scope="module")
def runs(sample: dict[str, bytes]) -> list[Row]:
    return lines(sample["data/runs.jsonl"])


Type = type | tuple[type, ...]
NONE = type(None)
GROUP: dict[str, Type] = {
    "id": str,
    "page": str,
    "source": str,
    "kernel": str,
    "workload": str,
    "pass": (str, NONE),
    "gpu": str,
    "metric": str,
    "statistic": str,
    "unit": str,
    "entries": list,
    "history": list,
    "unranked": list,
}
ENTRY: dict[str, Type] = {
    "implementation": str,
    "run": str,
    "value": (int, float),
    "low": (int, float, NONE),
    "high": (int, float, NONE),
    "rank": int,
    "tied": bool,
}


def has(row: Row, fields: dict[str, Type]) -> None:
    for name, kind in fields.items():
        assert name in row
        assert isinstance(row[name], kind), name


def test_a_group_has_every_field(groups: list[Row]) -> None:
    assert len(groups) > 50
    for group in groups:
        has(group, GROUP)
        assert group["entries"]
        for entry in group["entries"]:
            has(entry, ENTRY)
            assert (entry["low"] is None) == (entry["high"] is None)
        for older in group["history"]:
            has(older, {name: ENTRY[name] for name in ("implementation", "run", "value", "low", "high")})
        for other in group["unranked"]:
            has(other, {"run": str, "reason": str})
            assert other["reason"]


def test_the_sample_has_one_of_each_thing_that_a_group_can_hold(groups: list[Row]) -> None:
    assert any(group["history"] for group in groups)
    assert any(group["unranked"] for group in groups)
    assert any(entry["tied"] for group in groups for entry in group["entries"])
    assert any(entry["low"] is None for group in groups for entry in group["entries"])
    assert {group["metric"] for group in groups} >= {"latency", "score"}
    assert any(group["pass"] is None for group in groups)


def test_every_page_that_data_names_is_there_with_the_same_facts(
    sample: dict[str, bytes], groups: list[Row], runs: list[Row]
) -> None:
    for row in (*groups, *runs):
        assert row["page"] in sample
        page = json.loads(sample[row["page"].removesuffix(".html") + ".json"])
        assert {name: page[name] for name in row} == row


def test_every_run_is_in_its_group_and_in_no_other(groups: list[Row], runs: list[Row]) -> None:
    group_of = {
        each["run"]: group["id"]
        for group in groups
        for part in ("entries", "history", "unranked")
        for each in group[part]
    }
    assert {row["run"]: row["group"] for row in runs if row["group"]} == group_of
    for row in runs:
        assert row["unranked"] or row["group"]
        assert (row["status"] == "passed") or row["unranked"]


def test_whole_nanoseconds_are_whole_numbers(runs: list[Row], sample: dict[str, bytes]) -> None:
    medians = [row for row in runs if row["unit"] == "ns" and row["value"] % 1 == 0]
    assert medians
    assert all(isinstance(row["value"], int) for row in medians)
    assert b".0," not in sample["data/runs.jsonl"]


def test_the_table_of_runs_is_the_same_row_for_row(sample: dict[str, bytes], runs: list[Row]) -> None:
    text = sample["data/runs.csv"].decode()
    assert text.count("\r\n") >= len(runs) + 1
    rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    assert len(rows) == len(runs)
    for row, facts in zip(rows, runs, strict=True):
        assert list(row) == list(facts)
        for name, value in facts.items():
            shown = "" if value is None else str(value)
            assert row[name] in (shown, f"'{shown}"), name
            if not isinstance(value, str):
                assert row[name] == shown


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "=cmd|'/C calc'!A0", "＝1+1"])
def test_no_cell_of_the_table_is_a_formula(text: str, site_of: Callable[..., Site]) -> None:
    made = site_of(catalogue(run(text, kernel=text), failed("torch", kernel=text, unranked=text)))
    rows = list(csv.reader(io.StringIO((made.render("data/runs.csv") or b"").decode(), newline="")))
    cells = [cell for row in rows for cell in row]
    assert f"'{text}" in cells
    assert not [cell for cell in cells if cell.startswith(FORMULAS)]


@given(st.text(max_size=20))
def test_a_cell_is_its_text_or_its_text_behind_a_quote(text: str) -> None:
    assert _harmless(text) in (text, f"'{text}")
    assert not str(_harmless(text)).startswith(FORMULAS)


def test_the_catalogue_is_counted(sample: dict[str, bytes], groups: list[Row], runs: list[Row]) -> None:
    counts = json.loads(sample["data/catalogue.json"])["counts"]
    expected = {
        "records": 137,
        "runs": len(runs),
        "groups": len(groups),
        "kernels": len({(row["source"], row["kernel"]) for row in runs}),
        "hardware": len({at for at in sample if at.startswith("hardware/") and at.endswith(".html")}) - 1,
        "implementations": len({at for at in sample if at.startswith("implementations/") and at.endswith(".html")}) - 1,
        "sources": len({row["source"] for row in runs}),
        "problems": 0,
        "failed": sum(row["status"] != "passed" for row in runs),
        "unranked": sum(row["unranked"] is not None for row in runs),
        "spreadKnown": sum(row["low"] is not None for row in runs),
    }
    assert counts == expected


def test_every_page_has_its_data_beside_it(sample: dict[str, bytes]) -> None:
    for at, content in sample.items():
        if at.endswith(".html") and at != "404.html":
            twin = at.removesuffix(".html") + ".json"
            json.loads(sample[twin])
            assert f'href="{twin.rpartition("/")[2]}"'.encode() in content
        assert not content.startswith(b"\xef\xbb\xbf")
        assert content.endswith(b"\n") or at == ".nojekyll"


def test_a_runs_page_has_its_place_and_its_record(sample: dict[str, bytes], groups: list[Row]) -> None:
    for group in groups:
        of = len(group["entries"])
        for entry in group["entries"]:
            page = json.loads(sample[f"runs/{entry['run'][7:9]}/{entry['run'][7:]}.json"])
            assert page["standing"] == {"current": True, "rank": entry["rank"], "tied": entry["tied"], "of": of}
            assert page["record"]["run"]["kind"] == "BenchmarkRun"
        for older in group["history"]:
            page = json.loads(sample[f"runs/{older['run'][7:9]}/{older['run'][7:]}.json"])
            assert page["standing"] == {"current": False, "rank": None, "tied": False, "of": of}
        for other in group["unranked"]:
            page = json.loads(sample[f"runs/{other['run'][7:9]}/{other['run'][7:]}.json"])
            assert page["standing"] == {"current": False, "rank": None, "tied": False, "of": of}


def test_the_data_of_lists_counts_what_the_data_files_hold(sample: dict[str, bytes], groups: list[Row]) -> None:
    kernels = json.loads(sample["kernels/index.json"])["kernels"]
    assert sum(kernel["groups"] for kernel in kernels) == len(groups)
    assert all(kernel["page"] in sample for kernel in kernels)
    hardware = json.loads(sample["hardware/index.json"])["hardware"]
    assert all(gpu["page"] in sample for gpu in hardware)
    implementations = json.loads(sample["implementations/index.json"])["implementations"]
    assert sum(each["groups"] for each in implementations) == sum(len(group["entries"]) for group in groups)
    for each in implementations:
        parts = ("leads", "leadsWithoutKnownSpread", "ties", "trails", "alone")
        assert sum(each[part] for part in parts) == each["groups"]
        assert (
            json.loads(sample[each["page"].removesuffix(".html") + ".json"])["implementation"] == each["implementation"]
        )


def test_problems_are_data_too(site_of: Callable[..., Site]) -> None:
    problem = Problem(
        Severity.WARNING, "unknown-field", "records/a.json", "/run/spec/a~1b", "It is odd.", "Mend it.", 3
    )
    made = site_of(catalogue(run(), problems=(problem,)))
    (found,) = json.loads(made.render("data/problems.json") or b"")["problems"]
    assert found == {
        "severity": "warning",
        "code": "unknown-field",
        "file": "records/a.json",
        "line": 3,
        "pointer": "/run/spec/a~1b",
        "place": "run.spec.a/b",
        "message": "It is odd.",
        "hint": "Mend it.",
    }
    counted = json.loads(made.render("data/catalogue.json") or b"")
    assert counted["counts"]["problems"] == 1
    assert counted["problems"] == {"errors": 0, "warnings": 1}
    assert b"It is odd." in (made.render("data/index.html") or b"")


def test_a_figure_has_its_unit_in_the_data(site_of: Callable[..., Site]) -> None:
    made = site_of(catalogue(run("a", score(2.0)), run("b", latency(1.5), gpu=A100)))
    by_metric = {row["metric"]: row for row in lines(made.render("data/groups.jsonl") or b"")}
    assert (by_metric["score"]["unit"], by_metric["score"]["entries"][0]["value"]) == ("s", 2)
    assert (by_metric["latency"]["unit"], by_metric["latency"]["entries"][0]["value"]) == ("ns", 1.5)


def test_the_front_page_covers_every_kernel_on_every_gpu_that_ran_it(sample: dict[str, bytes], runs: list[Row]) -> None:
    coverage = json.loads(sample["index.json"])["coverage"]
    found = {(cell["source"], cell["kernel"], cell["gpu"]) for cell in coverage}
    assert found == {(row["source"], row["kernel"], row["gpu"]) for row in runs}
