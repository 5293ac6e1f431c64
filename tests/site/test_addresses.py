"""Addresses: one for each thing, safe on every host and file system, and the same for years."""

import hashlib
import re
from collections.abc import Callable
from posixpath import normpath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitegen.load.model import Gpu
from sitegen.site import AddressTakenError, Site, address
from sitegen.site.cell import web
from tests.making import A100, H100, catalogue, digest, group, run

SAFE = re.compile(r"[a-z0-9/._-]+")
# Windows keeps these for itself, with or without an ending.
RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))}

NASTY = [
    "",
    ".",
    "..",
    "../../etc/passwd",
    "a/b",
    "a\\b",
    "a b",
    "A_B",
    "a_b",
    "a-b",
    "a.b",
    "index",
    "con",
    "nul",
    "com1",
    "CON",
    "x",
    "x" * 79,
    "x" * 80,
    "x" * 81,
    "x" * 5000,
    "X" * 80,
    "日本",
    "ﬀ",
    "ß",
    "İ",
    "K",
    "a\0b",
    "a\nb",
    "%2e%2e%2f",
    "?q=1#f",
    "-",
    "_",
    "--",
    "a-0123abcd",
    "0123abcd",
    "<script>",
    " ",
    "\u202e",
    "e\u0301",
    "\u00e9",
]
NAMES = st.one_of(
    st.sampled_from(NASTY),
    st.text(max_size=100),
    st.text(st.sampled_from("aA_-. /0"), max_size=12),
    st.from_regex(r"[a-z0-9_-]{1,90}", fullmatch=True),
    st.from_regex(r"([a-z0-9]{0,3}-)?[0-9a-f]{8}", fullmatch=True),
)


def safe(at: str) -> None:
    assert SAFE.fullmatch(at)
    assert len(at) <= 200
    assert normpath(at) == at
    assert not at.startswith("/")
    for part in at.split("/"):
        assert part not in ("", ".", "..")
        assert not part.startswith(".")
        assert not part.endswith(".")
        assert part.partition(".")[0] not in RESERVED


@given(NAMES, NAMES)
@example("日本", hashlib.sha256("日本".encode()).hexdigest()[:8])
def test_two_names_never_share_a_slug(one: str, other: str) -> None:
    assert (address.slug(one) == address.slug(other)) == (one == other)


@given(NAMES)
def test_a_name_that_is_hashed_is_no_other_names_slug(name: str) -> None:
    """Else a stranger could name a kernel after another's slug, and no site could be made of the two."""
    assert address.slug(address.slug(name)) != address.slug(name) or address.slug(name) == name


@given(NAMES, NAMES)
def test_addresses_are_safe(source: str, name: str) -> None:
    for at in (
        address.kernel(source, name),
        address.implementation(source, name),
        address.gpu(Gpu(source, name, "")),
        address.gpu(Gpu("nvidia", source, name)),
    ):
        safe(at)
        safe(address.twin(at))


@given(NAMES, NAMES, NAMES, NAMES)
def test_two_things_never_share_an_address(source: str, name: str, other_source: str, other_name: str) -> None:
    same = (source, name) == (other_source, other_name)
    assert (address.kernel(source, name) == address.kernel(other_source, other_name)) == same
    assert (address.implementation(source, name) == address.implementation(other_source, other_name)) == same
    one, other = Gpu("nvidia", source, name), Gpu("nvidia", other_source, other_name)
    assert (address.gpu(one) == address.gpu(other)) == same
    assert address.gpu(Gpu(source, name, "")) != address.gpu(Gpu(source, "", name)) or name == ""


def test_gpus_of_one_name_have_an_address_each() -> None:
    """Product and form factor may be split in two ways, and vendors may differ."""
    gpus = [
        Gpu("nvidia", "NVIDIA H100", "80GB HBM3"),
        Gpu("nvidia", "NVIDIA H100 80GB HBM3", ""),
        Gpu("amd", "NVIDIA H100 80GB HBM3", ""),
    ]
    assert len({gpu.name for gpu in gpus}) == 1
    assert len({address.gpu(gpu) for gpu in gpus}) == 3


def test_names_as_they_are_known_stay_as_they_are() -> None:
    assert address.kernel("liger-kernel-bench", "fused_linear_cross_entropy") == (
        "kernels/liger-kernel-bench/fused_linear_cross_entropy.html"
    )
    assert address.implementation("liger-kernel-bench", "torch_compile") == (
        "implementations/liger-kernel-bench/torch_compile.html"
    )


