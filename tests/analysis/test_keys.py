"""By what the work of a rule can be split."""

import pytest

from tests.analysis.queries import certified

KEYED = {
    "a: A then b: B on a.user == b.user": "`user`",
    "a: A then b: B on a.user == b.account": "`user` of `A`, `account` of `B`",
    "a: A then b: B then c: C on a.user == b.user, c.user == b.user": "`user`",
    "(a: A then b: B) then c: C on a.user == c.user, b.user == c.user": "`user`",
    "a: A then b: B where a.user == b.user": "`user`",
    "(a: A then b: B on a.user == b.user) unless x: X between a and b on x.user == a.user": "`user`",
    "(a: A then b: B on a.user == b.user choose recent) then c: C on b.user == c.user choose next": "`user`",
    "collect g: all of x: X for a: A relation 0 s <= end(a) - start(x) <= 3 s on x.user == a.user": "`user`",
    "a: A unless x: X relation 0 s <= start(x) - end(a) <= 3 s where x.user == a.user": "`user`",
    "repeat g: 2 of a: A gap $previous then $next choose next per a.user": "`user`",
    "distinct by (a.user) (a: A)": "`user`",
    "((a: A or a: B) choose latest-start per a.user) then c: C on a.user == c.user": "`user`",
    "a: A then b: A on a.user == b.account": "`user` of `a`, `account` of `b`",
    "a: A then b: A on a.user == b.account choose recent": "`user` of `a`, `account` of `b`",
    "(a: A then b: A on a.user == b.account) unless x: A between a and b on x.name == a.user": (
        "`user` of `a`, `account` of `b`, `name` of `x`"
    ),
    "(a: A then b: B on a.user == b.user) unless x: X between a and b": "`user`; `X` everywhere",
    "a: A and b: A and c: C on a.user == b.account, b.order == c.order": (
        "`user` of `a`, `account` of `b`; `C` everywhere"
    ),
}

NOT_KEYED = (
    "a: A then b: B",
    "a: A then b: B within 4 records on a.user == b.user",
    "a: A then b: B on a.user == b.user choose strict",
    "(a: A then b: B choose recent) then c: C on a.user == c.user, b.user == c.user",
    "a: A unless x: X relation 0 s <= start(x) - end(a) <= 3 s where x.user > a.user",
    "repeat g: 2 of a: A gap $previous then $next",
    "a: A then b: A on a.user == b.account, a.other == b.other choose strict",
    "distinct (a: A then b: A on a.user == b.account)",
    "(a: A or b: A) unless x: A between a and b on x.user == b.account",
    "a: A then b: A then c: A on a.user == b.account, b.user == c.name",
    "instant t: every(5, 0) and a: A where a.user == 1",
    "((a: A or a: B) choose latest-start) then c: C on a.user == c.user",
)


@pytest.mark.parametrize("query", KEYED)
def test_equalities_that_reach_every_event_are_a_key(query: str) -> None:
    assert str(certified(query).rules[0].key) == KEYED[query]


@pytest.mark.parametrize("query", NOT_KEYED)
def test_without_them_there_is_one_partition(query: str) -> None:
    assert certified(query).rules[0].key is None


def test_a_declared_key_splits_whatever_the_pattern_says() -> None:
    certificate = certified("rule r per user: (a: A then b: B within 4 records) emits R")
    assert str(certificate.rules[0].key) == "`user`"


CHAIN = "chain from one {{ step one: x: A let u = x.user {} step two: y: B[user == @u] }}"


def test_a_chain_is_keyed_by_a_variable_that_every_record_agrees_with() -> None:
    assert str(certified(CHAIN.format("then two")).rules[0].key) == "`user`"
    agreeing = CHAIN.format("avoid n: C[user == @u] then two")
    assert str(certified(agreeing).rules[0].key) == "`user`"


def test_a_chain_that_hands_its_key_on_has_none() -> None:
    assert certified(CHAIN.format("avoid n: C then two")).rules[0].key is None
    handing_on = CHAIN.replace("[user == @u]", "[user == @u] let u = y.other")
    assert certified(handing_on.format("then two")).rules[0].key is None


def test_the_largest_key_holds_what_one_key_can_hold() -> None:
    query = "a: A then b: B on a.user == b.user choose recent"
    certificate = certified("stream A keys 50", query)
    assert str(certificate.rules[0].largest_key) == "1"
    windowed = certified("a: A then b: B within 5 s on a.user == b.user")
    assert str(windowed.rules[0].largest_key) == "arrivals(A, 5 s)"
