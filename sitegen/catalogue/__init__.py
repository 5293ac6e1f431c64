"""The catalogue: records in, comparison groups by key out, with indexes. Pure."""

from sitegen.catalogue.build import build, pass_order
from sitegen.catalogue.model import Catalogue, Group, Implementation, Kernel, Key
from sitegen.catalogue.sweep import WorkloadSweep, find_sweeps
from sitegen.catalogue.update import update
from sitegen.catalogue.workload import Workload

__all__ = [
    "Catalogue",
    "Group",
    "Implementation",
    "Kernel",
    "Key",
    "Workload",
    "WorkloadSweep",
    "build",
    "find_sweeps",
    "pass_order",
    "update",
]
