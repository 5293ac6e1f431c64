"""What differs between two catalogues, against figures worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.change import Change, compare, sections
from sitegen.judge import Verdict
from sitegen.load import Run
from sitegen.problem import Problem, Severity
from tests.change.sides import at, changed, plain, said, side
from tests.making import failed, latency, run, sized, workload

HUGGINGFACE = at(0, "huggingface", 100, 95, 105)


class TestLeaders:
    """Who had the first rank, and who has it now."""

    def test_a_newer_run_takes_the_lead(self) -> None:
        # 100 / 80 = 1.25. Farthest apart each way: 95 / 82 = 1.159 and 105 / 78 = 1.346.
        before = at(0, "liger", 120, 118, 122)
        change = changed((HUGGINGFACE, before), (HUGGINGFACE, before, at(1, "liger", 80, 78, 82)))
        assert said(change, "leaders") == [
            (
                "liger leads at 80.0 ns (p20–p80 78.0–82.0); before, huggingface led at 100 ns (p20–p80 95.0–105), "
                "and liger stood at 120 ns (p20–p80 118–122). liger is now 1.25× faster (1.16–1.35) than huggingface."
            )
        ]

    def test_a_newcomer_takes_the_lead_from_one_that_is_slower_itself(self) -> None:
        # The newcomer against what the old leader is now: 110 / 50 = 2.2, 108 / 51 = 2.118, 112 / 49 = 2.286.
        slower = at(1, "huggingface", 110, 108, 112)
        change = changed((HUGGINGFACE,), (HUGGINGFACE, slower, at(1, "liger", 50, 49, 51)))
        assert said(change, "leaders") == [
            (
                "liger leads at 50.0 ns (p20–p80 49.0–51.0); before, huggingface was the only one with a rank, at "
                "100 ns (p20–p80 95.0–105), and liger had no rank. liger is now 2.20× faster (2.12–2.29) than "
                "huggingface. huggingface now stands at 110 ns (p20–p80 108–112)."
            )
        ]

    def test_a_leader_that_is_gone(self) -> None:
        other = at(0, "liger", 120, 118, 122)
        change = changed((HUGGINGFACE, other), (other,))
        assert said(change, "leaders") == [
            (
                "liger is the only one with a rank, at 120 ns (p20–p80 118–122); before, huggingface led at 100 ns "
                "(p20–p80 95.0–105), and liger stood at 120 ns (p20–p80 118–122). huggingface has no rank any more."
            )
        ]

    def test_a_lead_without_a_known_spread_is_called_unsure(self) -> None:
        # 100 / 80 = 1.25, without a range.
        change = changed((HUGGINGFACE,), (HUGGINGFACE, at(0, "liger", 80)))
        (text,) = said(change, "leaders")
        assert text.startswith("liger has the best figure, 80.0 ns (spread not known), without enough data to be sure;")
        assert text.endswith("liger is now 1.25× faster (not enough data) than huggingface.")

    def test_who_keeps_the_first_rank_is_no_change(self) -> None:
        change = changed((HUGGINGFACE,), (HUGGINGFACE, at(0, "liger", 120, 118, 122)))
        assert change.leaders == change.ties_made == change.ties_broken == ()
        assert [each.implementation for each in change.added] == ["liger"]


class TestTies:
    """Spreads that meet on one side alone."""

    APART = at(0, "liger", 120, 118, 122)
    NEAR = at(1, "liger", 108, 104, 112)  # from 104, which is within 95–105

    def test_a_tie_is_made(self) -> None:
        change = changed((HUGGINGFACE, self.APART), (HUGGINGFACE, self.APART, self.NEAR))
        assert said(change, "ties-made") == [
            (
                "huggingface at 100 ns (p20–p80 95.0–105) and liger at 108 ns (p20–p80 104–112) now tie for first; "
                "before, huggingface had rank 1 at 100 ns (p20–p80 95.0–105) and liger had rank 2 at 120 ns "
                "(p20–p80 118–122)."
            )
        ]
        assert change.leaders == change.ties_broken == ()

    def test_a_tie_is_broken(self) -> None:
        # 110 is above 105. 115 / 100 = 1.15, 110 / 105 = 1.048, 120 / 95 = 1.263.
        near = at(0, "liger", 108, 104, 112)
        change = changed((HUGGINGFACE, near), (HUGGINGFACE, near, at(1, "liger", 115, 110, 120)))
        assert said(change, "ties-broken") == [
            (
                "huggingface at 100 ns (p20–p80 95.0–105) and liger at 108 ns (p20–p80 104–112) tied for first; now, "
                "huggingface has rank 1 at 100 ns (p20–p80 95.0–105) and liger has rank 2 at 115 ns (p20–p80 110–120). "
                "huggingface is now 1.15× faster (1.05–1.26) than liger."
            )
        ]
        assert change.leaders == change.ties_made == ()

    def test_ends_that_touch_tie(self) -> None:
        change = changed((HUGGINGFACE, self.APART), (HUGGINGFACE, self.APART, at(1, "liger", 108, 105, 112)))
        assert len(change.ties_made) == 1

    def test_a_tie_below_the_first_rank_is_one_too(self) -> None:
        ahead = at(0, "torch", 50, 49, 51)
        change = changed((ahead, HUGGINGFACE, self.APART), (ahead, HUGGINGFACE, self.NEAR))
        (text,) = said(change, "ties-made")
        assert " now tie for rank 2–3; before, " in text

    def test_a_tie_that_another_joins_is_made_and_not_broken(self) -> None:
        change = changed((HUGGINGFACE, self.NEAR), (HUGGINGFACE, self.NEAR, at(0, "torch", 101, 96, 106)))
        assert [tie.members for tie in change.ties_made] == [("huggingface", "torch", "liger")]
        assert change.ties_broken == ()

    def test_a_leader_may_change_to_a_tie(self) -> None:
        change = changed((HUGGINGFACE,), (HUGGINGFACE, at(0, "liger", 50, 45, 55), at(0, "torch", 52, 47, 57)))
        assert len(change.leaders) == len(change.ties_made) == 1
        assert said(change, "leaders")[0].startswith(
            "liger at 50.0 ns (p20–p80 45.0–55.0) and torch at 52.0 ns (p20–p80 47.0–57.0) tie for first; before, "
        )


class TestMoves:
    """The newest run of an implementation against the one that stood before."""

    def test_slower_beyond_the_spread(self) -> None:
        # 120 / 100 = 1.2. Farthest apart each way: 118 / 105 = 1.124 and 122 / 95 = 1.284.
        change = changed((HUGGINGFACE,), (HUGGINGFACE, at(2, "huggingface", 120, 118, 122)))
        assert said(change, "slower") == [
            (
                "huggingface is 1.20× slower (1.12–1.28): 120 ns (p20–p80 118–122), 2024-09-05; "
                "before, 100 ns (p20–p80 95.0–105), 2024-09-03."
            )
        ]
        assert change.faster == change.unsure == ()

    def test_faster_beyond_the_spread(self) -> None:
        # 100 / 80 = 1.25, 95 / 82 = 1.159, 105 / 78 = 1.346.
        change = changed((HUGGINGFACE,), (HUGGINGFACE, at(1, "huggingface", 80, 78, 82)))
        (moved,) = change.faster
        assert (moved.ratio.value, moved.ratio.verdict) == (1.25, Verdict.FASTER)
        assert moved.ratio.low == pytest.approx(95 / 82)
        assert moved.ratio.high == pytest.approx(105 / 78)
        assert change.slower == ()

    def test_within_the_spread_is_neither(self) -> None:
        change = changed((HUGGINGFACE,), (HUGGINGFACE, at(1, "huggingface", 109, 105, 112)))
        assert change.slower == change.faster == change.unsure == ()
        assert not change.empty

    def test_without_a_spread_it_is_not_said_to_be_either(self) -> None:
        # 200 / 100 = 2.
        change = changed((HUGGINGFACE,), (HUGGINGFACE, at(1, "huggingface", 200)))
        assert change.slower == ()
        (text,) = said(change, "unsure")
        assert text.startswith("huggingface is 2.00× slower (not enough data): 200 ns (spread not known), 2024-09-04;")

    def test_an_older_run_that_stands_again_is_said_to(self) -> None:
        newer = at(1, "huggingface", 80, 78, 82)
        (text,) = said(changed((HUGGINGFACE, newer), (HUGGINGFACE,)), "slower")
        assert text.endswith(" The run that stood before is gone, and an older one stands again.")

    def test_the_worst_stands_first(self) -> None:
        # 1.2 times and 3 times as long.
        small, large = sized("hidden", 1), sized("hidden", 2)
        before = [run("liger", latency(100, 99, 101), **where) for where in (small, large)]
        later = {"observed_ms": before[0].observed_ms + 1}
        after = [
            run("liger", latency(120, 119, 121), **small, **later),
            run("liger", latency(300, 299, 301), **large, **later),
        ]
        change = changed(tuple(before), (*before, *after))
        assert [each.ratio.multiple for each in change.slower] == pytest.approx([3, 1.2])


class TestRunsAndGroups:
    """What came and went."""

    def test_a_group_comes_and_goes_with_its_runs(self) -> None:
        other = run("liger", latency(300, 290, 310), **sized("hidden", 2048))
        change = changed((HUGGINGFACE,), (HUGGINGFACE, other))
        assert said(change, "groups-new") == ["1 run; liger is the only one with a rank, at 300 ns (p20–p80 290–310)."]
        back = changed((HUGGINGFACE, other), (HUGGINGFACE,))
        assert said(back, "groups-gone") == ["1 run; liger was the only one with a rank, at 300 ns (p20–p80 290–310)."]
        assert said(back, "removed") == [f"liger, 2024-09-03, 300 ns (p20–p80 290–310) (run {other.digest[7:19]})."]

    def test_a_run_without_a_rank_is_told_with_its_reason(self) -> None:
        broken = failed("torch")
        change = changed((HUGGINGFACE,), (HUGGINGFACE, broken))
        assert said(change, "added-unranked") == [
            f"torch, 2024-09-03, no rank because it failed while running (run {broken.digest[7:19]})."
        ]
        assert said(change, "added") == []
        assert said(changed((HUGGINGFACE, broken), (HUGGINGFACE,)), "removed-unranked")

    def test_documents_that_runs_point_at(self) -> None:
        one, other = workload({"hidden": 1}), workload({"hidden": 2})
        before = side("old", HUGGINGFACE, workloads={"sha256:a": one, "sha256:b": one})
        after = side("new", HUGGINGFACE, workloads={"sha256:b": other, "sha256:c": one})
        found = [(each.digest[-1], each.what) for each in compare(before, after).documents]
        assert found == [("a", "removed"), ("b", "altered"), ("c", "added")]


class TestAlarms:
    """A digest with other content."""

    def altered(self, before: str, after: str) -> Change:
        digest = HUGGINGFACE.digest
        old = side("old", HUGGINGFACE, records={digest: before})
        return compare(old, side("new", HUGGINGFACE, records={digest: after}))

    def test_metadata_may_differ_honestly_and_is_named(self) -> None:
        change = self.altered(
            '{"run": {"metadata": {"title": "a"}}}', '{"run": {"metadata": {"title": "b", "labels": {"x": "1"}}}}'
        )
        (text,) = said(change, "altered")
        assert "the same digest with other content; only metadata differs: " in text
        assert text.endswith(
            'run.metadata.labels was nothing and is {"x": "1"} and run.metadata.title was "a" and is "b".'
        )

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ('{"run": {"spec": 1}}', '{"run": {"spec": 2}}'),
            ('{"run": {}}', '{"run": {}, "note": {"metadata": 1}}'),
            ('{"run": {"x": true}}', '{"run": {"x": 1}}'),
            ('{"run": {"x": [1]}}', '{"run": {"x": [1, 2]}}'),
            ('{"metadata": 1}', '{"metadata": 2}'),
        ],
    )
    def test_all_else_is_told_apart(self, before: str, after: str) -> None:
        (text,) = said(self.altered(before, after), "altered")
        assert "more than metadata differs" in text

    def test_the_form_of_the_file_is_no_content(self) -> None:
        change = self.altered('{"run": {"x": 1, "y": [2.0]}}', '{"run":{"y":[2],"x":1.0}}')
        assert change.empty

    def test_alarms_stand_first(self) -> None:
        old = side("old", HUGGINGFACE, records={HUGGINGFACE.digest: '{"run": 1}'})
        change = compare(old, side("new", HUGGINGFACE, at(0, "liger", 50, 49, 51)))
        assert [each.id for each in sections(change)] == ["altered", "leaders", "added"]


class TestProblems:
    """Problems in the records, wherever the folder lies."""

    @staticmethod
    def problem(file: str, line: int, severity: Severity = Severity.ERROR) -> Problem:
        return Problem(severity, "not-json", file, "/run", "It is no JSON.", "Mend it.", line)

    def test_they_come_and_go(self) -> None:
        known = self.problem("records/a.json", 1)
        moved = self.problem("records/a.json", 9)
        new = self.problem("records/b.json", 2)
        change = compare(side("old", problems=(known,)), side("new", problems=(moved, new)))
        assert [each.file for each in change.problems_came] == ["b.json"]
        assert change.problems_gone == ()
        assert said(change, "errors") == ["b.json:2: error[not-json]: run: It is no JSON. Mend it."]
        assert change.happened["problem"] == 1
        assert compare(side("new", problems=(moved, new)), side("old", problems=(known,))).happened["problem"] == 0

    def test_a_warning_is_no_alarm(self) -> None:
        change = compare(side("old"), side("new", problems=(self.problem("records/a.json", 1, Severity.WARNING),)))
        assert said(change, "errors") == []
        assert len(said(change, "warnings")) == 1


def test_keys_that_read_alike_are_told_apart() -> None:
    after = [HUGGINGFACE, run("liger", protocol="sha256:" + "1" * 64), run("liger", source="other", kernel="rms_norm")]
    (added,) = [each for each in sections(changed((), tuple(after))) if each.id == "groups-new"]
    assert len({plain(item.place.text) for item in added.items if item.place}) == 3


@st.composite
def runs(draw: st.DrawFn) -> tuple[Run, ...]:
    """A few runs in two groups, of which many tie, fail, or have no spread."""
    made = []
    for _ in range(draw(st.integers(0, 6))):
        name = draw(st.sampled_from(["liger", "torch", "huggingface"]))
        value = float(draw(st.integers(90, 110)))
        width = draw(st.sampled_from([None, 1.0, 5.0]))
        figure = latency(value) if width is None else latency(value, value - width, value + width)
        where = {**sized("hidden", draw(st.integers(1, 2))), "observed_ms": draw(st.integers(1, 4)) * 1_000}
        made.append(failed(name, **where) if draw(st.integers(0, 5)) == 0 else run(name, figure, **where))
    return tuple(made)


@given(runs())
def test_nothing_differs_from_itself(one: tuple[Run, ...]) -> None:
    change = changed(one, one[::-1])
    assert change.empty
    assert not any(change.happened.values())
    assert change.groups_new == change.groups_gone == change.unsure == ()


@given(runs(), runs())
def test_the_other_way_round_it_is_mirrored(one: tuple[Run, ...], other: tuple[Run, ...]) -> None:
    there, back = changed(one, other), changed(other, one)
    assert (there.added, there.removed) == (back.removed, back.added)
    assert (there.groups_new, there.groups_gone) == (back.groups_gone, back.groups_new)
    assert [(each.before, each.after) for each in there.leaders] == [(each.after, each.before) for each in back.leaders]
    assert [tie.members for tie in there.ties_made] == [tie.members for tie in back.ties_broken]
    for mine, theirs in ((there.slower, back.faster), (there.faster, back.slower), (there.unsure, back.unsure)):
        pairs = {(each.before.run.digest, each.after.run.digest) for each in mine}
        assert pairs == {(each.after.run.digest, each.before.run.digest) for each in theirs}


@given(runs(), runs(), st.randoms(use_true_random=False))
def test_the_order_of_runs_is_no_matter(one: tuple[Run, ...], other: tuple[Run, ...], random: object) -> None:
    shuffled = list(other)
    random.shuffle(shuffled)  # type: ignore[attr-defined] # it is a random.Random
    there, again = changed(one, other), changed(one, tuple(shuffled))
    assert there.added == again.added
    assert there.leaders == again.leaders
    assert (there.slower, there.faster, there.unsure) == (again.slower, again.faster, again.unsure)


@given(runs(), runs())
def test_only_groups_that_have_moved_say_anything(one: tuple[Run, ...], other: tuple[Run, ...]) -> None:
    change = changed(one, other)
    touched = {run.digest for run in (*change.added, *change.removed)}
    for moved in (*change.slower, *change.faster, *change.unsure):
        assert touched & {moved.before.run.digest, moved.after.run.digest}
        assert moved.after.run.implementation_key == moved.before.run.implementation_key
