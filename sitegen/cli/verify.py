"""Whether a published folder is whole, and whether it is what some records make."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from sitegen import __version__
from sitegen.catalogue import build
from sitegen.cli.own_templates import failures_told
from sitegen.cli.terminal import ProgressLine, coloured, paint, plain
from sitegen.load import Loaded, load
from sitegen.publish import Manifest, read_manifest
from sitegen.publish.verify import Difference, Kind, damage, unlike
from sitegen.quantity import counted
from sitegen.settings import Settings
from sitegen.site import build_site

_SAYS: Mapping[Kind, str] = {
    Kind.MISSING: "the manifest lists it, and it is not there",
    Kind.ALTERED: "it is not what the manifest says",
    Kind.EXTRA: "the manifest does not list it",
    Kind.LACKING: "the records make it, and the site has none",
    Kind.OTHER: "the records make another",
    Kind.STALE: "the records do not make it",
}


def verify(given: argparse.Namespace, settings: Settings) -> bool:
    """Say what is wrong with a published site; whether nothing is. `settings` are those to build the records with.

    Raises `ManifestError` for a folder that says of nothing what it should hold.
    """
    manifest = read_manifest(given.site)
    progress = ProgressLine(sys.stderr)
    found = damage(given.site, manifest, given.jobs, progress.stage("Verifying", "files"))
    loaded = None
    if given.records is not None:
        loaded = load(given.records, jobs=given.jobs, progress=progress.stage("Reading", "files"))
        made = settings.model_copy(update={"base_url": manifest.making.base_url})
        with failures_told(settings.templates):
            site = build_site(build(loaded), made, _own(settings))
            found += unlike(manifest, site, given.jobs, progress.stage("Comparing", "pages"))
    progress.clear()
    listed = _json if given.format == "json" else _text
    for line in listed(manifest, loaded, found, given):
        print(line)  # noqa: T201 - the command line speaks
    return not found and _same_records(manifest, loaded)


def _own(settings: Settings) -> tuple[Path, ...]:
    return () if settings.templates is None else (settings.templates,)


def _same_records(manifest: Manifest, loaded: Loaded | None) -> bool:
    return loaded is None or loaded.digest == manifest.making.records


def _text(
    manifest: Manifest, loaded: Loaded | None, found: Sequence[Difference], given: argparse.Namespace
) -> Iterator[str]:
    site = plain(str(given.site))
    colours = coloured(sys.stdout)
    for each in found:
        place = paint(f"{site}/{plain(each.file)}", "place", on=colours)
        yield f"{place}: {paint(each.kind, 'error', on=colours)}: {_SAYS[each.kind]}."
    if loaded is not None and manifest.version != __version__:
        yield f"{site} was made by sitegen {plain(manifest.version)}, and this is {__version__}."
    if not _same_records(manifest, loaded):
        yield f"{site} was made from other records: {plain(manifest.making.records) or 'it is not said from which'}."
    files = counted(len(manifest.files), "file")
    if not found and _same_records(manifest, loaded):
        what = "" if loaded is None else f", and what {plain(str(given.records))} makes"
        yield f"{site} is whole{what}: {files}."
        return
    kinds = Counter(each.kind for each in found)
    tally = ", ".join(f"{kinds[kind]:,} {kind}" for kind in Kind if kinds[kind]) or "no file differs"
    yield f"{site} is not as it should be: {tally}, of {files}."


def _json(
    manifest: Manifest, loaded: Loaded | None, found: Sequence[Difference], given: argparse.Namespace
) -> Iterator[str]:
    says = {
        "site": str(given.site),
        "version": manifest.version,
        "files": len(manifest.files),
        "whole": not any(each.kind in {Kind.MISSING, Kind.ALTERED, Kind.EXTRA} for each in found),
        "madeFrom": manifest.making.records,
        "records": None if loaded is None else loaded.digest,
        "asTheRecordsMake": None if loaded is None else not found and _same_records(manifest, loaded),
        "differences": [{"file": each.file, "kind": each.kind} for each in found],
    }
    yield json.dumps(says, indent=1)
