"""What the builder made runs on the engine too: `query.run(events, on="engine")`."""

from cepheid.algebra.builder import add_runner
from cepheid.algebra.matches import Match
from cepheid.algebra.programs import Program
from cepheid.analysis import plan_of
from cepheid.engine import Detector
from cepheid.events import Event, sort_events


def run_on_engine(program: Program, events: list[Event]) -> list[Match]:
    """Return the matches of a program over all events, by their end; bounded or not."""
    lasting = any(event.start != event.end for event in events)
    detector = Detector(plan_of(program, intervals=lasting))
    found = [match for event in sort_events(events) for match in detector.push(event)]
    return sorted([*found, *detector.close()], key=lambda match: (match.end, match.start, match.id))


add_runner("engine", run_on_engine)
