"""Text from strangers stays text: wherever it can stand, a page has the elements that it has with tame text."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.catalogue import build
from sitegen.identity import digest
from sitegen.load import load
from sitegen.render import Assets, Renderer, template_folder
from sitegen.settings import Settings, SourceSettings
from sitegen.site import Site, compose_site
from sitegen.site.opening import reader
from tests.making import VERSION
from tests.making import digest as named
from tests.site.pages import Element, files, read

Text = Callable[[str], str]
"""What stands at a place that has a name: a text, hostile or tame."""

NASTY = [
    "<hostile onhostile=1>",
    "</script><hostile>",
    "</title></style></textarea><hostile>",
    '" onhostile="1',
    "' onhostile='1",
    "` onhostile=`1",
    '"><hostile x="',
    "<!--",
    "--><hostile>",
    "]]><hostile>",
    "<![CDATA[<hostile>]]>",
    "<?hostile?>",
    "&lt;hostile&gt;",
    "&#60;hostile&#62;",
    "\\u003chostile\\u003e",
    "{{ 7*7 }}{% raw %}{# x #}",
    "<svg/onload=1>",
    "</svg><hostile>",
    "</code></pre><hostile>",
    "javascript:hostile()",
    "\u2028\u2029</script>",
    "<cut-0123456789abcdef0123456789abcdef>",
    "%3Chostile%3E",
    "a\tb\nc",
    "＜hostile＞",
]
PIECES = [
    "<",
    ">",
    '"',
    "'",
    "&",
    "hostile",
    " onhostile=",
    "/",
    "!--",
    "script",
    "{{",
    "}}",
    "{%",
    "%}",
    "\n",
    "\\",
    "=",
    "`",
    ";",
    "\0",
]
MIXED = st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join)


def document(kind: str, spec: Any, text: Text, **metadata: Any) -> Any:
    at = kind.lower()
    about = {
        "name": at,
        "title": text(f"{at}.title"),
        "description": text(f"{at}.description"),
        "labels": {text(f"{at}.label"): text(f"{at}.value"), "liger_version": text("release")},
        "sourceRefs": [{"url": text(f"{at}.url")}],
        text(f"{at}.extra"): text(f"{at}.extra value"),
        **metadata,
    }
    return {"apiVersion": VERSION, "kind": kind, "metadata": about, "spec": spec}


def operation(text: Text) -> Any:
    tensor = {"shape": [text("axis"), 8], "dtype": text("dtype")}
    spec = {
        "family": text("family"),
        "axes": {text("axis"): {"role": "derived", "expression": text("expression")}},
        "inputs": [{"name": text("input"), "tensor": tensor}],
        "outputs": [{"name": text("output"), "scalar": {"dtype": text("dtype")}}],
    }
    return document("OperationSpec", spec, text)


def workload(size: int, text: Text) -> Any:
    spec = {
        "operationSpecDigest": digest(operation(text)),
        "axes": {text("axis"): size, text("text axis"): text("axis value")},
        "tensors": {text("tensor"): {"shape": [size, 8], "dtype": "fp" + text("dtype")}},
        "scalars": {text("scalar"): {"dtype": text("dtype"), "value": text("scalar value")}},
        text("workload field"): text("workload value"),
    }
    return document("WorkloadCase", spec, text)


def implementation(name: str, text: Text) -> Any:
    spec = {
        "projectRevision": {"repository": text("repository"), "commit": text("commit"), "version": text("version")},
        "callable": {"language": text("language"), "path": text("path"), "symbol": text("symbol")},
        "support": {"dtypes": [text("dtype")]},
        "licensing": {"declared": text("licence")},
        "source": {"fileName": text("file name")},
        "buildVariants": [{"install": {"kind": text("installer"), "package": text("package")}}],
    }
    return document("ImplementationRevision", spec, text, title=f"{name} {text('implementation')}")


def protocol(text: Text) -> Any:
    spec = {
        "harness": {"name": text("harness"), "repository": text("harness url")},
        "measurement": {"timer": text("timer"), "primaryStatistic": text("statistic")},
        "comparability": {"family": text("family"), "notes": text("notes")},
        "correctness": {"comparator": text("comparator"), "reference": text("reference")},
        text("protocol field"): text("protocol value"),
    }
    return document("BenchmarkProtocol", spec, text)


def environment(text: Text) -> Any:
    hardware = {
        "vendor": text("vendor"),
        "product": text("product"),
        "formFactor": text("form factor"),
        "architecture": text("architecture"),
        text("hardware field"): text("hardware value"),
    }
    software = {
        "cudaToolkit": text("toolkit"),
        "framework": {"name": text("framework"), "version": text("framework version")},
        "libraries": {text("library"): text("library version")},
    }
    return document("ExecutionEnvironment", {"hardware": hardware, "software": software}, text)


def record(name: str, size: int, value: float, status: str, source: str, text: Text) -> Any:
    """A run of the implementation of that name, on the workload of that size."""
    spec = {
        "implementationDigest": digest(implementation(name, text)),
        "workloadDigest": digest(workload(size, text)) if size else named("no document"),
        "protocolDigest": digest(protocol(text)),
        "environmentDigest": digest(environment(text)),
        "status": status,
        "measurements": [
            {"metric": text("metric"), "statistic": text("statistic"), "unit": "s", "value": value},
            {"metric": text("metric"), "statistic": "p20", "unit": "s", "value": value * 0.9},
            {"metric": text("metric"), "statistic": "p80", "unit": "s", "value": value * 1.1},
            {"metric": "memory", "statistic": text("statistic"), "unit": text("unit"), "value": 5},
        ],
        "sourceNative": {"source": source, "benchmark": text("kernel"), "externalId": text("external id")},
        text("run field"): text("run value"),
    }
    run = document("BenchmarkRun", spec, text, title=f"{name} {text('run')}")
    return {"run": run, "protocol": protocol(text), "environment": environment(text)}


def liger(name: str, text: Text) -> Any:
    """A run whose source names its pass, its implementation and its workload, in segments."""
    made = record(name, 0, 2.0, "passed", "liger-kernel-bench", text)
    names = ("kernel", "pass", "implementation", "gpu", "workload", "time")
    parts = ["z " + text(each).replace("/", "") for each in names]
    made["run"]["spec"]["sourceNative"] |= {"benchmark": "/".join(parts[:2]), "externalId": "/".join(parts)}
    return made


def records(text: Text) -> Iterator[Any]:
    source = text("source")
    sizes = (1, 2, 4)
    runs = [record("a", size, 1.0 * size, "passed", source, text) for size in sizes]
    runs += [record("b", size, 3.0 / size, "passed", source, text) for size in sizes]
    runs += [record("a", 0, 1.0, "passed", source, text), record("b", 0, 1.0, "runtime_error", source, text)]
    for second, run in enumerate((*runs, liger("a", text))):
        # They are listed by time, and at one time by digest, which hangs on the text.
        run["run"]["spec"]["observedAt"] = f"2026-02-03T04:05:{second:02}Z"
        yield run
    yield from (workload(size, text) for size in sizes)
    yield from (implementation(name, text) for name in "ab")
    yield operation(text)


@pytest.fixture(scope="module")
def made(assets: Assets, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Text], Site]:
    """Makes the site of a catalogue in which that text stands wherever text can."""
    renderer = Renderer([template_folder("templates")])

    def make(text: Text) -> Site:
        folder = tmp_path_factory.mktemp("records")
        for number, each in enumerate(records(text)):
            (folder / f"{number:02}.json").write_text(json.dumps(each), encoding="utf-8")
        loaded = load(folder)
        errors = [problem for problem in loaded.problems if problem.severity == "error"]
        assert not errors
        shown = Settings(
            title=text("site"),
            description=text("site description"),
            sources={
                text("source"): SourceSettings(name=text("source name"), baselines=(f"b {text('implementation')}",))
            },
        )
        return compose_site(build(loaded), shown, renderer, assets, reader(folder))

    return make


def tame(place: str) -> str:
    return "tame " + place.replace("_", "")


def shape(element: Element) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The elements of a page with the names of their attributes, in order; what is in a drawing hangs on names."""
    for child in element.children:
        if not isinstance(child, Element):
            continue
        names = tuple(child.attributes)
        if child.tag == "wbr":
            continue
        yield child.tag, names
        if child.tag != "svg":
            yield from shape(child)


