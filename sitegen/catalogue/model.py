"""The catalogue's shapes: a comparison group and the indexes that lead to it."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sitegen.catalogue.workload import Workload
from sitegen.identity import canonical
from sitegen.load.model import Gpu, Loaded, Run


class Key(NamedTuple):
    """The comparability key: runs may be ranked against each other only when all of it agrees.

    The four parts of it, kernel, workload, pass and GPU, are here in the fields that make them up: a kernel is named
    within its source, a pass is its word with the protocol and the primary metric and statistic, a GPU is vendor,
    product and form factor.
    """

    source: str
    kernel: str
    workload: str
    pass_name: str
    protocol: str
    metric: str
    statistic: str
    gpu: Gpu

    @property
    def id(self) -> str:
        """20 hexadecimal digits (80 bits) of the SHA-256 of the key in canonical JSON: the group's stable name."""
        gpu = (self.gpu.vendor, self.gpu.product, self.gpu.form_factor)
        return hashlib.sha256(canonical([*self[:7], *gpu])).hexdigest()[:20]


@dataclass(frozen=True, slots=True)
class Group:
    """A comparison group: the runs of one key, of which at least one can be ranked.

    `runs` can be ranked, `unranked` cannot; both are in order of time, then digest.
    """

    id: str
    key: Key
    workload: Workload
    runs: tuple[Run, ...]
    unranked: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Kernel:
    """What one source computes under one name. `ungrouped` are runs that share a key with no ranked run."""

    source: str
    name: str
    groups: tuple[Group, ...]
    ungrouped: tuple[Run, ...]

    @property
    def runs(self) -> tuple[Run, ...]:
        """Every run of the kernel, ranked or not."""
        return (*(run for group in self.groups for run in (*group.runs, *group.unranked)), *self.ungrouped)


@dataclass(frozen=True, slots=True)
class Implementation:
    """What one source measures under one name, across kernels. `runs` are in order of time, then digest."""

    source: str
    key: str
    name: str
    runs: tuple[Run, ...]


@dataclass(frozen=True)
class Catalogue:
    """Everything that the site shows, by every way that it is reached. All orders are those of names and keys.

    `kernels` is by (source, name), `implementations` by (source, key), `group_of` leads from a run's digest to the
    group that it is in, where there is one.
    """

    loaded: Loaded
    groups: tuple[Group, ...]
    kernels: Mapping[tuple[str, str], Kernel]
    gpus: Mapping[Gpu, tuple[Kernel, ...]]
    implementations: Mapping[tuple[str, str], Implementation]
    workloads: Mapping[str, Workload]
    group_of: Mapping[str, Group]

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """The sources, by name."""
        return tuple(sorted({source for source, _ in self.kernels}))

    @cached_property
    def run_of(self) -> Mapping[str, Run]:
        """Every run by its digest."""
        return {run.digest: run for run in self.loaded.runs}

    @cached_property
    def newest_ms(self) -> int:
        """When the newest run was observed, in milliseconds since 1970 (UTC); 0 without runs."""
        return max((run.observed_ms for run in self.loaded.runs), default=0)

    def architectures(self, gpu: Gpu) -> tuple[str, ...]:
        """The architectures that the records state for a GPU, "unknown" left out."""
        return self._architectures.get(gpu, ())

    @cached_property
    def _architectures(self) -> Mapping[Gpu, tuple[str, ...]]:
        pairs = {(run.gpu, run.environment) for run in self.loaded.runs}
        found: dict[Gpu, set[str]] = {}
        for gpu, digest in pairs:
            architecture = self.loaded.environments[digest].spec.hardware.architecture
            if architecture and architecture != "unknown":
                found.setdefault(gpu, set()).add(architecture)
        return {gpu: tuple(sorted(names)) for gpu, names in found.items()}
