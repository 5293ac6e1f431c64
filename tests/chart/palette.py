"""How far apart colours look, to readers of every colour vision, and against a page."""

import re
from collections.abc import Sequence
from pathlib import Path

Colour = tuple[float, float, float]

STYLES = Path(__file__).parents[2] / "static" / "charts.css"

# Simulation matrices for linear sRGB at full severity, from table 1 of Machado, Oliveira and Fernandes,
# "A Physiologically-based Model for Simulation of Color Vision Deficiency", 2009.
VISION = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def palettes() -> dict[str, list[str]]:
    """The series' colours for the light and the dark theme, in order, as the style sheet has them."""
    found = re.findall(r"--series-(\d+): light-dark\((#\w{6}), (#\w{6})\)", STYLES.read_text("utf-8"))
    assert [int(place) for place, _, _ in found] == list(range(len(found)))
    return {"light": [light for _, light, _ in found], "dark": [dark for _, _, dark in found]}


def linear(colour: str) -> Colour:
    """The linear light of `#rrggbb`, each channel from 0 to 1, by the sRGB transfer function."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return _decoded(red), _decoded(green), _decoded(blue)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, from 1 to 21, by WCAG 2.2."""
    dim, bright = sorted((_luminance(linear(one)), _luminance(linear(other))))
    return (bright + 0.05) / (dim + 0.05)


def distance(one: str, other: str, vision: str) -> float:
    """How far apart two colours look: their distance in Oklab times 100, of which about 2 is just noticeable."""
    a, b = (_oklab(_times(VISION[vision], linear(colour))) for colour in (one, other))
    return 100 * sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5


def _decoded(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def _luminance(light: Colour) -> float:
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]


def _times(matrix: Sequence[Sequence[float]], light: Colour) -> Colour:
    """The product, within what a screen can show."""
    x, y, z = (min(max(sum(a * b for a, b in zip(row, light, strict=True)), 0.0), 1.0) for row in matrix)
    return x, y, z


def _oklab(light: Colour) -> Colour:
    """Oklab from linear sRGB, by Björn Ottosson, "A perceptual color space for image processing", 2020."""
    red, green, blue = light
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )
