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
