"""Programs at sizes at which they run in kernels by default find what the interpreter finds.

`make soak-sizes` goes through many more.
"""

import pytest

import cepheid
from benchmarks.etalis_stock import PUBLISHED, SECOND, stocks
from cepheid.engine import Detector, TieredDetector
from cepheid.events import Event, point
from tests.conformance.large_cases import large_case
from tests.conformance.real_sizes import disagreement

ENOUGH, FIRST_ONES = 20_100, 600


def found_in_the_first_ones(query: cepheid.CompiledQuery, events: list[Event]) -> tuple[int, int]:
    """Return how many matches a long run has, and how many of them the first events alone make.

    These must be what the interpreter finds, which would take long for all events.
    """
    slow = Detector(query.plan)
    expected = [match.id for event in events[:FIRST_ONES] for match in slow.push(event)]
    run = query.run(events)
    found = [(match.known, match.id) for match in run]
    assert isinstance(run._detector, TieredDetector)
    last = events[FIRST_ONES - 1].end
    known = [name for time, name in found if isinstance(time, int) and time <= last]
    assert sorted(known) == sorted(expected)
    return len(found), len(known)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("number", [2, 5, 7])
def test_random_programs(number: int) -> None:
    assert disagreement(large_case(number)) == ""


def test_a_sequence_in_a_sequence() -> None:
    events = [point("ABC"[number % 3], number * SECOND, number) for number in range(ENOUGH)]
    found = found_in_the_first_ones(cepheid.compile("(A ; (B ; C)) within 100 s", language="algebra"), events)
    assert found == (ENOUGH // 3, FIRST_ONES // 3 - 1)


@pytest.mark.parametrize("policy", ["recent", "chronological"])
def test_the_stock_ticker_as_it_was_published(policy: str) -> None:
    query = cepheid.compile(PUBLISHED, language="etalis", policy=policy, allow_unbounded=True)
    events = [
        point("stock", number * SECOND, number, {"id": company, "price": price, "volume": volume})
        for number, (company, price, volume) in enumerate(stocks(ENOUGH), 1)
    ]
    every, first = found_in_the_first_ones(query, events)
    assert every > ENOUGH // 2
    assert first > FIRST_ONES // 3
