"""A random case: a program, a trace, and a way in which its events arrive.

`random_case(seed)` is the same case in every run; a run of a hundred thousand seeds is a soak test, and a seed is all
that a failure needs to be seen again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cepheid.algebra.patterns import Instant
from cepheid.algebra.programs import Arrival, Program, Stream
from cepheid.algebra.traversal import walk
from cepheid.events import Event
from cepheid.testing.cases.arrivals import random_cuts, random_disordered, random_duplicates
from cepheid.testing.cases.draw import Draw, seeded
from cepheid.testing.cases.events import TYPES, TraceShape, random_trace
from cepheid.testing.cases.programs import random_program
from cepheid.testing.cases.sketches import Kind, Shape

FAR_AWAY = 1_700_000_000_000_000
SINCE = {Kind.SKIP: 1_000_000, Kind.SUPPRESS: 2_000_000}
"""From which seed on cases have the kinds of nodes that came later; those before stay what they were."""
EVERY_KIND = max(SINCE.values())


@dataclass(frozen=True, slots=True)
class Case:
    """What a runner is given.

    `trace` holds each event once, in the order of their ends; `arrivals` are the same events as they come: at most
    `disorder` behind the latest, some of them twice, cut into batches at `cuts`.
    """

    program: Program
    trace: tuple[Event, ...]
    arrivals: tuple[Event, ...]
    disorder: int = 0
    cuts: tuple[int, ...] = ()


def random_case(seed: int) -> Case:
    """Return the case of this number.

    >>> random_case(12) == random_case(12)
    True
    """
    draw = seeded(seed)
    kinds = frozenset(kind for kind in Kind if seed >= SINCE.get(kind, 0))
    return draw_case(draw, Shape(types=_types(draw), kinds=kinds))


def draw_case(draw: Draw, shape: Shape | None = None, most_rules: int = 3) -> Case:
    """Return a case; without a shape it has two or three types of events, all that its trace needs to match."""
    shape = shape or Shape(types=_types(draw))
    program = random_program(draw, shape, most_rules)
    noise = tuple(draw.some(TYPES, 0, 1)) if draw.chance(25) else ()
    least = draw.weighted({7: 88, 0: 12})
    trace = random_trace(draw, TraceShape((*shape.types, *noise), least, base=_base(draw, program)))
    disorder = draw.integer(1, 5) if draw.chance(40) else 0
    arrivals = random_disordered(draw, trace, disorder)
    if draw.chance(20):
        arrivals = random_duplicates(draw, arrivals, disorder)
    declared = replace(program, streams=_streams(draw, shape.types, trace, disorder)) if draw.chance(40) else program
    return Case(declared, tuple(trace), tuple(arrivals), disorder, random_cuts(draw, len(arrivals)))


def _base(draw: Draw, program: Program) -> int:
    """Return when it begins: mostly at zero, and not far away where a schedule would have to make its way there."""
    scheduled = any(isinstance(node, Instant) for node in walk(program.rules))
    return draw.weighted({0: 90, -4: 6, FAR_AWAY: 0 if scheduled else 4})


def _types(draw: Draw) -> tuple[str, ...]:
    count = draw.weighted({2: 60, 3: 40})
    return tuple(draw.some(TYPES, count, count))


def _streams(draw: Draw, types: Sequence[str], trace: Sequence[Event], disorder: int) -> tuple[Stream, ...]:
    """Return declarations that hold: as many events as there are at most in any span of that length."""
    span = draw.integer(1, 6)
    return tuple(
        Stream(name, Arrival(most_in(trace, name, span), span) if draw.chance(50) else None, disorder) for name in types
    )


def most_in(trace: Sequence[Event], name: str, span: int) -> int:
    """Return the most events of a type that end within any half-open span of that length, at least one."""
    ends = [event.end for event in trace if event.type == name]
    return max((sum(first <= end < first + span for end in ends) for first in ends), default=1)
