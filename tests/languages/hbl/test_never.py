"""Functions of the user's that may answer Never: the run gives up, in the definition and in every tier."""

from collections.abc import Iterator

import pytest

import cepheid
from cepheid.algebra import functions
from cepheid.algebra.history import History
from cepheid.algebra.never import is_never
from cepheid.algebra.patterns import Chain
from cepheid.algebra.semantics import matches
from cepheid.analysis import plan_of
from cepheid.engine import Detector, TieredDetector, tiers_of
from cepheid.events import Event, EventId, Value, point
from cepheid.languages.hbl import parse
from cepheid.testing.cases import seeded
from tests.kernels.plain_kernels import plain_kernels

NEVER = cepheid.terms.NEVER
PLAIN = (
    "watchpoint w { window 20 records; main = a letting k = value -> b[until(value, k)]; alert { evidence = records } }"
)


def until(value: Value, limit: Value) -> object:
    """Values rise, so that what is above the limit by two stays above it."""
    if not isinstance(value, int) or not isinstance(limit, int):
        return False
    return NEVER if value > limit + 2 else value >= limit


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    cepheid.terms.register("until", until, 2, may_answer_never=True)
    yield
    del functions._functions["until"]


def trace(types: str, values: str) -> list[Event]:
    each = zip(types, values, strict=True)
    return [point(kind, time, time, {"value": int(value)}) for time, (kind, value) in enumerate(each)]


def evidence(text: str, events: list[Event]) -> list[tuple[EventId, ...]]:
    program = parse(text, time_unit=1)
    expected = sorted(match.evidence for match in matches(program, events))
    for detector in (Detector(plan_of(program)), TieredDetector(plan_of(program))):
        with plain_kernels():
            found = [match.evidence for event in events for match in detector.push(event)]
        assert sorted(found) == expected
    return expected


def test_never_is_false_and_ends_the_wait() -> None:
    assert evidence(PLAIN, trace("ab", "12")) == [(0, 1)]
    assert evidence(PLAIN, trace("abb", "101")) == [(0, 2)], "not yet is no end"
    assert evidence(PLAIN, trace("abb", "192")) == [], "the second record said never"


def test_never_counts_on_records_of_other_types_as_well() -> None:
    assert evidence(PLAIN, trace("acb", "192")) == []


def test_a_run_that_gave_up_is_held_no_more() -> None:
    detector = Detector(plan_of(parse(PLAIN, time_unit=1)))
    sizes = []
    for event in trace("aacc", "1139"):
        detector.push(event)
        sizes.append(sum(detector.runners[0].entries()))
    assert sizes == [1, 2, 2, 0]


def test_never_goes_through_conditions_as_the_paper_says() -> None:
    said = {
        "until(value, k)": True,
        "value == 9 and until(value, k)": True,
        "until(value, k) or value == 3": False,
        "until(value, k) or until(value, k + 1)": True,
        "not until(value, k)": False,
    }
    for condition, never in said.items():
        program = parse(f"watchpoint w {{ window 9 records; main = a letting k = value -> b[{condition}]; }}")
        (record,), chain = History(trace("b", "9")).records(), program.rules[0].pattern
        assert isinstance(chain, Chain)
        assert is_never([*chain.steps.values()][1].lead, record, {"k": 1}, {}) is never, condition


def test_explain_says_why_it_is_interpreted() -> None:
    (tier,) = tiers_of(plan_of(parse(PLAIN)))
    assert tier.reason == "a function that it asks may answer Never"


def test_random_traces_agree_with_the_definition() -> None:
    conditions = ("until(value, k)", "until(value, k) or value == 9", "not until(value, k)", "until(value, k + 1)")
    for seed in range(40):
        draw = seeded(seed)
        ways = f"(b[{draw.pick(conditions)}] | c[{draw.pick(conditions)}] -> b[until(value, k)])"
        text = (
            f"watchpoint w {{ window 9 records; main = a letting k = value -> {ways}; alert {{ evidence = records }} }}"
        )
        events = trace(*("".join(draw.pick(some) for _ in range(14)) for some in ("abc", "0123456789")))
        evidence(text, events)
