"""A query is a rule: its parts have pleasant names, its times and values are said, and what is wrong is told."""

from collections.abc import Callable
from dataclasses import replace

import pytest

import cepheid as c
from cepheid.algebra.expressions import Field, Literal, Moment
from cepheid.algebra.json_form import from_json
from cepheid.algebra.patterns import Atom, Either, Join, Unless
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.programs import Program, Rule
from cepheid.algebra.relations import after, end, length, start
from cepheid.algebra.traversal import walk
from tests.algebra.builder.nodes import A_USER, A_VALUE, B_USER, B_VALUE, SECOND, A, B, X, call, error_of

a, b, x = c.event("A"), c.event("B"), c.event("X")

START, END = Moment(start("$pattern")), Moment(end("$pattern"))
PAIR = Join((A, B), (after("$1", "$0"),))

rise = c.query(
    (a >> b).within("1 s").on(a.user == b.user).where(b.value > a.value),
    name="Rise",
    values={"user": a.user, "delta": b.value - a.value},
)


def test_a_query_is_a_rule() -> None:
    pattern = Join(
        (A, B),
        (after("$1", "$0"), length("$0", "$1", SECOND)),
        ((A_USER, B_USER),),
        where=call(">", B_VALUE, A_VALUE),
    )
    fields = {"user": A_USER, "delta": call("-", B_VALUE, A_VALUE)}
    assert rise.rule == Rule("Rise", pattern, "Rise", START, END, fields)
    assert rise.program == Program((rise.rule,))


def test_what_is_not_said_is_usual() -> None:
    assert c.query(a).rule == Rule("match", A, "match", START, END)


def test_times_type_and_constants_can_be_said() -> None:
    query = c.query(a >> b, name="Pair", emits="Found", start=a.end, end=c.hull.end + "1 s", values={"kind": "pair"})
    expected = Rule("Pair", PAIR, "Found", Moment(end("a")), call("+", END, SECOND), {"kind": Literal("pair")})
    assert query.rule == expected


def test_a_query_finds_its_matches() -> None:
    events: list[dict[str, object]] = [
        {"type": "A", "time": 0, "user": "ann", "value": 3},
        {"type": "A", "time": 1, "user": "bob", "value": 9},
        {"type": "B", "time": 2, "user": "ann", "value": 5},
        {"type": "B", "time": 3, "user": "bob", "value": 5},
        {"type": "B", "time": SECOND + 1, "user": "ann", "value": 5},
    ]
    [match] = rise.run(events, time_unit="us")
    assert (match.name, match.start, match.end, match.evidence) == ("Rise", 0, 2, (1, 3))
    assert match.values == {"user": "ann", "delta": 2}


def test_a_query_shows_itself() -> None:
    assert str(rise) == (
        "rule Rise:\n"
        "    a: A then b: B within 1 s on a.user == b.user where b.value > a.value\n"
        "    emits Rise(user = a.user, delta = b.value - a.value)"
    )


def test_a_query_is_kept_as_json() -> None:
    assert from_json(rise.to_json()) == rise.rule


def test_names_of_the_user_are_kept_and_others_are_counted() -> None:
    events = [c.event("B"), c.event("A", name="b2"), c.event("B"), c.event("B"), c.event("Stock.Trade")]
    query = c.query(c.then(*events), values={"one": events[2].value, "two": events[4].price})
    assert isinstance(query.rule.pattern, Join)
    names = [part.name for part in query.rule.pattern.parts if isinstance(part, Atom)]
    assert names == ["b", "b2", "b3", "b4", "stock_trade"]
    assert query.rule.fields == {"one": Field("b3", "value"), "two": Field("stock_trade", "price")}


def test_one_event_may_stand_in_several_queries() -> None:
    again = c.query(b >> a, values={"user": a.user})
    assert again.rule.fields == {"user": A_USER}


def test_alternatives_may_share_a_part() -> None:
    query = c.query((a >> b) | a, values={"user": a.user})
    assert query.rule.pattern == Either((PAIR, A))


def test_the_policy_of_a_query_is_that_of_joins_without_one() -> None:
    chosen = ((a >> b) >> x).unless(c.event("Y") >> c.event("Z")).where(a.value > 1)
    rule = c.query(chosen, policy="recent").rule
    assert [join.policy for join in _joins(rule.pattern)] == [Policy(Choice.RECENT)] * 3


def test_the_policy_of_a_query_leaves_explicit_choices_alone() -> None:
    chosen = ((a >> b).choose("all") >> x).choose("next")
    assert [join.policy.choice for join in _joins(c.query(chosen, policy="recent").rule.pattern)] == [
        Choice.NEXT,
        Choice.ALL,
    ]


