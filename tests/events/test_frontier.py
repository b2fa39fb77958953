"""Frontiers only move forward, and the least one speaks for all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.diagnostics import CepheidError
from cepheid.events import MAX_TIME, MIN_TIME, Frontier, Frontiers, point

BOUNDS = st.one_of(st.integers(-5, 5), st.integers(MIN_TIME, MAX_TIME))
TIMES = st.integers(-6, 6)


@given(BOUNDS, TIMES)
def test_an_instant_is_complete_when_all_that_ends_then_is_late(bound: int, time: int) -> None:
    frontier = Frontier(bound)
    assert frontier.complete(time) == frontier.is_late(point("a", time, 1))


@given(BOUNDS, BOUNDS)
def test_a_frontier_moves_forward_or_complains(bound: int, other: int) -> None:
    if other >= bound:
        assert Frontier(bound).advance(other) == Frontier(other)
    else:
        with pytest.raises(CepheidError):
            Frontier(bound).advance(other)


@given(st.dictionaries(st.sampled_from("abc"), BOUNDS, min_size=1))
def test_the_frontier_of_several_sources_is_the_least(bounds: dict[str, int]) -> None:
    frontiers = Frontiers.of(bounds)
    for source, bound in bounds.items():
        assert frontiers.minimum == Frontier()
        frontiers = frontiers.advance(source, bound)
    assert frontiers.minimum.bound == min(bounds.values())


def test_at_infinity_everything_is_complete() -> None:
    assert Frontier(MAX_TIME).complete(MAX_TIME)
    assert Frontier(MAX_TIME).at_end
    assert not Frontier().complete(MIN_TIME)
    assert Frontiers.of([]).minimum.at_end


def test_a_source_that_was_not_named_is_a_mistake_of_ours() -> None:
    with pytest.raises(CepheidError, match=r"error\[internal\]: the source `c` has no frontier"):
        Frontiers.of(["a", "b"]).advance("c", 1)


@pytest.mark.parametrize(
    ("bound", "lowered", "shown"),
    [
        (5, 3, "back from `1970-01-01T00:00:00.000005Z` to `1970-01-01T00:00:00.000003Z`"),
        (5, MIN_TIME, "back from `1970-01-01T00:00:00.000005Z` to minus infinity"),
        (MAX_TIME, 0, "back from infinity to `1970-01-01T00:00:00Z`"),
    ],
)
def test_a_lowered_bound_is_shown(bound: int, lowered: int, shown: str) -> None:
    with pytest.raises(CepheidError) as raised:
        Frontiers({"left": Frontier(bound)}).advance("left", lowered)
    assert str(raised.value).split("\n")[:2] == [
        f"error[frontier-moved-back]: `left` moved its frontier {shown}",
        "  = note: a frontier promises that nothing earlier will come, and results depend on that promise",
    ]
