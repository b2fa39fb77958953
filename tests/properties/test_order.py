"""Order: results depend on what the events are, never on how they were handed in or what they are called."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cepheid.algebra.patterns import Atom, Join
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.semantics import instances
from cepheid.events import Event, EventId, point
from tests.properties.choice_situations import SITUATIONS, Situation, bound
from tests.properties.interval_lowering import RELATIONS
from tests.properties.traces import KEYED, traces

CHOICES = [choice.value for choice in Choice]
TRACES = traces(least=3, longest=2, fields=KEYED)


def nested(situation: Situation, choice: str, operator: str) -> Join:
    """Return a join of three: who comes later is then more than a matter of one event."""
    third = Atom("z", frozenset("abc"))
    return Join((situation.join(choice), third), RELATIONS[operator], policy=Policy(Choice(choice)))


@pytest.mark.parametrize("choice", CHOICES)
@given(SITUATIONS, st.sampled_from(["SEQ", "AND"]), TRACES, st.randoms(use_true_random=False))
def test_events_may_be_given_in_any_order(
    choice: str, situation: Situation, operator: str, trace: list[Event], random: Random
) -> None:
    shuffled = random.sample(trace, len(trace))
    pattern = nested(situation, choice, operator)
    assert bound(instances(pattern, shuffled)) == bound(instances(pattern, trace))


def renamed(trace: Sequence[Event], name: Callable[[int], EventId]) -> list[Event]:
    return [replace(event, id=name(int(event.id)), support=(name(int(event.id)),)) for event in trace]


ONE_EVENT = [point("a", 0, number) for number in range(2)]
TWICE = Situation("a", "a", "AND", False, "none")


@pytest.mark.parametrize("choice", CHOICES)
@example(TWICE, "AND", ONE_EVENT)
@given(SITUATIONS, st.sampled_from(["SEQ", "AND"]), TRACES)
def test_only_the_order_of_ids_counts(choice: str, situation: Situation, operator: str, trace: list[Event]) -> None:
    pattern = nested(situation, choice, operator)
    expected = bound(instances(pattern, renamed(trace, lambda number: f"{number:03}")))
    for name in (_ninth, _word):
        found = bound(instances(pattern, renamed(trace, name)))
        assert sorted(" ".join(f"{back(one):03}" for one in row.split()) for row in found) == expected


def _ninth(number: int) -> int:
    return number + 8


def _word(number: int) -> str:
    return f"({number}"


def back(name: str) -> int:
    return int(name[1:]) if name.startswith("(") else int(name) - 8
