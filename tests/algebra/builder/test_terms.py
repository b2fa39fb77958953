"""Operators and methods of terms make calls, and Python's own questions about them are refused."""

from collections.abc import Callable

import pytest

import cepheid as c
from cepheid.algebra.expressions import Aggregate, Call, Expr, Field, IsBound, Literal, Lookup, Moment, Variable
from cepheid.algebra.relations import end, start
from cepheid.diagnostics import CepheidError
from tests.algebra.builder.nodes import call, error_of, position

X, Y = Field("a", "x"), Field("a", "y")

a = c.event("A", name="a")
b = c.event("B", name="b")

Terms = Callable[[], c.Term]


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (a.x + a.y, call("+", X, Y)),
        (a.x + 1, call("+", X, 1)),
        (1 + a.x, call("+", 1, X)),
        (a.x - 1, call("-", X, 1)),
        (1 - a.x, call("-", 1, X)),
        (a.x * 2, call("*", X, 2)),
        (2 * a.x, call("*", 2, X)),
        (a.x / 2, call("/", X, 2)),
        (2 / a.x, call("/", 2, X)),
        (a.x // 2, call("//", X, 2)),
        (2 // a.x, call("//", 2, X)),
        (a.x % 2, call("%", X, 2)),
        (2 % a.x, call("%", 2, X)),
        (a.x**2, call("pow", X, 2)),
        (-a.x, call("neg", X)),
        (abs(a.x), call("abs", X)),
    ],
)
def test_arithmetic_makes_calls(term: c.Term, expected: Expr) -> None:
    assert term.expression == expected


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (a.x == a.y, call("==", X, Y)),
        (a.x != 3, call("!=", X, 3)),
        (a.x < 3, call("<", X, 3)),
        (a.x <= 3, call("<=", X, 3)),
        (a.x > 3, call(">", X, 3)),
        (a.x >= 3, call(">=", X, 3)),
        (3 < a.x, call(">", X, 3)),  # noqa: SIM300  # Python turns it round
        (a.x == "5 s", call("==", X, "5 s")),
        (a.x.between(1, 5), call("and", call(">=", X, 1), call("<=", X, 5))),
        (a.x.is_in(1, "b"), call("in", X, (1, "b"))),
        (a.x.is_in(1, a.y), call("in", X, call("list", 1, Y))),
        (a.x.is_null(), call("is_null", X)),
    ],
)
def test_comparisons_make_conditions(term: c.Term, expected: Expr) -> None:
    assert term.expression == expected


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ((a.x > 1) & (a.y > 2), call("and", call(">", X, 1), call(">", Y, 2))),
        ((a.x > 1) | a.y, call("or", call(">", X, 1), Y)),
        (True & a.x, call("and", True, X)),
        (False | a.x, call("or", False, X)),
        (~a.x, call("not", X)),
    ],
)
def test_conditions_are_put_together_with_symbols(term: c.Term, expected: Expr) -> None:
    assert term.expression == expected


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (a.x.lower(), call("lower", X)),
        (a.x.upper(), call("upper", X)),
        (a.x.length(), call("length", X)),
        (a.x.contains("b"), call("contains", X, "b")),
        (a.x.starts_with("b"), call("starts_with", X, "b")),
        (a.x.ends_with(a.y), call("ends_with", X, Y)),
        (a.x.substring(0, 3), call("substring", X, 0, 3)),
        (a.x.get("k"), call("get", X, "k")),
        (a.x.as_int(), call("int", X)),
        (a.x.as_float(), call("float", X)),
        (a.x.as_string(), call("string", X)),
        (a.x.as_bool(), call("bool", X)),
    ],
)
def test_methods_make_calls(term: c.Term, expected: Expr) -> None:
    assert term.expression == expected


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (c.constant(3), Literal(3)),
        (c.constant((1, 2.0)), Literal((1, 2.0))),
        (c.if_(a.x > 1, a.y, "no"), call("if", call(">", X, 1), Y, "no")),
        (c.coalesce(a.x, a.y, 0), call("coalesce", X, Y, 0)),
        (c.least(a.x, 1), call("min", X, 1)),
        (c.greatest(a.x, 1), call("max", X, 1)),
        (c.function("sqrt")(a.x), call("sqrt", X)),
        (c.lookup("routes", a.x, 7, column="to"), Lookup("routes", (X, Literal(7)), "to")),
        (c.lookup("routes", a.x), Lookup("routes", (X,))),
        (c.variable("current"), Variable("current")),
        (c.bound(a), IsBound("a")),
        (c.bound("a"), IsBound("a")),
        (c.bound(c.variable("current")), IsBound("current")),
    ],
)
def test_functions_of_terms(term: c.Term, expected: Expr) -> None:
    assert term.expression == expected


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (c.count(), Aggregate("count")),
        (c.count(a.x), Aggregate("count", X)),
        (c.sum(a.x), Aggregate("sum", X)),
        (c.avg(a.x), Aggregate("avg", X)),
        (c.minimum(a.x), Aggregate("min", X)),
        (c.maximum(a.x), Aggregate("max", X)),
        (c.first(a.x), Aggregate("first", X)),
        (c.last(a.x), Aggregate("last", X)),
        (c.list_of(a.x), Aggregate("list", X)),
        (c.sum(a.x) / c.count(), Call("/", (Aggregate("sum", X), Aggregate("count")))),
    ],
)
def test_aggregates(term: c.Term, expected: Expr) -> None:
    assert term.expression == expected


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (a.start, Moment(start("a"))),
        (a.end, Moment(end("a"))),
        (a.position, Moment(position("a"))),
        (a["start"], Field("a", "start")),
        (a["two words"], Field("a", "two words")),
        (c.hull.start, Moment(start("$pattern"))),
        (c.hull.end, Moment(end("$pattern"))),
    ],
)
def test_what_can_be_read_of_an_event(term: c.Term, expected: Expr) -> None:
    assert term.expression == expected


