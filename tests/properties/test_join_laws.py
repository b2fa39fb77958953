"""What may be moved about in a join: anything where all candidates count, nothing where some are chosen.

A condition before a choice says who may be chosen; the same condition after it says who of the chosen stays.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.expressions import Call, Field, Moment
from cepheid.algebra.patterns import Atom, Join, Pattern
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.relations import after, end, start
from cepheid.algebra.semantics import instances
from cepheid.events import Event, interval, point
from tests.properties.choice_situations import GROWING, SITUATIONS, Situation
from tests.properties.event_algebra_lowering import Part, join_with_absences, rules
from tests.properties.results import assignments
from tests.properties.traces import KEYED, traces

TRACES = traces(types="aab", least=3, latest=3, longest=2, fields=KEYED)
CHOOSING = [choice for choice in Choice if choice is not Choice.ALL]


def found(pattern: Pattern, trace: list[Event]) -> list[dict[str, object]]:
    return assignments(instances(pattern, trace))


@given(SITUATIONS, TRACES)
def test_under_all_a_condition_may_come_before_or_after_the_choice(situation: Situation, trace: list[Event]) -> None:
    join = situation.join("all")
    before, after_it = replace(join, candidate=GROWING), replace(join, where=GROWING)
    assert found(before, trace) == found(after_it, trace)


@given(SITUATIONS, TRACES)
def test_under_all_an_equality_is_a_condition(situation: Situation, trace: list[Event]) -> None:
    join = replace(situation, keyed=False).join("all")
    equal = replace(join, equal=((Field("x", "k"), Field("y", "k")),))
    assert found(equal, trace) == found(replace(join, where=Call("==", (Field("x", "k"), Field("y", "k")))), trace)


@given(SITUATIONS, TRACES)
def test_a_relation_is_a_condition_on_moments(situation: Situation, trace: list[Event]) -> None:
    join = replace(replace(situation, operator="SEQ").join("all"), relation=())
    ordered = Call("<", (Moment(end("x")), Moment(start("y"))))
    assert found(replace(join, relation=(after("$1", "$0"),)), trace) == found(replace(join, where=ordered), trace)


@given(rules(), st.randoms(use_true_random=False), TRACES)
def test_under_all_the_order_of_parts_says_nothing(parts: list[Part], random: Random, trace: list[Event]) -> None:
    positive = [part for part in parts if not part.negated]
    shuffled = random.sample(positive, len(positive))
    one, other = join_with_absences(positive, False), join_with_absences(shuffled, False)
    assert found(one, trace) == found(other, trace)


@given(rules(), TRACES)
def test_under_all_a_join_in_a_join_is_one_join(parts: list[Part], trace: list[Event]) -> None:
    flat = join_with_absences([part for part in parts if not part.negated], False)
    assert isinstance(flat, Join)
    first, *others = flat.parts
    nested = Join((Join((first,)), *others), flat.relation, candidate=flat.candidate)
    deeper = Join((nested,)) if len(others) < 2 else _nested(flat)
    assert found(deeper, trace) == found(flat, trace)


def _nested(flat: Join) -> Join:
    """Return the join with its first two parts joined first, relations and conditions where all parts are bound."""
    one, two, *others = flat.parts
    return Join((Join((one, two)), *others), flat.relation, where=flat.candidate)


Variant = Callable[[Choice], tuple[Join, Join]]
X, Y, Z = (Atom(name, frozenset(kind)) for name, kind in (("x", "a"), ("y", "b"), ("z", "c")))
ANOTHER_A = Atom("y", frozenset("a"))


def sooner(choice: Choice) -> tuple[Join, Join]:
    """A condition after the choice, and the same before it."""
    join = Join((X, Y), (after("$1", "$0"),), policy=Policy(choice))
    return replace(join, where=GROWING), replace(join, candidate=GROWING)


def swapped(choice: Choice) -> tuple[Join, Join]:
    """Two parts, and the same two the other way round."""
    policy, other = Policy(choice), Y if choice is Choice.LATEST_START else ANOTHER_A
    return Join((X, other), policy=policy), Join((other, X), policy=policy)


def regrouped(choice: Choice) -> tuple[Join, Join]:
    """The first two of three joined first, and the last two; a condition on the outer two stands above both."""
    policy, then, outer = Policy(choice), (after("$1", "$0"),), Call("<", (Field("x", "v"), Field("z", "v")))
    left = Join((Join((X, Y), then, policy=policy), Z), then, (), outer, policy)
    return left, Join((X, Join((Y, Z), then, policy=policy)), then, (), outer, policy)


def small_traces(types: str) -> Iterator[list[Event]]:
    """Traces of up to four events at different instants with small values, and some of intervals."""
    for size in (2, 3, 4):
        for kinds in product(types, repeat=size):
            for numbers in product((0, 1), repeat=size):
                rows = zip(kinds, numbers, strict=True)
                yield [point(kind, time, time, {"v": number}) for time, (kind, number) in enumerate(rows)]
    for ends in product(((0, 1), (0, 2), (1, 2)), repeat=3):
        yield [interval(kind, *end, number) for number, (kind, end) in enumerate(zip("abb", ends, strict=True))]


DIFFERENCES: list[tuple[Variant, Choice]] = [
    *((sooner, choice) for choice in CHOOSING if choice is not Choice.STRICT),
    *((swapped, choice) for choice in CHOOSING if choice is not Choice.CHRONOLOGICAL),
    *((regrouped, choice) for choice in (Choice.RECENT, Choice.CHRONOLOGICAL, Choice.NEXT)),
]


@pytest.mark.parametrize(("variant", "choice"), DIFFERENCES, ids=lambda one: getattr(one, "__name__", str(one)))
def test_under_a_choice_some_trace_tells_the_two_apart(variant: Variant, choice: Choice) -> None:
    one, other = variant(choice)
    types = "abc" if variant is regrouped else "ab"
    assert any(found(one, trace) != found(other, trace) for trace in small_traces(types))
    every, same = variant(Choice.ALL)
    assert all(found(every, trace) == found(same, trace) for trace in small_traces(types))


def test_a_strict_pair_may_be_tested_sooner_since_nothing_else_could_take_its_place() -> None:
    one, other = sooner(Choice.STRICT)
    assert all(found(one, trace) == found(other, trace) for trace in small_traces("ab"))


@given(SITUATIONS, TRACES)
def test_chronological_uses_each_instance_at_most_once(situation: Situation, trace: list[Event]) -> None:
    taken = instances(situation.join("chronological"), trace)
    for name in ("x", "y"):
        used = [one.parts[name].identity for one in taken]
        assert len(used) == len(set(used))


@pytest.mark.parametrize("choice", CHOOSING)
@given(SITUATIONS, TRACES)
def test_what_is_chosen_is_a_candidate_and_where_only_takes_away(
    choice: Choice, situation: Situation, trace: list[Event]
) -> None:
    join = situation.join(choice.value)
    chosen = instances(join, trace)
    every = found(replace(join, policy=Policy(Choice.ALL)), trace)
    assert all(one in every for one in assignments(chosen))
    growing = [one for one in chosen if _grows(one.parts["x"].fields.get("v"), one.parts["y"].fields.get("v"))]
    assert found(replace(join, where=GROWING), trace) == assignments(growing)


def _grows(one: object, two: object) -> bool:
    return isinstance(one, int) and isinstance(two, int) and one < two
