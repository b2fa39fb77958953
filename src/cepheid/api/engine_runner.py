"""What the builder makes, with the engine to run it: `query.run(events)`."""

from cepheid.algebra.builder import Query, QueryProgram, add_runner, program, query
from cepheid.algebra.matches import Match
from cepheid.algebra.programs import Program
from cepheid.events import Event

__all__ = ["Query", "QueryProgram", "program", "query", "run_on_engine"]


def run_on_engine(program: Program, events: list[Event]) -> list[Match]:
    """Return the matches of a program over all events, by their end; bounded or not."""
    from cepheid.api.whole_input import matches_of  # whoever builds a query need not run it

    return matches_of(program, events)


add_runner("engine", run_on_engine, default=True)