DRAWN = {"a", "defs", "desc", "g", "line", "path", "svg", "text", "title", "use"}


def kinds(site: Site) -> dict[str, Element]:
    """A site's pages, by address."""
    return {at: read(content) for at, content in files(site).items() if at.endswith(".html")}


def shapes(pages: dict[str, Element]) -> list[list[tuple[str, tuple[str, ...]]]]:
    return sorted(list(shape(page)) for page in pages.values())


@pytest.fixture(scope="module")
def check(made: Callable[[Text], Site]) -> Callable[[Text], None]:
    """Fails where a site with that text has elements that one with tame text has not, or leads out of its own words."""
    expected = shapes(kinds(made(tame)))

    def check_it(text: Text) -> None:
        pages = kinds(made(text))
        assert shapes(pages) == expected
        for page in pages.values():
            inert(page)

    return check_it


def inert(page: Element) -> None:
    for element in page.all(""):
        assert "hostile" not in element.tag
        assert not [name for name in element.attributes if "hostile" in name or name.startswith("on")]
        for name in ("href", "src", "action", "xlink:href"):
            assert not element.attributes.get(name, "").strip().lower().startswith(("javascript:", "data:text"))
    for picture in page.all("svg"):
        assert {element.tag for element in picture.all("")} <= DRAWN
    for block in page.all("script", type="application/json"):
        json.loads(block.text)
        assert "<" not in block.text


