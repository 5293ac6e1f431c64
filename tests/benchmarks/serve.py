"""How soon a change is seen: `python tests/benchmarks/serve.py --records 2000 100000`.

Makes catalogues of so many records from the real ones in `records`, serves each with `sitegen serve`, and measures from
the save of a file to the end of the page that shows it: the wait of a tab for the news, and the page that it then asks
for. Then, where Hugo is installed, how long Hugo's live reload takes for one changed page among as many.
"""

import argparse
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))  # run as a program, from wherever one is

from sitegen.identity import digest  # noqa: E402 - found by the line above
from tests.benchmarks import hugo  # noqa: E402 - as above
from tests.benchmarks.build import add_where_and_how  # noqa: E402 - as above
from tests.benchmarks.catalogue import Maker  # noqa: E402 - as above

_LONG_S = 600.0
_LOOK_AGAIN_S = 0.002
_SETTINGS = 'templates = "own"\n'


class Client:
    """Asks one server over one connection, as a browser does."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_LONG_S)

    def get(self, path: str) -> bytes:
        self._connection.request("GET", path)
        return self._connection.getresponse().read()


def main(arguments: list[str] | None = None) -> None:
    given = _parser().parse_args(arguments)
    found = hugo.find() if given.hugo else None
    for records in given.records:
        folder = Path(tempfile.mkdtemp(prefix="sitegen-benchmark-", dir=given.folder))
        try:
            measure(folder, records, given, found)
        finally:
            shutil.rmtree(folder)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, nargs="+", default=[2_000, 100_000], help="how many records to make")
    parser.add_argument("--changes", type=int, default=20, help="how many changes of each kind to measure")
    add_where_and_how(parser)
    return parser


def measure(folder: Path, records: int, given: argparse.Namespace, found: str | None) -> None:
    """Make a catalogue, serve it, change it, and print how long each kind of change took to be seen."""
    Maker(ROOT / "records", given.seed).write(folder / "records", records)
    (folder / "own").mkdir()
    (folder / "sitegen.toml").write_text(_SETTINGS, encoding="utf-8")
    print(f"{records:,} records; {given.jobs} processes, in {folder.parent}; from the save to the end of the page:")
    ours = _ours(folder, given)
    if found is None:
        return
    command = [sys.executable, "-m", "sitegen", "build", "-o", str(folder / "site"), "-j", str(given.jobs)]
    subprocess.run(command, cwd=folder, env=_environment(), check=True, stdout=subprocess.DEVNULL)
    pages = hugo.write_source(folder / "site", folder / "hugo")
    for done in ("records", "site"):
        shutil.rmtree(folder / done)  # a memory that both fill together may be too small
    theirs = _theirs(found, folder / "hugo", given)
    _print_times(f"Hugo, {pages:,} pages", theirs)
    ratio = statistics.median(theirs) / statistics.median(ours)
    print(f"  a changed file is seen in 1/{ratio:,.0f} of Hugo's time\n")


def _ours(folder: Path, given: argparse.Namespace) -> list[float]:
    """Print how long each kind of change took, and give the seconds for records."""
    choose = random.Random(given.seed)
    begun = time.perf_counter()
    with _sitegen(folder, given.jobs) as client:
        print(f"  {'serving after':<24}{time.perf_counter() - begun:8.2f} s")
        groups = [json.loads(line) for line in client.get("/data/groups.jsonl").splitlines()]
        page_of = {entry["run"]: f"/{row['page']}" for row in groups for entry in row["entries"]}
        files = choose.sample(sorted((folder / "records").glob("copy-*/*.json")), 10 * given.changes)
        shown = ((file, page_of.get(digest(json.loads(file.read_bytes())["run"]))) for file in files)
        asked = [(file, page) for file, page in shown if page is not None][: given.changes]
        client.get(asked[0][1])  # the first page of a kind compiles its templates, which is no part of a change
        records = [_seen(client, file, _slower(file.read_text(encoding="utf-8")), page) for file, page in asked]
        _print_times("a record", records)
        text = (ROOT / "templates/method.html").read_text(encoding="utf-8")
        marked = [text.replace("{% block main %}", f"{{% block main %}}{n}", 1) for n in range(given.changes + 1)]
        template = folder / "own/method.html"
        _print_times("a template", [_seen(client, template, each, "/method/") for each in marked][1:])
        titles = [f'{_SETTINGS}title = "{number}"\n' for number in range(given.changes)]
        config = folder / "sitegen.toml"
        _print_times("the settings", [_seen(client, config, title, "/method/") for title in titles])
    return records


def _slower(text: str) -> str:
    """A record with a median ten times as long."""
    return re.sub(r'("median": )(\d+)', lambda found: f"{found[1]}{found[2]}0", text, count=1)


def _seen(client: Client, file: Path, text: str, page: str) -> float:
    """Save a file, wait for the news as a tab does, ask for the page, and give how many seconds it all took."""
    before = client.get(page)
    known = json.loads(client.get("/_sitegen/poll"))
    beside = file.with_name(f".{file.name}")
    beside.write_text(text, encoding="utf-8")
    begun = time.perf_counter()
    beside.replace(file)
    news = json.loads(client.get(f"/_sitegen/poll?server={known['server']}&build={known['build']}"))
    after = client.get(page)
    seconds = time.perf_counter() - begun
    if news["problems"] or _without_script(after) == _without_script(before):
        raise SystemExit(f"the change of {file} was not shown: {news['problems'] or page}")
    return seconds


def _without_script(page: bytes) -> bytes:
    return re.sub(rb"<script src=./_sitegen[^>]*>", b"", page)


@contextmanager
def _sitegen(folder: Path, jobs: int) -> Iterator[Client]:
    command = [sys.executable, "-m", "sitegen", "serve", "--port", "0", "-j", str(jobs)]
    with subprocess.Popen(command, cwd=folder, env=_environment(), stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            port = next(
                found[1] for line in process.stdout if (found := re.match(r"Serving http://[^:]*:(\d+)/", line))
            )
            yield Client(int(port))
        finally:
            process.send_signal(signal.SIGINT)


def _theirs(found: str, source: Path, given: argparse.Namespace) -> list[float]:
    """The seconds that Hugo took for each of some changed pages."""
    choose = random.Random(given.seed)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [found, "server", "--source", str(source), "--bind", "127.0.0.1", "--port", str(port), "--noBuildLock"]
    begun = time.perf_counter()
    environment = {**os.environ, "HUGO_CACHEDIR": str(source / "cache")}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            next(line for line in process.stdout if "Web Server is available" in line)
            print(f"  {'Hugo serving after':<24}{time.perf_counter() - begun:8.2f} s")
            client = Client(port)
            files = choose.sample(sorted((source / "content/groups").rglob("*.md")), given.changes)
            return [_seen_by_hugo(client, file, source) for file in files]
        finally:
            process.terminate()


def _seen_by_hugo(client: Client, file: Path, source: Path) -> float:
    """Save a file with another title, and ask for its page again and again until it has it."""
    page = "/" + file.relative_to(source / "content").with_suffix(".html").as_posix()
    front = json.loads(file.read_bytes())
    title = f"changed-{file.stem}"
    beside = file.with_name(f".{file.name}")
    beside.write_text(json.dumps({**front, "title": title}, ensure_ascii=False) + "\n", encoding="utf-8")
    begun = time.perf_counter()
    beside.replace(file)
    while title.encode() not in client.get(page):
        if time.perf_counter() - begun > _LONG_S:
            raise SystemExit(f"Hugo did not show the change of {file}")
        time.sleep(_LOOK_AGAIN_S)
    return time.perf_counter() - begun


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def _print_times(name: str, seconds: list[float]) -> None:
    middle, worst = statistics.median(seconds) * 1e3, max(seconds) * 1e3
    print(f"  {name:<24}{middle:8,.0f} ms median{worst:8,.0f} ms worst of {len(seconds)}")


if __name__ == "__main__":
    main()
