"""Programs with pipes are checked like any other: what they hold is said, or they are refused."""

import pytest

import cepheid
from cepheid.diagnostics import CepheidError
from cepheid.languages.cep import read_program

WINDOW = read_program("pipe mean = source Trade | window within 5 s { input | fold $total + $0.price from 0 }")
SPREAD = read_program("pipe spread = (source Bid, source Ask) | map $1.price - $0.price")


def test_the_short_certificate_tells_of_pipes() -> None:
    query = cepheid.compile(WINDOW, rates={"Trade": "10/s"})
    assert query.short_certificate.splitlines() == [
        "mean: bounded",
        "  state    at most 60 entries",
        "  buffer   at most 10 events that wait until their instant is complete",
    ]
    assert query.warnings == ()


def test_a_rate_that_a_pipe_needs_is_asked_for() -> None:
    *_, last = cepheid.compile(WINDOW).short_certificate.splitlines()
    assert last == "declare rates to know more, for example --rate Trade=5/s"


def test_an_unbounded_pipe_is_refused_unless_it_is_allowed() -> None:
    with pytest.raises(CepheidError, match="pipe `spread` keeps values that wait for others for ever"):
        cepheid.compile(SPREAD)
    allowed = cepheid.compile(SPREAD, allow_unbounded=True)
    assert allowed.short_certificate.splitlines()[:2] == ["spread: unbounded", "  state    without bound"]
    assert "0 queue holds: unbounded" in allowed.explain("bounds")


TRADES = [{"type": "Trade", "time": time, "price": price} for time, price in ((1, 10), (2, 20), (4, 5), (9, 7))]
MEANS = [10, 30, 35, 12]


def test_what_a_pipe_gives_comes_by_the_public_door() -> None:
    query = cepheid.compile(WINDOW, rates={"Trade": "10/s"})
    run = query.run(TRADES)
    assert run.values("mean") == MEANS
    assert run.summary.matches == 0
    assert run.values("mean") == MEANS, "a list is read again"
    with pytest.raises(CepheidError, match=r"the query has no pipe `men`.*\n.*did you mean `mean`"):
        run.values("men")
    once = query.run(iter(TRADES))
    assert once.values("mean") == MEANS
    with pytest.raises(CepheidError, match="read-already"):
        once.values("mean")


def test_a_detector_gives_the_values_of_a_pipe_as_they_are_certain() -> None:
    detector = cepheid.compile(WINDOW, rates={"Trade": "10/s"}, disorder="0 s").detector()
    given: list[object] = []
    for trade in TRADES:
        detector.push(trade)
        given.append(detector.values("mean"))
    assert given == [[], [10], [30], [35]]
    restored = cepheid.compile(WINDOW, rates={"Trade": "10/s"}, disorder="0 s").detector(detector.snapshot())
    restored.close()
    assert restored.values("mean") == [12]
    with pytest.raises(CepheidError, match="the query has no pipe"):
        detector.values("spread")


def test_traces_of_the_builder_come_by_the_same_door_and_kernels_decline_them() -> None:
    prices = cepheid.pipes.stream("Trade")["price"]
    program = cepheid.program(cepheid.query(cepheid.event("Trade"), name="trades"), pipes={"prices": prices})
    query = cepheid.compile(program)
    assert query.run(TRADES).values("prices") == [10, 20, 5, 7]
    assert len(list(query.run(TRADES))) == 4
    with pytest.raises(CepheidError, match="it has pipes"):
        list(query.run(TRADES, engine="kernels"))
