"""The wheel, installed outside of the repository, makes the same site as the checkout does."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT, SAMPLE


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)],
        check=True,
        capture_output=True,
    )
    (built,) = out.glob("*.whl")
    return built


def test_the_wheel_holds_templates_static_files_and_the_licence(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("templates", "static"):
        ours = {path.relative_to(ROOT / folder).as_posix() for path in (ROOT / folder).rglob("*") if path.is_file()}
        assert ours
        assert {f"sitegen/_{folder}/{name}" for name in ours} <= names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not any("tests" in name or "__pycache__" in name for name in names)


def test_the_installed_command_makes_the_same_site(wheel: Path, tmp_path: Path, sample_site: Path) -> None:
    venv.create(tmp_path / "fresh", with_pip=False)
    python = tmp_path / "fresh" / "bin" / "python"
    # The dependencies are those of this environment, which a test must not download again.
    packages = next((tmp_path / "fresh" / "lib").glob("python*/site-packages"))
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    subprocess.run(
        [
            *[sys.executable, "-m", "pip", "--python", str(python), "--quiet", "--disable-pip-version-check"],
            *["install", "--no-deps", "--no-index", str(wheel)],
        ],
        check=True,
        env=environment,
        cwd=tmp_path,
    )
    where = subprocess.run(
        [python, "-c", "import sitegen; print(sitegen.__file__)"],
        check=True,
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
    )
    assert Path(where.stdout.strip()).is_relative_to(packages)
    subprocess.run(
        [tmp_path / "fresh" / "bin" / "sitegen", "build", str(SAMPLE), "-o", "site"],
        check=True,
        stdout=subprocess.DEVNULL,
        env=environment,
        cwd=tmp_path,
    )
    built = {path.relative_to(tmp_path / "site"): path for path in (tmp_path / "site").rglob("*") if path.is_file()}
    expected = {path.relative_to(sample_site): path for path in sample_site.rglob("*") if path.is_file()}
    assert built.keys() == expected.keys()
    assert [name for name, path in built.items() if path.read_bytes() != expected[name].read_bytes()] == []
