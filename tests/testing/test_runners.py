"""The definition as a runner: it sets aside what is late or comes twice."""

from dataclasses import replace

from cepheid.algebra.expressions import Moment
from cepheid.algebra.patterns import Atom, Join
from cepheid.algebra.programs import HULL, Program, Rule, Stream
from cepheid.algebra.relations import after, end, start
from cepheid.testing import DefinitionRunner, Runner, trace

PARTS = (Atom("x", frozenset({"a"})), Atom("y", frozenset({"b"})))
PROGRAM = Program((Rule("r", Join(PARTS, (after("$1", "$0"),)), "R", Moment(start(HULL)), Moment(end(HULL))),))
RUNNER: Runner = DefinitionRunner()


def test_the_order_of_arrival_within_the_disorder_does_not_matter() -> None:
    in_order = RUNNER.run(PROGRAM, trace("1 a#1, 3 b#2"))
    assert [match.evidence for match in in_order.matches] == [(1, 2)]
    assert RUNNER.run(PROGRAM, trace("3 b#2, 1 a#1"), disorder=2) == in_order


def test_an_event_behind_the_disorder_is_late_and_matches_nothing() -> None:
    result = RUNNER.run(PROGRAM, trace("3 b#2, 1 a#1, 4 b#3"), disorder=1)
    assert result.late == (1,)
    assert result.matches == ()


def test_a_stream_may_declare_more_disorder() -> None:
    declared = replace(PROGRAM, streams=(Stream("a", disorder=2),))
    assert RUNNER.run(declared, trace("3 b#2, 1 a#1"), disorder=1).late == ()


def test_a_second_event_with_the_same_id_is_a_duplicate() -> None:
    [a, b] = trace("1 a, 3 b")
    result = RUNNER.run(PROGRAM, [a, a, b, a, b], disorder=5)
    assert result.duplicates == (1, 1, 2)
    assert len(result.matches) == 1


def test_where_batches_are_cut_does_not_matter() -> None:
    arrivals = trace("1 a, 2 a, 3 b")
    assert RUNNER.run(PROGRAM, arrivals, cuts=(0, 1, 1, 3)) == RUNNER.run(PROGRAM, arrivals)
