"""Series keep their looks: from the name alone, on every page, in every version."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.chart.style import CHOSEN, COLOURS, DASHES, MARKERS, SeriesStyle, series_style

# Names that share charts in the Liger-Kernel tables.
GROUPS = [
    {"huggingface", "liger", "torch_compile"},
    {"huggingface", "liger", "liger_cutedsl", "liger_cutile", "liger_triton", "torch"},
    {"deepspeed_tiled", "huggingface", "liger", "liger_cutile", "liger_tiled", "liger_triton"},
    {"liger", "liger_in_place", "megatron", "torch"},
    {"liger", "megatron-fused", "megatron-unfused"},
    {"liger_cutile", "liger_triton", "torch", "torch_compile"},
    {
        "huggingface",
        "liger_cutile_fused_add_rms_norm",
        "liger_cutile_rms_norm",
        "liger_fused_add_rms_norm",
        "liger_rms_norm",
        "liger_triton_fused_add_rms_norm",
        "liger_triton_rms_norm",
        "torch",
    },
]


@pytest.mark.parametrize(
    ("name", "style"),
    [
        ("liger", SeriesStyle(0, "circle", "solid")),
        ("huggingface", SeriesStyle(1, "square", "dash")),
        ("torch", SeriesStyle(2, "diamond", "dot")),
        ("", SeriesStyle(5, "triangle-down", "dash")),
        ("causal_conv1d · submission 555004", SeriesStyle(5, "triangle-down", "dashdot")),
        ("somebody's kernel", SeriesStyle(1, "triangle-up", "dot")),
    ],
)
def test_styles_never_change(name: str, style: SeriesStyle) -> None:
    assert series_style(name) == style


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: f"{len(group)} with {min(group)}")
def test_series_that_meet_on_real_charts_differ_in_colour_and_in_marker_or_dash(group: set[str]) -> None:
    for one, other in combinations(sorted(group), 2):
        a, b = series_style(one), series_style(other)
        assert a.colour != b.colour, (one, other)
        assert (a.marker, a.dash) != (b.marker, b.dash), (one, other)


def test_no_two_chosen_styles_are_alike() -> None:
    assert len(set(CHOSEN.values())) == len(CHOSEN)


@given(st.text())
def test_any_name_has_a_style_that_can_be_drawn(name: str) -> None:
    style = series_style(name)
    assert 0 <= style.colour < COLOURS
    assert style.marker in MARKERS
    assert style.dash in DASHES


@given(st.text().filter(lambda name: name not in CHOSEN))
def test_a_stranger_never_looks_like_a_chosen_name(name: str) -> None:
    assert series_style(name) not in CHOSEN.values()
