"""The records that the project ships: whole, counted, and with the attribution that their licence asks for."""

from pathlib import Path

import pytest

from sitegen.load import Loaded, load

RECORDS = Path(__file__).parents[2] / "records"


@pytest.fixture(scope="module")
def shipped() -> Loaded:
    return load(RECORDS)


def test_they_load_without_a_problem(shipped: Loaded) -> None:
    assert shipped.problems == ()


def test_they_are_the_runs_of_the_published_table(shipped: Loaded) -> None:
    runs = shipped.runs
    assert len(runs) == 1649
    assert len({run.kernel for run in runs}) == 35
    assert len({run.gpu for run in runs}) == 6
    assert {run.pass_name for run in runs} == {"forward", "backward", "full"}
    assert len({(run.kernel, run.workload, run.pass_name, run.protocol, run.gpu) for run in runs}) == 726
    assert sum(run.figure is not None and run.figure.low is not None for run in runs) == 1282


def test_they_have_every_document_that_they_point_at_and_no_other(shipped: Loaded) -> None:
    assert {run.workload for run in shipped.runs} == shipped.workloads.keys()
    assert {run.implementation_digest for run in shipped.runs} == shipped.implementations.keys()
    assert {case.spec.operation_spec_digest for case in shipped.workloads.values()} == shipped.operations.keys()


def test_their_licence_lies_beside_them() -> None:
    licence = (RECORDS / "LICENSE-Liger-Kernel.txt").read_text(encoding="utf-8")
    assert licence.startswith("BSD 2-CLAUSE LICENSE\nCopyright 2024 LinkedIn Corporation")
    assert "All Rights Reserved" in licence
    assert "POSSIBILITY OF SUCH DAMAGE" in licence
    assert "Copyright 2024 LinkedIn Corporation, All Rights Reserved" in (RECORDS / "README.md").read_text(
        encoding="utf-8"
    )
