"""The memory of a process and all that it started, watched from outside."""

import threading
from pathlib import Path

_EVERY_S = 0.05


class PeakMemory:
    """Watches a tree of processes while the block runs: `mb` is the most that it held at once, in megabytes.

    What processes share is counted once (the proportional set size of Linux); 0 where the system does not tell.
    """

    def __init__(self, process: int) -> None:
        self._process = process
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.mb = 0.0

    def __enter__(self) -> "PeakMemory":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(_EVERY_S):
            self.mb = max(self.mb, sum(map(_held_kb, _tree(self._process))) / 1e3)


def _tree(process: int) -> list[int]:
    found, ahead = [], [process]
    while ahead:
        each = ahead.pop()
        found.append(each)
        try:
            ahead += map(int, Path(f"/proc/{each}/task/{each}/children").read_text().split())
        except OSError:  # it has just ended, or this is no Linux
            continue
    return found


def _held_kb(process: int) -> int:
    try:
        rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")), 0)
