"""How a series looks, from its name alone: a colour, a marker and a dash, the same on every page of the site.

Colours are places in a palette whose values, for light and for dark, are in `static/charts.css`; so a page changes
theme without new markup. Markers and dashes tell apart what colour tells apart, for readers who do not see the colours.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import Final

COLOURS: Final = 8
"""How many colours the palette has: `--series-0` to `--series-7`."""

MARKERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "circle": "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
        "square": "M-3.6-3.6h7.2v7.2h-7.2z",
        "diamond": "M0-5.2l5.2 5.2-5.2 5.2-5.2-5.2z",
        "triangle-up": "M0-5l5.8 7.5h-11.6z",
        "triangle-down": "M0 5l5.8-7.5h-11.6z",
        "cross": "M-4.8-1.6h3.2v-3.2h3.2v3.2h3.2v3.2h-3.2v3.2h-3.2v-3.2h-3.2z",
        "x": "M0-2.3l2.3-2.3 2.3 2.3-2.3 2.3 2.3 2.3-2.3 2.3-2.3-2.3-2.3 2.3-2.3-2.3 2.3-2.3-2.3-2.3 2.3-2.3z",
    }
)
"""The outline of each marker around 0, 0, in pixels, by Plotly's name for it."""

SIZES: Final[Mapping[str, float]] = MappingProxyType({"square": 7.2, "triangle-up": 10.0, "triangle-down": 10.0})
"""The size that makes Plotly's marker as large as the outline, where that is not 8."""

DASHES: Final[Mapping[str, str]] = MappingProxyType(
    {"solid": "", "dash": "7 3", "dot": "2 3", "dashdot": "8 3 2 3", "longdash": "14 4"}
)
"""The `stroke-dasharray` of each dash, in pixels, by Plotly's name for it; none for a solid line."""


@dataclass(frozen=True, slots=True)
class SeriesStyle:
    """What a series looks like. `colour` is its place in the palette, `marker` and `dash` are Plotly's names."""

    colour: int
    marker: str
    dash: str


# Names that meet in one group differ in colour, marker and, as far as five dashes go, dash.
CHOSEN: Final[Mapping[str, SeriesStyle]] = MappingProxyType(
    {
        "liger": SeriesStyle(0, "circle", "solid"),
        "huggingface": SeriesStyle(1, "square", "dash"),
        "torch": SeriesStyle(2, "diamond", "dot"),
        "torch_compile": SeriesStyle(3, "triangle-up", "dashdot"),
        "liger_triton": SeriesStyle(4, "triangle-down", "longdash"),
        "liger_cutile": SeriesStyle(5, "cross", "dashdot"),
        "liger_cutedsl": SeriesStyle(6, "x", "solid"),
        "liger_tiled": SeriesStyle(6, "triangle-up", "longdash"),
        "deepspeed_tiled": SeriesStyle(3, "x", "dot"),
        "megatron": SeriesStyle(7, "square", "dash"),
        "megatron-fused": SeriesStyle(7, "triangle-down", "dash"),
        "megatron-unfused": SeriesStyle(3, "square", "dot"),
        "liger_in_place": SeriesStyle(5, "triangle-up", "longdash"),
        "liger_rms_norm": SeriesStyle(0, "triangle-up", "solid"),
        "liger_fused_add_rms_norm": SeriesStyle(3, "circle", "longdash"),
        "liger_triton_rms_norm": SeriesStyle(4, "triangle-down", "dashdot"),
        "liger_triton_fused_add_rms_norm": SeriesStyle(6, "x", "longdash"),
        "liger_cutile_rms_norm": SeriesStyle(5, "cross", "solid"),
        "liger_cutile_fused_add_rms_norm": SeriesStyle(7, "circle", "dashdot"),
    }
)
"""Styles picked by hand for the implementations that share charts most often."""

_ALL: Final = tuple(SeriesStyle(*parts) for parts in product(range(COLOURS), MARKERS, DASHES))
_TAKEN: Final = frozenset(CHOSEN.values())


@lru_cache(maxsize=4096)
def series_style(name: str) -> SeriesStyle:
    """The style of the series called `name`: picked by hand, else by a hash that no Python version or seed changes.

    A hashed name steps past the styles picked by hand, so that it never looks just like one of them, and a later pick
    moves only the names that it takes the style of.
    """
    chosen = CHOSEN.get(name)
    if chosen is not None:
        return chosen
    digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    place = int.from_bytes(digest, "big") % len(_ALL)
    while _ALL[place] in _TAKEN:
        place = (place + 1) % len(_ALL)
    return _ALL[place]
