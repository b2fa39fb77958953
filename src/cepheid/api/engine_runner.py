"""What the builder makes, with the engine to run it: `query.run(events, on="engine")`."""

from cepheid.algebra.builder import Query, QueryProgram, add_runner, program, query
from cepheid.algebra.matches import Match
from cepheid.algebra.programs import Program
from cepheid.events import Event, sort_events

__all__ = ["Query", "QueryProgram", "program", "query", "run_on_engine"]


def run_on_engine(program: Program, events: list[Event]) -> list[Match]:
    """Return the matches of a program over all events, by their end; bounded or not."""
    from cepheid.analysis import plan_of  # whoever builds a query need not run it
    from cepheid.engine import Detector

    lasting = any(event.start != event.end for event in events)
    detector = Detector(plan_of(program, intervals=lasting))
    found = [match for event in sort_events(events) for match in detector.push(event)]
    return sorted([*found, *detector.close()], key=lambda match: (match.end, match.start, match.id))


add_runner("engine", run_on_engine)