@pytest.mark.parametrize("nasty", NASTY)
def test_markup_adds_no_element(nasty: str, check: Callable[[Text], None]) -> None:
    check(lambda place: f"tame {place}{nasty}".replace("_", ""))


@settings(max_examples=12)
@given(mixed=MIXED)
def test_no_mixture_of_markup_adds_an_element(mixed: str, check: Callable[[Text], None]) -> None:
    check(lambda place: f"tame {place}{mixed}")


def test_it_is_shown_as_it_was_written(made: Callable[[Text], Site]) -> None:
    nasty = "<hostile a=\"1\" b='2'>&amp;{{ 7*7 }}</script>"
    pages = kinds(made(lambda place: f"tame {place}{nasty}"))
    shown = "".join(page.text for page in pages.values())
    for place in ("kernel", "product", "notes", "benchmarkrun.description", "harness", "family", "package", "library"):
        assert f"tame {place}{nasty}" in shown, place
    assert "tame implementation" in shown


def test_an_address_that_is_no_web_address_is_text(made: Callable[[Text], Site]) -> None:
    pages = kinds(made(lambda place: "javascript:alert(1)" if "url" in place or place == "repository" else tame(place)))
    links = [link.attributes.get("href", "") for page in pages.values() for link in page.all("a")]
    assert links
    assert not [link for link in links if "javascript" in link]
    assert any("javascript:alert(1)" in page.text for page in pages.values())


def test_a_web_address_is_a_link_that_tells_nobody_where_it_was(made: Callable[[Text], Site]) -> None:
    url = "https://example.org/?a=1&b=%22#\"'<>"
    pages = kinds(made(lambda place: url if "url" in place else tame(place)))
    found = [link for page in pages.values() for link in page.all("a") if link.attributes.get("href") == url]
    assert found
    assert all("noreferrer" in link.attributes.get("rel", "") for link in found if link.text == url)
