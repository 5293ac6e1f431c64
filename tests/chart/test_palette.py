"""The palette of series: told apart by every colour vision, and seen against every background of the site."""

from itertools import combinations

import pytest

from sitegen.chart.style import COLOURS, series_style
from tests.chart.palette import VISION, contrast, distance, palettes

BACKGROUNDS = {"light": ("#ffffff", "#f4f6f6"), "dark": ("#0f1315", "#181e21")}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_palette_has_every_colour_that_styles_use(theme: str) -> None:
    assert len(palettes()[theme]) == COLOURS


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_colour_stands_out_from_the_page(theme: str) -> None:
    for colour in palettes()[theme]:
        for background in BACKGROUNDS[theme]:
            assert contrast(colour, background) >= 3, (colour, background)


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_any_two_colours_are_told_apart(theme: str, vision: str) -> None:
    for one, other in combinations(palettes()[theme], 2):
        assert distance(one, other, vision) >= 8, (one, other)


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_three_that_meet_most_often_are_far_apart(theme: str, vision: str) -> None:
    colours = [palettes()[theme][series_style(name).colour] for name in ("liger", "huggingface", "torch")]
    for one, other in combinations(colours, 2):
        assert distance(one, other, vision) >= 12, (one, other)


def test_measures_agree_with_known_answers() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)
    assert distance("#000000", "#ffffff", "all cones") == pytest.approx(100, abs=0.1)
    assert distance("#c00000", "#5c7000", "deuteranopia") < distance("#c00000", "#5c7000", "all cones") / 2
