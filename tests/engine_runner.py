"""The embedded engine as a runner: pushed one event at a time, and stopped and restored at every cut."""

from collections.abc import Sequence
from dataclasses import dataclass

from cepheid.algebra.programs import Program
from cepheid.algebra.remembering import ByIdentity
from cepheid.analysis import Plan
from cepheid.analysis.plans.planner import plan_of
from cepheid.engine import Detector
from cepheid.events import Event
from cepheid.testing.runners import Result


def last(events: Sequence[Event]) -> bool:
    """Say whether some events are more than points in time."""
    return any(event.start != event.end for event in events)


@ByIdentity
def _of_points(program: Program) -> Plan:
    return plan_of(program)


@ByIdentity
def _of_intervals(program: Program) -> Plan:
    return plan_of(program, intervals=True)


def plan_for(program: Program, *, intervals: bool) -> Plan:
    """Return the plan of a program, made once."""
    return (_of_intervals if intervals else _of_points)(program)


@dataclass(frozen=True, slots=True)
class EngineRunner:
    """One detector from the first event to the end; with `restarts`, a new one from a snapshot at every cut.

    Without `direct` every event goes through the interpreter.
    """

    name: str = "engine"
    restarts: bool = False
    direct: bool = True

    def run(
        self, program: Program, arrivals: Sequence[Event], *, disorder: int = 0, cuts: Sequence[int] = ()
    ) -> Result:
        plan = plan_for(program, intervals=last(arrivals))
        detector = Detector(plan, disorder=disorder, identified=True, direct=self.direct)
        found, late, duplicates = [], [], []
        for number, event in enumerate(arrivals):
            if self.restarts and number in cuts:
                late += detector.late
                duplicates += detector.duplicates
                detector = Detector(plan, state=detector.snapshot(), disorder=disorder, identified=True)
            found += detector.push(event)
        found += detector.close()
        late += detector.late
        duplicates += detector.duplicates
        return Result(tuple(found), tuple(event.id for event in late), tuple(event.id for event in duplicates))
