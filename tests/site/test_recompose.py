"""A site made from the one before it has the same pages, to the byte, as one that is made anew."""

from dataclasses import replace
from pathlib import Path

import pytest

from sitegen.catalogue import build, update
from sitegen.load import Loaded, load
from sitegen.settings import Settings
from sitegen.site import Site, build_site, recompose_site

SAMPLE = Path(__file__).parents[1] / "sample" / "records"


@pytest.fixture(scope="module")
def sample() -> Loaded:
    return load(SAMPLE)


def everything(site: Site) -> dict[str, bytes]:
    return {at: bytes(content) for page in site.pages.values() for at, content in page.files()}


def without(sample: Loaded, place: int) -> Loaded:
    runs = (*sample.runs[:place], *sample.runs[place + 1 :])
    return replace(sample, runs=runs, records=sample.records - 1)


def faster(sample: Loaded, place: int) -> Loaded:
    run = sample.runs[place]
    figure = run.figure and replace(run.figure, value=run.figure.value / 2, low=None, high=None, spread="")
    return replace(sample, runs=(*sample.runs[:place], replace(run, figure=figure), *sample.runs[place + 1 :]))


def test_every_page_is_as_if_made_anew(sample: Loaded) -> None:
    catalogue = build(sample)
    site = build_site(catalogue, Settings())
    for changed in (without(sample, 3), faster(without(sample, 3), 40), faster(sample, 77), sample):
        catalogue = update(catalogue, changed)
        site = recompose_site(site, catalogue)
        assert everything(site) == everything(build_site(build(changed), Settings()))


def test_pages_that_the_change_does_not_touch_are_shared(sample: Loaded) -> None:
    before = build_site(build(sample), Settings())
    after = recompose_site(before, update(before.pages.book.judged.catalogue, faster(sample, 40)))
    others = [at for at in after.pages.makers if after.pages.makers[at] is not before.pages.makers.get(at)]
    run = sample.runs[40]
    assert any(at.startswith("runs/") and run.digest.removeprefix("sha256:") in at for at in others)
    assert len(others) < 8
