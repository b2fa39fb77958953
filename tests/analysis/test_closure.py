"""Difference constraints: the closure is exact, and a contradiction is told by the constraints that make it."""

from collections.abc import Sequence
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from cepheid.analysis.closures.closure import Closure, Constraint

NAMES = ("w", "x", "y")
FAR = 100


def constraints() -> st.SearchStrategy[list[Constraint[str]]]:
    one = st.builds(
        lambda x, y, high, number: Constraint(x, y, high, f"{x} - {y} <= {high} ({number})"),
        st.sampled_from(NAMES),
        st.sampled_from(NAMES),
        st.integers(-3, 3),
        st.integers(0, 9),
    )
    return st.lists(one, min_size=1, max_size=6)


def assignments(some: Sequence[Constraint[str]]) -> list[dict[str, int]]:
    """All small assignments that satisfy the constraints; one variable may as well be zero."""
    names = sorted({name for one in some for name in (one.x, one.y)})
    found = []
    for rest in product(range(-9, 10), repeat=len(names) - 1):
        values = dict(zip(names, (0, *rest), strict=True))
        if all(values[one.x] - values[one.y] <= one.high for one in some):
            found.append(values)
    return found


@given(constraints())
def test_it_is_satisfiable_where_an_assignment_is_found(some: list[Constraint[str]]) -> None:
    assert Closure(some).satisfiable == bool(assignments(some))


@given(constraints())
def test_bounds_are_attained_and_never_exceeded(some: list[Constraint[str]]) -> None:
    closure, found = Closure(some), assignments(some)
    names = sorted({name for one in some for name in (one.x, one.y)})
    for x, y in product(names, names):
        upper = closure.upper(x, y)
        if found and upper is not None:
            assert max(values[x] - values[y] for values in found) == upper


@given(constraints())
def test_without_a_bound_any_distance_is_possible(some: list[Constraint[str]]) -> None:
    closure = Closure(some)
    names = sorted({name for one in some for name in (one.x, one.y)})
    for x, y in product(names, names):
        if closure.satisfiable and closure.upper(x, y) is None:
            assert Closure([*some, Constraint(y, x, -FAR, "")]).satisfiable


@given(constraints())
def test_a_clash_names_constraints_that_already_contradict_each_other(some: list[Constraint[str]]) -> None:
    closure = Closure(some)
    named = [one for one in some if one.reason in closure.clash()]
    assert bool(named) != closure.satisfiable
    assert closure.satisfiable or not Closure(named).satisfiable


def test_a_clash_leaves_out_what_has_nothing_to_do_with_it() -> None:
    order, window = Constraint("a", "b", -1, "b after a"), Constraint("b", "a", 0, "within 0")
    other = Constraint("c", "a", 5, "c near a")
    assert set(Closure([other, order, window]).clash()) == {"b after a", "within 0"}
