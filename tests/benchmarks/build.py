"""How fast a site is built: `python tests/benchmarks/build.py --records 10000 100000`.

Makes catalogues of so many records from the real ones in `records`, builds each in a process of its own, and prints
what each stage took; then, where Hugo is installed, how long Hugo takes for as many pages of the same sizes.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))  # run as a program, from wherever one is

from tests.benchmarks import hugo  # noqa: E402 - found by the line above
from tests.benchmarks.catalogue import Maker  # noqa: E402 - as above
from tests.benchmarks.memory import PeakMemory  # noqa: E402 - as above

_MEMORY_FOLDER = Path("/dev/shm")  # a file system in memory, where Linux has one
_MB = 1e6


def main(arguments: list[str] | None = None) -> None:
    given = _parser().parse_args(arguments)
    found = hugo.find() if given.hugo else None
    for records in given.records:
        # Always a new folder: making files where many were deleted takes several times as long.
        folder = Path(tempfile.mkdtemp(prefix="sitegen-benchmark-", dir=given.folder))
        try:
            measure(folder, records, given.jobs, given.seed, found)
        finally:
            shutil.rmtree(folder)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, nargs="+", default=[10_000, 100_000], help="how many records to make")
    add_where_and_how(parser)
    return parser


def add_where_and_how(parser: argparse.ArgumentParser) -> None:
    """The options of every benchmark."""
    parser.add_argument("--seed", type=int, default=1, help="another seed makes other figures")
    parser.add_argument(
        "-j", "--jobs", type=int, default=len(os.sched_getaffinity(0)), help="how many processes to use"
    )
    parser.add_argument(
        "--folder",
        type=Path,
        default=_MEMORY_FOLDER if _MEMORY_FOLDER.is_dir() else None,
        help="where to work (default: a file system in memory, where there is one)",
    )
    parser.add_argument(
        "--hugo", action=argparse.BooleanOptionalAction, default=True, help="compare with Hugo, where it is installed"
    )


def measure(folder: Path, records: int, jobs: int, seed: int, found: str | None) -> None:
    """Make a catalogue, build it, and print what each stage took."""
    begun = time.perf_counter()
    Maker(ROOT / "records", seed).write(folder / "records", records)
    print(f"{records:,} records, made in {time.perf_counter() - begun:.1f} s; {jobs} processes, in {folder.parent}")
    figures, peak = _build(folder / "records", folder / "site", jobs)
    _print_stages(figures, peak)
    if found is None:
        return
    pages = hugo.write_source(folder / "site", folder / "hugo")
    for done in ("records", "site"):
        shutil.rmtree(folder / done)  # a memory that both fill together may be too small
    made = hugo.build(found, folder / "hugo", folder / "by-hugo")
    whole = sum(figures["seconds"].values())
    _print_line("Hugo", made.seconds, pages, "pages", made.bytes)
    print(f"{'':13}{made.files:,} files, {made.bytes / _MB:,.0f} MB; peak memory {made.peak_mb:,.0f} MB")
    print(f"  sitegen takes {whole / made.seconds:.2f} of Hugo's time\n")


def _build(records: Path, out: Path, jobs: int) -> tuple[dict[str, Any], float]:
    command = [sys.executable, "-m", "tests.benchmarks.stages", str(records), str(out), str(jobs)]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process,
        PeakMemory(process.pid) as memory,
    ):
        told = process.communicate()[0]
    if process.returncode != 0:
        raise SystemExit(process.returncode)
    return json.loads(told), memory.mb


def _print_stages(figures: dict[str, Any], peak_mb: float) -> None:
    seconds = figures["seconds"]
    print(f"  {figures['runs']:,} runs, {figures['groups']:,} groups, {figures['kernels']:,} kernels")
    for stage, things, size in (
        ("load", "runs", figures["read"]),
        ("group", "runs", 0),
        ("judge", "runs", 0),
        ("publish", "pages", figures["bytes"]),
    ):
        _print_line(stage, seconds[stage], figures[things], things, size)
    _print_line("in all", sum(seconds.values()), figures["runs"], "runs", figures["bytes"])
    print(f"{'':13}{figures['files']:,} files, {figures['bytes'] / _MB:,.0f} MB; peak memory {peak_mb:,.0f} MB")


def _print_line(name: str, seconds: float, count: int, things: str, size: int) -> None:
    line = f"  {name:<10}{seconds:8.2f} s{count / seconds:12,.0f} {things + '/s':<8}"
    print(f"{line}{size / seconds / _MB:8,.1f} MB/s" if size else line.rstrip())


if __name__ == "__main__":
    main()
