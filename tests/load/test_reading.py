"""A record reduced to its run."""

import pytest

from sitegen.identity import digest
from sitegen.load import FileResult, Gpu, Reader
from tests.load.good_records import ABSENT, Folder, changed, good, sealed

NATIVE = ("run", "spec", "sourceNative")


def test_a_liger_record_in_the_sites_words(folder: Folder) -> None:
    record = good("liger")
    folder.put("deep/record.json", record)
    (run,) = folder.load().runs
    spec = record["run"]["spec"]
    assert run.digest == digest(record["run"])
    assert run.file == "deep/record.json"
    assert (run.source, run.kernel, run.pass_name) == ("liger-kernel-bench", "cross_entropy", "forward")
    assert (run.workload, run.workload_label) == (spec["workloadDigest"], "tokens16384-vocab4096-fp32")
    assert run.gpu == Gpu("nvidia", "NVIDIA A100", "SXM4-80GB")
    assert (run.protocol, run.environment) == (spec["protocolDigest"], spec["environmentDigest"])
    assert (run.implementation, run.implementation_key) == ("liger", "liger")
    assert run.implementation_digest == spec["implementationDigest"]
    assert run.title == "Cross-entropy loss · liger · forward"
    assert run.observed_ms == 1725377499000
    assert run.release == "0.2.1"


def test_a_record_of_another_source_is_told_apart_by_digest_and_shown_by_title(folder: Folder) -> None:
    (run,) = folder.load_one(good("score")).runs
    assert run.implementation_key == run.implementation_digest
    assert run.implementation == run.title == "causal_conv1d · submission 555004 · score"
    assert (run.kernel, run.pass_name, run.release) == ("causal_conv1d", "", "")
    assert run.gpu.form_factor == ""
    assert run.workload_label == run.workload[7:19]
    assert run.observed_ms == 1773532572645


def test_a_case_number_names_a_workload_that_has_no_document(folder: Folder) -> None:
    (run,) = folder.load_one(changed(good("score"), *NATIVE, "benchmark", to="causal_conv1d/3")).runs
    assert (run.kernel, run.pass_name, run.workload_label) == ("causal_conv1d", "", "case 3")


@pytest.mark.parametrize("external_id", [ABSENT, "", "liger", "a/b/c", "////////"])
def test_a_malformed_external_id_falls_back_to_digests(folder: Folder, external_id: object) -> None:
    (run,) = folder.load_one(changed(good("liger"), *NATIVE, "externalId", to=external_id)).runs
    assert run.implementation_key == run.implementation_digest
    assert run.implementation == run.title
    assert run.workload_label == run.workload[7:19]


def test_a_run_without_title_is_shown_by_its_name(folder: Folder) -> None:
    (run,) = folder.load_one(changed(good("liger"), "run", "metadata", "title", to=" ")).runs
    assert run.title == "cross-entropy-forward-liger"


def test_markup_stays_as_it_is_for_the_templates_to_escape(folder: Folder) -> None:
    title = "<script>alert(1)</script>"
    (run,) = folder.load_one(changed(good("liger"), "run", "metadata", "title", to=title)).runs
    assert run.title == title


def test_any_text_may_stand_where_a_url_is_expected(folder: Folder) -> None:
    record = changed(good("liger"), "protocol", "spec", "harness", "repository", to="javascript:alert(1)")
    assert folder.load_one(sealed(record)).problems == ()


def test_one_file_can_be_read_alone(folder: Folder) -> None:
    folder.put("a.json", good("liger"))
    result = Reader(folder.path).read("a.json")
    assert result.run is not None
    assert (result.path, result.problems) == ("a.json", ())
    assert result.protocol is not None
    assert result.protocol.spec.harness.name == "Liger-Kernel benchmark scripts"


def test_a_file_that_vanished_is_a_problem(folder: Folder) -> None:
    result = Reader(folder.path).read("gone.json")
    assert [problem.code for problem in result.problems] == ["file-unreadable"]


def test_a_single_document_has_its_digest(folder: Folder) -> None:
    folder.put("w.json", good("workload"))
    result = Reader(folder.path).read("w.json")
    assert result.digest == digest(good("workload"))
    assert result.document is not None


def test_a_reader_gives_the_same_whatever_it_has_read_before(folder: Folder) -> None:
    altered = changed(good("liger"), "environment", "spec", "clock", to=1)
    for name, record in (("a.json", good("liger")), ("b.json", altered), ("c.json", sealed(altered))):
        folder.put(name, record)
    reader = Reader(folder.path)

    def fresh(name: str) -> FileResult:
        return Reader(folder.path).read(name)

    for name in ("a.json", "b.json", "c.json", "b.json", "a.json", "c.json"):
        assert reader.read(name) == fresh(name)
