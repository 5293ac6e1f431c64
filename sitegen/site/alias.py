"""Old addresses: what was renamed leaves a page that leads to where it is now."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from sitegen.catalogue import Catalogue
from sitegen.load.model import Gpu
from sitegen.problem import Problem
from sitegen.settings import Aliases, problem_of_setting
from sitegen.site import address
from sitegen.site.facts import encode
from sitegen.site.judged import Judged
from sitegen.site.shell import Book, Files, Head, Laid


@dataclass(frozen=True, slots=True)
class Alias:
    """Something that was renamed: `old` as it is set, the address that it had, and its page now, called `name`.

    `kind` is the table of the settings that it stands in.
    """

    kind: str
    old: str
    at: str
    page: str
    name: str


@dataclass(frozen=True, slots=True)
class MovedView:
    """The page at an old address: `name` of what was renamed, and the way to its page."""

    name: str
    href: str


@dataclass(frozen=True, slots=True)
class _Wrong:
    """An alias that leads nowhere, and why."""

    kind: str
    old: str
    message: str
    hint: str


Named = tuple[str, str]
"""An address, and the name of what is there."""


@dataclass(frozen=True)
class _Names:
    """The things of a catalogue by their names in the settings, for one kind after another."""

    catalogue: Catalogue

    @cached_property
    def kernels(self) -> Mapping[str, Named]:
        return {f"{source}/{name}": (address.kernel(source, name), name) for source, name in self.catalogue.kernels}

    @cached_property
    def implementations(self) -> Mapping[str, Named]:
        return {
            f"{source}/{key}": (address.implementation(source, key), each.name)
            for (source, key), each in self.catalogue.implementations.items()
        }

    @cached_property
    def hardware(self) -> Mapping[str, Named]:
        return {
            "/".join(filter(None, (gpu.vendor, gpu.product, gpu.form_factor))): (address.gpu(gpu), gpu.name)
            for gpu in self.catalogue.gpus
        }


def aliases(judged: Judged) -> list[Alias]:
    """What was renamed, in order of the old names. One that leads nowhere is left out: see `alias_problems`."""
    return [each for each in _resolved(judged.settings.aliases, judged.catalogue) if isinstance(each, Alias)]


def alias_problems(path: Path, set_aliases: Aliases, catalogue: Catalogue) -> tuple[Problem, ...]:
    """An error for each alias in the settings at `path` that leads to nothing, or whose old name is still in use."""
    return tuple(
        problem_of_setting(path, ("aliases", each.kind, each.old), "wrong-alias", each.message, each.hint)
        for each in _resolved(set_aliases, catalogue)
        if isinstance(each, _Wrong)
    )


def _resolved(given: Aliases, catalogue: Catalogue) -> Iterator[Alias | _Wrong]:
    names = _Names(catalogue)
    for kind, table, place in (
        ("kernels", given.kernels, partial(_of_source, address.kernel)),
        ("hardware", given.hardware, _of_gpu),
        ("implementations", given.implementations, partial(_of_source, address.implementation)),
    ):
        for old in sorted(table):
            there: Mapping[str, Named] = getattr(names, kind)
            yield _one(kind, old, table, there, place(old))


def _one(kind: str, old: str, table: Mapping[str, str], there: Mapping[str, Named], at: str) -> Alias | _Wrong:
    if not at:
        shape = "vendor/product" if kind == "hardware" else "source/name"
        return _Wrong(kind, old, f"The old name {old} is not of the shape {shape}.", f"Write it as {shape}.")
    if old in there:
        hint = "Remove the alias, or rename what the records call so."
        return _Wrong(kind, old, f"{old} is still in the catalogue, so two pages would be at {at}.", hint)
    found = _followed(old, table, there)
    if found is None:
        hint = "Give the name that it has now, as the records have it."
        return _Wrong(kind, old, f"The alias of {old} leads to {table[old]}, which is not in the catalogue.", hint)
    return Alias(kind, old, at, *found)


def _followed(old: str, table: Mapping[str, str], there: Mapping[str, Named]) -> Named | None:
    """Where an alias leads, over others too; None where that is nowhere, or to itself."""
    seen: set[str] = set()
    name = old
    while name not in seen:
        seen.add(name)
        new = table[name]
        candidates = (f"{name.partition('/')[0]}/{new}", new)
        found = next((there[each] for each in candidates if each in there), None)
        if found is not None:
            return found
        name = next((each for each in candidates if each in table), name)
    return None


def _of_source(place: Callable[[str, str], str], old: str) -> str:
    """The old address of a kernel or an implementation, "" where `old` is not of the shape source/name."""
    source, _, name = old.partition("/")
    return place(source, name) if source and name else ""


def _of_gpu(old: str) -> str:
    """The old address of a GPU: vendor, product, and the form factor after the last slash where there are two."""
    vendor, _, rest = old.partition("/")
    product, slash, form_factor = rest.rpartition("/")
    gpu = Gpu(vendor, product, form_factor) if slash else Gpu(vendor, rest, "")
    return address.gpu(gpu) if gpu.vendor and gpu.product else ""


def moved_pages(of: Iterable[Judged]) -> Iterable[Laid]:
    """The pages at the old addresses."""
    return ((each.at, partial(moved_page, alias=each)) for judged in of for each in aliases(judged))


def moved_page(book: Book, alias: Alias) -> Files:
    """The page at an old address, and in place of its data the address of those of the new one."""
    href = address.root(alias.at) + alias.page
    base = book.judged.settings.base_url
    head = Head(
        title=f"{alias.name} has moved",
        description=f"This address is an old one of {alias.name}.",
        canonical=address.absolute(base, alias.page) if base else "",
        json="",
    )
    context = {
        **book.shell,
        "root": address.root(alias.at),
        "section": alias.kind,
        "page": head,
        "view": MovedView(alias.name, href),
    }
    html = book.renderer.page("moved.html", context, book.frames)
    moved = {"movedTo": alias.page, "data": address.twin(alias.page)}
    return ((alias.at, html), (address.twin(alias.at), encode(moved)))
