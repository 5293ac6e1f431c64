"""The same work by Hugo: as many pages of the same sizes, from the same data, in the same folders."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.benchmarks.memory import PeakMemory

_CONFIG = """\
baseURL = "https://example.org/"
title = "GPU kernel benchmarks"
disableKinds = ["home", "section", "taxonomy", "term", "rss", "sitemap", "robotsTXT", "404"]
uglyURLs = true
[outputs]
page = ["html", "json"]
[outputFormats.json]
baseName = "index"
isPlainText = true
[markup.goldmark.renderer]
unsafe = false
"""
_BASE = """\
<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ .Title }} · {{ .Site.Title }}</title><link rel="stylesheet" href="/site.css"></head>
<body><header><a href="/index.html">{{ .Site.Title }}</a><nav><ul><li><a href="/kernels/index.html">Kernels</a></li>
<li><a href="/hardware/index.html">Hardware</a></li></ul></nav></header>
<main>{{ block "main" . }}{{ end }}</main>
<footer><p>Built from records.</p></footer></body></html>
"""
_PAGE = """\
{{ define "main" }}<h1>{{ .Title }}</h1>
{{ $rows := .Params.rows }}{{ range seq .Params.times }}<table><tbody>
{{ range $rows }}<tr><th scope="row">{{ index . 0 }}</th><td class="num">{{ index . 1 }}</td></tr>
{{ end }}</tbody></table>
{{ end }}<table><tbody>
{{ range first .Params.more $rows }}<tr><th scope="row">{{ index . 0 }}</th><td class="num">{{ index . 1 }}</td></tr>
{{ end }}</tbody></table>
{{ end }}
"""
_FACTS = "{{ .Params.facts }}\n"
_FRAME = 600  # bytes of a page around its tables
_TABLE = len("<table><tbody>\n</tbody></table>\n")
_ROW = len('<tr><th scope="row"></th><td class="num"></td></tr>\n')


@dataclass(frozen=True, slots=True)
class Made:
    """What Hugo made, and what it took."""

    seconds: float
    files: int
    bytes: int
    peak_mb: float


def find() -> str | None:
    """Where Hugo is: beside this Python, or on the path."""
    beside = Path(sys.executable).parent / "hugo"
    return str(beside) if beside.is_file() else shutil.which("hugo")


def write_source(site: Path, into: Path) -> int:
    """Write the source of a Hugo site with one page for each page of ours, and give how many there are.

    A page has our page's JSON as its facts, shows them as the rows of a table, and repeats it until it is as long.
    """
    layouts = into / "layouts" / "_default"
    layouts.mkdir(parents=True)
    (into / "hugo.toml").write_text(_CONFIG, encoding="utf-8")
    (layouts / "baseof.html").write_text(_BASE, encoding="utf-8")
    (layouts / "single.html").write_text(_PAGE, encoding="utf-8")
    (layouts / "single.json").write_text(_FACTS, encoding="utf-8")
    count = 0
    for page in sorted(site.rglob("*.html")):
        data = page.with_suffix(".json")
        if not data.is_file():
            continue
        count += 1
        facts = data.read_text(encoding="utf-8")
        rows = list(_flat("", json.loads(facts)))
        times, more = _repeats(rows, page.stat().st_size)
        front = {"title": page.stem, "facts": facts, "rows": rows, "times": times, "more": more}
        source = into / "content" / page.relative_to(site).with_suffix(".md")
        if source.name == "index.md":
            source = source.with_name("all.md")  # the name means something else to Hugo
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(json.dumps(front, ensure_ascii=False) + "\n", encoding="utf-8")
    return count


def _flat(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """A JSON value as rows of a name and a text."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(f"{name} {key}".strip(), inner)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _flat(f"{name} {place}", inner)
    else:
        yield name, str(value)


def _repeats(rows: list[tuple[str, str]], size: int) -> tuple[int, int]:
    """How often a page of that many bytes holds all rows, and how many of them once more."""
    lengths = [_ROW + len(name.encode()) + len(value.encode()) for name, value in rows]
    times, left = divmod(max(size - _FRAME, 0), sum(lengths) + _TABLE)
    more = 0
    while more < len(lengths) and left >= lengths[more]:
        left -= lengths[more]
        more += 1
    return times, more


def build(hugo: str, source: Path, out: Path) -> Made:
    """Have Hugo make the site, and measure it."""
    begun = time.perf_counter()
    with (
        subprocess.Popen(
            [hugo, "--source", str(source), "--destination", str(out), "--quiet", "--noBuildLock"],
            env={**os.environ, "HUGO_CACHEDIR": str(source / "cache")},
            stdout=subprocess.DEVNULL,
        ) as process,
        PeakMemory(process.pid) as memory,
    ):
        status = process.wait()
    seconds = time.perf_counter() - begun
    if status != 0:
        raise SystemExit(f"hugo ended with status {status}")
    sizes = [path.stat().st_size for path in out.rglob("*") if path.is_file()]
    return Made(seconds, len(sizes), sum(sizes), memory.mb)
