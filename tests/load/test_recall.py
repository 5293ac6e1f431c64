import pytest

from sitegen.load import RecordChangedError, read_record
from tests.load.good_records import Folder, good


def test_a_record_is_read_again_as_its_file_has_it(folder: Folder) -> None:
    path = folder.put("a.json", good("liger"))
    record = read_record(path)
    assert record.text == path.read_text("utf-8")
    assert {"run": record.run, "protocol": record.protocol, "environment": record.environment} == good("liger")


def test_a_byte_order_mark_is_no_part_of_the_text(folder: Folder) -> None:
    path = folder.put("a.json", b"\xef\xbb\xbf" + folder.put("b.json", good("liger")).read_bytes())
    assert read_record(path).text.startswith("{")


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"run": {}}', b"\xff", "null"])
def test_a_file_that_was_changed_meanwhile_is_named(folder: Folder, content: str | bytes) -> None:
    path = folder.put("a.json", content)
    with pytest.raises(RecordChangedError, match=r"a\.json: this record was changed"):
        read_record(path)


def test_a_file_that_was_removed_meanwhile_is_named(folder: Folder) -> None:
    with pytest.raises(RecordChangedError, match=r"gone\.json"):
        read_record(folder.path / "gone.json")
