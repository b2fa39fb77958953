"""Operators on intervals: the definition gives the intervals of ETALIS's table, one match per derivation."""

import pytest
from hypothesis import given

from cepheid.algebra.semantics import instances
from cepheid.events import Event
from tests.oracles.interval_operators import OPERATORS
from tests.properties.interval_lowering import (
    INTERVAL_TERMS,
    Binary,
    IntervalTerm,
    Type,
    by_nodes,
    by_table,
)
from tests.properties.results import hulls
from tests.properties.traces import traces


@pytest.mark.parametrize("operator", OPERATORS)
@given(traces(types="ab", most=6, latest=4, longest=4))
def test_an_operator_gives_the_intervals_of_its_row(operator: str, trace: list[Event]) -> None:
    term = Binary(operator, Type("a"), Type("b"))
    assert hulls(instances(by_nodes(term), trace)) == sorted(by_table(term, trace))


@given(INTERVAL_TERMS, traces(longest=3))
def test_nested_operators_give_the_intervals_of_the_table(term: IntervalTerm, trace: list[Event]) -> None:
    assert hulls(instances(by_nodes(term), trace)) == sorted(by_table(term, trace))


@given(INTERVAL_TERMS, traces(longest=3))
def test_a_match_depends_on_nothing_that_comes_after_it(term: IntervalTerm, trace: list[Event]) -> None:
    found = hulls(instances(by_nodes(term), trace))
    for now in range(8):
        seen = [event for event in trace if event.end <= now]
        assert hulls(instances(by_nodes(term), seen)) == [one for one in found if one[1] <= now]
