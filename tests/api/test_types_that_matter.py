"""Events of types that no rule reads can be left out of finite input."""

from collections.abc import Sequence

from hypothesis import given

from cepheid import event, query
from cepheid.algebra.programs import Program
from cepheid.algebra.semantics import matches
from cepheid.analysis import plan_of
from cepheid.analysis.plans.inputs import types_that_matter
from cepheid.events import Event
from cepheid.testing import Case
from cepheid.testing.strategies import cases


@given(cases())
def test_other_types_do_not_matter(case: Case) -> None:
    types = types_that_matter(plan_of(case.program, intervals=True))
    kept = [event for event in case.trace if types is None or event.type in types]
    assert told(case.program, kept) == told(case.program, case.trace)


def told(program: Program, events: Sequence[Event]) -> list[tuple[object, str]]:
    return [(match.content(), match.id) for match in matches(program, events)]


def test_a_type_that_is_emitted_and_read_matters() -> None:
    rule = query(event("B"), name="Pass", emits="A").rule
    both = query(event("A"), name="Any").rule
    assert types_that_matter(plan_of(Program((rule, both)))) == frozenset({"A", "B"})
