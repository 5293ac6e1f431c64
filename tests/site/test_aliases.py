"""Old addresses: what was renamed leaves a page that leads on, and an alias that leads nowhere is named."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sitegen.catalogue import Catalogue, build, update
from sitegen.load.model import Gpu
from sitegen.problem import Severity
from sitegen.settings import Settings, read_settings
from sitegen.site import AddressTakenError, Site, address, recompose_site
from sitegen.site.alias import alias_problems
from tests.making import A100, H100, LIGER, catalogue, digest, loaded, run
from tests.site.pages import files, read

SiteOf = Callable[..., Site]


def settings(**tables: dict[str, str]) -> Settings:
    return Settings.model_validate({"aliases": tables})


@pytest.fixture
def some() -> Catalogue:
    other = {"source": "lab", "kernel": "matmul", "implementation_key": digest("fast")}
    return catalogue(run("liger"), run("torch"), run("liger", gpu=H100), run("Fast one", gpu=H100, **other))


@pytest.mark.parametrize(
    ("table", "old", "new", "was", "now"),
    [
        ("kernels", f"{LIGER}/rmsnorm", "rms_norm", f"kernels/{LIGER}/rmsnorm.html", f"kernels/{LIGER}/rms_norm.html"),
        ("kernels", f"{LIGER}/gemm", "lab/matmul", f"kernels/{LIGER}/gemm.html", "kernels/lab/matmul.html"),
        (
            "implementations",
            f"{LIGER}/liger-kernel",
            "liger",
            f"implementations/{LIGER}/liger-kernel.html",
            f"implementations/{LIGER}/liger.html",
        ),
        (
            "implementations",
            f"lab/{digest('slow')}",
            digest("fast"),
            f"implementations/lab/{digest('slow')[7:27]}.html",
            f"implementations/lab/{digest('fast')[7:27]}.html",
        ),
        (
            "hardware",
            "nvidia/A100/SXM",
            "nvidia/NVIDIA A100/SXM4-80GB",
            address.gpu(Gpu("nvidia", "A100", "SXM")),
            address.gpu(A100),
        ),
        (
            "hardware",
            "nvidia/H100",
            "nvidia/NVIDIA H100 80GB HBM3",
            address.gpu(Gpu("nvidia", "H100", "")),
            address.gpu(H100),
        ),
    ],
)
def test_an_old_address_leads_to_the_new_one(
    site_of: SiteOf, some: Catalogue, table: str, old: str, new: str, was: str, now: str
) -> None:
    written = files(site_of(some, settings(**{table: {old: new}})))
    page = read(written[was])
    up = "../" * was.count("/")
    refresh = next(each for each in page.all("meta") if each.attributes.get("http-equiv") == "refresh")
    assert refresh.attributes["content"] == f"0; url={up}{now}"
    assert next(each for each in page.all("link", rel="canonical")).attributes["href"] == up + now
    assert up + now in [each.attributes["href"] for each in page.one("main").all("a")]
    assert b"default-src 'none'" in written[was]
    assert json.loads(written[address.twin(was)]) == {"movedTo": now, "data": address.twin(now)}
    assert now in written
    assert written["_redirects"].decode().splitlines()[1:] == [
        f"/{was} /{now} 301",
        f"/{address.twin(was)} /{address.twin(now)} 301",
    ]


def test_the_canonical_address_is_absolute_where_it_can_be(site_of: SiteOf, some: Catalogue) -> None:
    given = settings(kernels={f"{LIGER}/old": "rms_norm"}).model_copy(update={"base_url": "https://example.org/k"})
    written = files(site_of(some, given))
    page = read(written[f"kernels/{LIGER}/old.html"])
    (canonical,) = page.all("link", rel="canonical")
    assert canonical.attributes["href"] == f"https://example.org/k/kernels/{LIGER}/rms_norm.html"
    assert b"old.html" not in written["sitemap.xml"]
    assert f"/k/kernels/{LIGER}/old.html /k/kernels/{LIGER}/rms_norm.html 301" in written["_redirects"].decode()


def test_an_alias_of_an_alias_leads_to_the_end(site_of: SiteOf, some: Catalogue) -> None:
    given = settings(kernels={f"{LIGER}/oldest": "older", f"{LIGER}/older": "rms_norm"})
    page = files(site_of(some, given))[f"kernels/{LIGER}/oldest.html"]
    assert b"url=../../kernels/liger-kernel-bench/rms_norm.html" in page


TOML = """
title = "Ours"

[aliases.kernels]
"liger-kernel-bench/good" = "rms_norm"
"liger-kernel-bench/lost" = "nowhere"
"no_source" = "rms_norm"
"liger-kernel-bench/a" = "b"
"liger-kernel-bench/b" = "a"

[aliases.hardware]
"nvidia/NVIDIA A100/SXM4-80GB" = "nvidia/NVIDIA H100 80GB HBM3"
"""


def test_an_alias_to_nothing_is_an_error_with_file_and_line(tmp_path: Path, some: Catalogue) -> None:
    path = tmp_path / "sitegen.toml"
    path.write_text(TOML)
    given, mistakes = read_settings(path)
    assert mistakes == ()
    found = {each.line: each for each in alias_problems(path, given.aliases, some)}
    lines = {number: line.partition(" =")[0].strip('"') for number, line in enumerate(TOML.splitlines(), 1)}
    assert {lines[line] for line in found if line} == {
        "liger-kernel-bench/lost",
        "no_source",
        "liger-kernel-bench/a",
        "liger-kernel-bench/b",
        "nvidia/NVIDIA A100/SXM4-80GB",
    }
    assert {(each.severity, each.code, each.file) for each in found.values()} == {
        (Severity.ERROR, "wrong-alias", str(path))
    }
    assert "leads to nowhere" in found[6].message
    assert "still in the catalogue" in found[12].message


def test_an_alias_to_nothing_leaves_no_page(site_of: SiteOf, some: Catalogue) -> None:
    written = files(site_of(some, settings(kernels={f"{LIGER}/lost": "nowhere"})))
    assert f"kernels/{LIGER}/lost.html" not in written


def test_two_old_names_of_one_address_are_two_pages_at_it(site_of: SiteOf, some: Catalogue) -> None:
    given = settings(
        hardware={"nvidia/H100": "nvidia/NVIDIA A100/SXM4-80GB", "nvidia/H100/": "nvidia/NVIDIA A100/SXM4-80GB"}
    )
    with pytest.raises(AddressTakenError, match="the alias nvidia/H100 and the alias nvidia/H100/"):
        site_of(some, given)


def test_the_pages_follow_the_records(site_of: SiteOf) -> None:
    given = settings(kernels={f"{LIGER}/old": "jsd"})
    first = run()
    without, having = build(loaded([first])), build(loaded([first, run(kernel="jsd")]))
    for before, after in ((without, having), (having, without)):
        changed = update(before, after.loaded)
        assert files(recompose_site(site_of(before, given), changed)) == files(site_of(changed, given))
