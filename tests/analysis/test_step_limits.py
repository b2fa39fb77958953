"""No record satisfies a condition after its limit, whatever the run knows and however the limit is written."""

import math
from collections.abc import Iterable
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.evaluation import Scope, holds
from cepheid.algebra.instances import of_event
from cepheid.algebra.patterns import Atom, Chain
from cepheid.analysis.plans.run_limits import run_limits
from cepheid.analysis.plans.step_limits import last_chance
from cepheid.events import MAX_TIME, MIN_TIME, Value, point
from cepheid.languages.hbl import parse
from tests.languages.hbl.spelled_limits import IN_RECORDS, IN_TIME, OF_THEIR_OWN, ROUNDED

ALL = (*IN_TIME, *IN_RECORDS, *ROUNDED, *OF_THEIR_OWN)
CONDITIONS = st.builds(lambda text, number: text.format(number), st.sampled_from(ALL), st.integers(1, 9))
TIMES = st.one_of(st.integers(-30, 60), st.integers(MIN_TIME + 1, MAX_TIME - 1), st.just(MAX_TIME - 4))
PLACES = st.integers(0, 40)
VALUES = st.one_of(st.none(), st.integers(-3, 12), st.floats(), st.integers(MIN_TIME, MAX_TIME), st.just("x"))
NEAR = range(-3, 45)


@cache
def chain(condition: str) -> Chain:
    text = f"watchpoint w {{ main = a letting q = now(), p = index() -> b[{condition}]; }}"
    pattern = parse(text, time_unit=1).rules[0].pattern
    assert isinstance(pattern, Chain)
    return pattern


def lead(condition: str) -> Atom:
    return list(chain(condition).steps.values())[-1].lead


def satisfies(condition: str, time: int, place: int, value: Value, variables: dict[str, Value]) -> bool:
    """Say whether a record satisfies a condition, as its definition says."""
    atom = lead(condition)
    record = of_event(point("b", time, 0, {"value": value}), place)
    return holds(atom.where, Scope({atom.name: record}, variables))


def times(*middle: float | None) -> Iterable[int]:
    """Yield times at and around some."""
    for one in middle:
        if one is not None and math.isfinite(one):
            yield from (int(one) + near for near in NEAR if MIN_TIME < one + near < MAX_TIME)


@given(CONDITIONS, st.one_of(TIMES, VALUES), st.one_of(PLACES, VALUES), TIMES, PLACES, VALUES)
def test_no_record_satisfies_a_condition_after_its_limit(
    condition: str, q: Value, p: Value, time: int, place: int, value: Value
) -> None:
    variables: dict[str, Value] = {"q": q, "p": p}
    latest = last_chance(lead(condition), variables)
    middle = q if isinstance(q, int) else None
    for now in {time, *times(middle, latest.time)}:
        for index in {place, *(one for one in times(latest.records) if one >= 0)}:
            if satisfies(condition, now, index, value, variables):
                assert not latest.is_past(now, index), (now, index, latest)


@given(CONDITIONS, TIMES, PLACES, st.integers(0, 2**64), st.integers(1, 50), VALUES)
def test_no_record_completes_a_run_after_the_limit_of_all_runs(
    condition: str, start: int, place: int, later: int, further: int, value: Value
) -> None:
    limits = run_limits(chain(condition))
    variables: dict[str, Value] = {"q": start, "p": place}
    spans = [span for span in (later, *range(45), *times(limits.time)) if 0 <= span < MAX_TIME - start]
    for span in spans:
        if satisfies(condition, start + span, place + further, value, variables):
            assert limits.time is None or span <= limits.time
            assert limits.records is None or further <= limits.records


@pytest.mark.parametrize("text", [*IN_TIME, *IN_RECORDS])
def test_the_limit_of_all_runs_is_the_latest_that_some_record_keeps(text: str) -> None:
    for number in (3, 6):
        condition = text.format(number)
        limits = run_limits(chain(condition))
        spans = [
            (span, further)
            for span in range(1, 40)
            for further in range(1, 40)
            for value in (0, 2, 9)
            if satisfies(condition, span, further, value, {"q": 0, "p": 0})
        ]
        axis = 0 if text in IN_TIME else 1
        assert (limits.time, limits.records)[axis] == max(one[axis] for one in spans), condition


@pytest.mark.parametrize("text", ROUNDED)
def test_where_floats_are_rounded_the_limit_of_all_runs_may_be_later(text: str) -> None:
    limits = run_limits(chain(text.format(5)))
    assert limits.time is not None
    assert 5 <= limits.time < 10**5


@pytest.mark.parametrize("text", OF_THEIR_OWN)
def test_what_no_time_or_number_of_records_ends_is_no_limit_of_all_runs(text: str) -> None:
    limits = run_limits(chain(text.format(5)))
    assert (limits.time, limits.records) == (None, None)
    assert limits.open is not None


@pytest.mark.parametrize(
    ("condition", "ways"),
    [
        ("2 * now() <= q + 5", ((52, math.inf),)),
        ("now() <= 70", ((70, math.inf),)),
        ("not (now() - q > 5)", ((105, math.inf),)),
        ("now() / 2 <= q / 2 + 1", ((102, math.inf),)),
        ("now() <= q + 2.5", ((102, math.inf),)),
        ("if(value > 1, now() <= q + 5, index() <= p + 1)", ((105, math.inf), (math.inf, 8))),
        ("now() <= missing + 5", ()),
    ],
)
def test_a_run_knows_until_when_it_waits(condition: str, ways: tuple[tuple[float, float], ...]) -> None:
    if "missing" in condition:
        condition = condition.replace("missing", "q")
        assert last_chance(lead(condition), {"q": None, "p": 7}).ways == ways
    else:
        assert last_chance(lead(condition), {"q": 100, "p": 7}).ways == ways


def test_a_condition_of_many_choices_is_read_in_time() -> None:
    many = " + ".join(f"max(now() - q, value + {number}, index())" for number in range(60))
    assert run_limits(chain(f"{many} <= 5")).time is None
    nested = "value"
    for _ in range(40):
        nested = f"if({nested} > now(), now(), index() + value)"
    assert run_limits(chain(f"{nested} <= q")).time is None
