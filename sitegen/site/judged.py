"""The catalogue with every group judged once: what all pages are made from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sitegen.catalogue import Catalogue, Group, Kernel
from sitegen.judge import Standing, judge
from sitegen.load.model import Run
from sitegen.settings import Settings
from sitegen.sources import baselines, display_name


@dataclass(frozen=True, slots=True)
class Judged:
    """A catalogue, the settings it is shown with, and the standing of each group by the group's id."""

    catalogue: Catalogue
    settings: Settings
    standings: Mapping[str, Standing]
    positions: Mapping[str, int]

    def position(self, group: Group) -> int:
        """A group's place in the catalogue's order."""
        return self.positions[group.id]

    def of(self, groups: Iterable[Group]) -> list[Standing]:
        """The standings of `groups`, in their order."""
        return [self.standings[group.id] for group in groups]

    def source_name(self, source: str) -> str:
        """What a source is called in words."""
        return display_name(source, self.settings)

    def baselines(self, source: str) -> tuple[str, ...]:
        """The names of the implementations that a source's runs are compared with, the preferred first."""
        return baselines(source, self.settings)


def judged(catalogue: Catalogue, settings: Settings) -> Judged:
    """Judge every group of a catalogue, against its source's baselines."""
    names = {source: baselines(source, settings) for source in catalogue.sources}
    standings = {group.id: judge(group, names[group.key.source]) for group in catalogue.groups}
    return Judged(catalogue, settings, standings, {name: place for place, name in enumerate(standings)})


def failed(kernel: Kernel) -> list[Run]:
    """The runs of a kernel that cannot be ranked, in order of time, then digest."""
    runs = [*(run for group in kernel.groups for run in group.unranked), *kernel.ungrouped]
    return sorted(runs, key=lambda run: (run.observed_ms, run.digest))
