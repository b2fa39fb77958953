"""Patterns are composed with operators and methods; each of them makes exactly one node, or changes one."""

from dataclasses import replace

import pytest

import cepheid as c
from cepheid.algebra import intervals
from cepheid.algebra.builder.times import in_unit
from cepheid.algebra.expressions import Field, Moment
from cepheid.algebra.patterns import Atom, Distinct, Either, Join, Pattern, Restrict, Select, Suppress
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.relations import Axis, Difference, Relation, after, end, start
from tests.algebra.builder.nodes import A_USER, A_VALUE, B_USER, B_VALUE, A, B, X, call, error_of

a, b, x = c.event("A"), c.event("B"), c.event("X")

THEN = Join((A, B), (after("$1", "$0"),))
BOTH = Join((A, B))


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (a, A),
        (c.event("A", "B"), Atom("a", frozenset({"A", "B"}))),
        (c.event("A", name="first"), Atom("first", frozenset({"A"}))),
        (c.any_event(), Atom("event", frozenset())),
        (c.any_event(name="other"), Atom("other", frozenset())),
        (a.where(a.value > 3), replace(A, where=call(">", A_VALUE, 3))),
        (a[a.value > 3], replace(A, where=call(">", A_VALUE, 3))),
        (a[a.value > 3][a.value < 5], replace(A, where=call("and", call(">", A_VALUE, 3), call("<", A_VALUE, 5)))),
        (
            a.where(a.value > 3, a.user == "u"),
            replace(A, where=call("and", call(">", A_VALUE, 3), call("==", A_USER, "u"))),
        ),
    ],
)
def test_events(part: c.Part, expected: Pattern) -> None:
    assert c.pattern_of(part) == expected


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (a >> b, THEN),
        (c.then(a, b), THEN),
        (c.then(a, b, x), Join((A, B, X), (after("$1", "$0"), after("$2", "$1")))),
        (a >> b >> x, Join((THEN, X), (after("$1", "$0"),))),
        (a & b, BOTH),
        (c.both(a, b, x), Join((A, B, X))),
        (a & b & x, Join((BOTH, X))),
        (a | b, Either((A, B))),
        (a | b | x, Either((A, B, X))),
        (c.either(a, b, x), Either((A, B, X))),
        ((a >> b) | x, Either((THEN, X))),
    ],
)
def test_compositions(part: c.Part, expected: Pattern) -> None:
    assert c.pattern_of(part) == expected


@pytest.mark.parametrize(
    ("by_function", "by_method", "relation"),
    [
        (c.after(a, b), a.after(b), intervals.after()),
        (c.meets(a, b), a.meets(b), intervals.meets()),
        (c.met_by(a, b), a.met_by(b), intervals.met_by()),
        (c.overlaps(a, b), a.overlaps(b), intervals.overlaps()),
        (c.overlapped_by(a, b), a.overlapped_by(b), intervals.overlapped_by()),
        (c.starts(a, b), a.starts(b), intervals.starts()),
        (c.started_by(a, b), a.started_by(b), intervals.started_by()),
        (c.finishes(a, b), a.finishes(b), intervals.finishes()),
        (c.finished_by(a, b), a.finished_by(b), intervals.finished_by()),
        (c.during(a, b), a.during(b), intervals.during()),
        (c.contains(a, b), a.contains(b), intervals.contains()),
        (c.equals(a, b), a.equals(b), intervals.equals()),
        (c.par(a, b), a.par(b), intervals.par()),
    ],
)
def test_interval_relations(by_function: c.Part, by_method: c.Part, relation: Relation) -> None:
    assert c.pattern_of(by_function) == Join((A, B), relation)
    assert c.pattern_of(by_method) == Join((A, B), relation)


def test_equalities_are_taken_out_of_conjunctions() -> None:
    pair = (a >> b).on((a.user == b.user) & (a.value == b.value), a.x == b.y)
    expected = ((A_USER, B_USER), (A_VALUE, B_VALUE), (Field("a", "x"), Field("b", "y")))
    assert c.pattern_of(pair) == replace(THEN, equal=expected)


def test_conditions_come_before_or_after_the_choice() -> None:
    higher, large = call(">", B_VALUE, A_VALUE), call(">", A_VALUE, 9)
    assert c.pattern_of((a >> b).given(b.value > a.value)) == replace(THEN, candidate=higher)
    assert c.pattern_of((a >> b).where(b.value > a.value)) == replace(THEN, where=higher)
    assert c.pattern_of((a >> b).where(b.value > a.value).where(a.value > 9)) == replace(
        THEN, where=call("and", higher, large)
    )
    assert c.pattern_of((a | b).where(b.value > a.value).where(a.value > 9)) == Restrict(
        Either((A, B)), where=call("and", higher, large)
    )


def test_a_choice_belongs_to_its_join() -> None:
    pair = (a >> b).choose("recent", per=a.user, tie=[a.value, b.value])
    assert c.pattern_of(pair) == replace(THEN, policy=Policy(Choice.RECENT, (A_USER,), (A_VALUE, B_VALUE)))
    assert c.pattern_of((a >> b).choose(Choice.NEXT)) == replace(THEN, policy=Policy(Choice.NEXT))


