"""The catalogue: records in, comparison groups by key out, with indexes. Pure."""

from sitegen.catalogue.build import build, pass_order
from sitegen.catalogue.model import Catalogue, Group, Implementation, Kernel, Key
from sitegen.catalogue.sweep import WorkloadSweep, find_sweeps
from sitegen.catalogue.update import Change, difference, update
from sitegen.catalogue.workload import Workload

__all__ = [
    "Catalogue",
    "Change",
    "Group",
    "Implementation",
    "Kernel",
    "Key",
    "Workload",
    "WorkloadSweep",
    "build",
    "difference",
    "find_sweeps",
    "pass_order",
    "update",
]
