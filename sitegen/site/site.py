"""The site: every address on it, and for each how to make its bytes."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlsplit

from sitegen import __version__
from sitegen.catalogue import Catalogue, Change, Implementation, Kernel, difference
from sitegen.judge import Standing
from sitegen.load import RecordFile
from sitegen.load.model import Gpu, Run
from sitegen.quantity import counted
from sitegen.render import Asset, Assets, Renderer
from sitegen.settings import Settings
from sitegen.site import address, data_page
from sitegen.site.alias import Alias, moved_pages
from sitegen.site.cell import moment
from sitegen.site.gpu_page import gpu_page
from sitegen.site.group_page import group_page
from sitegen.site.hardware_page import hardware_page
from sitegen.site.home_page import home_page
from sitegen.site.host_files import host_pages, sitemap_pages
from sitegen.site.implementation_page import implementation_page, implementations_page
from sitegen.site.judged import Judged, judged
from sitegen.site.kernel_page import kernel_page
from sitegen.site.kernels_page import kernels_page
from sitegen.site.prose_page import method_page, not_found_page
from sitegen.site.run_page import run_page
from sitegen.site.shell import Book, Files, Laid, Maker, Page
from sitegen.sources import LIGER


class AddressTakenError(Exception):
    """Two pages have one address."""


class Pages(Mapping[str, Page]):
    """Pages by address, each bound to its book only when it is asked for: versions of a site share their makers."""

    __slots__ = ("book", "makers")

    def __init__(self, book: Book, makers: Mapping[str, Maker]) -> None:
        self.book = book
        self.makers = makers

    def __getitem__(self, at: str) -> Page:
        return Page(at, self.book, self.makers[at])

    def __iter__(self) -> Iterator[str]:
        return iter(self.makers)

    def __len__(self) -> int:
        return len(self.makers)


@dataclass(frozen=True, slots=True)
class Site:
    """Every page by its address, in a fixed order. A page is rendered when it is asked for, and not kept."""

    pages: Pages
    assets: Assets

    def render(self, at: str) -> bytes | None:
        """The bytes at an address, a page's JSON included; None where there is nothing."""
        page = self.pages.get(at) or self.pages.get(at.removesuffix(".json") + ".html")
        return next((bytes(content) for place, content in page.files() if place == at), None) if page else None


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
    book = Book(ready, renderer, shell(ready, assets), read)
    makers: dict[str, Maker] = {}
    _lay(makers, (*_fixed(), *_static(assets), *host_pages(_addresses())))
    _lay(makers, _kernels(catalogue.kernels.values()))
    _lay(makers, _gpus(catalogue.gpus))
    _lay(makers, _implementations(catalogue.implementations.values()))
    _lay(makers, _groups(ready.standings.values()))
    # Kernel by kernel and group by group: such runs share sections of their pages.
    _lay(makers, _runs(run for kernel in catalogue.kernels.values() for run in kernel.runs))
    _lay(makers, (*_sitemaps((ready,)), *moved_pages((ready,))))
    return Site(Pages(book, makers), assets)


def recompose_site(site: Site, catalogue: Catalogue, change: Change | None = None) -> Site:
    """The site of a catalogue that was made from the site's own by `sitegen.catalogue.update`.

    `change` is the difference of their runs, for whoever has it already. All that the two share is shared: no page is
    laid out anew whose subject is still the same object. The order of the pages is then that of their making. Raises
    `AddressTakenError` as `compose_site` does.
    """
    before = site.pages.book
    ready = judged(catalogue, before.judged.settings, before.judged)
    old, new = before.judged.catalogue, catalogue
    change = change or difference(old.loaded, new.loaded)
    makers = dict(site.pages.makers)
    fresh = [
        _replace(makers, _kernels, old.kernels, new.kernels),
        _replace(makers, _implementations, old.implementations, new.implementations),
        _replace(makers, _groups, *_standings_of_changed(before.judged, ready)),
        _replace(makers, _gpus, {gpu: gpu for gpu in old.gpus}, {gpu: gpu for gpu in new.gpus}),
        _replace(makers, _runs, {run.digest: run for run in change.gone}, {run.digest: run for run in change.come}),
        _replace(makers, _sitemaps, {"": before.judged}, {"": ready}),
        _replace(makers, moved_pages, {"": before.judged}, {"": ready}),
    ]
    for laid in fresh:
        _lay(makers, laid)
    sections = before.sections if _show_the_same(old, new) else {}
    return Site(
        Pages(Book(ready, before.renderer, shell(ready, site.assets), before.read, sections), makers), site.assets
    )


def redress_site(site: Site, settings: Settings, renderer: Renderer, assets: Assets) -> Site:
    """The same pages in another look: other templates and static files, and settings with the same baselines."""
    before = site.pages.book
    ready = before.judged if before.judged.settings == settings else replace(before.judged, settings=settings)
    makers = dict(site.pages.makers)
    if assets is not site.assets:
        for asset in site.assets.files:
            makers.pop(asset.address)
        _lay(makers, _static(assets))
    for lay in (_sitemaps, moved_pages):
        _lay(makers, _replace(makers, lay, {"": before.judged}, {"": ready}))
    return Site(Pages(Book(ready, renderer, shell(ready, assets), before.read), makers), assets)