def test_the_latest_start_can_be_chosen_of_anything() -> None:
    alternative = (a | b).choose("latest-start", per=a.user)
    assert c.pattern_of(alternative) == Select(Either((A, B)), Policy(Choice.LATEST_START, (A_USER,)))


def test_distinct_matches() -> None:
    assert c.pattern_of((a >> b).distinct()) == Distinct(THEN)
    assert c.pattern_of((a >> b).distinct(by=a.user)) == Distinct(THEN, (A_USER,))
    assert c.pattern_of((a >> b).distinct(by=[a.user, b.value])) == Distinct(THEN, (A_USER, B_VALUE))


def test_what_follows_a_match_is_suppressed() -> None:
    assert c.pattern_of((a >> b).suppress("10 min")) == Suppress(THEN, 600_000_000)
    assert c.pattern_of((a >> b).suppress("10 min", by=a.user)) == Suppress(THEN, 600_000_000, (A_USER,))
    assert c.pattern_of((a >> b).suppress("1 s", by=[a.user, b.value])) == Suppress(THEN, 1_000_000, (A_USER, B_VALUE))


def test_a_span_that_is_a_number_is_in_the_unit_of_the_query() -> None:
    assert in_unit(c.pattern_of(a.suppress(5)), 60_000_000) == Suppress(A, 300_000_000)


@pytest.mark.parametrize(
    ("difference", "expected"),
    [
        ((b.start - a.end) <= "5 s", Difference(start("b"), end("a"), None, 5_000_000)),
        ((b.start - a.end) < 5, Difference(start("b"), end("a"), None, 4)),
        ((b.start - a.end) >= 5, Difference(start("b"), end("a"), 5, None)),
        ((b.start - a.end) > 5, Difference(start("b"), end("a"), 6, None)),
        ((b.start - a.end) == 5, Difference(start("b"), end("a"), 5, 5)),
        ((b.start - a.end).between("1 s", "5 s"), Difference(start("b"), end("a"), 1_000_000, 5_000_000)),
        (a.end < b.start, Difference(start("b"), end("a"), 1, None)),
        (a.end <= b.start, Difference(start("b"), end("a"), 0, None)),
        (b.start > a.end, Difference(start("b"), end("a"), 1, None)),
        (b.start == a.end, Difference(start("b"), end("a"), 0, 0)),
        (b.start > a.end + 3, Difference(start("b"), end("a"), 4, None)),
        (b.start - 3 <= a.end, Difference(end("a"), start("b"), -3, None)),
        (-a.end + b.start <= 3, Difference(start("b"), end("a"), None, 3)),
        (c.constant(5) >= b.start - a.end, Difference(start("b"), end("a"), None, 5)),
        (
            (b.position - a.position) <= 3,
            Difference(end("b", Axis.POSITION), end("a", Axis.POSITION), None, 3),
        ),
    ],
)
def test_distances_of_endpoints_are_related(difference: c.Term, expected: Difference) -> None:
    assert c.pattern_of((a & b).relate(difference)) == Join((A, B), (expected,))


def test_a_relation_can_speak_of_the_parts_of_a_join() -> None:
    related = (a & b).relate(lambda parts: [parts[0].start < parts[1].start, parts[0].end <= parts[1].end])
    assert c.pattern_of(related) == Join(
        (A, B), (Difference(start("$1"), start("$0"), 1), Difference(end("$1"), end("$0"), 0))
    )


def test_a_relation_above_anything_else_restricts_it() -> None:
    expected = Restrict(Either((A, B)), (Difference(end("$pattern"), start("a"), None, 5),))
    assert c.pattern_of((a | b).relate((c.hull.end - a.start) <= 5)) == expected


def test_what_is_said_of_the_hull_of_a_join_restricts_it() -> None:
    lasts = call(">", call("-", Moment(end("$pattern")), Moment(start("$pattern"))), 5)
    assert c.pattern_of((a >> b).where((c.hull.end - c.hull.start) > "5 us")) == Restrict(THEN, where=lasts)
    distance = Difference(end("$pattern"), start("$pattern"), 6)
    assert c.pattern_of((a >> b).relate((c.hull.end - c.hull.start) > 5)) == Restrict(THEN, (distance,))
    assert c.pattern_of((a >> b).relate(c.hull.end - c.hull.start > 5).where(a.value > 9)) == Restrict(
        THEN, (distance,), call(">", A_VALUE, 9)
    )
    c.query((a >> b).where((c.hull.end - c.hull.start) > 5).relate(c.hull.end - a.start > 7))


def test_a_pattern_is_left_as_it_was() -> None:
    pair = a >> b
    pair.within("1 s").on(a.user == b.user).where(a.value > 1).choose("recent")
    assert c.pattern_of(pair) == THEN


def test_a_named_part_keeps_its_name_whatever_is_said_of_it() -> None:
    call_ = c.event("call").at_least("1 min").unless(x, after="5 s")
    assert call_.user.expression == Field(call_._name, "user")
    assert str(c.query(call_, values={"user": call_.user})) == (
        "rule match:\n"
        "    (call relation end($pattern) - start($pattern) >= 1 min)\n"
        "    unless x: X\n"
        "    relation $pattern then $absent, end($absent) - end($pattern) <= 5 s\n"
        "    emits match(user = call.user)"
    )


