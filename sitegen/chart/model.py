"""A chart as data: what it shows, before it is drawn by any means."""

from dataclasses import dataclass

from sitegen.quantity import Unit


@dataclass(frozen=True, slots=True)
class Point:
    """One run on a chart: its place on the axis, its figure in nanoseconds, and the page that it leads to.

    `low_ns` and `high_ns` are None where the spread is not known. `href` is relative to the page that shows the chart,
    "" for none. `note` is what a reader is told beside the value: the release, the date, a tie.
    """

    x: float
    value_ns: float
    low_ns: float | None
    high_ns: float | None
    href: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """The points of one implementation, in order of x. Its colour, marker and dash come from its name."""

    name: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Sweep:
    """Latency against one axis of the workload: a line per implementation, the spread as a band.

    `id` is unique on its page and fit for an HTML id: letters, digits, `-` and `_`. `summary` is one sentence that says
    what the chart shows. `axis` names the swept axis, `value_label` the quantity ("Median latency"), `spread` what the
    band means ("p20–p80", "" where no point has one).
    """

    id: str
    title: str
    summary: str
    axis: str
    value_label: str
    spread: str
    unit: Unit
    series: tuple[Series, ...]
    log_x: bool
    log_y: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One run of a `Ranking`: a dot with a whisker, on a line of its own that `label` names.

    `series` is the implementation's name, which its colour and marker come from.
    """

    label: str
    series: str
    value_ns: float
    low_ns: float | None
    high_ns: float | None
    href: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Runs under one key, or one kernel's runs on one GPU: a row per run, the value along the other axis.

    `rows` read from the top. The other fields are as in `Sweep`.
    """

    id: str
    title: str
    summary: str
    value_label: str
    spread: str
    unit: Unit
    rows: tuple[Row, ...]
    log_x: bool


Chart = Sweep | Ranking
