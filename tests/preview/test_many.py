"""Many who ask while much changes: every answer is a whole page of one version of the site."""

import threading
from pathlib import Path

from tests.preview.conftest import Preview, with_median, without_script

PAGES = ("/kernels/index.html", "/kernels/", "/index.html", "/data/runs.csv", "/data/groups.jsonl")


def test_100_requests_during_20_changes(preview: Preview, record: Path) -> None:
    text = record.read_text()
    versions = [preview.first.outcome.site]
    replies: list[tuple[str, int, bytes]] = []
    changing = threading.Event()

    def ask(path: str) -> None:
        for number in range(20):
            if number:
                changing.wait()
            reply = preview.get(path)
            replies.append((path, reply.status, reply.body))

    threads = [threading.Thread(target=ask, args=(path,)) for path in PAGES]
    for thread in threads:
        thread.start()
    for number in range(20):
        news = preview.after(lambda number=number: record.write_text(with_median(text, 31_000 + number)))  # type: ignore[misc]
        versions.append(news.outcome.site)
        changing.set()
    for thread in threads:
        thread.join()
    assert len(replies) == 100
    whole = {
        path: {
            site.render(path.removeprefix("/") + ("index.html" if path.endswith("/") else ""))
            for site in versions
            if site
        }
        for path in PAGES
    }
    for path, status, body in replies:
        assert status == 200
        assert (body if "data" in path else without_script(body)) in whole[path]


def test_forty_who_wait_are_all_told_at_once(preview: Preview, record: Path) -> None:
    told: list[int] = []
    query = f"?server={preview.session.state.server}&build={preview.build}"
    threads = [threading.Thread(target=lambda: told.append(preview.poll(query)["build"])) for _ in range(40)]
    for thread in threads:
        thread.start()
    text = record.read_text()
    preview.after(lambda: record.write_text(with_median(text, 31_000)))
    for thread in threads:
        thread.join()
    assert told == [2] * 40


def test_a_poll_is_answered_at_once_where_it_knows_less_or_another_server(preview: Preview) -> None:
    server = preview.session.state.server
    for query in ("", "?build=1", "?server=other&build=1", f"?server={server}&build=0", f"?server={server}&build=x"):
        assert preview.poll(query)["build"] == 1
    assert preview.get(f"/_sitegen/poll?server={server}&build=1", method="HEAD").status == 200


def test_those_who_wait_are_let_go_at_the_end(preview: Preview) -> None:
    told: list[int] = []
    query = f"?server={preview.session.state.server}&build=1"
    thread = threading.Thread(target=lambda: told.append(preview.poll(query)["build"]))
    thread.start()
    preview.session.end()
    thread.join()
    assert told == [1]
