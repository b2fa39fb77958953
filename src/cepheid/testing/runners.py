"""Whatever runs programs, behind one face, so that one suite of tests can hold all of them to the same answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from cepheid.algebra.matches import Match
from cepheid.algebra.programs import Program
from cepheid.algebra.semantics import matches
from cepheid.events import Arrival, Disorder, Duration, Event, EventId


@dataclass(frozen=True, slots=True)
class Result:
    """What a run gave: its matches, and the ids of the arrivals it rejected, in the order in which they came."""

    matches: tuple[Match, ...]
    late: tuple[EventId, ...] = ()
    duplicates: tuple[EventId, ...] = ()


class Runner(Protocol):
    """Something that runs a program over events as they arrive."""

    @property
    def name(self) -> str:
        """The name that tests and markers call the runner by."""

    def run(
        self, program: Program, arrivals: Sequence[Event], *, disorder: int = 0, cuts: Sequence[int] = ()
    ) -> Result:
        """Return what `program` finds in all that arrives, to the end of the input.

        An event may be behind the greatest end seen by `disorder` ticks, or by what a stream declares if that is
        more; beyond that it is late. The arrivals come in batches that are cut at `cuts`; where they are cut changes
        nothing.
        """


@dataclass(frozen=True, slots=True)
class DefinitionRunner:
    """The definition itself: it rejects what is late or comes twice, and looks at the rest as a whole."""

    name: str = "definition"

    def run(
        self,
        program: Program,
        arrivals: Sequence[Event],
        *,
        disorder: int = 0,
        cuts: Sequence[int] = (),  # noqa: ARG002  # a runner is told, and to the definition they do not matter
    ) -> Result:
        """Return what the definition says of all that is in time and comes for the first time."""
        door = Disorder(Duration(max([disorder, *(stream.disorder for stream in program.streams)])))
        sorted_out = [(door.see(event), event) for event in arrivals]
        set_aside = {
            kind: tuple(event.id for arrival, event in sorted_out if arrival is kind)
            for kind in (Arrival.LATE, Arrival.DUPLICATE)
        }
        admitted = [event for arrival, event in sorted_out if arrival is Arrival.IN_TIME]
        found = tuple(matches(program, admitted))
        return Result(found, set_aside[Arrival.LATE], set_aside[Arrival.DUPLICATE])
