"""PARTElang: the dissertation's fraud scenarios over its trace of transfers, and its smaller examples."""

from itertools import permutations

import pytest

import cepheid as c
from cepheid.events import parse_time
from cepheid.testing import trace

TRANSFERS = """
2018-01-01T08:00:00Z     1 A B  453
2018-01-01T08:00:00Z     2 C D  120
2018-01-01T08:00:05Z     3 E F 1254
2018-01-01T08:00:10Z     4 G H  320
2018-01-01T08:00:53Z     5 I J  350
2018-01-01T08:01:00Z     6 H K  105
2018-01-01T08:01:30Z     7 E F 1240
2018-01-01T08:02:00Z     8 J L  120
2018-01-01T08:02:15Z     9 H M  105
2018-01-01T08:04:00Z    10 D N  120
2018-01-01T08:05:00Z    11 O P  320
2018-01-01T08:06:00Z    12 J Q  120
2018-01-01T08:07:00Z    13 R S  310
2018-01-01T09:00:00Z   200 H T  100
2018-01-01T09:00:01Z   201 S R  310
2018-01-01T09:00:20Z   202 U V   64
2018-01-02T12:00:00Z  5003 S R  310
2018-01-02T12:00:05Z  5004 F W 1240
2018-01-02T12:00:07Z  5005 O J  200
2018-01-17T08:00:00Z 37001 J X  120
2018-01-17T08:01:00Z 37002 Y Z  410
"""
CLAIMED = "2018-01-01T14:00:00Z"
CLAIM: dict[str, object] = {
    "type": "FraudulentTransactionClaimed",
    "time": CLAIMED,
    "transaction_id": 13,
    "id": "claim",
}
COMMON = [("E", "F")]
TWO_WEEKS = "14 d"


def feed() -> list[dict[str, object]]:
    """The transfers, and the claim that transfer 13 was fraudulent."""
    return [_transfer(*line.split()) for line in TRANSFERS.split("\n") if line] + [CLAIM]


def _transfer(time: str, number: str, originator: str, destination: str, amount: str) -> dict[str, object]:
    return {
        "type": "MoneyTransferred",
        "time": time,
        "id": int(number),
        "number": int(number),
        "originator": originator,
        "destination": destination,
        "amount": float(amount),
    }


def run(*queries: c.Query, common: list[tuple[str, str]] = COMMON) -> list[c.Match]:
    routes = c.table(["from", "to"], common, keys=2)
    return c.program(*queries, tables={"common_route": routes}).run(feed())


def transfer(name: str, of: str = "MoneyTransferred") -> c.EventPart:
    return c.event(of, name=name)


def by_an_uncommon_route(part: c.EventPart) -> c.EventPart:
    return part.where(~c.lookup("common_route", part.originator, part.destination))


def soon_after(incoming: c.EventPart, outgoing: c.EventPart) -> c.Term:
    return (outgoing.end - incoming.end).between(0, TWO_WEEKS)


def pass_through(incoming: c.EventPart, outgoing: c.EventPart) -> c.Query:
    """Scenario A: what comes in leaves again, the same amount, within two weeks."""
    name, mule = "SuspiciousSequenceDetected", incoming.destination
    pair = (
        (by_an_uncommon_route(incoming.where(incoming.amount >= 100.0)) & by_an_uncommon_route(outgoing))
        .on(outgoing.originator == mule, outgoing.amount == incoming.amount)
        .relate(soon_after(incoming, outgoing))
    )
    values = {"mule": mule, "amount": incoming.amount, "in": incoming.number, "out": outgoing.number}
    return c.query(pair, name=name, start=incoming.start, end=incoming.start, values=values)


def in_and_out(found: list[c.Match], name: str = "SuspiciousSequenceDetected") -> list[tuple[object, object]]:
    return sorted((one.values["in"], one.values["out"]) for one in found if one.name == name)


def test_scenario_a_with_one_common_route() -> None:
    found = run(pass_through(transfer("incoming"), transfer("outgoing")))
    assert in_and_out(found) == [(2, 10), (13, 201), (13, 5003)]


def test_scenario_a_with_two_common_routes_is_dated_when_the_money_came_in() -> None:
    (match,) = run(pass_through(transfer("incoming"), transfer("outgoing")), common=[*COMMON, ("S", "R")])
    assert dict(match.values) == {"mule": "D", "amount": 120.0, "in": 2, "out": 10}
    assert match.start == match.end == parse_time("2018-01-01T08:00:00Z")
    assert match.evidence == (2, 10)


def diffusion(ordered: bool) -> c.Query:
    """Scenario B: what comes in leaves in three transfers whose sum is within a tenth of it."""
    incoming, *outgoing = (transfer(name) for name in ("incoming", "one", "two", "three"))
    one, two, three = outgoing
    total = one.amount + two.amount + three.amount
    different = [one.number != two.number, one.number != three.number, two.number != three.number]
    pattern = (
        c.both(by_an_uncommon_route(incoming.where(incoming.amount >= 100.0)), *map(by_an_uncommon_route, outgoing))
        .on(*(each.originator == incoming.destination for each in outgoing))
        .relate(*(soon_after(incoming, each) for each in outgoing))
        .where(*different, total >= incoming.amount * 0.9, total <= incoming.amount * 1.1)
    )
    if ordered:
        pattern = pattern.where(one.number < two.number, two.number < three.number)
    parts = {"in": incoming.number, "out": c.function("list")(one.number, two.number, three.number)}
    return c.query(pattern, name="Diffusion", start=incoming.start, end=incoming.start, values=parts)


@pytest.mark.parametrize("ordered", [False, True])
def test_scenario_b_counts_every_order_of_the_three_unless_one_is_asked_for(ordered: bool) -> None:
    every = [(4, 6, 9, 200)] if ordered else [(4, *three) for three in permutations((6, 9, 200))]
    found = run(diffusion(ordered))
    assert sorted((one.values["in"], *one.values["out"]) for one in found) == sorted(every)  # type: ignore[misc]
    assert {one.start for one in found} == {parse_time("2018-01-01T08:00:10Z")}


def refund_scam(corrected: bool) -> c.Query:
    """Scenario C: a refund, a claim that the first transfer was an error, and no other transfer to be refunded."""
    incoming, refund, other = transfer("incoming"), transfer("refund"), transfer("other")
    claim = c.event("FraudulentTransactionClaimed", name="claim")
    alike = [refund.amount >= incoming.amount * 0.9, refund.amount <= incoming.amount * 1.1]
    pattern = (
        c.both(incoming, refund, claim)
        .on(refund.destination == incoming.originator, refund.originator == incoming.destination)
        .on(claim.transaction_id == incoming.number)
        .relate(soon_after(incoming, refund), soon_after(incoming, claim))
        .where(*alike)
    )
    similar = [other.amount >= refund.amount * 0.9, other.amount <= refund.amount * 1.1]
    without = pattern.unless(
        other,
        relation=(refund.end - other.end).between(0, TWO_WEEKS),
        on=[other.originator == incoming.originator, other.destination == incoming.destination],
        where=[*similar, other.number != incoming.number] if corrected else similar,
    )
    values = {"in": incoming.number, "out": refund.number}
    return c.query(without, name="RefundScamSuspected", start=claim.start, end=claim.end, values=values)


def test_scenario_c_as_printed_blocks_itself() -> None:
    assert run(refund_scam(corrected=False)) == []


def test_scenario_c_corrected_takes_both_refunds_and_dates_them_at_the_claim() -> None:
    found = run(refund_scam(corrected=True))
    assert in_and_out(found, "RefundScamSuspected") == [(13, 201), (13, 5003)]
    assert {(one.start, one.end) for one in found} == {(parse_time(CLAIMED), parse_time(CLAIMED))}


