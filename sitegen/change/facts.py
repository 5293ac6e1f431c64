"""A difference as programs read it: everything, in full."""

from typing import Any

from sitegen.change.model import Altered, Change, GroupChange, Moved, Side, TieChange
from sitegen.judge import Entry, Ratio, Standing
from sitegen.problem import Problem, Severity
from sitegen.site.facts import key_facts, run_facts

Facts = dict[str, Any]

_OF_AN_ENTRY = ("implementation", "run", "unit", "value", "low", "high", "spread", "observedAt", "release")


def change_facts(change: Change) -> Facts:
    """All of a difference. Figures are in their own `unit`; a ratio is the figure before over the one now."""
    before, after = change.before.catalogue, change.after.catalogue
    return {
        "before": _side(change.before),
        "after": _side(change.after),
        "empty": change.empty,
        "happened": dict(change.happened),
        "altered": [_altered(each) for each in change.altered],
        "leaders": [_pair(each) for each in change.leaders],
        "slower": [_moved(each) for each in change.slower],
        "tiesMade": [_tie(each) for each in change.ties_made],
        "tiesBroken": [_tie(each) for each in change.ties_broken],
        "faster": [_moved(each) for each in change.faster],
        "unsure": [_moved(each) for each in change.unsure],
        "groupsGone": [_standing(each) for each in change.groups_gone],
        "groupsNew": [_standing(each) for each in change.groups_new],
        "removed": [run_facts(run, before.group_of.get(run.digest)) for run in change.removed],
        "added": [run_facts(run, after.group_of.get(run.digest)) for run in change.added],
        "problemsCame": [_problem(each) for each in change.problems_came],
        "problemsGone": [_problem(each) for each in change.problems_gone],
        "documents": [
            {"what": each.what, "kind": each.kind, "digest": each.digest, "title": each.title}
            for each in change.documents
        ],
    }


def _side(side: Side) -> Facts:
    loaded = side.catalogue.loaded
    return {
        "name": side.name,
        "records": loaded.records,
        "runs": len(loaded.runs),
        "groups": len(side.catalogue.groups),
        "errors": sum(problem.severity is Severity.ERROR for problem in loaded.problems),
        "warnings": sum(problem.severity is Severity.WARNING for problem in loaded.problems),
    }


def _altered(each: Altered) -> Facts:
    return {
        "run": each.after.digest,
        "fileBefore": each.before.file,
        "file": each.after.file,
        "metadataOnly": all(one.editorial for one in each.differences),
        "differences": [{"pointer": one.pointer, "before": one.before, "after": one.after} for one in each.differences],
    }


def _group(standing: Standing) -> Facts:
    group = standing.group
    return {"group": group.id, **key_facts(group.key), "workloadLabel": group.workload.label}


def _standing(standing: Standing) -> Facts:
    return {**_group(standing), "entries": [_entry(entry) for entry in standing.entries]}


def _pair(pair: GroupChange) -> Facts:
    return {
        **_group(pair.after),
        "before": [_entry(entry) for entry in pair.before.entries],
        "after": [_entry(entry) for entry in pair.after.entries],
    }


def _tie(tie: TieChange) -> Facts:
    return {**_pair(tie.group), "members": [_name(tie, member) for member in tie.members]}


def _name(tie: TieChange, member: str) -> str:
    entry = tie.group.after.entry_of(member) or tie.group.before.entry_of(member)
    return entry.run.implementation if entry else member


def _moved(each: Moved) -> Facts:
    return {
        **_group(each.group.after),
        "implementation": each.after.run.implementation,
        "before": _entry(each.before),
        "after": _entry(each.after),
        "ratio": _ratio(each.ratio),
    }


def _ratio(ratio: Ratio) -> Facts:
    return {"value": ratio.value, "low": ratio.low, "high": ratio.high, "verdict": str(ratio.verdict)}


def _entry(entry: Entry) -> Facts:
    facts = run_facts(entry.run, None)
    return {**{part: facts[part] for part in _OF_AN_ENTRY}, "rank": entry.rank, "last": entry.last}


def _problem(problem: Problem) -> Facts:
    return {
        "severity": str(problem.severity),
        "code": problem.code,
        "file": problem.file,
        "line": problem.line,
        "pointer": problem.pointer,
        "message": problem.message,
        "hint": problem.hint,
    }
