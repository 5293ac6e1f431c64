from pathlib import Path

import pytest

from tests.load.good_records import Folder


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    path = tmp_path / "records"
    path.mkdir()
    return Folder(path)
