"""What hosts of static sites and search engines read: headers, redirects, and the list of all pages."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import islice

from markupsafe import escape

from sitegen.load.model import Gpu, Run
from sitegen.site import address
from sitegen.site.alias import aliases
from sitegen.site.cell import moment
from sitegen.site.judged import Judged
from sitegen.site.shell import Book, Files, Laid, Stream

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
"""The policy that every page states of itself; as a header it can say more."""

MOST_IN_A_SITEMAP = 50_000
"""As many addresses one file may hold: https://www.sitemaps.org/protocol.html#index."""

_SECURITY = (
    ("Content-Security-Policy", f"{CONTENT_SECURITY_POLICY}; frame-ancestors 'none'"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "strict-origin-when-cross-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
)
_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"
_SITEMAP_HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n'
_SITEMAP_SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def host_pages(fixed: Iterable[str]) -> Iterable[Laid]:
    """The files that every site has for its host; `fixed` are the addresses that every site has."""
    return (
        (address.NO_JEKYLL, no_jekyll),
        (address.HEADERS, partial(headers, fixed=tuple(fixed))),
        (address.REDIRECTS, redirects),
        (address.ROBOTS, robots),
    )


def no_jekyll(_: Book) -> Files:
    """The empty file that keeps GitHub Pages from leaving out what begins with an underscore."""
    return ((address.NO_JEKYLL, b""),)


def headers(book: Book, fixed: tuple[str, ...]) -> Files:
    """The headers that Netlify, Cloudflare Pages and others send.

    No two rules set one header for one address: some hosts would send both.
    """
    root = book.shell["site"]["root_path"]
    lines = [f"{root}*", *(f"  {name}: {value}" for name, value in _SECURITY)]
    folders = {
        at.partition("/")[0] for at in (*fixed, "groups/", "runs/") if "/" in at and not at.startswith("assets/")
    }
    files = {at for at in fixed if at.endswith(".html") and "/" not in at}
    twins = {address.twin(at) for at in files if at != address.NOT_FOUND}
    rest = {"", address.ROBOTS, "sitemap*"}
    for place in sorted(files | twins | rest | {f"{folder}/*" for folder in folders}):
        lines += [f"{root}{place}", f"  Cache-Control: {_ASK_AGAIN}"]
    lines += [f"{root}assets/*", f"  Cache-Control: {_FOR_EVER}"]
    return ((address.HEADERS, _text(lines)),)


def redirects(book: Book) -> Files:
    """The old addresses and where they lead, for the hosts that read this file; others have the pages there."""
    root = book.shell["site"]["root_path"]
    lines = ["# Old addresses, and where each leads now."]
    for alias in aliases(book.judged):
        lines.append(f"{root}{alias.at} {root}{alias.page} 301")
        lines.append(f"{root}{address.twin(alias.at)} {root}{address.twin(alias.page)} 301")
    return ((address.REDIRECTS, _text(lines)),)


def robots(book: Book) -> Files:
    """Everybody may read everything, and where the list of it is."""
    base = book.judged.settings.base_url
    lines = ["User-agent: *", "Allow: /"]
    if base:
        lines += ["", f"Sitemap: {base}/{address.SITEMAP}"]
    return ((address.ROBOTS, _text(lines)),)


def _text(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def sitemap_pages(of: Iterable[Judged], fixed: tuple[str, ...]) -> Iterator[Laid]:
    """The list of all pages, in one file or in several with an index; none without an absolute address to give."""
    for judged in of:
        if not judged.settings.base_url:
            continue
        count = _count(judged, fixed)
        if count <= MOST_IN_A_SITEMAP:
            yield address.SITEMAP, partial(sitemap, at=address.SITEMAP, number=0, fixed=fixed)
            continue
        numbers = range(-(-count // MOST_IN_A_SITEMAP))
        yield address.SITEMAP, partial(sitemap_index, numbers=numbers, fixed=fixed)
        for number in numbers:
            at = address.sitemap_part(number + 1)
            yield at, partial(sitemap, at=at, number=number, fixed=fixed)


def sitemap(book: Book, at: str, number: int, fixed: tuple[str, ...]) -> Files:
    """The share of that number, counted from 0, of all pages: each with the time of the newest record on it."""

    def lines() -> Iterator[bytes]:
        yield _SITEMAP_HEAD + f"<urlset {_SITEMAP_SPACE}>\n".encode()
        share = _share(book.judged, number, fixed)
        while part := list(islice(share, 1000)):
            yield "".join(f"<url>{_place(book.judged, *each)}</url>\n" for each in part).encode()
        yield b"</urlset>\n"

    return ((at, Stream(lines)),)


def sitemap_index(book: Book, numbers: range, fixed: tuple[str, ...]) -> Files:
    """The list of the lists, each with the time of the newest record in it."""
    judged = book.judged
    lines = []
    for number in numbers:
        newest = max(observed for _, observed in _share(judged, number, fixed))
        lines.append(f"<sitemap>{_place(judged, address.sitemap_part(number + 1), newest)}</sitemap>\n")
    body = f"<sitemapindex {_SITEMAP_SPACE}>\n{''.join(lines)}</sitemapindex>\n"
    return ((address.SITEMAP, _SITEMAP_HEAD + body.encode()),)


def _place(judged: Judged, at: str, observed_ms: int) -> str:
    changed = f"<lastmod>{moment(observed_ms)}</lastmod>" if observed_ms else ""
    return f"<loc>{escape(address.absolute(judged.settings.base_url, at))}</loc>{changed}"


def _share(judged: Judged, number: int, fixed: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    first = number * MOST_IN_A_SITEMAP
    return islice(_dated(judged, fixed), first, first + MOST_IN_A_SITEMAP)


def _dated(judged: Judged, fixed: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """The address of every page that is to be found, and when its newest record was observed; 0 without one."""
    catalogue = judged.catalogue
    yield from ((at, catalogue.newest_ms) for at in _to_be_found(fixed))
    for kernel in catalogue.kernels.values():
        yield address.kernel(kernel.source, kernel.name), _newest(kernel.runs)
    for gpu, newest in _newest_by_gpu(catalogue.loaded.runs).items():
        yield address.gpu(gpu), newest
    for each in catalogue.implementations.values():
        yield address.implementation(each.source, each.key), _newest(each.runs)
    for group in catalogue.groups:
        yield address.group(group), _newest((*group.runs, *group.unranked))
    for run in catalogue.loaded.runs:
        yield address.run(run), run.observed_ms


def _count(judged: Judged, fixed: tuple[str, ...]) -> int:
    """How many pages are to be found, without going through them."""
    catalogue = judged.catalogue
    named = len(catalogue.kernels) + len(catalogue.gpus) + len(catalogue.implementations)
    return len(_to_be_found(fixed)) + named + len(catalogue.groups) + len(catalogue.loaded.runs)


def _to_be_found(fixed: tuple[str, ...]) -> list[str]:
    return [at for at in fixed if at.endswith(".html") and at != address.NOT_FOUND]


def _newest(runs: Iterable[Run]) -> int:
    return max((run.observed_ms for run in runs), default=0)


def _newest_by_gpu(runs: Iterable[Run]) -> Mapping[Gpu, int]:
    found: dict[Gpu, int] = {}
    for run in runs:
        found[run.gpu] = max(run.observed_ms, found.get(run.gpu, 0))
    return dict(sorted(found.items()))
