"""A site without records, and pages of which nothing can be said but why."""

import csv
import io
import json
from collections.abc import Callable

import pytest

from sitegen.site import Site, address
from sitegen.site.facts import RUN_FIELDS
from tests.making import LIGER, catalogue, failed, latency, run, score
from tests.site.pages import files, read, table

FIXED = {
    address.HOME: "No record was found, so there is nothing to compare yet.",
    address.KERNELS: "No kernel has been measured yet.",
    address.HARDWARE: "No GPU has been measured yet.",
    address.IMPLEMENTATIONS: "No implementation has been measured yet.",
    address.DATA: "every record was read whole",
    address.METHOD: "comparability key",
    address.NOT_FOUND: "There is no page at this address",
}


@pytest.fixture
def empty(site_of: Callable[..., Site]) -> Site:
    return site_of(catalogue())


@pytest.mark.parametrize(("at", "says"), FIXED.items(), ids=FIXED)
def test_every_fixed_page_says_that_there_is_nothing(at: str, says: str, empty: Site) -> None:
    page = read(empty.render(at) or b"")
    assert says in page.one("main").text
    assert len(list(page.all("h1"))) == 1
    for when in page.all("time"):
        assert when.attributes["datetime"]
    assert not [cell for cell in page.all("tbody") if not list(cell.all("tr"))], "a table without a row"


def test_it_has_its_fixed_pages_and_no_other(empty: Site) -> None:
    pages = {at for at in empty.pages if at.endswith(".html")}
    assert pages == set(FIXED)


def test_its_data_is_empty_and_can_be_read(empty: Site) -> None:
    found = {at: content for at, content in files(empty).items() if at.startswith("data/")}
    assert found["data/groups.jsonl"] == found["data/runs.jsonl"] == b""
    assert list(csv.reader(io.StringIO(found["data/runs.csv"].decode()))) == [list(RUN_FIELDS)]
    counts = json.loads(found["data/catalogue.json"])["counts"]
    assert set(counts.values()) == {0}
    assert json.loads(found["data/problems.json"]) == {"problems": []}
    assert json.loads(found["data/catalogue.json"])["newest"] is None


def test_a_kernel_whose_runs_all_failed_has_a_page_that_says_so(site_of: Callable[..., Site]) -> None:
    site = site_of(catalogue(failed("liger"), failed("torch")))
    page = read(site.render(address.kernel(LIGER, "rms_norm")) or b"")
    assert "No run of this kernel can be ranked" in page.one("main").text
    rows = table(page, "unranked-runs")
    assert sorted(row[0] for row in rows) == ["liger", "torch"]
    assert all("it failed while running" in " ".join(row) for row in rows)
    for at, content in files(site).items():
        if at.endswith(".html"):
            read(content)


def test_a_run_that_cannot_be_ranked_shows_its_reason_and_never_its_figure(site_of: Callable[..., Site]) -> None:
    """Its figure may be of a wrong result, or in a unit that is no time."""
    odd = score(3.5, unit="TFLOPS", metric="throughput")
    reason = "its figure is in TFLOPS, which is not a unit of time"
    for each in (run("liger", odd, unranked=reason), failed("liger", latency(77_777))):
        site = site_of(catalogue(each))
        for at in (address.HOME, address.kernel(LIGER, "rms_norm"), address.run(each), address.gpu(each.gpu)):
            page = read(site.render(at) or b"")
            assert each.unranked in page.one("main").text, at
        home = read(site.render(address.HOME) or b"")
        assert "77.8" not in home.text
        cited = read(site.render(address.run(each)) or b"").one("main").text
        assert each.unranked in cited.rpartition("cite")[2]


def test_no_speedup_is_no_number(site_of: Callable[..., Site]) -> None:
    """A kernel without a baseline was measured: its cell says so, and is not empty."""
    slower = run("torch_compile", latency(900_000))
    site = site_of(catalogue(run("liger"), slower, run("torch", kernel="other"), failed("liger", kernel="third")))
    page = read(site.render(address.HOME) or b"")
    (grid,) = page.all("table", kind="grid")
    links = {row.one("th").text: row.one("td").one("a") for row in grid.one("tbody").all("tr")}
    said = {name: (link.text, link.attributes["title"].partition(": ")[2]) for name, link in links.items()}
    assert said == {
        "rms_norm": ("not beside a baseline", "1 group, no baseline"),
        "other": ("not beside a baseline", "1 group, only the baseline was ranked"),
        "third": ("—", "only runs that failed or cannot be ranked"),
    }
