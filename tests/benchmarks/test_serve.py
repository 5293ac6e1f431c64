"""The benchmark of the preview runs."""

import re
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT


def test_it_prints_how_soon_each_kind_of_change_is_seen(tmp_path: Path) -> None:
    words = ["--records", "40", "--changes", "2", "--folder", str(tmp_path), "--no-hugo"]
    done = subprocess.run(
        [sys.executable, ROOT / "tests/benchmarks/serve.py", *words],
        check=True,
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    for kind in ("a record", "a template", "the settings"):
        assert re.search(rf"^  {kind} +\d+ ms median +\d+ ms worst of 2$", done.stdout, re.MULTILINE), done.stdout
    assert list(tmp_path.iterdir()) == []