A_END, B_START = Moment(end("a")), Moment(start("b"))


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ((b.start - a.end) <= "5 s", call("<=", call("-", B_START, A_END), 5_000_000)),
        (b.start <= a.end + "5 s", call("<=", B_START, call("+", A_END, 5_000_000))),
        (b.start >= "1 ms" + a.end, call(">=", B_START, call("+", 1_000, A_END))),
        (b.start - a.end == c.Duration.seconds(1), call("==", call("-", B_START, A_END), 1_000_000)),
        (c.greatest(a.end, "1 s"), call("max", A_END, 1_000_000)),
        (c.maximum(a.end) > "1 s", call(">", Aggregate("max", A_END), 1_000_000)),
        (abs(b.start - a.end) < "7 us", call("<", call("abs", call("-", B_START, A_END)), 7)),
        (a.position < 7, call("<", Moment(position("a")), 7)),
    ],
)
def test_a_string_beside_a_time_is_a_duration(term: c.Term, expected: Expr) -> None:
    assert term.expression == expected


def test_a_string_beside_a_time_that_is_no_duration_is_refused() -> None:
    assert error_of(lambda: a.start <= "5 parsecs") == (
        "error[bad-duration]: `5 parsecs` is not a duration\n"
        " --> <duration>:1:3\n"
        "  |\n"
        "1 | 5 parsecs\n"
        "  |   ^^^^^^^ no unit is called `parsecs`\n"
        "  = hint: did you mean `5 secs`?"
    )


@pytest.mark.parametrize(
    "question",
    [lambda: bool(a.x > 1), lambda: (a.x > 1) and (a.y > 2), lambda: not (a.x > 1), lambda: 1 if a.x > 1 else 2],
)
def test_a_term_has_no_truth_value(question: Terms) -> None:
    assert error_of(question) == (
        "error[term-as-bool]: `a.x > 1` has no truth value before there is a match\n"
        "  = hint: write `&`, `|` and `~` for `and`, `or` and `not`, with parentheses: `(a.x > 1) & (a.y > 2)`\n"
        "  = hint: write `a.x.between(1, 5)` for `1 <= a.x <= 5`"
    )


def test_a_chain_of_comparisons_is_refused() -> None:
    assert error_of(lambda: 1 < a.x < 5).startswith("error[term-as-bool]: `a.x > 1` has no truth value")


def test_an_event_is_no_value() -> None:
    message = (
        "error[not-a-value]: `EventPart` is no value and cannot stand in an expression\n"
        "  = hint: name a field, as in `a.value`, or write a number, a string, a tuple or a mapping"
    )
    assert error_of(lambda: a.x == b) == message


def test_a_value_is_never_bound() -> None:
    assert error_of(lambda: c.bound(a.x)) == (
        "error[not-a-part]: `a.x` is neither a part nor a variable\n"
        '  = hint: ask about a part, as in `bound(a)`, or about a variable, as in `bound(variable("x"))`'
    )


def test_a_term_shows_itself_with_pleasant_names() -> None:
    login = c.event("Login")
    assert str(login.user == "ann") == 'login.user == "ann"'
    assert repr((login.end - login.start) > "5 s") == "Term(end(login) - start(login) > 5 s)"


def test_names_with_an_underscore_in_front_belong_to_python() -> None:
    assert not hasattr(a, "_repr_html_")
    assert a["_private"].expression == Field("a", "_private")


def test_terms_cannot_be_hashed_because_their_equality_is_a_condition() -> None:
    with pytest.raises(TypeError):
        hash(a.x)


DOUBLED: dict[str, Callable[[c.Term], c.Term]] = {
    "sums": lambda term: term + term,
    "conditions": lambda term: (term < 1) & (term > 1),
    "calls": lambda term: c.terms.least(term, term),
}


def repeatedly(term: c.Term, change: Callable[[c.Term], c.Term], times: int) -> c.Term:
    for _ in range(times):
        term = change(term)
    return term


@pytest.mark.parametrize("way", DOUBLED)
def test_an_expression_that_is_doubled_again_and_again_is_refused_at_once(way: str) -> None:
    with pytest.raises(CepheidError) as caught:
        repeatedly(a.x, DOUBLED[way], 60)
    [finding] = caught.value.diagnostics
    assert finding.code == "too-large"
    assert finding.message.endswith(" terms, and 20,000 are the most")


def test_a_long_expression_is_counted_piece_by_piece() -> None:
    long = repeatedly(a.x, lambda term: term + 1, 9_999)
    assert error_of(lambda: long + 1) == (
        "error[too-large]: this expression has 20,001 terms, and 20,000 are the most\n"
        "  = hint: let an inner part emit events, and let another rule read them"
    )