def _joins(node: object) -> list[Join]:
    return [item for item in walk(node) if isinstance(item, Join)]


def test_keys_of_a_whole_query_partition_it() -> None:
    by_user = (Field("$event", "user"),)
    assert c.query((a >> b).by("user")).rule == replace(c.query(a >> b).rule, per=by_user)
    assert c.query(a >> b, by="user").rule == replace(c.query(a >> b).rule, per=by_user)
    assert c.query((a >> b).by("user"), by=["site"]).rule.per == (*by_user, Field("$event", "site"))


def test_keys_stay_on_top_of_what_is_said_of_the_same_pattern() -> None:
    query = c.query((a >> b).by("user").within("1 s").where(a.value > 1))
    assert query.rule.per == (Field("$event", "user"),)


def test_keys_inside_a_pattern_are_equalities() -> None:
    keyed_pair = replace(PAIR, equal=((A_USER, B_USER),))
    assert c.query((a >> b).by("user") >> x).rule.pattern == Join((keyed_pair, X), (after("$1", "$0"),))
    unless = c.query((a >> b).by("user").unless(x)).rule
    assert isinstance(unless.pattern, Unless)
    assert unless.pattern.pattern == keyed_pair
    assert (unless.pattern.equal, unless.per) == ((), ())


def test_keys_inside_a_pattern_go_with_the_policy_of_the_query() -> None:
    rule = c.query((a >> b).by("user") >> x, policy="recent").rule
    policy = Policy(Choice.RECENT, (A_USER,))
    inner = replace(PAIR, equal=((A_USER, B_USER),), policy=policy)
    assert rule.pattern == Join((inner, X), (after("$1", "$0"),), policy=Policy(Choice.RECENT))


@pytest.mark.parametrize(
    ("mistake", "hint"),
    [
        (lambda: c.query(a >> a), 'make another event for the second place: `event("A", name="a2")`'),
        (
            lambda: c.query(c.event("A", name="a") >> c.event("B", name="a")),
            'make another event for the second place: `event("B", name="a2")`',
        ),
        (lambda: c.query((a >> b).unless(a)), 'make another event for the second place: `event("A", name="a2")`'),
        (
            lambda: c.query(c.then(a, c.event("C", name="a2"), a)),
            'make another event for the second place: `event("A", name="a3")`',
        ),
        (
            lambda: c.query(c.any_event(name="a") >> c.any_event(name="a")),
            'make another event for the second place: `any_event(name="a2")`',
        ),
        (
            lambda: c.query(c.event("A", name="a") >> c.repeat(b, name="a")),
            'give one of them another name: `name="a2"`',
        ),
    ],
)
def test_a_part_stands_once_in_a_pattern(mistake: Callable[[], object], hint: str) -> None:
    assert error_of(mistake) == f"error[duplicate-part]: two parts are called `a`\n  = hint: {hint}"


def test_a_part_that_is_not_in_the_pattern_has_no_value() -> None:
    logout = c.event("Logout")
    assert error_of(lambda: c.query(a >> b, values={"user": logout.user})) == (
        "error[unknown-part]: there is no part `logout`\n  = hint: write `a` or `b`"
    )
    login, logon = c.event("Login"), c.event("Logon")
    assert error_of(lambda: c.query(login, values={"user": logon.user})) == (
        "error[unknown-part]: there is no part `logon`\n  = hint: did you mean `login`?"
    )
    assert error_of(lambda: c.query((a >> b).where(x.value > 3))) == (
        "error[unknown-part]: there is no part `x`\n  = hint: write `a` or `b`"
    )


def test_all_that_is_wrong_is_told_at_once() -> None:
    mistaken = (a >> b).where(x.value > c.function("sqr")(a.value))
    assert error_of(lambda: c.query(mistaken, values={"n": c.count()})) == (
        "error[unknown-part]: there is no part `x`\n"
        "  = hint: write `a` or `b`\n"
        "\n"
        "error[unknown-function]: there is no function `sqr`\n"
        "  = hint: did you mean `sqrt`?\n"
        "\n"
        "error[aggregate-outside-folds]: `count` over items stands where there are no items\n"
        "  = hint: compute it among the values of the repetition or collection, and read that value here"
    )


def test_queries_run_where_a_runner_is() -> None:
    assert error_of(lambda: rise.run([], on="engin")) == (
        "error[unknown-runner]: queries do not run on `engin`; there is `definition` and `engine`\n"
        '  = hint: write `on="engine"`'
    )


def test_a_query_without_its_tables_does_not_run() -> None:
    query = c.query(a.where(c.lookup("prices", a.item)))
    assert error_of(lambda: query.run([])) == (
        "error[unknown-table]: there is no table `prices`\n  = hint: give the program a table `prices`"
    )
