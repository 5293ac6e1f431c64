"""The site: every address on it, and for each how to make its bytes."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlsplit

from sitegen import __version__
from sitegen.catalogue import Catalogue
from sitegen.load import RecordFile
from sitegen.load.model import Run
from sitegen.quantity import counted
from sitegen.render import Assets, Renderer
from sitegen.settings import Settings
from sitegen.site import address, data_page
from sitegen.site.cell import moment
from sitegen.site.gpu_page import gpu_page
from sitegen.site.group_page import group_page
from sitegen.site.hardware_page import hardware_page
from sitegen.site.home_page import home_page
from sitegen.site.implementation_page import implementation_page, implementations_page
from sitegen.site.judged import Judged, judged
from sitegen.site.kernel_page import kernel_page
from sitegen.site.kernels_page import kernels_page
from sitegen.site.prose_page import method_page, not_found_page
from sitegen.site.run_page import RunPages
from sitegen.site.shell import Book, Files, Page


class AddressTakenError(Exception):
    """Two pages have one address, or two that differ in letter case only."""


@dataclass(frozen=True, slots=True)
class Site:
    """Every page by its address, in a fixed order. A page is rendered when it is asked for, and not kept."""

    pages: Mapping[str, Page]

    def render(self, at: str) -> bytes | None:
        """The bytes at an address, a page's JSON included; None where there is nothing."""
        page = self.pages.get(at) or self.pages.get(at.removesuffix(".json") + ".html")
        return next((content for place, content in page.files() if place == at), None) if page else None


def compose_site(
    catalogue: Catalogue,
    settings: Settings,
    renderer: Renderer,
    assets: Assets,
    read: Callable[[Run], RecordFile],
) -> Site:
    """The site of a catalogue. `read` gives the record of a run again, for its own page.

    Raises `AddressTakenError` where two things would have one address, with both of them named.
    """
    ready = judged(catalogue, settings)
    book = Book(ready, renderer, shell(ready, assets))
    pages: dict[str, Page] = {}
    for page in _pages(book, assets, read):
        taken = pages.setdefault(page.address.lower(), page)
        if taken is not page:
            raise AddressTakenError(f"two pages would be at {page.address}: {_owner(taken)} and {_owner(page)}")
    return Site(pages)


def _owner(page: Page) -> str:
    """What a page is about, for the message that names two owners of one address."""
    made = page.make
    return " ".join(str(part)[:200] for part in made.args[-1:]) if isinstance(made, partial) else page.address


def shell(ready: Judged, assets: Assets) -> dict[str, object]:
    """What the frame of every page shows."""
    catalogue, settings = ready.catalogue, ready.settings
    loaded = catalogue.loaded
    attribution = "Liger-Kernel figures: © 2024 LinkedIn Corporation, BSD-2-Clause."
    return {
        "assets": assets,
        "site": {
            "title": settings.title,
            "generator": f"sitegen {__version__}",
            "generated_from": counted(loaded.records, "record"),
            "newest": moment(catalogue.newest_ms) if loaded.runs else "",
            "attribution": (attribution,) if "liger-kernel-bench" in catalogue.sources else (),
            "root_path": urlsplit(settings.base_url).path.rstrip("/") + "/",
        },
    }


def _pages(book: Book, assets: Assets, read: Callable[[Run], RecordFile]) -> Iterator[Page]:
    catalogue = book.judged.catalogue
    yield Page(address.HOME, partial(home_page, book))
    yield Page(address.KERNELS, partial(kernels_page, book))
    yield Page(address.HARDWARE, partial(hardware_page, book))
    yield Page(address.IMPLEMENTATIONS, partial(implementations_page, book))
    yield Page(address.METHOD, partial(method_page, book))
    yield Page(address.NOT_FOUND, partial(not_found_page, book))
    yield from _data(book)
    for asset in assets.files:
        yield Page(asset.address, partial(_copy, asset.address, asset.content))
    for kernel in catalogue.kernels.values():
        yield Page(address.kernel(kernel.source, kernel.name), partial(kernel_page, book, kernel))
    for gpu in catalogue.gpus:
        yield Page(address.gpu(gpu), partial(gpu_page, book, gpu))
    for each in catalogue.implementations.values():
        yield Page(address.implementation(each.source, each.key), partial(implementation_page, book, each))
    for group in catalogue.groups:
        yield Page(address.group(group), partial(group_page, book, book.judged.standings[group.id]))
    runs = RunPages(book, read)
    for run in catalogue.loaded.runs:
        yield Page(address.run(run), partial(runs.page, run))


def _data(book: Book) -> Iterable[Page]:
    ready = book.judged
    return (
        Page(address.DATA, partial(data_page.data_page, book)),
        Page(address.CATALOGUE_JSON, partial(data_page.catalogue_json, ready)),
        Page(address.GROUPS_JSONL, partial(data_page.groups_jsonl, ready)),
        Page(address.RUNS_JSONL, partial(data_page.runs_jsonl, ready)),
        Page(address.RUNS_CSV, partial(data_page.runs_csv, ready)),
        Page(address.SCHEMA_JSON, data_page.schema_json),
        Page(address.PROBLEMS_JSON, partial(data_page.problems_json, ready)),
    )


def _copy(at: str, content: bytes) -> Files:
    return ((at, content),)
