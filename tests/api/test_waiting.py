"""Sources wait for each other: by an exception, by being read only as fast as there is room, or by blocking."""

from collections.abc import Iterator
from threading import Thread

import pytest

import cepheid
from cepheid.api import QueryDetector

RULES = """
template Order { id : Integer }
template Payment { id : Integer }
source Order 1 per s from shop
source Payment 1 per s from bank
rule Paid where order : Order  payment : Payment { id = order.id }
when payment in order [0 s, 3 s] then
rule Unpaid where order : Order  no payment : Payment { id = order.id }
when no payment in order [0 s, 3 s] then
"""
ORDERS = [{"type": "Order", "time": second, "id": second} for second in range(30)]
PAYMENTS = [{"type": "Payment", "time": second + 2, "id": second} for second in range(30) if second % 3]
PAID = sorted(f"Paid {second}" for second in range(30) if second % 3)
UNPAID = sorted(f"Unpaid {second}" for second in range(0, 30, 3))


def detector() -> QueryDetector:
    return cepheid.compile(RULES, language="parte").detector(on_excess="wait")


def told(found: list[cepheid.Report]) -> list[str]:
    return sorted(f"{match.name} {match.start}" for match in found)


def test_sources_are_read_only_as_fast_as_there_is_room() -> None:
    read: list[object] = []

    def orders() -> Iterator[dict[str, object]]:
        for order in ORDERS:
            read.append(order["time"])
            yield order

    def payments() -> Iterator[dict[str, object]]:
        for payment in PAYMENTS:
            # One order may be held that has to wait, and no more.
            assert len(read) <= int(str(payment["time"])) + 2
            yield payment

    found = list(detector().feed({"shop": orders(), "bank": payments()}))
    assert told(found) == PAID + UNPAID


def test_an_event_that_waited_is_called_by_its_place_among_those_taken() -> None:
    waiting = detector()
    with pytest.raises(cepheid.Wait):
        waiting.push(ORDERS[0], "shop")
    waiting.advance(0, "bank")
    waiting.push(ORDERS[0], "shop")
    [match] = waiting.advance(4, "bank")
    assert match.evidence == (1,)


def test_a_push_that_waits_goes_on_when_another_thread_has_moved_its_source() -> None:
    shared, found = detector(), list[cepheid.Report]()

    def push(source: str, events: list[dict[str, object]]) -> None:
        for event in events:
            found.extend(shared.push(event, source, wait=True))
        found.extend(shared.end(source))

    threads = [
        Thread(target=push, args=("shop", ORDERS), daemon=True),
        Thread(target=push, args=("bank", PAYMENTS), daemon=True),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert told(found) == PAID + UNPAID
    assert all(one.promised is not None and one.used <= one.promised for one in shared.histories())


def test_events_that_come_too_fast_are_not_waited_for() -> None:
    waiting = detector()
    waiting.advance(9, "bank")
    waiting.push({"type": "Order", "time": 1, "id": 1}, "shop")
    with pytest.raises(cepheid.Wait, match="more than 1 `Order` events come within 1 s"):
        waiting.push({"type": "Order", "time": 1.5, "id": 2}, "shop", wait=True)
    waiting.push({"type": "Order", "time": 2, "id": 2}, "shop", wait=True)
