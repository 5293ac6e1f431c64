import os
from pathlib import Path

import pytest

from sitegen.load.files import MAX_BYTES, as_typed, contents, find
from tests.load.good_records import Folder, good


def test_files_are_found_at_any_depth_in_the_order_of_their_paths(folder: Folder) -> None:
    for name in ("b.json", "a/z.json", "a-b/x.json", "a/deep/er/y.json"):
        folder.put(name, "{}")
    assert find(folder.path).paths == ("a-b/x.json", "a/deep/er/y.json", "a/z.json", "b.json")


def test_hidden_files_and_folders_and_other_names_are_left_out(folder: Folder) -> None:
    for name in (".hidden.json", ".git/config.json", "notes.txt", "json", "a.json.bak", "shown.json"):
        folder.put(name, "{}")
    assert find(folder.path).paths == ("shown.json",)


def test_a_link_to_the_folder_above_ends(folder: Folder) -> None:
    folder.put("in/a.json", "{}")
    (folder.path / "in" / "again").symlink_to(folder.path, target_is_directory=True)
    found = find(folder.path)
    assert found.paths == ("in/a.json",)
    assert found.problems == ()


def test_a_linked_folder_is_read_once(folder: Folder, tmp_path: Path) -> None:
    elsewhere = Folder(tmp_path / "elsewhere")
    elsewhere.put("a.json", "{}")
    for name in ("one", "two"):
        (folder.path / name).symlink_to(elsewhere.path, target_is_directory=True)
    assert find(folder.path).paths == ("one/a.json",)


def test_a_link_that_leads_nowhere_is_named(folder: Folder) -> None:
    (folder.path / "gone.json").symlink_to("nowhere.json")
    (problem,) = find(folder.path).problems
    assert (problem.code, problem.file) == ("file-unreadable", str(folder.path / "gone.json"))


def test_a_link_that_leads_round_to_itself_is_named_and_the_rest_is_read(folder: Folder) -> None:
    folder.put("a.json", "{}")
    folder.put("z/b.json", "{}")
    for name, target in (("self.json", "self.json"), ("one", "two"), ("two", "one")):
        (folder.path / name).symlink_to(target)
    found = find(folder.path)
    assert found.paths == ("a.json", "z/b.json")
    assert {(problem.code, problem.file) for problem in found.problems} == {
        ("file-unreadable", str(folder.path / name)) for name in ("self.json", "one", "two")
    }


def test_a_pipe_is_named_and_not_waited_for(folder: Folder) -> None:
    os.mkfifo(folder.path / "pipe.json")
    assert [problem.code for problem in folder.load().problems] == ["file-unreadable"]


def test_a_name_that_is_not_text_is_named_in_printable_characters(folder: Folder) -> None:
    (folder.path / os.fsdecode(b"\xff.json")).write_text("{}")
    found = find(folder.path)
    assert found.paths == ()
    assert found.problems[0].code == "file-name"
    assert found.problems[0].file.endswith("\\udcff.json")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_files_and_folders_without_permission_are_named(folder: Folder) -> None:
    locked = folder.put("locked.json", "{}")
    inner = folder.put("inner/a.json", "{}").parent
    locked.chmod(0)
    inner.chmod(0)
    try:
        codes = {problem.code for problem in folder.load().problems}
    finally:
        inner.chmod(0o700)
    assert codes == {"file-unreadable", "folder-unreadable"}


def test_a_folder_that_does_not_exist_is_an_error_with_its_name(tmp_path: Path) -> None:
    (problem,) = find(tmp_path / "absent").problems
    assert (problem.severity, problem.code, problem.file) == ("error", "folder-missing", str(tmp_path / "absent"))


def test_a_file_in_place_of_a_folder_is_an_error(folder: Folder) -> None:
    (problem,) = find(folder.put("a.json", good("liger"))).problems
    assert (problem.severity, problem.code) == ("error", "not-a-folder")


def test_files_are_named_as_the_user_would_type_them() -> None:
    assert as_typed(Path("records"), "a/b.json") == "records/a/b.json"
    assert as_typed(Path(), "b.json") == "b.json"
    assert as_typed(Path("/abs"), "") == "/abs"
    assert as_typed(Path("récords"), "a\n\x1b.json") == "récords/a\\n\\x1b.json"


@pytest.mark.parametrize("size", [0, 1, 2**16 - 1, 2**16, 2**16 + 1, 200_000])
def test_a_file_of_any_size_is_read_whole(folder: Folder, size: int) -> None:
    data = bytes(index % 251 for index in range(size))
    assert contents(str(folder.put("a.json", data))) == data


def test_a_vast_file_is_refused_without_being_read_whole(folder: Folder) -> None:
    with folder.put("vast.json", "{").open("r+b") as file:
        file.truncate(20 * MAX_BYTES)
    (problem,) = folder.load().problems
    assert problem.code == "too-large"
    assert len(contents(str(folder.path / "vast.json"))) < 2 * MAX_BYTES
