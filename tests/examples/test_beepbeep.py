"""Worked examples of event stream queries built from processors, with the answers that pen and paper give.

The queries come from S. Hallé, "From Complex Event Processing to Simple Event Processing".
"""

from collections.abc import Mapping

from cepheid.algebra.builder.formulas import Claim, Item, always, eventually, for_every, here, holds, next_
from cepheid.algebra.builder.pipes import Trace, choose, collate, stream, total, transition
from cepheid.algebra.builder.terms import Term
from cepheid.events import Value

Events = list[dict[str, object]]


def events(kind: str, *values: Value) -> Events:
    """One event per time unit, each with its value as `x`."""
    return [{"type": kind, "time": time, "x": value} for time, value in enumerate(values)]


def records(kind: str, *fields: Mapping[str, object]) -> Events:
    return [{**each, "type": kind, "time": time} for time, each in enumerate(fields)]


P = stream("P")["x"]
ANSWERED = holds(here == "a").implies(eventually(here == "b"))


def test_a_sum_on_a_window_of_three() -> None:
    """`GET (COMBINE * WITH ADDITION) FROM P ON A WINDOW OF 3`."""
    window = P.window(3, lambda window: window.cumulate("+", 0))
    assert window.run(events("P", 3, 1, 4, 1, 5, 9)) == [8, 6, 10, 15]
    assert window.run(events("P", 3, 1)) == []


def test_two_windows_side_by_side() -> None:
    """`APPLY $A + $B WITH GET (...) FROM P ON A WINDOW OF 3 AS $A, GET (...) FROM Q ON A WINDOW OF 3 AS $B`."""
    both = P.window(3, Trace.sum) + stream("Q")["x"].window(3, Trace.sum)
    assert both.run([*events("P", 3, 1, 4, 1), *events("Q", 10, 20, 30)]) == [68]


def test_combine() -> None:
    """`COMBINE P WITH ADDITION`, and the count of a trace as the sum of ones."""
    assert P.cumulate("+", 0).run(events("P", 3, 1, 4)) == [3, 4, 8]
    assert P.turn_into(1).cumulate("+", 0).run(events("P", 3, 1, 4)) == [1, 2, 3]
    assert (P > 2).cumulate("and", True).run(events("P", 3, 4, 1, 5)) == [True, True, False, False]


def test_freeze_trim_first_and_every() -> None:
    numbers = events("P", 3, 1, 4, 1, 5, 9, 2)
    assert P.freeze().run(numbers) == [3] * 7
    assert P.trim(5).run(numbers) == [9, 2]
    assert P.first(2).run(numbers) == [3, 1]
    assert P.every(3).run(numbers) == [3, 1, 2]
    assert (P - P.freeze()).run(numbers) == [0, -2, 1, -2, 2, 6, -1]
    assert (P.trim(1) - P).run(numbers) == [-2, 3, -3, 4, 4, -7]


def test_a_request_is_answered_in_the_boolean_flavour() -> None:
    letters = events("P", "a", "c", "c", "b")
    assert P.verdict(ANSWERED).run(letters) == [True, True, True, True]
    assert P.verdict(ANSWERED).run(letters[:3]) == []
    assert P.where(ANSWERED).run(letters) == ["a", "c", "c", "b"]
    assert P.where(ANSWERED).run(letters[:3]) == []


def test_a_request_is_answered_in_the_three_valued_flavour() -> None:
    assert P.knowledge(ANSWERED).run(events("P", "a", "c", "c", "b")) == [None, None, None, True]


def test_closing_prices_hopping_windows_and_conditions() -> None:
    days = records("day", *({"symbol": "MSFT", "close": close} for close in (48, 52, 51, 49, 55, 60, 47, 58, 50, 70)))
    close = stream("day").where(here.symbol == "MSFT")["close"]
    assert close.first(5).run(days) == [48, 52, 51, 49, 55]
    assert close.trim(4).where(here > 50).run(days) == [55, 60, 58, 70]
    assert close.window(5, Trace.avg).every(5).run(days) == [51.0, 57.0]


def test_stocks_that_close_higher_than_another_on_the_same_day() -> None:
    quotes = stream("day")
    higher = quotes.where(quotes["close"] > quotes["reference"])["symbol"]
    prices = [("A", 5, 4), ("B", 3, 4), ("C", 9, 4)]
    days = [{"symbol": symbol, "close": close, "reference": reference} for symbol, close, reference in prices]
    assert higher.run(records("day", *days)) == ["A", "C"]


def test_two_of_three_successive_points_lie_far_above() -> None:
    far = (P > 2).map(lambda is_far: is_far & True)
    often = choose(far, far.turn_into(1), far.turn_into(0)).window(3, Trace.sum) >= 2
    assert often.run(events("P", 0, 3, 1, 4, 0, 0)) == [False, True, False, False]


