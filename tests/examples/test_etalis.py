"""ETALIS: its table of consumption policies, the paper's examples, and one trace for each operator of its figure."""

import pytest

import cepheid as c
from cepheid.testing import trace

Hulls = list[tuple[int, int]]


def hulls(pattern: c.Part, written: str) -> Hulls:
    return [(match.start, match.end) for match in c.query(pattern).run(trace(written))]


THREE_AND_TWO = "1 a, 2 a, 3 a, 4 b, 5 b, 6 c"
POLICIES = [
    ("all", [(1, 4), (2, 4), (3, 4), (1, 5), (2, 5), (3, 5)], [1, 2, 3, 1, 2, 3]),
    ("recent", [(3, 4), (3, 5)], [3]),
    ("chronological", [(1, 4), (2, 5)], [1]),
]


@pytest.mark.parametrize(("policy", "pairs", "starts"), POLICIES)
def test_what_a_policy_takes(policy: str, pairs: Hulls, starts: list[int]) -> None:
    """The rule `e <- a SEQ b SEQ c` is two joins: ie1 is the pair of `a` and `b`, e the pair of ie1 and `c`."""
    a, b, last = c.event("a"), c.event("b"), c.event("c")
    ie1 = (a >> b).choose(policy)
    e = c.then(ie1, last).choose(policy)
    assert sorted(hulls(ie1, THREE_AND_TWO)) == sorted(pairs)
    assert sorted(hulls(e, THREE_AND_TWO)) == sorted((start, 6) for start in starts)


def test_recent_joins_the_last_pair_that_ended() -> None:
    a, b, last = c.event("a"), c.event("b"), c.event("c")
    (match,) = c.query(c.then((a >> b).choose("recent"), last).choose("recent")).run(trace(THREE_AND_TWO))
    assert match.evidence == (3, 5, 6)


@pytest.mark.parametrize(("longer", "taken"), [(True, 1), (False, 3)])
def test_of_instances_that_ended_together_the_tie_decides(longer: bool, taken: int) -> None:
    a, b = c.event("a"), c.event("b")
    tie = a.end - a.start if longer else a.start - a.end
    query = c.query((a >> b).choose("recent", tie=[tie]))
    assert [match.evidence for match in query.run(trace("0-3 a, 1-3 a, 2-3 a, 5 b"))] == [(taken, 4)]


def test_the_tie_may_be_a_value() -> None:
    a, b = c.event("a"), c.event("b")
    query = c.query((a >> b).choose("recent", tie=[a.volume]))
    written = "0-3 a{volume: 5}, 1-3 a{volume: 9}, 2-3 a{volume: 1}, 5 b"
    assert [match.evidence for match in query.run(trace(written))] == [(2, 4)]


def working_days() -> c.Query:
    """workingDay() <- NOT(marketCloses()).[marketOpens(), marketCloses()]."""
    opens, closes, early = c.event("marketOpens"), c.event("marketCloses"), c.event("marketCloses", name="early")
    return c.query((opens >> closes).unless(early, between=(opens, closes)), name="workingDay")


def test_a_working_day_ends_with_the_first_close_after_the_opening() -> None:
    written = "1 marketOpens, 5 marketCloses, 6 marketCloses, 10 marketOpens, 15 marketCloses"
    assert [(match.start, match.end) for match in working_days().run(trace(written))] == [(1, 5), (10, 15)]


def test_two_bankruptcies_on_one_working_day_die_together() -> None:
    """dieTogether(X, Y) <- (bankrupt(X) SEQ bankrupt(Y)) DURING workingDay()."""
    first, second = c.event("bankrupt", name="first"), c.event("bankrupt", name="second")
    together = c.query(
        (first >> second).during(c.event("workingDay")),
        name="dieTogether",
        values={"x": first.company, "y": second.company},
    )
    written = (
        "1 marketOpens, 2 bankrupt{company: x}, 4 bankrupt{company: y}, 5 marketCloses, "
        "10 marketOpens, 12 bankrupt{company: z}, 15 marketCloses"
    )
    found = [match for match in c.program(working_days(), together).run(trace(written)) if match.name == "dieTogether"]
    assert [(match.start, match.end, dict(match.values)) for match in found] == [(1, 5, {"x": "x", "y": "y"})]


def test_who_buys_a_buyer_acquires_indirectly() -> None:
    """indirectlyAcquires(X, Y) <- buys(Z, Y) AND buys(X, Z)."""
    inner, outer = c.event("buys", name="inner"), c.event("buys", name="outer")
    query = c.query(
        (inner & outer).on(inner.buyer == outer.bought),
        name="indirectlyAcquires",
        values={"x": outer.buyer, "y": inner.bought},
    )
    written = "3 buys{buyer: z, bought: y}, 1 buys{buyer: x, bought: z}, 4 buys{buyer: x, bought: w}"
    assert [(match.start, match.end, dict(match.values)) for match in query.run(trace(written))] == [
        (1, 3, {"x": "x", "y": "y"})
    ]


def test_a_remarkable_increase_is_by_half_within_seven() -> None:
    """remarkableIncrease(X) <- (price(X, Y1) SEQ price(X, Y2)).7 WHERE (Y2 > Y1 * 1.5)."""
    before, after = c.event("price", name="before"), c.event("price", name="after")
    pair = (before >> after).on(before.stock == after.stock).within(7)
    query = c.query(pair.where(after.price > before.price * 1.5), values={"stock": before.stock})
    written = (
        "1 price{stock: go, price: 10}, 2 price{stock: ms, price: 10}, 4 price{stock: ms, price: 15}, "
        "8 price{stock: go, price: 16}, 9 price{stock: go, price: 17}"
    )
    found = [(match.start, match.end, match.values["stock"]) for match in query.run(trace(written))]
    assert found == [(1, 8, "go")]


