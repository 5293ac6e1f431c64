"""Who asks: hosts, paths, methods, types, and where the site is mounted."""

import json
import socket

import pytest

from sitegen.preview import PreviewError, Server
from tests.preview.conftest import Preview, Start, with_median


def first(preview: Preview, prefix: str, below: str = "/") -> str:
    """The address of the first page whose address begins so."""
    site = preview.session.state.version.site
    assert site is not None
    return below + next(at for at in site.pages if at.startswith(prefix))


class TestHosts:
    """A name that somebody else made lead here must not read the site."""

    @pytest.mark.parametrize(
        "host", ["localhost", "LOCALHOST:1234", "127.0.0.1", "127.0.0.1:80", "[::1]:8000", "localhost."]
    )
    def test_of_this_machine_are_answered(self, still: Preview, host: str) -> None:
        assert still.get(host=host).status == 200

    @pytest.mark.parametrize(
        "host",
        ["example.org", "example.org:8000", "127.0.0.1.example.org", "10.0.0.1", "", "localhost.example", "[", "::1"],
    )
    def test_that_are_unknown_are_refused_in_one_line(self, still: Preview, host: str) -> None:
        for path in ("/", "/_sitegen/poll", "/_sitegen/reload.js"):
            reply = still.get(path, host=host)
            assert reply.status == 403
            assert reply.headers["content-type"].startswith("text/plain")
            assert reply.text.count("\n") == 1
            assert "<" not in reply.text

    @pytest.mark.parametrize("hosts", [0, 2])
    def test_one_must_be_named(self, still: Preview, hosts: int) -> None:
        lines = ["GET / HTTP/1.1", *["Host: localhost"] * hosts, "", ""]
        with socket.create_connection(("127.0.0.1", still.server.port)) as connection:
            connection.sendall("\r\n".join(lines).encode())
            assert connection.recv(100).startswith(b"HTTP/1.1 403 ")


class TestPaths:
    """Nothing but the site, however it is asked for."""

    @pytest.mark.parametrize(
        "path",
        [
            "/../records/liger/layer_norm/001-forward-liger.json",
            "/kernels/../../etc/passwd",
            "/%2e%2e/%2e%2e/etc/passwd",
            "/..%2f..%2fetc/passwd",
            "/%2e%2e%5cetc",
            "/..\\..\\etc",
            "/kernels/%2e/index.html",
            "/kernels//index.html",
            "/%2fetc/passwd",
            "/index.html%00.json",
            "/%ff",
            "/%0d%0aSet-Cookie:x",
            "etc/passwd",
            "http://example.org/",
            "*",
        ],
    )
    def test_that_lead_out_of_the_site_are_refused(self, still: Preview, path: str) -> None:
        reply = still.get(path)
        assert reply.status == 400
        assert reply.text == "This is not an address of the site.\n"

    @pytest.mark.parametrize(
        "path",
        [
            "/etc/passwd",
            "//etc/passwd",
            "//example.org/",
            "/%252e%252e/etc/passwd",
            "/records/",
            "/templates/base.html",
            "/a%20b",
        ],
    )
    def test_that_lead_nowhere_show_the_page_for_it(self, still: Preview, path: str) -> None:
        reply = still.get(path)
        assert reply.status == 404
        assert reply.headers["content-type"] == "text/html; charset=utf-8"
        assert "<title>Not found" in reply.text
        assert "/_sitegen/reload.js" in reply.text

    def test_of_folders_lead_to_their_page(self, still: Preview) -> None:
        reply = still.get("/kernels?table.q=norm")
        assert (reply.status, reply.headers["location"]) == (302, "/kernels/?table.q=norm")
        assert still.get("/kernels/").text == still.get("/kernels/index.html?x=1").text

    def test_may_be_escaped(self, still: Preview) -> None:
        assert still.get("/%6bernels/index%2Ehtml").body == still.get("/kernels/index.html").body

    def test_of_a_run_lead_on_when_its_record_gets_another_digest(self, preview: Preview) -> None:
        record = preview.records / "liger/layer_norm/001-forward-liger.json"
        site = preview.session.state.version.site
        assert site is not None
        runs = site.pages.book.judged.catalogue.loaded.runs
        old = next(run for run in runs if run.file == "liger/layer_norm/001-forward-liger.json").digest[7:]
        at = f"/runs/{old[:2]}/{old}.html"
        assert preview.get(at).status == 200
        text = record.read_text()
        for median in (31_001, 31_002):
            preview.after(lambda median=median: record.write_text(with_median(text, median)))  # type: ignore[misc]
        reply = preview.get(at)
        assert reply.status == 302
        assert "31,002" in preview.get(reply.headers["location"]).text
        twin = preview.get(at.replace(".html", ".json"))
        assert json.loads(preview.get(twin.headers["location"]).body)["record"]
        preview.after(lambda: record.write_text(text))
        assert preview.get(at).status == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "get", "BREW"])