def test_every_bid_is_higher_than_the_previous_one_on_the_same_item() -> None:
    def rising(bids: Trace) -> Trace:
        return bids["price"].window(2, lambda pair: pair > pair.freeze())

    bids = [{"item": item, "price": price} for item, price in (("x", 1), ("y", 5), ("x", 2), ("y", 4))]
    by_item = stream("bid").slice(here.item, rising)
    assert by_item.run(records("bid", *bids)) == [{}, {}, {"x": True}, {"x": True, "y": False}]


def test_every_bid_is_higher_as_a_claim_with_quantifiers() -> None:
    def later_are_higher(item: Item) -> Claim:
        return for_every(here.price, lambda price: next_(always(same(item).implies(here.price > price))))

    def same(item: Item) -> Claim:
        return holds(here.item == item)

    knows = stream("bid").knowledge(always(for_every(here.item, later_are_higher)))
    bids = [{"item": item, "price": price} for item, price in (("x", 1), ("y", 5), ("x", 2), ("y", 4))]
    assert knows.run(records("bid", *bids)) == [None, None, None, False]


def test_a_toaster_is_switched_on_by_a_spike() -> None:
    spike = (here >= 800) & (here <= 1200)
    switched = P.peaks().machine(
        "off",
        [
            transition("off", "switched on", spike),
            transition("switched on", "off", here < -800),
            transition("switched on", "on"),
            transition("on", "off", here < -800),
        ],
        outputs={"switched on": "Toaster on"},
    )
    watts = events("P", 0, 10, 1000, 990, 980, 1000, 20, 30, 1050, 1000)
    assert P.peaks().run(watts) == [0, 0, 0, 1000, 0, -20, 20, -980, 0, 1030]
    assert switched.run(watts) == ["Toaster on", "Toaster on"]


def test_a_machine_counts_in_its_memory() -> None:
    counted = P.machine(
        "idle",
        [
            transition("idle", "busy", here == "start", runs=total.runs + 1),
            transition("busy", "idle", here == "stop"),
        ],
        outputs={"idle": "idle", "busy": total.runs},
        memory={"runs": 0},
    )
    assert counted.run(events("P", "stop", "start", "start", "stop", "start")) == ["idle", 1, 1, "idle", 2]


def test_a_walker_that_meets_a_blocker_turns_round() -> None:
    def distance(one: Item, other: Item) -> Term:
        return abs(one.x - other.x)

    def meets(walker: Item, blocker: Item) -> Term:
        roles = (walker.status == "walker") & (blocker.status == "blocker")
        return roles & (distance(walker, blocker) < 6) & (abs(walker.y - blocker.y) < 10)

    def leaves(walker: Item, blocker: Item) -> Claim:
        def is_farther(later: Item) -> Claim:
            return holds(later.id == walker.id).implies(distance(later, blocker) > distance(walker, blocker))

        return next_(next_(next_(for_every(here.pingus, is_farther))))

    def turns(walker: Item) -> Claim:
        return for_every(here.pingus, lambda other: holds(meets(walker, other)).implies(leaves(walker, other)))

    def frame(x: int) -> dict[str, object]:
        walker = {"id": 1, "status": "walker", "x": x, "y": 0}
        return {"pingus": (walker, {"id": 2, "status": "blocker", "x": 20, "y": 0})}

    claim = for_every(here.pingus, turns)
    turning = records("frame", *(frame(x) for x in (10, 15, 14, 12, 10, 8)))
    going_on = records("frame", *(frame(x) for x in (10, 15, 16, 17, 18, 20)))
    assert stream("frame").verdict(claim).run(turning) == [True, True, True, True, True, True]
    assert stream("frame").verdict(claim).run(going_on)[:2] == [True, False]
    assert stream("frame").knowledge(always(claim)).run(going_on) == [None, None, None, None, False, False]


def test_the_share_of_blockers_among_all() -> None:
    blockers = choose(P == "blocker", P.turn_into(1), P.turn_into(0)).sum()
    assert (blockers / P.count()).run(events("P", "walker", "blocker", "blocker", "walker")) == [0.0, 0.5, 2 / 3, 0.5]


def test_the_days_that_open_auctions_have_lasted_on_average() -> None:
    """Auctions by item; an end of day goes to all of them, and the mean is over those that have begun."""

    def days(auction: Trace) -> Trace:
        return auction.where(here.kind == "day").count()

    kinds = [("start", "x"), ("day", "#"), ("start", "y"), ("day", "#"), ("day", "#")]
    trace = records("auction", *({"kind": kind, "item": item} for kind, item in kinds))
    lasting = stream("auction").slice(here.item, days, "set")
    assert lasting.run(trace) == [(), (1,), (1,), (2, 1), (3, 2)]


def test_traces_are_collated_into_records() -> None:
    smoothed = collate(raw=P.trim(1), mean=P.window(2, Trace.avg))
    assert smoothed.run(events("P", 2, 4, 9)) == [{"raw": 4, "mean": 3.0}, {"raw": 9, "mean": 6.5}]
