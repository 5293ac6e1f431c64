"""Does the win carry over? One kernel, workload and pass on every GPU that ran it: an observation, never a ranking."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitegen import words
from sitegen.judge import Standing
from sitegen.load.model import Gpu
from sitegen.site import address
from sitegen.site.cell import Link, RatioCell, leaders_text, ratio_cell


@dataclass(frozen=True, slots=True)
class AcrossCell:
    """Who leads on one GPU, and its ratio to the baseline there."""

    leaders: str
    tied: bool
    href: str
    to_baseline: RatioCell | None


@dataclass(frozen=True, slots=True)
class AcrossRow:
    """A pass and workload; a cell for each GPU, None where it was not measured. `same`: one name leads on all."""

    pass_name: str
    workload: str
    cells: tuple[AcrossCell | None, ...]
    same: bool


@dataclass(frozen=True, slots=True)
class AcrossTable:
    """The rows that two or more GPUs measured. `carried` of them have one leader everywhere."""

    gpus: tuple[Link, ...]
    rows: tuple[AcrossRow, ...]
    carried: int


def across(standings: Sequence[Standing], at: str) -> AcrossTable | None:
    """The table for a page at `at`, None where no two GPUs compared implementations at the same workload and pass."""
    root = address.root(at)
    rows: dict[tuple[str, ...], dict[Gpu, Standing]] = {}
    for standing in standings:
        key = standing.group.key
        if len(standing.entries) > 1:
            place = (key.workload, key.pass_name, key.protocol, key.metric, key.statistic)
            rows.setdefault(place, {})[key.gpu] = standing
    shared = [here for here in rows.values() if len(here) > 1]
    if not shared:
        return None
    gpus = sorted({gpu for here in shared for gpu in here})
    listed = tuple(_row(here, gpus, root) for here in shared)
    return AcrossTable(
        gpus=tuple(Link(gpu.name, root + address.gpu(gpu)) for gpu in gpus),
        rows=listed,
        carried=sum(row.same for row in listed),
    )


def _row(here: dict[Gpu, Standing], gpus: Sequence[Gpu], root: str) -> AcrossRow:
    first = next(iter(here.values()))
    names = {tuple(sorted(entry.run.implementation for entry in standing.leaders)) for standing in here.values()}
    return AcrossRow(
        pass_name=words.pass_word(first.group.key.pass_name),
        workload=first.group.workload.words,
        cells=tuple(_cell(here[gpu], root) if gpu in here else None for gpu in gpus),
        same=len(names) == 1,
    )


def _cell(standing: Standing, root: str) -> AcrossCell:
    return AcrossCell(
        leaders_text(standing),
        standing.leader.tied,
        root + address.group(standing.group),
        ratio_cell(standing.leader.to_baseline),
    )
