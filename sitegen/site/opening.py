"""A site with its means: the templates and static files that came with the program, and the records on disk."""

from collections.abc import Callable, Sequence
from pathlib import Path

from sitegen.catalogue import Catalogue
from sitegen.load import RecordFile, read_record
from sitegen.load.model import Run
from sitegen.render import Renderer, compiled_templates, read_assets, template_folder
from sitegen.settings import Settings
from sitegen.site.site import Site, compose_site


def build_site(catalogue: Catalogue, settings: Settings, templates: Sequence[Path] = ()) -> Site:
    """The site of a catalogue. Of two templates with one name, that in the earlier folder of `templates` is taken.

    Raises `AddressTakenError` as `compose_site` does, and `OSError` where a static file cannot be read. Its run pages
    raise `RecordChangedError` where the record has changed since it was loaded, and `OSError` where it is gone.
    """
    renderer = Renderer((*templates, template_folder("templates")), compiled_templates())
    assets = read_assets(template_folder("static"))
    return compose_site(catalogue, settings, renderer, assets, reader(Path(catalogue.loaded.folder)))


def reader(folder: Path) -> Callable[[Run], RecordFile]:
    """What reads the record of a run again from the folder that it was loaded from."""

    def read(run: Run) -> RecordFile:
        return read_record(f"{folder}/{run.file}")

    return read
