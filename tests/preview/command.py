"""The command in a process of its own, as a user runs it."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT


class Command:
    """The command at work. Its lines are read one after the other, each as soon as it comes."""

    def __init__(self, place: Path, *options: str, **environment: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sitegen", "serve", *options],
            cwd=place,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error", **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: list[str] = []

    def until(self, pattern: str) -> re.Match[str]:
        """Read lines until one matches."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            if found := re.search(pattern, line):
                return found
        pytest.fail(f"nothing like {pattern!r} in {self.lines}")

    def end(self) -> int:
        """Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        assert self.process.stdout is not None
        self.lines += self.process.stdout
        return self.process.wait()
