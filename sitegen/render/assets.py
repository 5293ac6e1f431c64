"""Static files under names that change with their content, so that a browser may keep them for ever."""

import hashlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import plotly


@dataclass(frozen=True, slots=True)
class Asset:
    """A static file: its address on the site and its bytes."""

    address: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Assets:
    """The addresses of the files that templates name, and all files that there are."""

    css: str
    charts_css: str
    js: str
    charts_js: str
    theme: str
    icon: str
    plotly: str
    files: tuple[Asset, ...]


def read_assets(folder: Path) -> Assets:
    """Read the static files of `folder` and the chart library's script.

    Raises `OSError` where one of them cannot be read.
    """
    found = {
        name: _hashed(name, (folder / name).read_bytes())
        for name in ("site.css", "charts.css", "site.js", "charts.js", "theme.js", "favicon.svg")
    }
    script = _hashed("plotly.js", (Path(plotly.__file__).parent / "package_data" / "plotly.min.js").read_bytes())
    return Assets(
        css=found["site.css"].address,
        charts_css=found["charts.css"].address,
        js=found["site.js"].address,
        charts_js=found["charts.js"].address,
        theme=found["theme.js"].address,
        icon=found["favicon.svg"].address,
        plotly=script.address,
        files=(*found.values(), script),
    )


def _hashed(name: str, content: bytes) -> Asset:
    path = PurePosixPath(name)
    return Asset(f"assets/{path.stem}.{hashlib.sha256(content).hexdigest()[:10]}{path.suffix}", content)
