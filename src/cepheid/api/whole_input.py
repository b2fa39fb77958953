"""All matches of a program over events that are all there: in kernels where they are many, else in the interpreter."""

import warnings
from collections.abc import Sequence

from cepheid.algebra.matches import Match
from cepheid.algebra.programs import Program
from cepheid.analysis import Plan, plan_of
from cepheid.analysis.plans.inputs import from_one_source
from cepheid.api.detectors import pushed
from cepheid.api.finite import MANY
from cepheid.engine import (
    Engine,
    Excess,
    Given,
    OutOfReach,
    detector_for,
    not_compiled,
    within_reach,
)
from cepheid.events import Event, sort_events
from cepheid.rewrites import rewrite

_GIVEN = Given(evidence=True, identified=False, disorder=0, certificate=None, on_excess=Excess.WARN)


def matches_of(program: Program, events: Sequence[Event]) -> list[Match]:
    """Return the matches of a program, bounded or not, ordered by end, start and id."""
    lasting = any(event.start != event.end for event in events)
    rewritten = rewrite(program, intervals=lasting)
    plan = from_one_source(plan_of(rewritten, intervals=lasting, written=program))
    found = _found(sort_events(events), plan)
    return sorted(found, key=lambda match: (match.end, match.start, match.id))


def _found(events: Sequence[Event], plan: Plan) -> list[Match]:
    """Return what is found; where kernels cannot go on, the interpreter does all of it."""
    if len(events) >= MANY and within_reach(events):
        for one in not_compiled(plan):
            warnings.warn(f"{one.code}: {one.message}", RuntimeWarning, stacklevel=2)
        try:
            return _run(events, plan, Engine.AUTO)
        except OutOfReach:
            pass
    return _run(events, plan, Engine.INTERPRETER)


def _run(events: Sequence[Event], plan: Plan, engine: Engine) -> list[Match]:
    detector = detector_for(plan, engine, _GIVEN, meanwhile=False)
    found = [match for some in pushed(events, detector, plan) for match in some]
    return [*found, *detector.close()]
