"""A chart as a page shows it: an SVG, the same figures as a table, and a figure for the script that takes over."""

from dataclasses import dataclass

from markupsafe import Markup

from sitegen.chart.figure import figure, to_json
from sitegen.chart.model import Chart
from sitegen.chart.svg import svg
from sitegen.chart.table import ChartTable, table


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawn chart. `svg` and `figure` are safe markup; the other texts are not yet escaped."""

    id: str
    title: str
    summary: str
    svg: Markup
    figure: Markup
    table: ChartTable | None


def draw(chart: Chart, *, twin: bool = True) -> Drawing:
    """Draw a chart in all three ways; without the table where the page has one that says the same."""
    return Drawing(
        id=chart.id,
        title=chart.title,
        summary=chart.summary,
        svg=Markup(svg(chart)),  # noqa: S704 - svg() escapes every text that it draws
        figure=Markup(to_json(figure(chart))),  # noqa: S704 - to_json() leaves no "<", ">" or "&"
        table=table(chart) if twin else None,
    )
