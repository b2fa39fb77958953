"""A keyed pattern means what the same pattern means for each key by itself."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cepheid as c
from cepheid.algebra.expressions import Aggregate, Field, IsBound, Variable
from cepheid.algebra.keyed import keyed
from cepheid.algebra.patterns import (
    Atom,
    Chain,
    Collect,
    Distinct,
    Either,
    Instant,
    Join,
    Pattern,
    Repeat,
    Restrict,
    Select,
    Step,
    Suppress,
    Unless,
)
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.programs import Program
from cepheid.algebra.semantics import matches
from tests.algebra.builder.nodes import A_USER, B_USER, X_USER, A, B, X, call

RECENT = Policy(Choice.RECENT)
LATEST = Policy(Choice.LATEST_START)
HOUR = Instant("hour", call("every", 10, 0))
RUN = Repeat("run", A, 1, None)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (A, A),
        (HOUR, HOUR),
        (Join((A, B)), Join((A, B), equal=((A_USER, B_USER),))),
        (Join((A, B, X)), Join((A, B, X), equal=((A_USER, B_USER), (A_USER, X_USER)))),
        (Join((A, B), equal=((B_USER, A_USER),)), Join((A, B), equal=((B_USER, A_USER),))),
        (Join((A, B), policy=RECENT), Join((A, B), equal=((A_USER, B_USER),), policy=replace(RECENT, per=(A_USER,)))),
        (Join((HOUR, A, B)), Join((HOUR, A, B), equal=((A_USER, B_USER),))),
        (
            Join((Either((A, B)), X)),
            Join((Either((A, B)), X), equal=((call("coalesce", A_USER, B_USER), X_USER),)),
        ),
        (Join((Either((A, A)), X)), Join((Either((A, A)), X), equal=((A_USER, X_USER),))),
        (Unless(Join((A, B)), X, ()), Unless(Join((A, B), equal=((A_USER, B_USER),)), X, (), ((A_USER, X_USER),))),
        (Unless(A, HOUR, ()), Unless(A, HOUR, ())),
        (Select(A, LATEST), Select(A, replace(LATEST, per=(A_USER,)))),
        (Restrict(Join((A, B))), Restrict(Join((A, B), equal=((A_USER, B_USER),)))),
        (Distinct(A), Distinct(A)),
        (Distinct(A, (Field("a", "x"),)), Distinct(A, (Field("a", "x"), A_USER))),
        (Suppress(A, 5), Suppress(A, 5, (A_USER,))),
        (Collect("group", A, B, ()), Collect("group", A, B, (), ((A_USER, B_USER),))),
        (
            Join((Collect("group", A, B, ()), X)),
            Join((Collect("group", A, B, (), ((A_USER, B_USER),)), X), equal=((A_USER, X_USER),)),
        ),
    ],
)
def test_parts_agree_on_the_key(pattern: Pattern, expected: Pattern) -> None:
    assert keyed(pattern, ["user"]) == expected


def test_several_keys_are_all_agreed_on() -> None:
    sites = (Field("a", "site"), Field("b", "site"))
    assert keyed(Join((A, B)), ["user", "site"]) == Join((A, B), equal=((A_USER, B_USER), sites))


def test_the_key_of_a_repetition_is_one_of_its_folds() -> None:
    first_user = Aggregate("first", A_USER)
    run = replace(RUN, per=(A_USER,), folds={"user": first_user})
    assert keyed(Join((RUN, B)), ["user"]) == Join((run, B), equal=((Field("run", "user"), B_USER),))


def test_the_key_of_a_repetition_leaves_a_fold_of_that_name_alone() -> None:
    folds = {"user": Aggregate("count")}
    run = replace(RUN, per=(A_USER,), folds={**folds, "key_user": Aggregate("first", A_USER)})
    expected = Join((run, B), equal=((Field("run", "key_user"), B_USER),))
    assert keyed(Join((replace(RUN, folds=folds), B)), ["user"]) == expected


def test_a_repetition_of_points_of_time_has_no_key() -> None:
    hours = replace(RUN, item=HOUR)
    assert keyed(Join((hours, A)), ["user"]) == Join((hours, A))


def test_the_first_step_of_a_chain_remembers_the_key() -> None:
    chain = Chain({"a": Step(A, {"n": Field("a", "n")}, X, ("b",)), "b": Step(B)}, "a")
    key = Variable("key_user")
    assert keyed(chain, ["user"]) == Chain(
        {
            "a": Step(
                replace(A, where=call("not", call("is_null", A_USER))),
                {"key_user": A_USER, "n": Field("a", "n")},
                replace(X, where=call("==", X_USER, key)),
                ("b",),
            ),
            "b": Step(replace(B, where=call("==", B_USER, key))),
        },
        "a",
    )


def test_a_first_step_that_comes_again_keeps_the_key() -> None:
    chain = Chain({"a": Step(A, {"key_user": Field("a", "n")}, follow=("a",))}, "a")
    key = Variable("key_user_")
    known = call("or", call("not", IsBound("key_user_")), call("==", A_USER, key))
    lead = replace(A, where=call("and", call("not", call("is_null", A_USER)), known))
    step = Step(lead, {"key_user_": A_USER, "key_user": Field("a", "n")}, follow=("a",))
    assert keyed(chain, ["user"]) == Chain({"a": step}, "a")


a, b, x = c.event("A"), c.event("B"), c.event("X")
run = c.repeat(a, least=2, name="run", values={"n": c.count()})

PARTS = [
    a >> b,
    (a >> b).choose("recent"),
    (a & b).choose("chronological"),
    (a >> b).choose("latest-start"),
    (a >> b).choose("next"),
    (a >> b >> x).within(4),
    ((a | b) >> x).choose("recent"),
    ((a | b).choose("latest-start") >> x),
    (a >> b).unless(x),
    a.unless(x >> b, after=4),
    run,
    (run >> x).where(run.n > 1),
    c.collect(b, a, relation=a.end < b.start, values={"n": c.count()}),
    (a >> b).distinct(by=b.value),
    c.chain(c.step(a).avoiding(x), b),
    c.chain(c.step(a).letting(last=a.value).then("a", "b"), b, records=50, evidence=False),
]

RECORDS = st.lists(
    st.tuples(st.sampled_from("ABX"), st.integers(0, 6), st.sampled_from("uv"), st.integers(0, 2)), max_size=7
)


@pytest.mark.parametrize("part", PARTS)
@given(records=RECORDS)
def test_a_keyed_pattern_means_the_pattern_for_each_key_by_itself(
    part: c.Part, records: list[tuple[str, int, str, int]]
) -> None:
    events = [
        c.point(kind, time, place, {"user": user, "value": value})
        for place, (kind, time, user, value) in enumerate(records)
    ]
    whole = c.query(part.by("user")).rule
    inside = replace(whole, pattern=keyed(whole.pattern, ["user"]), per=())
    assert _found(Program((inside,)), events) == _found(Program((whole,)), events)


def _found(program: Program, events: list[c.Event]) -> list[tuple[object, ...]]:
    return sorted((match.start, match.end, match.evidence) for match in matches(program, events))


def test_an_atom_is_the_same_with_and_without_a_key() -> None:
    atom = Atom("a", frozenset({"A"}), call(">", Field("a", "value"), 1))
    assert keyed(atom, ["user"]) is atom