def test_scenarios_over_derived_events_ask_the_outgoing_transfer_too_for_a_hundred() -> None:
    """The variant with an intermediate event: suspicious transfers are told once and read twice."""
    seen = transfer("seen")
    fields = {name: seen[name] for name in ("number", "originator", "destination", "amount")}
    suspicious = c.query(
        by_an_uncommon_route(seen.where(seen.amount >= 100.0)), name="MoneyTransferredSuspiciously", values=fields
    )
    incoming, outgoing = (transfer(name, "MoneyTransferredSuspiciously") for name in ("incoming", "outgoing"))
    above = pass_through(incoming, outgoing)
    found = run(above, suspicious)
    assert in_and_out(found) == [(2, 10), (13, 201), (13, 5003)]
    direct = run(pass_through(transfer("incoming"), transfer("outgoing")))
    told = [(one.start, one.end, dict(one.values), one.evidence) for one in found if one.name == above.rule.name]
    assert sorted(told, key=repr) == sorted(
        ((one.start, one.end, dict(one.values), one.evidence) for one in direct), key=repr
    )


@pytest.mark.parametrize(
    ("times", "matches"), [((0, 20, 40), True), ((0, 20, 41), False), ((0, 15, 46), False), ((0, 10, 40), True)]
)
def test_gaps_of_neighbours_and_of_the_whole(times: tuple[int, int, int], matches: bool) -> None:
    """Up to 20 from the first to the second, 30 from the second to the third, 40 from the first to the third."""
    e1, e2, e3 = c.event("E1"), c.event("E2"), c.event("E3")
    gaps = [(e2.end - e1.end).between(0, 20), (e3.end - e2.end).between(0, 30), (e3.end - e1.end).between(0, 40)]
    events = [c.point(name, time, name) for name, time in zip(("E1", "E2", "E3"), times, strict=True)]
    assert len(c.query(c.both(e1, e2, e3).relate(*gaps)).run(events)) == matches


def test_three_seconds_and_three_seconds_and_in_this_order() -> None:
    e1, e2, e3 = c.event("E1"), c.event("E2"), c.event("E3")
    chain = c.both(e1, e2, e3).relate((e2.end - e1.end).between(1, 3), (e3.end - e2.end).between(1, 3))
    found = c.query(chain).run(trace("0 E1, 3 E2, 4 E2, 6 E3, 7 E3"))
    assert [match.evidence for match in found] == [(1, 2, 4)]


def test_an_event_is_absent_when_its_window_has_passed_without_it() -> None:
    """No `B` of the same attribute from an `A` up to four seconds later."""
    a, b = c.event("A"), c.event("B")
    alone = a.unless(b, relation=(b.end - a.end).between(0, 4), on=b.attr == a.attr)
    written = (
        "0 A{attr: s} B{attr: s}, 1 A{attr: t}, 2 A{attr: u}, 3 A{attr: v}, 4 A{attr: w}, 5 A{attr: x}, "
        "6 A{attr: y}, 7 A{attr: z} B{attr: z}"
    )
    found = c.query(alone, values={"attr": a.attr}).run(trace(written))
    assert [match.values["attr"] for match in found] == ["t", "u", "v", "w", "x", "y"]


def test_two_events_of_one_match_are_there_together() -> None:
    """One rule emits an `A` and a `B`; the rule that looks for an `A` without a `B` never finds one."""
    x, y, a, b = c.event("X", name="x"), c.event("X", name="y"), c.event("A"), c.event("B")
    emits_a = c.query(x, name="A", values={"k": x.k})
    emits_b = c.query(y, name="B", values={"k": y.k})
    alarm = c.query(a.unless(b, relation=(b.end - a.end).between(0, 0), on=b.k == a.k), name="Alarm")
    found = c.program(alarm, emits_a, emits_b).run(trace("1 X{k: 1}, 1 X{k: 2}, 3 X{k: 1}"))
    assert [match.name for match in found].count("A") == 3
    assert [match for match in found if match.name == "Alarm"] == []


def test_nesting_does_not_decide_who_comes_before_whom() -> None:
    """`a` at 2, `b` at 1, `c` at 3: both before `c`, but not `a` before `b`."""
    a, b, last = c.event("Ea"), c.event("Eb"), c.event("Ec")
    written = "2 Ea, 1 Eb, 3 Ec"
    before_last = [last.start > a.end, last.start > b.end]
    for pattern in (c.both(a, c.both(b, last)), c.both(c.both(a, b), last), c.both(a, b, last)):
        assert len(c.query(pattern.relate(*before_last)).run(trace(written))) == 1
        assert c.query(pattern.relate(*before_last, b.start > a.end)).run(trace(written)) == []
