"""What an event costs does not grow with the keys that are alive; counted in lines that are executed."""

import sys
from types import FrameType

import pytest

from cepheid.analysis import certify, plan_of
from cepheid.engine import Detector
from cepheid.engine.operators.runs import Runs
from cepheid.events import point
from tests.analysis.queries import program

FEW, MANY = 10, 300
STREAMS = tuple(f"stream {name} rate 1 per 1 keys 1000" for name in "AB")


class Counting:
    """Counts the lines of Python that are executed, every turn of a loop included."""

    def __init__(self) -> None:
        self.lines = 0

    def __call__(self, frame: FrameType, event: str, _: object) -> "Counting":
        frame.f_trace_lines = True
        self.lines += event == "line"
        return self


def cost(detector: Detector, number: int, keys: int) -> int:
    """Return how many lines it takes to push an event of a key that is alive."""
    counting, before = Counting(), sys.gettrace()
    event = point("AB"[number % 3 == 0], number, number, {"key": number % keys, "value": 1})
    sys.settrace(counting)
    try:
        detector.push(event)
    finally:
        sys.settrace(before)
    return counting.lines


def usual_cost(lines: tuple[str, ...], keys: int) -> int:
    """Return the most that one of the cheaper half of some events takes: now and then something is tidied up."""
    plan = plan_of(program(*STREAMS, *lines))
    detector = Detector(plan, certificate=certify(plan))
    for number in range(2 * keys):
        detector.push(point("AB"[number % 3 == 0], number, number, {"key": number % keys, "value": 1}))
    costs = [cost(detector, number, keys) for number in range(2 * keys, 2 * keys + 12)]
    return sorted(costs)[6]


@pytest.mark.parametrize(
    "lines",
    [
        ("rule r per key: a: A then b: B within 9999 choose recent emits R",),
        ("rule r per key: a: A unless b: B relation 1 <= start(b) - end(a) <= 9999 emits R",),
        ("rule r per key: a: A then instant i: every(5000, 3) within 9999 choose recent emits R",),
        ("rule r per key: chain from one window end($last) - start($first) <= 9999 "
         "{ step one: a: A then two step two: b: B } emits R",),
        ("rule q per key: a: A then b: B within 3 emits Q", "rule r per key: a: A then q: Q within 9999 emits R"),
        ("rule r: repeat g: 1..2 of a: A gap 1 <= start($next) - end($previous) <= 9999 "
         "choose next per a.key emits R",),
        ("rule r: a: A unless b: B relation 1 <= start(b) - end(a) <= 9999 on a.key == b.key emits R",),
        ("rule r: (a: A then b: B within 9999 on a.key == b.key) unless c: B inside on c.key == a.key emits R",),
        ("rule r: collect g: all of b: B for a: A relation 0 <= end($anchor) - start($item) <= 9999 "
         "on a.key == b.key emits R",),
        ("rule r: a: A then b: B within 9999 on a.key == b.key emits R",),
        ("rule r: a: A then b: B within 9999 choose recent on a.key == b.key emits R",),
    ],
)  # fmt: skip
def test_an_event_costs_the_same_however_many_keys_are_alive(lines: tuple[str, ...]) -> None:
    few, many = usual_cost(lines, FEW), usual_cost(lines, MANY)
    assert many <= few + FEW, (few, many)


def test_a_run_that_grows_is_not_made_anew() -> None:
    query = "rule r: repeat g: 1..* of a: A gap 1 <= start($next) - end($previous) <= 9 choose next emits R"
    detector = Detector(plan_of(program(query)))
    for number in range(3):
        detector.push(point("A", number, number))
    [runs] = [one for one in detector.runners[0].machines[()].interpreters if isinstance(one, Runs)]
    [[before]] = runs.open.values()
    items = before.items
    for number in range(3, 50):
        detector.push(point("A", number, number))
    [[after]] = runs.open.values()
    assert after.items is items
    assert len(items) == 49
