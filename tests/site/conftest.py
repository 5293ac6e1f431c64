from collections.abc import Callable

import pytest
from hypothesis import settings

from sitegen.catalogue import Catalogue
from sitegen.render import Assets, Renderer, read_assets, template_folder
from sitegen.settings import Settings
from sitegen.site import Site, compose_site
from tests.site.pages import record_of

# Nothing hangs on how fast the machine is.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


@pytest.fixture(scope="session")
def assets() -> Assets:
    return read_assets(template_folder("static"))


@pytest.fixture(scope="session")
def site_of(assets: Assets) -> Callable[..., Site]:
    """Makes the site of a catalogue whose records are on no disk."""
    renderer = Renderer([template_folder("templates")])

    def make(catalogue: Catalogue, settings: Settings | None = None) -> Site:
        return compose_site(catalogue, settings or Settings(), renderer, assets, record_of)

    return make
