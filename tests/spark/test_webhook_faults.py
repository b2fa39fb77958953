"""What a receiver got is compared with what it should have: nothing is lost, and what comes again is the same."""

import json
import random
from dataclasses import replace

import pytest

from cepheid.spark.pipelines.webhook import Webhook, send_batch, signature
from tests.spark.webhook_faults import SECRET, answer, difference, expected, told
from tests.spark.webhook_receiver import DIES, OK, Receiver, Request, receiving

WANTED = expected(10)


def body(name: str, **other: object) -> str:
    """Return what the pipeline posts about a match; not all of it is compared."""
    rule, start, end, values = WANTED[name]
    said = {"match": rule, "start": start, "end": end, "known": end + 1, "values": json.loads(values)}
    return json.dumps({**said, **other})


def posted(answers: random.Random) -> Receiver:
    """Return a receiver that got all that was wanted, and failed as its answers are drawn."""
    with receiving(lambda: answer(answers)) as receiver:
        hook = Webhook(receiver.url, SECRET)
        send_batch(hook, [(name, body(name)) for name in WANTED], 0, None, lambda _: None)
    return receiver


def request(name: str, text: str, status: int = OK) -> Request:
    return Request(name, text.encode(), signature(SECRET, text.encode()), status)


RIGHT = [request(name, body(name)) for name in WANTED]
FIRST = next(iter(WANTED))


def test_a_receiver_that_fails_now_and_then_has_all_in_the_end() -> None:
    receiver = posted(random.Random(2))
    assert difference(WANTED, receiver.came) == ""
    failed = [one.status for one in receiver.came if one.status != OK]
    assert {500, DIES} <= set(failed)
    assert len(receiver.came) == len(WANTED) + len(failed)


def test_what_came_once_or_again_is_right() -> None:
    assert difference(WANTED, RIGHT) == difference(WANTED, [*RIGHT, *RIGHT[:3]]) == ""


@pytest.mark.parametrize(
    ("came", "wrong"),
    [
        (RIGHT[1:], "1 lost"),
        ([replace(RIGHT[0], status=500), *RIGHT[1:]], "1 lost"),
        ([*RIGHT, replace(RIGHT[0], id="rules/other")], "1 too many"),
        ([*RIGHT, request(FIRST, body(FIRST, known=7))], "1 came again as another"),
        ([request(FIRST, body(FIRST, end=-1)), *RIGHT[1:]], "1 not as in one process"),
        ([request(FIRST, body(FIRST, values={})), *RIGHT[1:]], "1 not as in one process"),
        ([replace(RIGHT[0], signature="sha256=0"), *RIGHT[1:]], "1 not signed"),
    ],
)
def test_what_is_wrong_is_said(came: list[Request], wrong: str) -> None:
    assert difference(WANTED, came) == wrong


def test_what_was_taken_before_is_told_from_what_failed() -> None:
    came = [replace(RIGHT[0], status=500), replace(RIGHT[1], status=DIES), *RIGHT[:2], RIGHT[1]]
    assert told(came) == "5 requests for 2 matches, 1 answered with 500, 1 not at all, 1 taken before came again"