def test_an_implementation_without_a_name_is_at_its_digest() -> None:
    key = digest("an implementation")
    assert address.implementation("gpumode-kernelbot", key) == f"implementations/gpumode-kernelbot/{key[7:27]}.html"


def test_groups_and_runs_are_at_their_digests() -> None:
    found = group(run())
    (only,) = found.runs
    assert address.group(found) == f"groups/{found.id[:2]}/{found.id}.html"
    assert address.run(only) == f"runs/{only.digest[7:9]}/{only.digest[7:]}.html"
    safe(address.run(only))


# Addresses that have been published.
@pytest.mark.parametrize(
    ("found", "pinned"),
    [
        (address.gpu(A100), "hardware/nvidia-a100-sxm4-80gb-6341582e.html"),
        (address.gpu(H100), "hardware/nvidia-h100-80gb-hbm3-e7fdb415.html"),
        (address.kernel("gpumode-kernelbot", "amd-fp8-mm"), "kernels/gpumode-kernelbot/amd-fp8-mm.html"),
        (address.kernel("kernel-garden", "A B"), "kernels/kernel-garden/a-b-fea4c5ce.html"),
        (address.kernel("kernel-garden", "日本"), "kernels/kernel-garden/x-cf2abf0c.html"),
    ],
)
def test_addresses_stay(found: str, pinned: str) -> None:
    assert found == pinned


@pytest.mark.parametrize(
    ("page", "twin", "root"),
    [
        ("index.html", "index.json", ""),
        ("404.html", "404.json", ""),
        ("kernels/index.html", "kernels/index.json", "../"),
        ("kernels/a/b.html", "kernels/a/b.json", "../../"),
        ("groups/ab/ab12.html", "groups/ab/ab12.json", "../../"),
    ],
)
def test_a_page_has_its_data_beside_it_and_knows_the_way_home(page: str, twin: str, root: str) -> None:
    assert address.twin(page) == twin
    assert address.root(page) == root
    assert normpath(f"{page}/../{root}index.html") == "index.html"


@pytest.mark.parametrize("url", ["https://example.org/a?b=1#c", "http://example.org"])
def test_web_addresses_become_links(url: str) -> None:
    assert web(url) == url


@pytest.mark.parametrize(
    "url",
    [
        "",
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        " https://example.org",
        "\thttps://example.org",
        "//example.org",
        "/etc/passwd",
        "data:text/html,<b>",
        "vbscript:x",
        "file:///etc/passwd",
        "ftp://example.org",
        "http:example.org",
        "https:javascript:alert(1)",
        "java\nscript:alert(1)",
        "mailto:a@example.org",
    ],
)
def test_nothing_else_becomes_a_link(url: str) -> None:
    assert web(url) == ""


@given(st.text(max_size=30))
def test_a_link_of_any_text_is_http_or_nothing(url: str) -> None:
    assert web(url) in ("", url)
    assert web(url) == "" or re.match(r"https?://", url)


# The first 32 bits of their SHA-256 agree, and nothing of them is plain.
COLLIDING = ("徊丁", "易三")


def test_two_pages_at_one_address_are_refused_with_both_named(site_of: Callable[..., Site]) -> None:
    with pytest.raises(AddressTakenError) as caught:
        site_of(catalogue(*(run(kernel=name) for name in COLLIDING)))
    message = str(caught.value)
    assert address.kernel("liger-kernel-bench", COLLIDING[0]) in message
    assert all(name in message for name in COLLIDING)
    assert len(message) < 600


def test_no_address_differs_from_another_in_letter_case_only(site_of: Callable[..., Site]) -> None:
    names = ["a_b", "A_B", "a_B", "a-b", "A B", "a b"]
    pages = site_of(catalogue(*(run(kernel=name) for name in names))).pages
    kernels = [at for at in pages if at.startswith("kernels/liger")]
    assert len(kernels) == len(names)
    assert all(at == at.lower() for at in pages)


def test_every_address_of_a_site_is_safe_and_every_file_is_at_its_own(site_of: Callable[..., Site]) -> None:
    nasty = [name for name in NASTY if name]
    site = site_of(catalogue(*(run(name, kernel=name, source=name, gpu=Gpu(name, name, name)) for name in nasty)))
    written = [at for page in site.pages.values() for at, _ in page.files()]
    assert len(set(written)) == len(written)
    folders = {at.rpartition("/")[0] for at in written}
    assert not folders & set(written), "a file where a folder must be"
    written.remove(".nojekyll")  # a host looks for it by this name
    for at in written:
        safe(at)
