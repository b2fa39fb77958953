"""ETALIS as the paper prints it, and arguments that are computed: they mean what the longer forms mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.matches import Match, same_matches
from cepheid.algebra.semantics import matches
from cepheid.algebra.validation import validate
from cepheid.events import Event, sort_events
from cepheid.languages.etalis import parse, show
from tests.engine_runner import EngineRunner
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels_runner import KernelsRunner
from tests.languages.etalis.random_programs import OPERATORS, POLICIES
from tests.properties.traces import traces

VALUES = {"arg1": st.sampled_from([0, 1, 1, 2, None])}
TRACES = traces(least=4, most=10, fields=VALUES)
TERMS = st.sampled_from(["X + 1", "1 - X", "X * X", "-X", "X mod 2"])
JOINS = st.sampled_from(OPERATORS)
COMPUTED = st.one_of(
    st.builds("(a(X) {} b({})).{} us".format, JOINS, TERMS, st.integers(1, 6)),
    st.builds("(b({}) {} a(X)).{} us".format, TERMS, JOINS, st.integers(1, 6)),
    st.builds("((a(X) {} b({})) {} c({})).6 us".format, JOINS, TERMS, JOINS, TERMS),
    st.builds("((b({}) {} c(Y)) {} a(X)).6 us".format, TERMS, JOINS, JOINS),
    st.builds("(NOT(c({}))[a(X), b(_)]).5 us".format, TERMS),
)
RULES = st.builds("e(X) <- {} policy {}.".format, COMPUTED, st.sampled_from(POLICIES[:5]))


@pytest.mark.parametrize(
    ("printed", "longer"),
    [
        (
            "workingDay() <- NOT(marketCloses())[marketOpens(), marketCloses()].",
            "workingDay() <- NOT(marketCloses()).[marketOpens(), marketCloses()].",
        ),
        (
            "rise(X) <- (prize(X, Y1) SEQ prize(X, Y2)).7 WHERE Y2 > Y1 * 1.5.",
            "rise(X) <- (prize(X, Y1) SEQ prize(X, Y2)).7 WHERE (Y2 > Y1 * 1.5).",
        ),
        (
            'ce1 <- (stock("GO", P1, V1) seq stock("GO", P2, V2)) where P1 < 1.20 * P2.',
            'ce1 <- (stock("GO", P1, V1) SEQ stock("GO", P2, V2)) WHERE (P1 < 1.20 * P2).',
        ),
        ("ce6 <- NOT(ce2)[ce1, ce1].", "ce6 <- NOT(ce2).[ce1, ce1]."),
        ("e(X) <- a(X) WHERE not X in [1, 2] policy recent.", "e(X) <- a(X) WHERE (not X in [1, 2]) policy recent."),
        ("e(X) <- a(X) WHERE X > 1 SEQ b(X).", "e(X) <- (a(X) WHERE (X > 1)) SEQ b(X)."),
        ("e(X) <- a(X) WHERE X > 1 WHERE X < 5.", "e(X) <- a(X) WHERE (X > 1, X < 5)."),
        ("e(X) <- a(X) WHERE (X + 1) * 2 > 4.", "e(X) <- a(X) WHERE ((X + 1) * 2 > 4)."),
        ("near(a, b). e(X) <- a(X) WHERE near(X, _).", "near(a, b). e(X) <- a(X) WHERE (near(X, _))."),
        ("e <- NOT(c)[a(X) WHERE X > 1, b].", "e <- NOT(c).[a(X) WHERE (X > 1), b]."),
        ("e(X) <- b(X, X + 1).", "e(X) <- b(X, Y) WHERE (Y == X + 1)."),
        ("e <- a(2 * 3).", "e <- a(X) WHERE (X == 2 * 3)."),
    ],
)
def test_what_is_printed_means_what_the_longer_form_means(printed: str, longer: str) -> None:
    assert parse(printed) == parse(longer)
    assert parse(show(parse(printed))) == parse(longer)


@given(RULES)
def test_computed_arguments_read_back(rule: str) -> None:
    program = parse(rule)
    validate(program)
    assert parse(show(program)) == program


@given(RULES, TRACES, st.sets(st.integers(0, 9), max_size=3))
def test_engine_and_kernels_find_what_the_definition_says(rule: str, trace: list[Event], cuts: set[int]) -> None:
    program, ordered = parse(rule), sort_events(trace)
    expected = matches(program, trace)
    assert same_matches(EngineRunner().run(program, ordered).matches, expected)
    with plain_kernels():
        assert same_matches(KernelsRunner().run(program, ordered, cuts=sorted(cuts)).matches, expected)


@given(JOINS, TERMS, TRACES)
def test_without_a_choice_it_is_a_condition(operator: str, term: str, trace: list[Event]) -> None:
    computed = parse(f"e(X) <- (a(X) {operator} b({term})).5 us.")
    asked = parse(f"e(X) <- (a(X) {operator} b(Y)).5 us WHERE (Y == {term}).")
    assert spans(matches(computed, trace)) == spans(matches(asked, trace))


def spans(found: list[Match]) -> list[tuple[object, ...]]:
    return sorted((match.start, match.end, str(dict(match.values)), match.evidence) for match in found)
