"""A site that is kept up to date is the site that would be made anew, whatever the change."""

from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.catalogue import build, update
from sitegen.load.model import Loaded
from sitegen.site import Site, recompose_site
from tests.making import A100, H100, digest, failed, latency, loaded, protocol, run
from tests.site.pages import files

# Three of them share a workload that each calls by another name.
POOL = [
    make(
        name,
        figure if make is run else None,
        kernel=kernel,
        gpu=gpu,
        workload=digest(kernel),
        workload_label=label,
        environment=digest(gpu.product),
    )
    for kernel in ("rms_norm", "rope")
    for gpu in (A100, H100)
    for make, name, figure, label in (
        (run, "liger", latency(100, 98, 102), "hidden1024-bf16"),
        (run, "torch", latency(164, 160, 168), "hidden1024-fp32"),
        (run, "torch", latency(101, 99, 103), "case 3"),
        (failed, "torch", None, "hidden1024-bf16"),
    )
]
# One mapping of each kind for all states, as a folder gives them while no document changes.
DOCUMENTS: Mapping[str, Any] = {
    "workloads": {},
    "implementations": {},
    "operations": {},
    "protocols": {digest("protocol"): protocol()},
}
STATES = st.lists(st.sets(st.integers(0, len(POOL) - 1), max_size=6), min_size=2, max_size=3)


def state(chosen: set[int]) -> Loaded:
    return loaded([POOL[place] for place in chosen], **DOCUMENTS)


@settings(max_examples=40)
@given(states=STATES)
def test_every_file_is_as_if_made_anew(states: list[set[int]], site_of: Callable[..., Site]) -> None:
    kept = build(state(states[0]))
    site = site_of(kept)
    files(site)  # so that whatever is kept of them is there to be wrong
    for chosen in states[1:]:
        kept = update(kept, state(chosen))
        site = recompose_site(site, kept)
        found, expected = files(site), files(site_of(build(state(chosen))))
        assert [at for at in {*found, *expected} if found.get(at) != expected.get(at)] == []
