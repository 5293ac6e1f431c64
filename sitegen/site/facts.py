"""The facts as programs read them: the objects of the data files and of the pages' own JSON."""

from typing import Any

from pydantic_core import to_json

from sitegen import __version__
from sitegen.catalogue import Group, Key
from sitegen.judge import Standing
from sitegen.load.model import Figure, Gpu, Run
from sitegen.site import address
from sitegen.site.cell import moment
from sitegen.site.judged import Judged

Facts = dict[str, Any]


def encode(value: object) -> bytes:
    """A JSON file: one compact line, UTF-8, with a newline at its end. A number beyond all measure is null."""
    return to_json(value, inf_nan_mode="null") + b"\n"


def gpu_facts(gpu: Gpu) -> Facts:
    """A GPU's three parts of the key; `formFactor` is null where the records give none."""
    return {"vendor": gpu.vendor, "product": gpu.product, "formFactor": gpu.form_factor or None}


def _figure_facts(figure: Figure | None) -> Facts:
    """A figure's numbers, null where there is none: whole nanoseconds are whole numbers, as they were in the record."""
    if figure is None:
        return {"value": None, "low": None, "high": None}
    return {"value": _whole(figure.value), "low": _whole(figure.low), "high": _whole(figure.high)}


def _whole(value: float | None) -> float | None:
    return int(value) if value is not None and value % 1 == 0 else value


def _measured(run: Run) -> Facts:
    facts: Facts = {"implementation": run.implementation, "run": run.digest}
    return facts | _figure_facts(run.figure) if run.figure else facts


def group_facts(standing: Standing) -> Facts:
    """A comparison group: its key, its ranks, its history, and what does not rank with the reason."""
    group = standing.group
    return {
        "id": group.id,
        "page": address.group(group),
        **key_facts(group.key),
        "workloadLabel": group.workload.label,
        "unit": standing.leader.figure.unit,
        "baseline": standing.baseline.run.implementation if standing.baseline else None,
        "entries": [
            {
                **_measured(entry.run),
                "rank": entry.rank,
                "tied": entry.tied,
                "spread": entry.figure.spread or None,
                "observedAt": moment(entry.run.observed_ms),
                "release": entry.run.release or None,
            }
            for entry in standing.entries
        ],
        "history": [
            {**_measured(run), "observedAt": moment(run.observed_ms), "release": run.release or None}
            for entry in standing.entries
            for run in entry.history
        ],
        "unranked": [
            {"implementation": run.implementation, "run": run.digest, "status": run.status, "reason": run.unranked}
            for run in group.unranked
        ],
    }


def key_facts(key: Key) -> Facts:
    """The comparability key in full; `pass` is null where the source states none."""
    return {
        "source": key.source,
        "kernel": key.kernel,
        "workload": key.workload,
        "pass": key.pass_name or None,
        "gpu": key.gpu.name,
        "hardware": gpu_facts(key.gpu),
        "protocol": key.protocol,
        "metric": key.metric,
        "statistic": key.statistic,
    }


RUN_FIELDS = (
    "run",
    "page",
    "file",
    "source",
    "kernel",
    "workload",
    "workloadLabel",
    "pass",
    "gpu",
    "vendor",
    "product",
    "formFactor",
    "implementation",
    "implementationDigest",
    "protocol",
    "environment",
    "status",
    "metric",
    "statistic",
    "unit",
    "value",
    "low",
    "high",
    "spread",
    "observedAt",
    "release",
    "group",
    "unranked",
)
"""What `run_facts` says of a run, in order: the head of the table of runs."""


def run_facts(run: Run, group: Group | None) -> Facts:
    """A run: what it measured, under which key, and the group that it is in, null where it shares its key with none."""
    figure = run.figure
    return {
        "run": run.digest,
        "page": address.run(run),
        "file": run.file,
        "source": run.source,
        "kernel": run.kernel,
        "workload": run.workload,
        "workloadLabel": run.workload_label,
        "pass": run.pass_name or None,
        "gpu": run.gpu.name,
        "vendor": run.gpu.vendor,
        "product": run.gpu.product,
        "formFactor": run.gpu.form_factor or None,
        "implementation": run.implementation,
        "implementationDigest": run.implementation_digest,
        "protocol": run.protocol,
        "environment": run.environment,
        "status": run.status,
        "metric": figure.metric if figure else None,
        "statistic": figure.statistic if figure else None,
        "unit": figure.unit if figure else None,
        **_figure_facts(figure),
        "spread": (figure.spread or None) if figure else None,
        "observedAt": moment(run.observed_ms),
        "release": run.release or None,
        "group": group.id if group else None,
        "unranked": run.unranked or None,
    }


def catalogue_facts(judged: Judged) -> Facts:
    """What the catalogue holds, counted."""
    catalogue = judged.catalogue
    problems = catalogue.loaded.problems
    return {
        "title": judged.settings.title,
        "generator": f"sitegen {__version__}",
        "newest": moment(catalogue.newest_ms) if catalogue.loaded.runs else None,
        "counts": counts(judged),
        "sources": [{"source": source, "name": judged.source_name(source)} for source in catalogue.sources],
        "problems": {
            "errors": sum(problem.severity == "error" for problem in problems),
            "warnings": sum(problem.severity == "warning" for problem in problems),
        },
    }


def counts(judged: Judged) -> dict[str, int]:
    """How many there are of everything."""
    catalogue = judged.catalogue
    runs = catalogue.loaded.runs
    return {
        "records": catalogue.loaded.records,
        "runs": len(runs),
        "groups": len(catalogue.groups),
        "kernels": len(catalogue.kernels),
        "hardware": len(catalogue.gpus),
        "implementations": len(catalogue.implementations),
        "sources": len(catalogue.sources),
        "problems": len(catalogue.loaded.problems),
        "failed": sum(run.status != "passed" for run in runs),
        "unranked": sum(bool(run.unranked) for run in runs),
        "spreadKnown": sum(run.figure is not None and run.figure.low is not None for run in runs),
    }
