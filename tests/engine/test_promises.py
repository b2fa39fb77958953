"""What a certificate promises is checked after every turn, while its premises hold."""

from dataclasses import replace

import pytest

from cepheid.analysis import Certificate, Promise, certify, plan_of
from cepheid.analysis.bounds.bounds import Number
from cepheid.diagnostics import CepheidError
from cepheid.engine import Detector, Usage
from cepheid.events import point
from tests.analysis.queries import program

WINDOW = ("stream A rate 2 per 10", "a: A then b: B within 15")


def with_entries(certificate: Certificate, number: int) -> Certificate:
    """A certificate that promises another number for the join."""
    [rule] = certificate.rules
    *scans, join = rule.operators
    lower = replace(join, entries=Promise(Number(number), number))
    return replace(certificate, rules=(replace(rule, operators=(*scans, lower)),))


def test_usage_stands_beside_what_was_promised() -> None:
    plan = plan_of(program(*WINDOW))
    detector = Detector(plan, certificate=certify(plan))
    detector.push(point("A", 0, 0))
    assert detector.usage() == (
        Usage("r", "scan 0", 0, 0),
        Usage("r", "scan 1", 0, 0),
        Usage("r", "join 2", 1, 4),
        Usage("r", "order buffer", 0, 0),
    )
    assert [one.promised for one in Detector(plan).usage()] == [None] * 4


def test_a_broken_promise_is_a_bug_of_ours() -> None:
    plan = plan_of(program(*WINDOW))
    detector = Detector(plan, certificate=with_entries(certify(plan), 1))
    detector.push(point("A", 0, 0))
    with pytest.raises(CepheidError) as raised:
        detector.push(point("A", 10, 1))
    assert str(raised.value).splitlines() == [
        "error[internal]: rule `r` holds 2 entries in its join 2, and its certificate promises 1",
        "  = note: this is a bug in Cepheid, not in your query",
        "  = hint: please report it with the query and this whole message",
    ]


def test_nothing_is_promised_once_a_premise_is_broken() -> None:
    plan = plan_of(program(*WINDOW))
    detector = Detector(plan, certificate=certify(plan))
    for number in range(9):
        detector.push(point("A", number, number))
    assert detector.usage()[2] == Usage("r", "join 2", 9, 4)


def test_nothing_is_promised_while_a_source_stays_behind() -> None:
    lines = (
        "stream A rate 1 per 10 sources (left)",
        "stream B rate 1 per 10 sources (right)",
        "a: A then b: B within 15",
    )
    plan = plan_of(program(*lines))
    detector = Detector(plan, certificate=certify(plan))
    detector.push(point("B", 0, "b"), "right")
    for number in range(9):
        detector.push(point("A", 10 * number, number), "left")
    assert detector.usage()[2] == Usage("r", "join 2", 9, 2)
    detector.advance(80, "right")
    assert detector.usage()[2] == Usage("r", "join 2", 2, 2)
