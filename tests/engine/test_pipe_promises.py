"""What a certificate promises about pipes is counted and checked after every turn, as for rules."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from cepheid.analysis import Certificate, Promise, certify, plan_of
from cepheid.analysis.bounds.bounds import Number
from cepheid.diagnostics import CepheidError
from cepheid.engine import Detector, Excess, Usage
from cepheid.engine.pipes.bodies import SliceProcessor
from cepheid.events import point
from tests.analysis.queries import program

WINDOW = ("stream P rate 5 per 10 keys 2", "pipe it = source P | window 3 { input }")
SLICES = (
    "stream P rate 5 per 10 keys 2",
    "pipe it = source P | slice by $0.user into map { input | window 3 { input } }",
)


def with_entries(certificate: Certificate, number: int) -> Certificate:
    """A certificate that promises another number for the first processor."""
    [pipe] = certificate.pipes
    first, *rest = pipe.processors
    lower = replace(first, entries=Promise(Number(number), number))
    return replace(certificate, pipes=(replace(pipe, processors=(lower, *rest)),))


def test_usage_of_pipes_stands_beside_what_was_promised() -> None:
    plan = plan_of(program(*SLICES))
    detector = Detector(plan, certificate=certify(plan))
    for number, user in enumerate("aabab"):
        detector.push(point("P", number, number, {"user": user}))
    assert detector.usage() == (
        Usage("it", "slices 0", 2, 2),
        Usage("it", "source 1", 0, 0),
        Usage("it", "window 2", 4, 6),
        Usage("it", "source 3", 0, 0),
        Usage("it", "source 4", 0, 0),
        Usage("it", "order buffer", 1, 5),
    )
    assert {one.promised for one in Detector(plan).usage()} == {None}


def test_a_pipe_that_holds_too_much_is_a_bug_of_ours() -> None:
    plan = plan_of(program(*WINDOW))
    detector = Detector(plan, certificate=with_entries(certify(plan), 1))
    detector.push(point("P", 0, 0))
    detector.push(point("P", 1, 1))
    with pytest.raises(CepheidError) as raised:
        detector.push(point("P", 2, 2))
    assert str(raised.value).splitlines()[0] == (
        "error[internal]: pipe `it` holds 2 entries in its window 0, and its certificate promises 1"
    )


def test_keys_that_slices_count_on_are_watched() -> None:
    plan = plan_of(program(*SLICES))
    detector = Detector(plan, certificate=certify(plan), on_excess=Excess.FAIL)
    for number, user in enumerate("ab"):
        detector.push(point("P", number, number, {"user": user}))
    with pytest.raises(CepheidError, match="more than 2 values of `user`"):
        detector.push(point("P", 2, 2, {"user": "c"}))


def test_an_event_of_a_type_that_nobody_declared_voids_what_is_said_about_all_events() -> None:
    plan = plan_of(program("stream P rate 1 per 10", "pipe it = events | window within 5 { input }"))
    detector = Detector(plan, certificate=certify(plan))
    for number in range(9):
        detector.push(point("Q", number, number))
    assert not detector.premises.hold
    assert detector.usage()[0] == Usage("it", "window 0", 6, 1)


def test_slices_are_counted_without_looking_at_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(program("pipe it = source P | slice by $0.user into map { input | window 3 { input } }"))
    detector = Detector(plan)
    for number in range(200):
        detector.push(point("P", number, number, {"user": number}))
    looked: list[int] = []
    slices = detector.pipes["it"].processor
    assert isinstance(slices, SliceProcessor)
    for body in slices.bodies.values():
        monkeypatch.setattr(body, "sizes", _counted(body.sizes(), looked))
    detector.push(point("P", 200, 200, {"user": 5}))
    assert detector.usage()[0].used == 200
    assert len(looked) <= 2


def _counted(sizes: list[int], looked: list[int]) -> Callable[[], list[int]]:
    def counted() -> list[int]:
        looked.append(1)
        return sizes

    return counted
