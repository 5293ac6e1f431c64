"""One build, in a process of its own, each stage timed. Arguments: records, site, processes. Prints JSON."""

import json
import sys
import time
from pathlib import Path

from sitegen.catalogue import build
from sitegen.load import load
from sitegen.publish import publish
from sitegen.settings import Settings
from sitegen.site import build_site


def size(folder: Path) -> tuple[int, int]:
    """How many files are below a folder, and their bytes."""
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    return len(sizes), sum(sizes)


def main(records: Path, out: Path, jobs: int) -> None:
    begun = time.perf_counter()
    loaded = load(records, jobs=jobs)
    read = time.perf_counter()
    catalogue = build(loaded)
    grouped = time.perf_counter()
    site = build_site(catalogue, Settings())
    ready = time.perf_counter()
    published = publish(site, out, jobs=jobs)
    done = time.perf_counter()
    if loaded.problems:
        raise SystemExit(f"the benchmark's own records are wrong: {loaded.problems[0]}")
    figures = {
        "seconds": {"load": read - begun, "group": grouped - read, "judge": ready - grouped, "publish": done - ready},
        "runs": len(loaded.runs),
        "groups": len(catalogue.groups),
        "kernels": len(catalogue.kernels),
        "pages": len(site.pages),
        "files": published.files,
        "bytes": published.bytes,
        "read": size(records)[1],
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
