"""What a page holds, read as a browser would read it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from sitegen.load import RecordFile
from sitegen.load.model import Run
from sitegen.site import Site
from tests.making import protocol

EMPTY = frozenset({"br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})


def record_of(run: Run) -> RecordFile:
    """A record that a run could have been read from."""
    spec: dict[str, Any] = {"status": run.status}
    figure = run.figure
    if figure and figure.metric == "latency":
        spec["timing"] = {"primaryStatistic": figure.statistic, "latencyNs": {figure.statistic: round(figure.value)}}
    elif figure:
        spec["measurements"] = [
            {"metric": figure.metric, "statistic": figure.statistic, "unit": figure.unit, "value": figure.value}
        ]
    document = {"kind": "BenchmarkRun", "metadata": {"name": "run", "title": run.title}, "spec": spec}
    embedded = json.loads(protocol().model_dump_json(by_alias=True))
    whole = {"run": document, "protocol": embedded, "environment": {}}
    return RecordFile(json.dumps(whole), document, embedded, {})


def files(site: Site) -> dict[str, bytes]:
    """Every file of a site but the static ones."""
    pages = [page for at, page in site.pages.items() if not at.startswith("assets/")]
    return {at: bytes(content) for page in pages for at, content in page.files()}


@dataclass
class Element:
    """An element with what it holds, in order."""

    tag: str
    attributes: dict[str, str]
    children: list["Element | str"] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def all(self, tag: str, **attributes: str) -> Iterator["Element"]:
        """The elements of that tag below this one; `kind` asks for a class."""
        wanted = {"class" if name == "kind" else name: value for name, value in attributes.items()}
        for child in self.children:
            if isinstance(child, Element):
                fits = all(value in child.attributes.get(name, "").split() for name, value in wanted.items())
                if (child.tag == tag or not tag) and fits:
                    yield child
                yield from child.all(tag, **attributes)

    def one(self, tag: str, **attributes: str) -> "Element":
        return next(self.all(tag, **attributes))


class Reader(HTMLParser):
    """Reads a page. Every element that is opened must be closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"an attribute of <{tag}> is given twice"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in EMPTY:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data[:40]}")


def read(html: bytes) -> Element:
    """A page as a tree of elements."""
    reader = Reader()
    reader.feed(html.decode())
    reader.close()
    assert reader.open == [reader.root], f"<{reader.open[-1].tag}> is never closed"
    return reader.root


def table(page: Element, name: str) -> list[list[str]]:
    """The rows of a table's body as text, by the table's id."""
    (found,) = page.all("table", id=name)
    rows = found.one("tbody").all("tr")
    return [[cell.text for cell in row.children if isinstance(cell, Element)] for row in rows]
