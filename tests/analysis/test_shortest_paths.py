"""Shortest paths in lists and in arrays are the same, and so is what they say about a contradiction."""

from hypothesis import given
from hypothesis import strategies as st

from cepheid.analysis.closures.shortest_paths import FEW, INFINITE, closed, closed_arrays, closed_lists


def graphs() -> st.SearchStrategy[list[list[int]]]:
    lengths = st.one_of(st.just(INFINITE), st.integers(-3, 9), st.integers(-(2**40), 2**40))
    return st.integers(0, 6).flatmap(
        lambda n: st.lists(st.lists(lengths, min_size=n, max_size=n), min_size=n, max_size=n)
    )


@given(graphs())
def test_lists_and_arrays_find_the_same_paths(graph: list[list[int]]) -> None:
    assert closed_lists(graph) == closed_arrays(graph)


def test_a_ring_larger_than_what_lists_are_for_is_closed_too() -> None:
    size = 2 * FEW
    ring = [[0 if a == b else 1 if b == (a + 1) % size else INFINITE for b in range(size)] for a in range(size)]
    assert closed(ring) == [[(b - a) % size for b in range(size)] for a in range(size)]
