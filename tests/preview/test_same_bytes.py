"""What is previewed is what is published."""

import http.client
import shutil
from pathlib import Path

import pytest

from sitegen.catalogue import build
from sitegen.load import load
from sitegen.publish import MARKER
from sitegen.settings import Settings
from sitegen.site import Site, build_site
from tests.conftest import BELOW, SAMPLE
from tests.preview.conftest import Preview, a_place, with_median, without_script


@pytest.mark.parametrize(
    ("published", "base_url"), [("sample_site", None), ("sample_site_below", f"https://example.org{BELOW}")]
)
def test_every_address_has_the_bytes_of_the_published_file(
    published: str, base_url: str | None, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    site: Path = request.getfixturevalue(published)
    below = BELOW if base_url else ""
    preview = Preview(a_place(tmp_path), records=SAMPLE, base_url=base_url).start()
    connection = http.client.HTTPConnection("127.0.0.1", preview.server.port)
    try:
        files = [path for path in site.rglob("*") if path.is_file() and path.name != MARKER]
        assert len(files) > 500
        for path in files:
            at = path.relative_to(site).as_posix()
            connection.request("GET", f"{below}/{at}")
            reply = connection.getresponse()
            body = reply.read()
            assert reply.status == 200, at
            assert (without_script(body) if path.suffix == ".html" else body) == path.read_bytes(), at
        assert preview.first.outcome.site is not None
        assert preview.first.outcome.site.pages.keys() <= {path.relative_to(site).as_posix() for path in files}
    finally:
        connection.close()
        preview.stop()


def everything(site: Site | None) -> dict[str, bytes]:
    """Every file of a site."""
    assert site is not None
    return {at: bytes(content) for page in site.pages.values() for at, content in page.files()}


def test_after_many_changes_it_is_the_site_of_what_is_there(preview: Preview, record: Path) -> None:
    other = record.with_name("007-forward-huggingface.json")
    text = record.read_text()
    preview.after(lambda: record.write_text(with_median(text, 33_000)))
    preview.after(lambda: shutil.copytree(SAMPLE / "gpumode/trimul", preview.records / "trimul"))
    preview.after(lambda: other.write_text(other.read_text()[:200]))
    preview.after(lambda: record.write_text(text))
    preview.after(other.unlink)
    preview.after(lambda: shutil.copytree(SAMPLE / "documents", preview.records / "documents"))
    preview.after((preview.records / "trimul/001.json").unlink)
    preview.after(lambda: preview.config.write_text('[sources.liger-kernel-bench]\nbaselines = ["liger"]\n'))
    preview.after(lambda: record.write_text(with_median(text, 34_000)))
    preview.after(preview.config.unlink)
    news = preview.after(lambda: (preview.templates / "method.md").write_text("# Short\n"))
    shown = everything(news.outcome.site)
    fresh = everything(build_site(build(load(preview.records)), Settings(), (preview.templates,)))
    assert shown.keys() == fresh.keys()
    assert [at for at in fresh if shown[at] != fresh[at]] == []
