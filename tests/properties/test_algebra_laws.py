"""The laws of the detection algebra: equal sets of instances, and equal hulls under the latest-start restriction."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.semantics import instances
from cepheid.events import Event
from tests.oracles.algebra_terms import (
    Conjunction,
    Disjunction,
    Negation,
    Primitive,
    Sequence,
    Term,
    Within,
)
from tests.properties.algebra_lowering import everything, latest
from tests.properties.algebra_strategies import LENGTHS, PRIMITIVES, SMALL_TERMS
from tests.properties.results import hulls, whole
from tests.properties.traces import traces


@dataclass(frozen=True)
class Any:
    """Three terms, a primitive and two lengths: what the laws speak about."""

    a: Term
    b: Term
    c: Term
    p: Term
    d: int
    e: int


Side = Callable[[Any], Term]
SITUATIONS = st.builds(Any, SMALL_TERMS, SMALL_TERMS, PRIMITIVES, PRIMITIVES, LENGTHS, LENGTHS)

LAWS: dict[str, tuple[Side, Side]] = {
    "A|A == A": (lambda x: Disjunction(x.a, x.a), lambda x: x.a),
    "A|B == B|A": (lambda x: Disjunction(x.a, x.b), lambda x: Disjunction(x.b, x.a)),
    "A+B == B+A": (lambda x: Conjunction(x.a, x.b), lambda x: Conjunction(x.b, x.a)),
    "A|(B|C) == (A|B)|C": (
        lambda x: Disjunction(x.a, Disjunction(x.b, x.c)),
        lambda x: Disjunction(Disjunction(x.a, x.b), x.c),
    ),
    "A+(B+C) == (A+B)+C": (
        lambda x: Conjunction(x.a, Conjunction(x.b, x.c)),
        lambda x: Conjunction(Conjunction(x.a, x.b), x.c),
    ),
    "A;(B;C) == (A;B);C": (
        lambda x: Sequence(x.a, Sequence(x.b, x.c)),
        lambda x: Sequence(Sequence(x.a, x.b), x.c),
    ),
    "(A|B)+C == (A+C)|(B+C)": (
        lambda x: Conjunction(Disjunction(x.a, x.b), x.c),
        lambda x: Disjunction(Conjunction(x.a, x.c), Conjunction(x.b, x.c)),
    ),
    "(A|B);C == (A;C)|(B;C)": (
        lambda x: Sequence(Disjunction(x.a, x.b), x.c),
        lambda x: Disjunction(Sequence(x.a, x.c), Sequence(x.b, x.c)),
    ),
    "A;(B|C) == (A;B)|(A;C)": (
        lambda x: Sequence(x.a, Disjunction(x.b, x.c)),
        lambda x: Disjunction(Sequence(x.a, x.b), Sequence(x.a, x.c)),
    ),
    "(A|B)-C == (A-C)|(B-C)": (
        lambda x: Negation(Disjunction(x.a, x.b), x.c),
        lambda x: Disjunction(Negation(x.a, x.c), Negation(x.b, x.c)),
    ),
    "A-(B|C) == (A-B)-C": (
        lambda x: Negation(x.a, Disjunction(x.b, x.c)),
        lambda x: Negation(Negation(x.a, x.b), x.c),
    ),
    "A-(B|C) == (A-C)-B": (
        lambda x: Negation(x.a, Disjunction(x.b, x.c)),
        lambda x: Negation(Negation(x.a, x.c), x.b),
    ),
    "(A within d) within e == A within min(d,e)": (
        lambda x: Within(Within(x.a, x.d), x.e),
        lambda x: Within(x.a, min(x.d, x.e)),
    ),
    "(A|B) within d == (A within d)|(B within d)": (
        lambda x: Within(Disjunction(x.a, x.b), x.d),
        lambda x: Disjunction(Within(x.a, x.d), Within(x.b, x.d)),
    ),
    "(A+B) within d == ((A within d)+B) within d": (
        lambda x: Within(Conjunction(x.a, x.b), x.d),
        lambda x: Within(Conjunction(Within(x.a, x.d), x.b), x.d),
    ),
    "(A+B) within d == (A+(B within d)) within d": (
        lambda x: Within(Conjunction(x.a, x.b), x.d),
        lambda x: Within(Conjunction(x.a, Within(x.b, x.d)), x.d),
    ),
    "(A;B) within d == ((A within d);B) within d": (
        lambda x: Within(Sequence(x.a, x.b), x.d),
        lambda x: Within(Sequence(Within(x.a, x.d), x.b), x.d),
    ),
    "(A;B) within d == (A;(B within d)) within d": (
        lambda x: Within(Sequence(x.a, x.b), x.d),
        lambda x: Within(Sequence(x.a, Within(x.b, x.d)), x.d),
    ),
    "(A-B) within d == (A within d)-B": (
        lambda x: Within(Negation(x.a, x.b), x.d),
        lambda x: Negation(Within(x.a, x.d), x.b),
    ),
    "(A within d)-B == (A within d)-(B within d)": (
        lambda x: Negation(Within(x.a, x.d), x.b),
        lambda x: Negation(Within(x.a, x.d), Within(x.b, x.d)),
    ),
    "P within d == P": (lambda x: Within(x.p, x.d), lambda x: x.p),
}


@pytest.mark.parametrize("law", LAWS)
@given(SITUATIONS, traces())
def test_both_sides_of_a_law_have_the_same_instances(law: str, situation: Any, trace: list[Event]) -> None:
    left, right = (side(situation) for side in LAWS[law])
    assert whole(instances(everything(left), trace)) == whole(instances(everything(right), trace))


@pytest.mark.parametrize("law", LAWS)
@given(SITUATIONS, traces())
def test_both_sides_of_a_law_have_the_same_hulls_under_the_restriction(
    law: str, situation: Any, trace: list[Event]
) -> None:
    left, right = (side(situation) for side in LAWS[law])
    assert hulls(instances(latest(left), trace)) == hulls(instances(latest(right), trace))


def test_a_sequence_is_not_commutative() -> None:
    """The laws above are no accident of a definition that finds nothing."""
    trace = [Event("a", 1, 1, 1), Event("b", 2, 2, 2)]
    term = Sequence(Primitive("a"), Primitive("b"))
    assert hulls(instances(everything(term), trace)) == [(1, 2)]
    assert instances(everything(Sequence(term.right, term.left)), trace) == []