def test_where_is_asked_after_the_choice() -> None:
    """Under recent the last price is compared, even where an older one would do."""
    before, after = c.event("price", name="before"), c.event("price", name="after")
    pair = (before >> after).choose("recent")
    written = "1 price{price: 10}, 2 price{price: 14}, 3 price{price: 16}"
    assert hulls(pair.where(after.price > before.price * 1.5), written) == []
    assert hulls(pair.given(after.price > before.price * 1.5), written) == [(1, 3)]


def test_the_limit_of_a_pair_is_asked_before_the_choice() -> None:
    """Chronological takes the oldest that is near enough, and not the oldest, which then would be too far."""
    a, b = c.event("a"), c.event("b")
    assert hulls((a >> b).within(2).choose("chronological"), "1 a, 5 a, 6 b") == [(5, 6)]


def test_a_pair_that_fails_where_is_consumed_all_the_same() -> None:
    a, b = c.event("a"), c.event("b")
    pairs = (a >> b).choose("chronological").where(b.v > a.v)
    assert hulls(pairs, "1 a{v: 5}, 2 b{v: 3}, 3 b{v: 9}") == []


def test_facts_are_looked_up_and_multiply_nothing() -> None:
    """Two rows for one place are one match: a place is near or it is not."""
    seen = c.event("seen")
    near = c.table(["place", "zone"], [["dock", "harbour"], ["dock", "harbour"], ["pier", "harbour"]], keys=2)
    query = c.query(seen.where(c.lookup("near", seen.place, "harbour")))
    found = c.program(query, tables={"near": near}).run(trace("1 seen{place: dock}, 2 seen{place: hill}"))
    assert [match.evidence for match in found] == [(1,)]


P1, P2, P3 = c.event("p1"), c.event("p2"), c.event("p3")
POINTS = (c.instant(at=0, name="from"), c.instant(at=6, name="to"))
FIGURE: dict[str, tuple[c.Part, str, Hulls]] = {
    "(P1).3": (P1.within(3), "1-4 p1, 1-5 p1", [(1, 4)]),
    "P1 SEQ P2": (P1 >> P2, "1-2 p1, 2-3 p2, 3-5 p2", [(1, 5)]),
    "P1 AND P2": (P1 & P2, "3-4 p1, 1-2 p2", [(1, 4)]),
    "P1 PAR P2": (P1.par(P2), "1-4 p1, 3-6 p2, 4-7 p2", [(1, 6)]),
    "P1 OR P2": (P1 | P2, "1-2 p1, 4-5 p2", [(1, 2), (4, 5)]),
    "P1 DURING (0 SEQ 6)": (P1.during(POINTS[0] >> POINTS[1]), "1-5 p1, 0-5 p1, 2-7 p1", [(0, 6)]),
    "P1 EQUALS P2": (P1.equals(P2), "1-3 p1, 1-3 p2, 1-4 p2", [(1, 3)]),
    "NOT(P2).[P1, P3]": (
        (P1 >> P3).unless(P2, between=(P1, P3)),
        "1-2 p1, 3-4 p2, 5-6 p3, 7 p1, 8-9 p2, 9 p3",
        [(7, 9)],
    ),
    "P1 STARTS P2": (P1.starts(P2), "1-3 p1, 1-5 p2, 1-2 p2", [(1, 5)]),
    "P1 FINISHES P2": (P1.finishes(P2), "3-5 p1, 1-5 p2, 4-5 p2", [(1, 5)]),
    "P1 MEETS P2": (P1.meets(P2), "1-3 p1, 3-5 p2, 4-6 p2", [(1, 5)]),
}


@pytest.mark.parametrize("operator", FIGURE)
def test_an_operator_of_the_figure(operator: str) -> None:
    pattern, written, expected = FIGURE[operator]
    assert hulls(pattern, written) == expected


def test_rises_of_two_stocks_in_any_order_within_twenty_or_neither_between() -> None:
    """The stock ticker: ce1 and ce2 are rises by a fifth, ce4 both within 20, ce6 two ce1 without a ce2 between."""
    written = (
        "1 stock{id: go, price: 100}, 2 stock{id: go, price: 121}, 5 stock{id: ms, price: 50}, "
        "9 stock{id: ms, price: 61}, 30 stock{id: go, price: 90}, 31 stock{id: go, price: 110}"
    )
    found = c.program(_rise("ce1", "go"), _rise("ce2", "ms"), _ce4(), _ce6()).run(trace(written))
    told = {name: [(one.start, one.end) for one in found if one.name == name] for name in ("ce1", "ce2", "ce4", "ce6")}
    assert told == {"ce1": [(1, 2), (30, 31)], "ce2": [(5, 9)], "ce4": [(1, 9)], "ce6": []}


def _rise(name: str, stock: str) -> c.Query:
    before, after = c.event("stock", name="before"), c.event("stock", name="after")
    pair = before.where(before.id == stock) >> after.where(after.id == stock)
    return c.query(pair.where(after.price > before.price * 1.2), name=name)


def _ce4() -> c.Query:
    return c.query((c.event("ce1") & c.event("ce2")).within(20), name="ce4")


def _ce6() -> c.Query:
    first, second = c.event("ce1", name="first"), c.event("ce1", name="second")
    return c.query((first >> second).unless(c.event("ce2"), between=(first, second)), name="ce6")
