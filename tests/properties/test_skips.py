"""What happens after a match: a match counts unless one that counts and has its turn before it says to go on later."""

from collections import Counter

import pytest
from hypothesis import given

from cepheid.algebra.expressions import Expr, Field, Literal
from cepheid.algebra.instances import Instance
from cepheid.algebra.patterns import Atom, Join, Skip
from cepheid.algebra.relations import after, length
from cepheid.algebra.semantics import instances
from cepheid.algebra.sequence_chains import past_last, to_next
from cepheid.events import Event
from tests.properties.traces import KEYED, traces

TRACES = traces(least=5, most=9, fields=KEYED)
PAIRS = Join(
    (Atom("a", frozenset({"a"})), Atom("b", frozenset({"b", "c"}))),
    (after("b", "a"), length("a", "b", 6)),
)
NOTHING = Literal(None)


def goes_on_at(found: Instance, strategy: str) -> int:
    """Return the position before which no later match may begin."""
    low, high = found.low or 0, found.high or 0
    return {"past": high + 1, "next": low + 1, "nothing": 0}[strategy]


@pytest.mark.parametrize("per_key", [False, True])
@pytest.mark.parametrize("strategy", ["past", "next", "nothing"])
@given(TRACES)
def test_a_match_counts_unless_one_before_it_says_to_go_on_later(
    per_key: bool, strategy: str, trace: list[Event]
) -> None:
    keys = {event.id: event.fields.get("k") for event in trace if event.type == "a"}
    pairs = sorted(instances(PAIRS, trace), key=lambda one: (one.low or 0, one.high or 0))

    def key(one: Instance) -> object:
        return next(keys[name] for name in one.support if name in keys) if per_key else 0

    def counts(number: int) -> bool:
        one = pairs[number]
        before = [place for place in range(number) if key(pairs[place]) == key(one)]
        later = [place for place in before if goes_on_at(pairs[place], strategy) > (one.low or 0)]
        return key(one) is not None and not any(map(counts, later))

    to: Expr = {"past": past_last(), "next": to_next(), "nothing": NOTHING}[strategy]
    skip = Skip(PAIRS, to, (Field("a", "k"),) if per_key else ())
    expected = [one.support for number, one in enumerate(pairs) if counts(number)]
    assert Counter(one.support for one in instances(skip, trace)) == Counter(expected)