def test_a_pattern_shows_itself() -> None:
    assert str((a >> b).within("1 s")) == "a: A then b: B within 1 s"
    assert repr(a) == "EventPart(a: A)"


@pytest.mark.parametrize(
    ("condition", "shown"),
    [
        (lambda: a.user == "ann", 'a.user == "ann"'),
        (lambda: a.user == a.name, "a.user == a.name"),
        (lambda: (a.user == b.user) & (b.value > 3), "b.value > 3"),
    ],
)
def test_only_equalities_across_parts_join(condition: c.TermFunction, shown: str) -> None:
    assert error_of(lambda: (a >> b).on(condition())) == (
        f"error[not-an-equality]: `{shown}` does not equate one part with another\n"
        "  = hint: equate fields of two parts, as in `.on(a.user == b.user)`; "
        "other conditions go to `.where(b.x > a.x)`"
    )


def test_an_equality_inside_one_part_of_a_join_is_none_of_that_join() -> None:
    message = error_of(lambda: (a >> b >> x).on(a.user == b.user))
    assert message.startswith("error[not-an-equality]: `a.user == b.user` does not equate one part with another\n")


def test_what_is_no_distance_is_no_relation() -> None:
    assert error_of(lambda: (a & b).relate(b.value > a.value)) == (
        "error[not-a-difference]: `b.value > a.value` does not bound the distance of two endpoints\n"
        '  = hint: bound one, as in `.relate((b.start - a.end) <= "5 s")`; other conditions go to `.where(b.x > a.x)`'
    )


@pytest.mark.parametrize(
    "condition",
    [
        a.end != b.start,
        a.end + b.start > 3,
        a.position > b.start,
        a.end - b.start > 1.5,
        a.end > 5,
        a.start - a.start > 1,
    ],
)
def test_these_are_no_distances(condition: c.Term) -> None:
    assert error_of(lambda: (a & b).relate(condition)).startswith("error[not-a-difference]: ")


def test_an_answer_is_no_condition() -> None:
    assert error_of(lambda: a.where(a.on == True)) == (  # type: ignore[arg-type, comparison-overlap]  # noqa: E712
        "error[not-a-condition]: a condition was expected and `False` was given\n"
        '  = hint: compare fields, as in `a.user == "ann"`\n'
        '  = hint: read a field that has the name of a method as `a["within"]`'
    )


def test_what_only_joins_have_is_refused_elsewhere() -> None:
    assert error_of(lambda: (a >> b).unless(x).on(a.user == b.user)) == (
        "error[not-a-join]: `.on(...)` belongs to a join, and this is none\n"
        "  = hint: call it on the join itself, before anything else: `(a >> b).on(a.x == b.x)`"
    )
    assert error_of(lambda: (a | b).given(a.user == "u")).startswith("error[not-a-join]: `.given(...)` belongs")


def test_a_choice_above_something_else_is_refused() -> None:
    assert error_of(lambda: (a | b).choose("recent")) == (
        "error[misplaced-choice]: `recent` chooses between the candidates of a join, and this is none\n"
        '  = hint: choose on the join itself, before anything else: `(a >> b).choose("recent")`'
    )


def test_an_unknown_choice_is_refused() -> None:
    assert error_of(lambda: (a >> b).choose("recnt")) == (
        "error[unknown-choice]: there is no choice `recnt`\n  = hint: did you mean `recent`?"
    )
    assert error_of(lambda: (a >> b).choose("best")) == (
        "error[unknown-choice]: there is no choice `best`\n"
        "  = hint: choose one of `all`, `latest-start`, `recent`, `chronological`, `next`, `strict`"
    )


def test_a_condition_on_one_event_reads_that_event_alone() -> None:
    assert error_of(lambda: b.where(b.value > a.value)) == (
        "error[unknown-part]: a condition on the event `b` alone reads `a`\n"
        "  = hint: put it on a pattern that holds both: `(a >> b).where(b.x > a.x)`"
    )


def test_an_event_needs_a_type() -> None:
    assert error_of(c.event) == (
        "error[no-type]: an event needs a type\n"
        '  = hint: name a type, as in `event("login")`\n'
        "  = hint: write `any_event()` for an event of any type"
    )


def test_a_name_is_an_identifier() -> None:
    assert error_of(lambda: c.event("A", name="2 a")) == (
        "error[not-a-name]: `2 a` cannot be the name of a part\n  = hint: use letters, digits and `_`: `_2_a`"
    )


def test_patterns_are_made_of_patterns() -> None:
    message = (
        "error[not-a-pattern]: `Query` is no pattern\n"
        '  = hint: patterns are made of events: `event("login")`\n'
        '  = hint: the matches of a query are events of its name: `event("Rise")`'
    )
    assert error_of(lambda: a >> c.query(b)) == message  # type: ignore[operator]
    assert error_of(lambda: c.query(c.query(b))) == message  # type: ignore[arg-type]
