"""The judge: who leads under a key, by how much, and how sure that is. Pure."""

from sitegen.judge.cost import Cost, costs
from sitegen.judge.flip import Stretch, stretches
from sitegen.judge.ranking import Entry, Standing, judge
from sitegen.judge.ratio import Ratio, Verdict, overlap, ratio
from sitegen.judge.tally import Outcome, Tally, outcome, tally, tally_of

__all__ = [
    "Cost",
    "Entry",
    "Outcome",
    "Ratio",
    "Standing",
    "Stretch",
    "Tally",
    "Verdict",
    "costs",
    "judge",
    "outcome",
    "overlap",
    "ratio",
    "stretches",
    "tally",
    "tally_of",
]
