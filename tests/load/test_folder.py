"""A folder that is kept up to date holds what reading all of it again would give."""

from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from sitegen.load import FileResult, Folder, Reader, find, merge

SAMPLE = Path(__file__).parents[1] / "sample" / "records"


def pool() -> list[FileResult]:
    """Some files of the sample catalogue: records, their documents, and a file that is wrong."""
    reader = Reader(SAMPLE)
    paths = [path for path in find(SAMPLE).paths if path.startswith(("flashinfer/", "documents/", "gpumode/"))]
    return [*(reader.read(path) for path in paths[::3]), reader.read("absent.json")]


POOL = pool()
PATHS = ("a.json", "b.json", "c/d.json", "e.json")
CHANGES = st.lists(
    st.dictionaries(st.sampled_from(PATHS), st.one_of(st.none(), st.integers(0, len(POOL) - 1)), min_size=1),
    max_size=8,
)


def at(path: str, choice: int | None) -> FileResult | None:
    """One of the pool as if it lay at `path`."""
    if choice is None:
        return None
    result = POOL[choice]
    run = result.run and replace(result.run, file=path)
    return replace(result, path=path, run=run)


@given(st.dictionaries(st.sampled_from(PATHS), st.integers(0, len(POOL) - 1)), CHANGES)
def test_changes_one_by_one_give_what_a_merge_of_it_all_gives(
    start: dict[str, int], changes: list[dict[str, int | None]]
) -> None:
    files = {path: result for path, choice in start.items() if (result := at(path, choice))}
    folder = Folder(SAMPLE, files.values())
    assert folder.loaded == merge(SAMPLE, files.values())
    for change in changes:
        results = {path: at(path, choice) for path, choice in change.items()}
        for path, result in results.items():
            files.pop(path, None)
            if result:
                files[path] = result
        assert folder.replace(results) == merge(SAMPLE, files.values())


def test_what_did_not_change_is_the_same_object() -> None:
    results = [result for result in POOL if result.run is not None]
    folder = Folder(SAMPLE, results)
    before = folder.loaded
    changed = results[3]
    assert changed.run
    after = folder.replace({changed.path: replace(changed, run=replace(changed.run, title="Another title"))})
    assert sum(one is not other for one, other in zip(before.runs, after.runs, strict=True)) == 1
    assert after.protocols is before.protocols
    assert after.environments is before.environments
