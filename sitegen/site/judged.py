"""The catalogue with every group judged once: what all pages are made from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from sitegen.catalogue import Catalogue, Group, Kernel
from sitegen.judge import Standing, judge
from sitegen.load.model import Run
from sitegen.settings import Settings
from sitegen.sources import baselines, display_name


@dataclass(frozen=True)
class Judged:
    """A catalogue, the settings it is shown with, and the standing of each group by the group's id."""

    catalogue: Catalogue
    settings: Settings
    standings: Mapping[str, Standing]

    def position(self, group: Group) -> int:
        """A group's place in the catalogue's order."""
        return self._positions[group.id]

    @cached_property
    def _positions(self) -> Mapping[str, int]:
        return {group.id: place for place, group in enumerate(self.catalogue.groups)}

    def of(self, groups: Iterable[Group]) -> list[Standing]:
        """The standings of `groups`, in their order."""
        return [self.standings[group.id] for group in groups]

    def source_name(self, source: str) -> str:
        """What a source is called in words."""
        return display_name(source, self.settings)

    def baselines(self, source: str) -> tuple[str, ...]:
        """The names of the implementations that a source's runs are compared with, the preferred first."""
        return baselines(source, self.settings)


def judged(catalogue: Catalogue, settings: Settings, before: Judged | None = None) -> Judged:
    """Judge every group of a catalogue, against its source's baselines.

    What was judged `before`, with the same settings, is kept for every kernel that is still the same object.
    """
    names = {source: baselines(source, settings) for source in catalogue.sources}
    if before is None or before.settings != settings:
        standings = {group.id: judge(group, names[group.key.source]) for group in catalogue.groups}
        return Judged(catalogue, settings, standings)
    standings = dict(before.standings)
    were, are = before.catalogue.kernels, catalogue.kernels
    for kernel in (each for key, each in were.items() if are.get(key) is not each):
        for group in kernel.groups:
            del standings[group.id]
    for kernel in (each for key, each in are.items() if were.get(key) is not each):
        for group in kernel.groups:
            old = before.standings.get(group.id)
            standings[group.id] = old if old and old.group is group else judge(group, names[kernel.source])
    return Judged(catalogue, settings, standings)


def failed(kernel: Kernel) -> list[Run]:
    """The runs of a kernel that cannot be ranked, in order of time, then digest."""
    runs = [*(run for group in kernel.groups for run in group.unranked), *kernel.ungrouped]
    return sorted(runs, key=lambda run: (run.observed_ms, run.digest))
