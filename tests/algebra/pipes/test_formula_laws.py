"""Verdicts agree with the truth on endless words, come as soon as they can, and obey the laws of temporal logic."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from cepheid.algebra import formula_semantics
from cepheid.algebra.evaluation import Scope
from cepheid.algebra.expressions import Literal, Variable
from cepheid.algebra.formulas import (
    And,
    Eventually,
    Exists,
    ForAll,
    Formula,
    Globally,
    Holds,
    Implies,
    Next,
    Not,
    Or,
    Until,
)
from cepheid.algebra.pipes import Gate, Verdict
from cepheid.events import Value
from tests.algebra.pipes.endless import WORDS, Endless, truth
from tests.algebra.pipes.pipe_strategies import (
    CONDITIONS,
    FIRST,
    FORMULAS,
    HERE,
    VALUES,
    Trace,
    call,
    given_by,
    traces,
    values_of,
)

SEEN = st.lists(VALUES, max_size=6)
PLACES = st.integers(0, 7)
LONG = 40


def known(formula: Formula, seen: Sequence[Value], position: int = 0) -> bool | None:
    return formula_semantics.verdict(formula, seen, position, Scope())


def _promised(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    """Formulas that, where they are true, are known to be so after finitely many values."""
    return st.one_of(
        st.builds(And, inner, inner),
        st.builds(Or, inner, inner),
        st.builds(Next, inner),
        st.builds(Globally, inner, st.integers(1, 3)),
        st.builds(Eventually, inner, st.none() | st.integers(1, 3)),
        st.builds(Until, inner, inner),
        st.builds(ForAll, st.just("x"), st.just(FIRST), inner),
        st.builds(Exists, st.just("x"), st.just(FIRST), inner),
    )


PROMISES = st.recursive(CONDITIONS | st.builds(Not, CONDITIONS), _promised, max_leaves=4)


@settings(max_examples=300)
@given(FORMULAS, WORDS, st.integers(0, 8), st.integers(0, 3))
def test_a_verdict_never_contradicts_what_is_true_in_the_end(
    formula: Formula, word: Endless, seen: int, position: int
) -> None:
    verdict = known(formula, word.first(seen), position)
    assert verdict in (None, truth(formula, word, {})[word.after(0, position)])


@settings(max_examples=300)
@given(PROMISES, WORDS)
def test_what_a_finite_prefix_can_show_is_known_in_the_end(promise: Formula, word: Endless) -> None:
    is_true = truth(promise, word, {})[0]
    assert (known(promise, word.first(LONG)) is True) == is_true
    assert (known(Not(promise), word.first(LONG)) is False) == is_true


@given(FORMULAS, SEEN, PLACES)
def test_nothing_is_known_beyond_what_was_seen(formula: Formula, seen: list[Value], beyond: int) -> None:
    assert known(formula, seen, len(seen) + beyond) is None


@given(FORMULAS, SEEN, SEEN, PLACES)
def test_a_verdict_stays_when_more_is_seen(formula: Formula, seen: list[Value], more: list[Value], place: int) -> None:
    before = known(formula, seen, place)
    assert before is None or known(formula, seen + more, place) is before


@given(FORMULAS, FORMULAS, SEEN, PLACES)
def test_duals(left: Formula, right: Formula, seen: list[Value], place: int) -> None:
    assert known(Not(Eventually(Not(left))), seen, place) is known(Globally(left), seen, place)
    assert known(Not(Eventually(Not(left), 2)), seen, place) is known(Globally(left, 2), seen, place)
    assert known(Not(And(Not(left), Not(right))), seen, place) is known(Or(left, right), seen, place)
    assert known(Implies(left, right), seen, place) is known(Or(Not(left), right), seen, place)
    assert known(Not(Exists("y", FIRST, Not(left))), seen, place) is known(ForAll("y", FIRST, left), seen, place)
    assert known(Not(Not(left)), seen, place) is known(left, seen, place)


@given(FORMULAS, FORMULAS, SEEN, PLACES)
def test_next_distributes(left: Formula, right: Formula, seen: list[Value], place: int) -> None:
    for join in (And, Or, Implies, Until):
        assert known(Next(join(left, right)), seen, place) is known(join(Next(left), Next(right)), seen, place)
    assert known(Next(Not(left)), seen, place) is known(Not(Next(left)), seen, place)
    assert known(Next(left), seen, place) is known(left, seen, place + 1)


@given(FORMULAS, FORMULAS, SEEN, PLACES)
def test_operators_unfold(left: Formula, right: Formula, seen: list[Value], place: int) -> None:
    until, always, finally_ = Until(left, right), Globally(left), Eventually(left)
    assert known(until, seen, place) is known(Or(right, And(left, Next(until))), seen, place)
    assert known(always, seen, place) is known(And(left, Next(always)), seen, place)
    assert known(finally_, seen, place) is known(Or(left, Next(finally_)), seen, place)


@given(FORMULAS, SEEN, PLACES, st.integers(1, 3))
def test_bounded_operators_unfold_to_nothing_but_their_bound(
    formula: Formula, seen: list[Value], place: int, bound: int
) -> None:
    always, finally_ = Globally(formula, bound + 1), Eventually(formula, bound + 1)
    assert known(Globally(formula, 1), seen, place) is known(formula, seen, place)
    assert known(Eventually(formula, 1), seen, place) is known(formula, seen, place)
    assert known(always, seen, place) is known(And(formula, Next(Globally(formula, bound))), seen, place)
    assert known(finally_, seen, place) is known(Or(formula, Next(Eventually(formula, bound))), seen, place)


@given(FORMULAS, SEEN)
def test_finally_is_until_without_a_condition(formula: Formula, seen: list[Value]) -> None:
    assert known(Eventually(formula), seen) is known(Until(Holds(Literal(True)), formula), seen)


@given(SEEN, SEEN)
def test_a_quantifier_over_a_collection_is_its_cases(elements: list[Value], seen: list[Value]) -> None:
    domain = Literal(tuple(elements))
    later = Eventually(Holds(call("==", FIRST, Variable("x"))))
    cases = [known(Eventually(Holds(call("==", FIRST, Literal(element)))), seen) for element in elements]
    weakest = None if None in cases else True
    expected = False if False in cases else weakest
    assert known(ForAll("x", domain, later), seen) is (expected if seen else None)


@given(FORMULAS, traces())
def test_the_boolean_flavour_gives_verdicts_in_order_up_to_the_first_unknown(formula: Formula, trace: Trace) -> None:
    seen = values_of(trace)
    verdicts = [known(formula, seen, place) for place in range(len(seen))]
    conclusive = verdicts.index(None) if None in verdicts else len(verdicts)
    assert given_by(Verdict((HERE,), formula), trace) == verdicts[:conclusive]


LETTERS: st.SearchStrategy[Value] = st.sampled_from(["a", "b", "c"])
ANSWERED = Implies(
    Holds(call("==", FIRST, Literal("a"))),
    Eventually(Holds(call("==", FIRST, Literal("b")))),
)


@given(traces(LETTERS))
def test_a_filter_by_an_answer_releases_all_up_to_the_first_request_without_one(trace: Trace) -> None:
    letters = values_of(trace)
    open_requests = [place for place, letter in enumerate(letters) if letter == "a" and "b" not in letters[place:]]
    released = letters[: open_requests[0]] if open_requests else letters
    assert given_by(Gate((HERE, Verdict((HERE,), ANSWERED))), trace) == released


@given(FORMULAS, traces())
def test_the_three_valued_flavour_speaks_about_the_first_position(formula: Formula, trace: Trace) -> None:
    seen = values_of(trace)
    expected = [known(formula, seen[: index + 1]) for index in range(len(seen))]
    assert given_by(Verdict((HERE,), formula, three_valued=True), trace) == expected
