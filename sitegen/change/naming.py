"""What a claim is about, in words: the key that stands beside it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from sitegen import words
from sitegen.catalogue import Catalogue, Group
from sitegen.load import Run
from sitegen.site.cell import Part, Text
from sitegen.sources import display_name


@dataclass(frozen=True, slots=True)
class Place:
    """The key of a group or a run in words. `quantity` is what its figures are, `more` tells it from a like key."""

    gpu: str
    kernel: str
    pass_name: str
    workload: str
    quantity: str
    more: str

    @property
    def text(self) -> Text:
        """The key as a sentence begins: "On NVIDIA H100, rms_norm forward, hidden 1,024 (median latency): "."""
        parts: list[str | Part] = ["On ", Part(self.gpu), ", ", Part(self.kernel, "name")]
        if self.pass_name:
            parts += [" ", self.pass_name if self.pass_name in words.PASS else Part(self.pass_name)]
        parts += [", ", Part(self.workload)]
        about = [each for each in (self.quantity, self.more) if each]
        for place, each in enumerate(about):
            parts += [", " if place else " (", each if each in _OWN_WORDS else Part(each)]
        return (*parts, "): " if about else ": ")


class Places:
    """The keys of two catalogues in words, with the source or the group's own name where the words are alike."""

    def __init__(self, catalogues: Iterable[Catalogue]) -> None:
        self._catalogues = tuple(catalogues)
        groups = {group.id: group for catalogue in self._catalogues for group in catalogue.groups}
        self._plain = Counter(_words(group) for group in groups.values())
        self._named = Counter((_words(group), group.key.source) for group in groups.values())

    def of_group(self, group: Group) -> Place:
        """A group's key."""
        key, plain = group.key, _words(group)
        more = ""
        if self._named[plain, key.source] > 1:
            more = f"group {group.id}"
        elif self._plain[plain] > 1:
            more = display_name(key.source)
        return Place(*plain, more)

    def of_run(self, run: Run) -> Place:
        """The key of a run: its group's, or where it has none, what is known of it."""
        for catalogue in reversed(self._catalogues):
            if run.digest in catalogue.group_of:
                return self.of_group(catalogue.group_of[run.digest])
        workload = next(each.workloads[run.workload] for each in self._catalogues if run.workload in each.workloads)
        quantity = _quantity(run.figure.metric, run.figure.statistic) if run.figure else ""
        return Place(run.gpu.name, run.kernel, run.pass_name, workload.words, quantity, display_name(run.source))


def _quantity(metric: str, statistic: str) -> str:
    name = words.quantity(metric, statistic)
    return name[:1].lower() + name[1:]


_OWN_WORDS = frozenset(_quantity(metric, statistic) for metric in words.METRIC for statistic in words.STATISTIC)
"""Quantities in words of our own: all others hold words from records."""


def _words(group: Group) -> tuple[str, str, str, str, str]:
    key = group.key
    return (key.gpu.name, key.kernel, key.pass_name, group.workload.words, _quantity(key.metric, key.statistic))
