"""What a source promises holds: taking it back is an error, and what comes behind it is told."""

import pytest

import cepheid
from cepheid.api import Reject
from cepheid.diagnostics import CepheidError, draw

RULES = """
template Order { id : Integer }
template Payment { id : Integer }
source Order from north, south
source Payment from bank
rule Unpaid where order : Order  no payment : Payment { id = order.id }
when no payment in order [0 s, 3 s] then
"""
BACK = (
    "error[frontier-moved-back]: `bank` promised nothing before 12, and takes it back to 11\n"
    "  = note: what was emitted depends on that promise\n"
    "  = hint: promise 12 or later"
)


def query() -> cepheid.CompiledQuery:
    return cepheid.compile(RULES, language="parte", disorder="0 s")


def order(time: float, number: int) -> dict[str, object]:
    return {"type": "Order", "time": time, "id": number}


def test_a_promise_that_is_taken_back_is_an_error() -> None:
    detector = query().detector()
    detector.push(order(10, 1), "north")
    detector.advance(12, "bank")
    assert detector.advance(12, "bank") == []
    with pytest.raises(CepheidError) as caught:
        detector.advance(11, "bank")
    assert str(caught.value) == BACK
    detector.advance(9, "south")  # each source has its own
    assert [match.start for match in detector.close()] == [10]


def test_a_heartbeat_that_takes_back_a_promise_is_set_aside() -> None:
    rows: list[dict[str, object]] = [
        {**order(10, 1), "source": "north"},
        {"type": "tick", "time": 12, "source": "bank"},
        {"type": "tick", "time": 11, "source": "bank"},
        {"type": "tick", "time": 20, "source": "bank"},
    ]
    rejects: list[Reject] = []
    run = query().run(rows, source_column="source", heartbeat_type="tick", on_reject=rejects.append)
    assert [match.start for match in run] == [10]
    assert (run.summary.rejects, run.summary.events) == ({"frontier-moved-back": 1}, 1)
    assert [reject.raw for reject in rejects] == [rows[2]]
    with pytest.raises(CepheidError) as caught:
        list(query().run(rows, source_column="source", heartbeat_type="tick", strict=True))
    assert str(caught.value) == BACK.replace("to 11\n", "to 11 at `$[2]`\n")


def test_what_comes_late_is_told_in_the_warnings() -> None:
    detector = query().detector()
    for time, number in ((5, 1), (3, 2), (2, 3)):
        detector.push(order(time, number), "north")
    detector.push(order(4, 4), "south")
    assert [event.fields["id"] for event in detector.late] == [2, 3]
    assert [draw(finding) for finding in detector.warnings] == [
        "warning[late-event]: `Order` of 3 came 2 s after a later event\n"
        "  = note: 2 events were rejected like this\n"
        "  = hint: allow for it: `--disorder '2 s'`"
    ]


def test_what_comes_late_is_an_error_for_a_strict_detector() -> None:
    detector = query().detector(strict=True)
    detector.push(order(5, 1), "north")
    with pytest.raises(CepheidError, match="`Order` of 3 came 2 s after a later event"):
        detector.push(order(3, 2), "north")
    detector.push(order(4, 4), "south")
    assert [match.start for match in detector.close()] == [4, 5]


def test_what_comes_twice_is_told_too() -> None:
    detector = cepheid.compile("A", disorder="5 s", language="algebra").detector(id_column="id")
    for _ in range(2):
        detector.push({"type": "A", "time": 1, "id": "x"})
    assert [finding.code for finding in detector.warnings] == ["duplicate-event"]
