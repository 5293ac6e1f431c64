"""A large catalogue from a small real one: its runs again, of new kernels, on new workloads and in new releases."""

import copy
import hashlib
import json
import random
from pathlib import Path
from typing import Any

from sitegen.identity import digest

Json = dict[str, Any]

# Of eight copies of the real runs, four are of new kernels, three on new workloads of the kernels before them, and one
# in a new release of the kernels before it: so a group keeps about as many runs as it has in the real records.
_COPIES = ("kernel", "workload", "kernel", "workload", "kernel", "workload", "kernel", "release")
_DEVIATION = 0.05  # of the logarithm of a latency: about one run in three moves by more than 5 %


class Maker:
    """Makes runs from those of Liger-Kernel in `real`; the same seed makes the same catalogue."""

    def __init__(self, real: Path, seed: int) -> None:
        self._runs: list[Json] = []
        self._documents: dict[str, Json] = {}
        self._vary = random.Random(seed)
        for path in sorted(real.rglob("*.json")):
            document = json.loads(path.read_bytes())
            if "run" not in document:
                self._documents[digest(document)] = document
            elif document["run"]["spec"]["sourceNative"]["source"] == "liger-kernel-bench":
                self._runs.append(document)

    def write(self, into: Path, records: int) -> None:
        """Write that many runs below `into`, and the documents that they point at. Every digest is right."""
        base = self._runs
        for number in range(-(-records // len(self._runs))):
            kind = _COPIES[number % len(_COPIES)]
            base = [self._again(run, kind, number) for run in (self._runs if kind == "kernel" else base)]
            folder = into / f"copy-{number:04}"
            folder.mkdir(parents=True)
            for place, run in enumerate(base[: records - number * len(self._runs)]):
                _write(folder / f"{place:05}.json", run)
        documents = into / "documents"
        documents.mkdir()
        for name, document in self._documents.items():
            _write(documents / f"{name.removeprefix('sha256:')}.json", document)

    def _again(self, record: Json, kind: str, number: int) -> Json:
        """The record as measured of another kernel, on another workload or in another release, with its own figures."""
        # Protocol and environment are shared: nothing in them changes.
        run = copy.deepcopy(record["run"])
        spec, native = run["spec"], run["spec"]["sourceNative"]
        kernel, pass_name, implementation, gpu, label, _ = native["externalId"].split("/")
        if kind == "kernel":
            kernel = f"{kernel}_{number}"
        elif kind == "workload":
            label = f"splits{number + 1}-{label}"
            spec["workloadDigest"] = self._workload(spec["workloadDigest"], number + 1)
        else:
            run["metadata"]["labels"]["liger_version"] = f"1.{number}.0"
        day = f"{2027 + number // 336}-{number // 28 % 12 + 1:02}-{number % 28 + 1:02}"
        spec["observedAt"] = f"{day}T{spec['observedAt'][11:]}"
        native["benchmark"] = f"{kernel}/{pass_name}"
        native["externalId"] = "/".join((kernel, pass_name, implementation, gpu, label, day))
        run["metadata"]["name"] = f"liger-{kernel}-{pass_name}-{implementation}-{label}".replace("_", "-")[:100]
        self._measure(spec, native["metrics"])
        return {**record, "run": run}

    def _workload(self, workload: str, splits: int) -> str:
        """The digest of a workload that has one axis more, which is among the documents if the other was."""
        known = self._documents.get(workload)
        if known is None:
            return "sha256:" + hashlib.sha256(f"{workload} {splits}".encode()).hexdigest()
        spec = {**known["spec"], "axes": {"splits": splits, **known["spec"]["axes"]}}
        title = f"{known['metadata']['title']} · splits={splits}"
        document = {**known, "spec": spec, "metadata": {**known["metadata"], "title": title}}
        named = digest(document)
        self._documents[named] = document
        return named

    def _measure(self, spec: Json, metrics: Json) -> None:
        """Move the median by a few percent, and the percentiles with it, their distance by up to a half."""
        moved = self._vary.lognormvariate(0, _DEVIATION)
        spread = self._vary.uniform(0.5, 1.5)
        median = spec["timing"]["latencyNs"]["median"]
        now = spec["timing"]["latencyNs"]["median"] = max(1, round(median * moved))
        for measurement in spec["measurements"]:
            if measurement["metric"] == "latency":
                measurement["value"] = max(1, round(now + (measurement["value"] - median) * moved * spread))
        for name in metrics:
            metrics[name] *= moved


def _write(path: Path, document: Json) -> None:
    path.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
