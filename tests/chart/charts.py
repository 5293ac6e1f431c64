"""Charts of real figures, and of names that nobody should choose.

Figures: the benchmark table of Liger-Kernel (BSD-2-Clause), and a GPU MODE leaderboard.
"""

from dataclasses import replace

from sitegen.chart.model import Chart, Point, Ranking, Row, Series, Sweep
from sitegen.quantity import UNITS

MICRO, MILLI = UNITS[1], UNITS[2]
HOSTILE = "</script><script>alert(1)</script> & \"quoted\" 'name' \u2028 \x00 \ud800 ]]> <b>"

# x, median, p20, p80 in nanoseconds: cross entropy, forward, NVIDIA A100-SXM4-80GB, 16,384 tokens, fp32.
LIGER = (
    (4096, 532416, 529101, 534765),
    (8192, 810144, 756576, 914432),
    (16384, 1432080, 1408704, 1525472),
    (32768, 2837824, 2805760, 2944736),
    (65536, 6805136, 6790579, 6987488),
    (131072, 15009359, 15004832, 15045600),
)
HUGGINGFACE = (
    (4096, 875136, 873306, 877325),
    (8192, 1188480, 1187149, 1190182),
    (16384, 1952224, 1945184, 1962074),
    (32768, 5316768, 5314131, 5319046),
    (65536, 10615104, 10607129, 10617235),
    (131072, 20726433, 20720385, 20758554),
)


def _points(figures: tuple[tuple[int, int, int, int], ...], release: str = "0.2.1") -> tuple[Point, ...]:
    return tuple(
        Point(x, value, low, high, f"../runs/ab/{x}.html", f"release {release}") for x, value, low, high in figures
    )


SWEEP = Sweep(
    id="forward-1",
    title="vocab, at 16,384 tokens, fp32",
    summary="Median latency of 2 implementations at 6 values of vocab, from 4,096 to 131,072.",
    axis="vocab",
    value_label="Median latency",
    spread="p20–p80",
    unit=MILLI,
    series=(Series("huggingface", _points(HUGGINGFACE)), Series("liger", _points(LIGER))),
    log_x=True,
    log_y=True,
)

RANKING = Ranking(
    id="runs",
    title="The ranked runs, each with its spread",
    summary="Median latency of 4 implementations under one key.",
    value_label="Median latency",
    spread="p20–p80",
    unit=MICRO,
    rows=(
        Row("liger_in_place", "liger_in_place", 120144.0, 110042.0, 135328.0, "../runs/ab/1.html", "rank 1–2"),
        Row("liger", "liger", 122192.0, 114272.0, 131558.0, "../runs/ab/2.html", "rank 1–2"),
        Row("torch", "torch", 172704.0, 170816.0, 174080.0, "../runs/ab/3.html", "rank 3"),
        Row("megatron", "megatron", 178048.0, 177107.0, 181517.0, "../runs/ab/4.html", "rank 4"),
    ),
    log_x=False,
)


def without_spread(points: tuple[Point, ...], *places: int) -> tuple[Point, ...]:
    """`points` with the spread of those at `places` not known."""
    return tuple(
        replace(point, low_ns=None, high_ns=None) if place in places else point for place, point in enumerate(points)
    )


def hostile_sweep() -> Sweep:
    """A sweep with markup in each of its texts."""
    series = tuple(
        replace(each, name=f"{HOSTILE} {each.name}", points=tuple(replace(p, note=HOSTILE) for p in each.points))
        for each in SWEEP.series
    )
    texts = dict.fromkeys(("title", "summary", "axis", "value_label", "spread"), HOSTILE)
    return replace(SWEEP, id="hostile", series=series, **texts)


def hostile_ranking() -> Ranking:
    """A ranking with markup in each of its texts."""
    rows = tuple(replace(row, label=HOSTILE + row.label, series=HOSTILE, note=HOSTILE) for row in RANKING.rows)
    texts = dict.fromkeys(("title", "summary", "value_label", "spread"), HOSTILE)
    return replace(RANKING, id="hostile-runs", rows=rows, **texts)


def _scores() -> Ranking:
    values = (10048.7, 12551.1, 13550.9, 25147.2, 25957.7, 40929.9, 90090.6, 373692.9)
    names = (555004, 555480, 553892, 555590, 555131, 555585, 551097, 552024)
    rows = tuple(
        Row(f"causal_conv1d · submission {name} · leaderboard score", str(name), value, None, None)
        for name, value in zip(names, values, strict=True)
    )
    return replace(RANKING, id="scores", value_label="Score, geometric mean", spread="", rows=rows, log_x=True)


CHARTS: dict[str, Chart] = {
    "sweep": SWEEP,
    "linear": replace(SWEEP, id="linear", log_x=False, log_y=False),
    "gap": replace(SWEEP, id="gap", series=(replace(SWEEP.series[1], points=without_spread(_points(LIGER), 0, 2)),)),
    "unknown": replace(
        SWEEP, id="unknown", spread="", series=(Series("liger", without_spread(_points(LIGER), *range(6))),)
    ),
    "single": replace(SWEEP, id="single", series=tuple(replace(s, points=s.points[2:3]) for s in SWEEP.series)),
    "short": replace(
        SWEEP, id="short", series=(replace(SWEEP.series[0], points=_points(HUGGINGFACE)[:3]), SWEEP.series[1])
    ),
    "ranking": RANKING,
    "mixed": replace(
        RANKING, id="mixed", rows=(replace(RANKING.rows[0], low_ns=None, high_ns=None), *RANKING.rows[1:])
    ),
    "one": replace(RANKING, id="one", rows=RANKING.rows[:1]),
    "scores": _scores(),
    "hostile": hostile_sweep(),
    "hostile-runs": hostile_ranking(),
}
"""Every kind of chart, by what is special about it."""
