"""A rule per key that reports positions keeps a count for every key that ever came, and says so."""

from cepheid.analysis import certify, plan_of
from cepheid.diagnostics import draw
from cepheid.engine import Detector
from cepheid.events import point
from tests.analysis.queries import certified, program, state

TOLD = "rule r per key: a: A emits R(place = position(end(a)))"


def test_the_counts_of_keys_are_state() -> None:
    assert state("stream A keys 5", TOLD) == "keys(key)"
    assert state("rule r: a: A emits R(place = position(end(a)))") == "0"


def test_without_a_number_of_keys_there_is_no_bound() -> None:
    [finding] = certified(TOLD).findings
    assert draw(finding) == (
        "error[unbounded-state]: rule `r` keeps how many records each key had for ever\n"
        " --> <program>:1:17\n"
        "  |\n"
        "1 | rule r per key: a: A emits R(place = position(end(a)))\n"
        "  |                 ^^^^ nobody knows how many values `key` has\n"
        "  = hint: say how many there are: `stream A keys 1000`"
    )


def test_the_engine_counts_them() -> None:
    plan = plan_of(program("stream A rate 1 per 1 keys 3", TOLD))
    detector = Detector(plan, certificate=certify(plan))
    for number in range(6):
        detector.push(point("A", number, number, {"key": number % 3}))
    detector.advance(9)
    assert [(one.used, one.promised) for one in detector.usage()] == [(3, 3), (0, 1)]
