"""Choices of a join: the definition takes what a machine takes that is given one item at a time."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.expressions import Call, Expr, Field, Literal
from cepheid.algebra.patterns import Atom, Join
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.semantics import instances
from cepheid.events import Event, Value
from tests.oracles.incremental_choices import MACHINES, chosen
from tests.properties.choice_situations import OPERATORS, SITUATIONS, Situation, bound, joined, named
from tests.properties.interval_lowering import RELATIONS
from tests.properties.traces import KEYED, traces

TRACES = traces(types="aabc", least=4, latest=3, longest=2, fields=KEYED)
CHOOSING = [choice.value for choice in Choice]


@pytest.mark.parametrize("choice", MACHINES)
@given(SITUATIONS, TRACES)
def test_a_choice_takes_what_the_machine_takes(choice: str, situation: Situation, trace: list[Event]) -> None:
    assert bound(instances(situation.join(choice), trace)) == named(situation.taken(choice, trace))


@pytest.mark.parametrize("choice", MACHINES)
@given(SITUATIONS, st.sampled_from(["SEQ", "AND"]), TRACES)
def test_a_choice_above_a_choice_takes_what_the_machines_take(
    choice: str, situation: Situation, operator: str, trace: list[Event]
) -> None:
    inner = replace(situation, keyed=False, tie="none", growing=False)
    outer = Join((inner.join(choice), Atom("z", frozenset("abc"))), RELATIONS[operator], policy=Policy(Choice(choice)))
    pairs = [joined(pair) for pair in inner.taken(choice, trace)]
    above = chosen(choice, pairs, inner.items("abc", trace), OPERATORS[operator])
    assert bound(instances(outer, trace)) == named(above)


@pytest.mark.parametrize("choice", CHOOSING)
@given(SITUATIONS, TRACES)
def test_a_choice_never_joins_keys_that_differ_or_are_null(
    choice: str, situation: Situation, trace: list[Event]
) -> None:
    for found in instances(replace(situation, keyed=True).join(choice), trace):
        left, right = found.parts["x"].fields["k"], found.parts["y"].fields["k"]
        assert left is not None
        assert left == right


@pytest.mark.parametrize("choice", CHOOSING)
@given(SITUATIONS, TRACES)
def test_choosing_per_key_of_a_join_is_choosing_in_each_key_apart(
    choice: str, situation: Situation, trace: list[Event]
) -> None:
    keyed = replace(situation, keyed=True)
    apart = [
        one for key in (1, 2) for one in instances(of_key(key, replace(situation, keyed=False).join(choice)), trace)
    ]
    assert bound(instances(keyed.join(choice), trace)) == bound(apart)


@pytest.mark.parametrize("choice", CHOOSING[1:])
@given(SITUATIONS, st.sampled_from("xy"), TRACES)
def test_choosing_per_value_of_one_part_is_choosing_for_each_value_apart(
    choice: str, situation: Situation, name: str, trace: list[Event]
) -> None:
    join = replace(situation, keyed=False).join(choice)
    per_value = replace(join, policy=replace(join.policy, per=(Field(name, "k"),)))
    apart = [one for key in (1, 2) for one in instances(of_key(key, join, only=name), trace)]
    assert bound(instances(per_value, trace)) == bound(apart)


def of_key(key: Value, join: Join, only: str = "xy") -> Join:
    """Return the join of those events alone that have this key; positions stay those of the whole history."""
    return replace(join, parts=tuple(_with_key(key, part, only) for part in join.parts))


def _with_key(key: Value, part: object, only: str) -> Atom:
    assert isinstance(part, Atom)
    condition: Expr = Call("==", (Field(part.name, "k"), Literal(key)))
    return replace(part, where=condition) if part.name in only else part