def _show_the_same(old: Catalogue, new: Catalogue) -> bool:
    """Whether a section that was rendered for one catalogue is right in the other: it shows documents and workloads.

    A workload that no document names is called what its first run calls it, so it may change with the runs.
    """
    before, after = old.loaded, new.loaded
    same_documents = (
        before.workloads is after.workloads
        and before.protocols is after.protocols
        and before.implementations is after.implementations
    )
    return same_documents and old.workloads.items() <= new.workloads.items()


def _standings_of_changed(old: Judged, new: Judged) -> tuple[Mapping[str, Standing], Mapping[str, Standing]]:
    """The standings, before and after, of the kernels that are not the same object in both."""
    were, are = old.catalogue.kernels, new.catalogue.kernels
    gone = [kernel for key, kernel in were.items() if are.get(key) is not kernel]
    come = [kernel for key, kernel in are.items() if were.get(key) is not kernel]
    return (
        {group.id: old.standings[group.id] for kernel in gone for group in kernel.groups},
        {group.id: new.standings[group.id] for kernel in come for group in kernel.groups},
    )


K = TypeVar("K")
S = TypeVar("S")


def _replace(
    makers: dict[str, Maker],
    lay: Callable[[Iterable[S]], Iterable[Laid]],
    were: Mapping[K, S],
    are: Mapping[K, S],
) -> list[Laid]:
    """Take away the pages of subjects that are no longer the same, and give those of what is there instead."""
    for at, _ in lay(subject for key, subject in were.items() if are.get(key) is not subject):
        makers.pop(at, None)
    return list(lay(subject for key, subject in are.items() if were.get(key) is not subject))


def _lay(makers: dict[str, Maker], pages: Iterable[Laid]) -> None:
    """Put pages at their addresses, which are all in lower case, so that none differs from another by case only."""
    for at, maker in pages:
        taken = makers.setdefault(at, maker)
        if taken is not maker:
            raise AddressTakenError(f"two pages would be at {at}: {_owner(taken)} and {_owner(maker)}")


def _owner(maker: Maker) -> str:
    """What a page is about, for the message that names two owners of one address."""
    subject = next(iter(maker.keywords.values()), None) if isinstance(maker, partial) else None
    match subject:
        case Kernel(source=source, name=name):
            said = f"the kernel {name} of {source}"
        case Implementation(source=source, name=name):
            said = f"the implementation {name} of {source}"
        case Gpu(vendor=vendor):
            said = f"the GPU {subject.name} of {vendor}"
        case Standing(group=group):
            said = f"the comparison group {group.id} of {group.key.kernel}"
        case Run(digest=digest):
            said = f"the run {digest}"
        case Alias(old=old):
            said = f"the alias {old}"
        case _:
            said = "a file that every site has"
    return said


def shell(ready: Judged, assets: Assets) -> Mapping[str, Any]:
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
            "attribution": (attribution,) if LIGER in catalogue.sources else (),
            "root_path": urlsplit(settings.base_url).path.rstrip("/") + "/",
        },
    }


def _fixed() -> Iterable[Laid]:
    """The pages and data files that every site has."""
    return (
        (address.HOME, home_page),
        (address.KERNELS, kernels_page),
        (address.HARDWARE, hardware_page),
        (address.IMPLEMENTATIONS, implementations_page),
        (address.METHOD, method_page),
        (address.NOT_FOUND, not_found_page),
        (address.DATA, data_page.data_page),
        (address.CATALOGUE_JSON, data_page.catalogue_json),
        (address.GROUPS_JSONL, data_page.groups_jsonl),
        (address.RUNS_JSONL, data_page.runs_jsonl),
        (address.RUNS_CSV, data_page.runs_csv),
        (address.SCHEMA_JSON, data_page.schema_json),
        (address.PROBLEMS_JSON, data_page.problems_json),
    )


def _addresses() -> tuple[str, ...]:
    return tuple(at for at, _ in _fixed())


def _sitemaps(of: Iterable[Judged]) -> Iterable[Laid]:
    return sitemap_pages(of, _addresses())


def _static(assets: Assets) -> Iterable[Laid]:
    return ((asset.address, partial(_copy, asset=asset)) for asset in assets.files)


def _copy(_: Book, asset: Asset) -> Files:
    return ((asset.address, asset.content),)


def _kernels(kernels: Iterable[Kernel]) -> Iterable[Laid]:
    return ((address.kernel(each.source, each.name), partial(kernel_page, kernel=each)) for each in kernels)


def _gpus(gpus: Iterable[Gpu]) -> Iterable[Laid]:
    return ((address.gpu(gpu), partial(gpu_page, gpu=gpu)) for gpu in gpus)


def _implementations(implementations: Iterable[Implementation]) -> Iterable[Laid]:
    return (
        (address.implementation(each.source, each.key), partial(implementation_page, implementation=each))
        for each in implementations
    )


def _groups(standings: Iterable[Standing]) -> Iterable[Laid]:
    return ((address.group(each.group), partial(group_page, standing=each)) for each in standings)


def _runs(runs: Iterable[Run]) -> Iterable[Laid]:
    return ((address.run(run), partial(run_page, run=run)) for run in runs)
