"""Where everything is on the site: the one module that makes addresses.

An address is a path below the site's root, made of lower-case letters, digits, `-`, `_`, `.` and `/`. It comes from a
key or a digest, never from an order or a title, so it stays the same for as long as what it names does.
"""

import hashlib
import re
from functools import lru_cache

from sitegen.catalogue import Group
from sitegen.load.model import Gpu, Run

HOME = "index.html"
KERNELS = "kernels/index.html"
HARDWARE = "hardware/index.html"
IMPLEMENTATIONS = "implementations/index.html"
DATA = "data/index.html"
METHOD = "method/index.html"
NOT_FOUND = "404.html"

CATALOGUE_JSON = "data/catalogue.json"
GROUPS_JSONL = "data/groups.jsonl"
RUNS_JSONL = "data/runs.jsonl"
RUNS_CSV = "data/runs.csv"
SCHEMA_JSON = "data/schema.json"
PROBLEMS_JSON = "data/problems.json"

NO_JEKYLL = ".nojekyll"
HEADERS = "_headers"
REDIRECTS = "_redirects"
ROBOTS = "robots.txt"
SITEMAP = "sitemap.xml"

# Names that say nothing but themselves: any other could meet another name's slug, and carries a hash.
_PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]{0,79}")
_HASHED = re.compile(r"-[0-9a-f]{8}")
# Names that a file cannot have on Windows, and the one of the folder's own page.
_RESERVED = re.compile(r"index|con|prn|aux|nul|(com|lpt)[0-9]")


@lru_cache(maxsize=65536)
def slug(name: str, *key: str) -> str:
    """A part of an address for `name`: itself when it is plain, else what is plain of it and a hash of all of it.

    `key` is what tells two things of one name apart, and always brings the hash. Two different names or keys never
    share a slug, short of a collision in 32 bits of SHA-256, which the site reports as two pages at one address.
    """
    if not key and _PLAIN.fullmatch(name) and not _HASHED.search(name[-9:]) and not _RESERVED.fullmatch(name):
        return name
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60].rstrip("-")
    mark = hashlib.sha256("\0".join((name, *key)).encode()).hexdigest()[:8]
    return f"{plain or 'x'}-{mark}"


def kernel(source: str, name: str) -> str:
    """The page of one source's kernel."""
    return f"kernels/{slug(source)}/{slug(name)}.html"


def gpu(which: Gpu) -> str:
    """The page of one GPU."""
    return f"hardware/{slug(which.name, which.vendor, which.product, which.form_factor)}.html"


def gpu_anchor(which: Gpu) -> str:
    """The id of a GPU's section on a kernel's page."""
    return gpu(which).removeprefix("hardware/").removesuffix(".html")


def implementation(source: str, key: str) -> str:
    """The page of one source's implementation: by its name where that is its key, else by its digest."""
    hexadecimal = key.removeprefix("sha256:")
    return f"implementations/{slug(source)}/{slug(key) if hexadecimal == key else hexadecimal[:20]}.html"


def group(which: Group) -> str:
    """The page of one comparison group."""
    return f"groups/{which.id[:2]}/{which.id}.html"


def run(which: Run) -> str:
    """The page of one run."""
    stem = which.digest.removeprefix("sha256:")
    return f"runs/{stem[:2]}/{stem}.html"


def sitemap_part(number: int) -> str:
    """The list of pages of that number, where there are too many for one."""
    return f"sitemap-{number}.xml"


def absolute(base_url: str, page: str) -> str:
    """The address of a page on the web, where the site is reached at `base_url`; a folder's own page is the folder."""
    return f"{base_url}/{page.removesuffix('index.html')}"


def twin(page: str) -> str:
    """The address of a page's own JSON."""
    return page.removesuffix(".html") + ".json"


def root(page: str) -> str:
    """The way from a page to the site's root: "", "../" or "../../". A link is this, then the other page's address."""
    return "../" * page.count("/")
