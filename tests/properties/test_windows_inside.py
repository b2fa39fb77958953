"""A window bounds all that stands inside it, and nothing that is found changes by that."""

from itertools import product

import pytest
from hypothesis import assume, given, note
from hypothesis import strategies as st

from cepheid.algebra.builder import event, query
from cepheid.algebra.builder.patterns import Part
from cepheid.algebra.matches import same_matches
from cepheid.algebra.semantics import matches
from cepheid.algebra.text import show
from cepheid.analysis import certify, plan_of
from cepheid.api import CompiledQuery, compile  # noqa: A004  # users write `cepheid.compile`
from cepheid.engine import Detector
from cepheid.rewrites import rewrite
from cepheid.testing import Case
from tests.properties.measured_state import lasting, measured
from tests.properties.windowed_programs import windowed_cases

WINDOW = 600_000_000
STEPS = range(2, 7)
KEYED = (False, True)


def is_bounded_by_its_window(query: CompiledQuery) -> bool:
    [rule] = query.certificate.rules
    return rule.bounded and rule.history is not None and rule.history <= WINDOW


@pytest.mark.parametrize("policy", ["latest-start", "all"])
@pytest.mark.parametrize(("steps", "keyed"), list(product(STEPS, KEYED)))
def test_a_sequence_of_the_algebra_is_bounded(steps: int, keyed: bool, policy: str) -> None:
    text = f"({' ; '.join('ABCDEF'[:steps])}) within 10 min{' by ip' if keyed else ''}"
    assert is_bounded_by_its_window(compile(text, policy=policy, language="algebra"))


@pytest.mark.parametrize("policy", ["unrestricted", "recent", "recent tie longer"])
@pytest.mark.parametrize(("steps", "keyed"), list(product(STEPS, KEYED)))
def test_a_sequence_of_etalis_is_bounded(steps: int, keyed: bool, policy: str) -> None:
    arguments = "(K)" if keyed else ""
    sequence = " SEQ ".join(f"{name}{arguments}" for name in "abcdef"[:steps])
    text = f"policy {policy}.\nfound{arguments} <- ({sequence}).10 min."
    assert is_bounded_by_its_window(compile(text, language="etalis"))


@pytest.mark.parametrize("policy", ["all", "latest-start", "recent", "next"])
@pytest.mark.parametrize(("steps", "keyed"), list(product(STEPS, KEYED)))
def test_a_sequence_of_the_builder_is_bounded(steps: int, keyed: bool, policy: str) -> None:
    sequence: Part = event("A")
    for name in "BCDEF"[: steps - 1]:
        sequence = sequence >> event(name)
    built = query(sequence.within("10 min"), by="ip" if keyed else (), policy=policy)
    assert is_bounded_by_its_window(compile(built))


@pytest.mark.parametrize(
    "text",
    [
        "((A ; B) - C ; D) within 10 min by ip",
        "((A | B) ; (C + D) ; E) within 10 min by ip",
        "((A ; B) - (C ; D)) within 10 min by ip",
        "((A ; B ; C) within 10 min by ip) | D",
        "Pair = (a: A ; B ; C) within 10 min by ip emits ip = a.ip\nMore = (Pair ; D ; E) within 10 min by ip",
    ],
)
def test_whatever_stands_in_a_window_of_the_algebra_is_bounded(text: str) -> None:
    assert compile(text, language="algebra").certificate.bounded


def test_under_chronological_a_window_bounds_the_outer_pairs_only() -> None:
    text = "policy chronological.\nfound <- (a SEQ b SEQ c).10 min."
    assert not compile(text, language="etalis", allow_unbounded=True).certificate.bounded


@given(windowed_cases())
def test_the_engine_finds_what_the_definition_says_also_in_the_same_order(case: Case) -> None:
    note(show(case.program))
    rewritten = rewrite(case.program, intervals=lasting(case))
    plan = plan_of(rewritten, intervals=lasting(case), written=case.program)
    detector = Detector(plan, disorder=case.disorder, identified=True)
    found = [match for one in case.arrivals for match in detector.push(one)] + list(detector.close())
    expected = matches(case.program, case.trace)
    assert same_matches(found, expected)
    assert sorted(one.id for one in found) == sorted(one.id for one in expected)


@given(windowed_cases())
def test_state_stays_below_its_bound_without_a_number_of_keys(case: Case) -> None:
    note(show(case.program))
    rewritten = rewrite(case.program, intervals=lasting(case))
    for one in measured(Case(rewritten, case.trace, case.arrivals, case.disorder), periods=(2,), keys=False):
        assert one.promised is None or one.used <= one.promised, one


@given(windowed_cases(), st.integers(0, 8), st.integers(1, 4))
def test_a_slice_with_its_history_finds_what_the_whole_finds(case: Case, first: int, length: int) -> None:
    note(show(case.program))
    assume(case.trace and len(case.program.rules) == 1)
    plan = plan_of(rewrite(case.program, intervals=lasting(case)), intervals=lasting(case))
    [rule] = certify(plan).rules
    assume(rule.history is not None and rule.delay is not None)
    assert rule.history is not None
    assert rule.delay is not None
    low = case.trace[0].end + first
    high = low + length
    read = [one for one in case.trace if low - rule.history <= one.end <= high + rule.delay]
    found = [match for match in matches(case.program, read) if low <= match.end < high]
    assert same_matches(found, [one for one in matches(case.program, case.trace) if low <= one.end < high])