def test_other_methods_are_refused(still: Preview, method: str) -> None:
    reply = still.get(method=method)
    assert reply.status == 405
    assert reply.headers["allow"] == "GET, HEAD"


def test_head_is_get_without_the_body(still: Preview) -> None:
    for path in ("/", "/data/runs.csv", "/nothing", "/_sitegen/poll", "/_sitegen/reload.js"):
        head, get = still.get(path, method="HEAD"), still.get(path)
        assert head.body == b""
        assert head.status == get.status
        same = ("content-type", "content-length", "cache-control")
        assert [head.headers[name] for name in same] == [get.headers[name] for name in same]
        assert int(get.headers["content-length"]) == len(get.body) > 0


def test_what_is_not_http_is_answered_in_a_line(still: Preview) -> None:
    with socket.create_connection(("127.0.0.1", still.server.port)) as connection:
        connection.sendall(b"<script>\r\n\r\n")
        answer = connection.makefile("rb").read()
    assert b" 400 " in answer.splitlines()[0] or answer.startswith(b"Bad")
    assert b"<html" not in answer.lower()


@pytest.mark.parametrize(
    ("prefix", "kind"),
    [
        ("index.html", "text/html; charset=utf-8"),
        ("data/catalogue.json", "application/json"),
        ("data/runs.jsonl", "application/jsonl"),
        ("data/runs.csv", "text/csv; charset=utf-8"),
        ("assets/site.", "text/css; charset=utf-8"),
        ("assets/plotly.", "text/javascript; charset=utf-8"),
        ("assets/favicon.", "image/svg+xml"),
    ],
)
def test_types_are_our_own_and_nothing_is_kept(still: Preview, prefix: str, kind: str) -> None:
    if prefix.startswith("assets/site."):
        prefix = still.poll()["styles"]["site"].removeprefix("/")
    reply = still.get(first(still, prefix))
    assert reply.status == 200
    assert reply.headers["content-type"] == kind
    assert reply.headers["cache-control"] == "no-store"
    assert reply.headers["x-content-type-options"] == "nosniff"


class TestMounted:
    """With a base address the site is where it will be published."""

    @pytest.fixture
    def below(self, start: Start) -> Preview:
        return start(base_url="https://example.org/project/x")

    def test_below_its_path(self, below: Preview) -> None:
        assert below.url == f"http://127.0.0.1:{below.server.port}/project/x/"
        assert below.get("/project/x/").status == 200
        assert below.get("/project/x/kernels/index.html").status == 200
        assert 'href="https://example.org/project/x/"' in below.get("/project/x/").text

    @pytest.mark.parametrize("path", ["/index.html", "/project/", "/project/xy/index.html", "/kernels/"])
    def test_and_nowhere_else(self, below: Preview, path: str) -> None:
        reply = below.get(path)
        assert reply.status == 404
        assert 'href="/project/x/index.html"' in reply.text

    @pytest.mark.parametrize("path", ["/", "/project/x"])
    def test_the_way_there_is_shown(self, below: Preview, path: str) -> None:
        assert below.get(path).headers["location"] == "/project/x/"

    def test_style_sheets_too(self, below: Preview) -> None:
        assert below.get(below.poll()["styles"]["site"]).status == 200

    def test_settings_mount_it_as_well(self, preview: Preview) -> None:
        news = preview.after(lambda: preview.config.write_text('base_url = "https://example.org/deep"\n'))
        assert news.outcome.failed == ()
        assert preview.get("/").headers["location"] == "/deep/"
        assert preview.get("/deep/kernels/").status == 200


class TestListening:
    """Hosts and ports."""

    def test_a_port_that_is_taken_is_an_error_of_one_line(self, still: Preview) -> None:
        with pytest.raises(PreviewError, match=f"^Port {still.server.port} is in use"):
            Server("127.0.0.1", still.server.port)

    def test_the_usual_port_gives_way_to_the_next(self, still: Preview, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sitegen.preview.server.DEFAULT_PORT", still.server.port)
        with Server("127.0.0.1", None) as server:
            assert server.moved_from == still.server.port
            assert server.port > still.server.port

    @pytest.mark.parametrize("host", ["nowhere.invalid", "256.0.0.1", "203.0.113.1"])
    def test_a_host_that_is_not_here_is_an_error_of_one_line(self, host: str) -> None:
        with pytest.raises(PreviewError) as caught:
            Server(host, 0)
        assert "\n" not in str(caught.value)
        assert host in str(caught.value)

    def test_all_addresses_of_this_machine(self, start: Start) -> None:
        preview = start(host="0.0.0.0")
        assert not preview.server.loopback
        assert preview.server.origin.startswith("http://127.0.0.1:")
        assert preview.get(host="192.0.2.7:8000").status == 200
        assert preview.get(host=socket.gethostname()).status == 200
        assert preview.get(host="example.org").status == 403

    def test_the_newer_protocol(self) -> None:
        with Server("::1", 0) as server:
            assert server.origin == f"http://[::1]:{server.port}"
            assert server.loopback
