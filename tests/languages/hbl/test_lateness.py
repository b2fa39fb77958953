"""Never under jitter: a limit in time ends a wait when no record that may still come can keep it, and not before."""

from collections.abc import Sequence

from cepheid.algebra.matches import Match
from cepheid.algebra.semantics import matches
from cepheid.analysis import plan_of
from cepheid.engine import Detector, TieredDetector
from cepheid.events import Event, point
from cepheid.languages.hbl import parse
from cepheid.rewrites import rewrite
from cepheid.testing.cases import Draw, random_disordered, seeded
from tests.kernels.plain_kernels import plain_kernels
from tests.languages.hbl.limited_watchpoints import TYPES, limited_watchpoint

LATENESS = 3
TEXT = (
    "ties simultaneous; watchpoint w { main = a letting q = now() -> b[now() <= q + 5]; alert { evidence = records } }"
)


def found(detector: Detector | TieredDetector, events: Sequence[Event]) -> list[Match]:
    return [*(match for event in events for match in detector.push(event)), *detector.close()]


def test_a_late_record_still_completes_what_its_time_allows() -> None:
    plan = plan_of(rewrite(parse(TEXT, time_unit=1)), intervals=False)
    detector = Detector(plan, disorder=LATENESS)
    held = list[int]()
    for event in (point("a", 0, 0), point("c", 7, 1), point("b", 5, 2), point("c", 8, 3), point("c", 9, 4)):
        assert not detector.late
        detector.push(event)
        held.append(sum(detector.runners[0].entries()))
    assert held[1] == 1, "a record of 5 may still come"
    assert held[-1] == 0, "none can"
    in_time = [point("a", 0, 0), point("c", 7, 1), point("b", 5, 2), point("c", 9, 4)]
    assert [match.evidence for match in found(Detector(plan, disorder=LATENESS), in_time)] == [(0, 2)]


def a_trace(draw: Draw) -> list[Event]:
    times = [3 * time + draw.integer(0, 2) for time in range(draw.integer(8, 16))]
    fields = [{"key": draw.integer(0, 2), "value": draw.integer(0, 3)} for _ in times]
    return [
        point(draw.pick(TYPES), time // 2, number, own)
        for number, (time, own) in enumerate(zip(times, fields, strict=True))
    ]


def test_limited_watchpoints_find_the_same_however_late_records_come() -> None:
    for seed in range(60):
        draw = seeded(seed)
        text = limited_watchpoint(draw, recursive=draw.chance(30), evidence=True)
        program = parse(f"ties simultaneous; {text}", time_unit=1)
        trace = a_trace(draw)
        late = random_disordered(draw, trace, LATENESS)
        expected = sorted(match.evidence for match in matches(program, trace))
        plan = plan_of(rewrite(program), intervals=False)
        with plain_kernels():
            for detector in (Detector(plan, disorder=LATENESS), TieredDetector(plan, disorder=LATENESS)):
                assert sorted(match.evidence for match in found(detector, late)) == expected, (seed, text)
