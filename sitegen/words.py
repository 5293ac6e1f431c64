"""The words of the domain, in one place: what statuses, statistics, spreads, passes and verdicts are called."""

STATUS = {
    "passed": "passed",
    "incorrect_shape": "gave a result of the wrong shape",
    "incorrect_dtype": "gave a result of the wrong dtype",
    "incorrect_numerical": "gave numerically wrong results",
    "compile_error": "did not compile",
    "runtime_error": "stopped with a run-time error",
    "timeout": "ran out of time",
    "resource_exceeded": "exceeded its resources",
    "invalid_reference": "has an invalid reference",
    "policy_violation": "broke the benchmark's rules",
    "suspected_reward_hack": "is suspected of gaming the benchmark",
    "incomplete_evidence": "lacks evidence",
    "revoked": "was revoked",
}
"""What each status says of a run, to follow "The run"."""

STATISTIC = {
    "median": "median",
    "mean": "mean",
    "geomean": "geometric mean",
    "minimum": "minimum",
    "maximum": "maximum",
    "mad": "median absolute deviation",
    "std": "standard deviation",
    "confidence95": "95 % confidence interval",
    "unspecified": "unspecified statistic",
}

METRIC = {"latency": "latency", "score": "score", "memory": "memory"}

PASS = {
    "forward": "forward",
    "backward": "backward",
    "full": "forward and backward",
    "no-grad-forward": "forward without gradients",
    "": "pass not stated",
}
"""What each pass word means; the word itself is shown beside it."""

SPREAD_UNKNOWN = "spread not known"
NOT_MEASURED = "not measured"
TIE = "tie"


def statistic(name: str) -> str:
    """A statistic as a reader says it; p05, p20 and their like, and names not known here, as they are."""
    return STATISTIC.get(name, name)


def metric(name: str) -> str:
    """A metric as a reader says it."""
    return METRIC.get(name, name.replace("_", " "))


def quantity(metric_name: str, statistic_name: str) -> str:
    """What a figure is: "Median latency", "Geometric mean score", "Score, statistic unspecified"."""
    if statistic_name == "unspecified":
        return f"{metric(metric_name).capitalize()}, statistic unspecified"
    return f"{statistic(statistic_name).capitalize()} {metric(metric_name)}"


def pass_word(name: str) -> str:
    """A pass as it stands in a table: the source's word, or that none was stated."""
    return name or PASS[""]


def pass_words(name: str) -> str:
    """A pass with its meaning, where the word alone does not say it: "full (forward and backward)"."""
    meaning = PASS.get(name, name)
    return meaning if meaning == name or not name else f"{name} ({meaning})"


def ranks(first: int, last: int) -> str:
    """A rank as text: "1", or "1–2 (tie)"."""
    return str(first) if last == first else f"{first}–{last} ({TIE})"
