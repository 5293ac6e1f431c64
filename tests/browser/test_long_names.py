"""Names without a place to break them, as long as anybody likes: no page gets wider than the window."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from sitegen.load.model import Gpu
from sitegen.render import Renderer, read_assets, template_folder
from sitegen.settings import Settings
from sitegen.site import compose_site
from tests.browser.test_pages import too_wide
from tests.making import catalogue, failed, latency, run, sized
from tests.site.pages import record_of

LONG = "n" * 400


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site in which everything that strangers name has a long name."""
    folder = tmp_path_factory.mktemp("long")
    key: dict[str, Any] = {
        "source": LONG,
        "kernel": LONG,
        "pass_name": LONG,
        "gpu": Gpu(LONG, LONG, LONG),
        "release": LONG,
    }
    runs = [
        run(f"{LONG}{which}", latency(figure, figure - 1, figure + 1), **sized(LONG, size, **key))
        for which, figure in enumerate((532416, 612416))
        for size in (1, 2, 4)
    ]
    alone = [run(LONG, **{**key, "kernel": "k" * 400, "workload_label": LONG}), failed(f"{LONG}2", **key)]
    renderer = Renderer([template_folder("templates")])
    made = compose_site(
        catalogue(*runs, *alone), Settings(), renderer, read_assets(template_folder("static")), record_of
    )
    for page in made.pages.values():
        for address, content in page.files():
            (folder / address).parent.mkdir(parents=True, exist_ok=True)
            (folder / address).write_bytes(content if isinstance(content, bytes) else b"".join(content))
    return folder


@pytest.fixture(scope="module")
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 360, "height": 780})
    yield context.new_page()
    context.close()


def test_no_page_is_wider_than_a_phone(site: Path, phone: Page) -> None:
    wide = {}
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 15
    for page in pages:
        phone.goto(page.as_uri())
        if found := too_wide(phone):
            wide[page.relative_to(site).as_posix()[:60]] = found
    assert wide == {}
