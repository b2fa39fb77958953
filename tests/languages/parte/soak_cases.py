"""Random programs of PARTElang with the events of several sources, by seed: what every long run is made of.

A case has one rule, or a second one that reads what the first emits. Every template has the lowest rate that its events
keep to, and the sources it may come from, each with a clock of its own and each out of order as far as is declared.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from cepheid.algebra.programs import Program
from cepheid.diagnostics import CepheidError
from cepheid.events import Event, Value, point
from cepheid.languages.parte import parse
from cepheid.testing.cases import Draw, random_disordered, seeded
from cepheid.testing.cases.case import most_in
from tests.languages.parte.random_rules import program_text
from tests.oracles.event_algebra import COMPARE, TIMESTAMP, Attribute, Comparison
from tests.properties.event_algebra_lowering import Part, Window
from tests.properties.traces import TYPES

SOURCES = ("one", "two", "three")
FEW = 8

# How many events there are, of how many cases in two hundred: three sources can come in many more orders than two.
OF_TWO = {3: 24, 4: 44, 5: 52, 6: 40, 7: 23, FEW: 14, FEW + 1: 1, FEW + 3: 1, FEW + 6: 1}
OF_THREE = {3: 56, 4: 68, 5: 52, 6: 21, FEW: 2, FEW + 4: 1}


@dataclass(frozen=True, slots=True)
class Step:
    """An event, and how far its source says that it has come after it; None: it says nothing."""

    source: str
    event: Event
    heartbeat: int | None


@dataclass(frozen=True, slots=True)
class SoakCase:
    """A program, the parts of its first rule, and what each source brings, in its order."""

    text: str
    program: Program
    parts: tuple[Part, ...]
    steps: Mapping[str, tuple[Step, ...]]

    @property
    def trace(self) -> list[Event]:
        return [step.event for steps in self.steps.values() for step in steps]

    @property
    def is_small(self) -> bool:
        return len(self.trace) <= FEW


def soak_case(seed: int) -> SoakCase:
    """Return the case of a seed; rules whose windows contradict each other are drawn anew."""
    draw = seeded(seed)
    while True:
        parts = _rule(draw)
        there = SOURCES[: draw.weighted({2: 85, 3: 15})]
        events = _events(draw, draw.weighted(OF_TWO if len(there) == 2 else OF_THREE))
        disorder = draw.weighted({0: 50, 2: 30, 5: 20})
        places = {name: tuple(draw.some(there, 1, 3)) for name in TYPES}
        sources = "\n".join(_source(draw, name, events, places[name], disorder) for name in TYPES)
        text = program_text(parts, sources) + _second_rule(draw)
        program = _accepted(text)
        if program is not None:
            return SoakCase(text, program, tuple(parts), _steps(draw, events, places, disorder))


def _accepted(text: str) -> Program | None:
    try:
        return parse(text)
    except CepheidError as error:
        if {finding.code for finding in error.diagnostics} == {"impossible-window"}:
            return None
        raise


def _rule(draw: Draw) -> list[Part]:
    """Return one to four positive patterns, and up to two negated ones anywhere after the first."""
    positive, absent = draw.weighted({0: 15, 1: 40, 2: 30, 3: 15}), draw.weighted({0: 45, 1: 40, 2: 15})
    negated = [False, *draw.shuffled([False] * positive + [True] * absent)]
    names = [f"x{number}" for number in range(len(negated))]
    there = [name for name, is_absent in zip(names, negated, strict=True) if not is_absent]
    parts: list[Part] = []
    for name, is_absent in zip(names, negated, strict=True):
        bound = [part.variable for part in parts if not part.negated]
        anchors = [one for one in there if one != name] if is_absent else bound
        windows = tuple(_windows(draw, name, anchors)) if anchors else ()
        count = draw.weighted({0: 70, 1: 22, 2: 8})
        conditions = tuple(_comparison(draw, name, bound) for _ in range(count))
        parts.append(Part(name, draw.pick("aab"), conditions, windows, is_absent))
    return parts


def _windows(draw: Draw, variable: str, anchors: Sequence[str]) -> Iterator[Window]:
    for _ in range(draw.weighted({1: 75, 2: 25})):
        low = draw.integer(-4, 2)
        yield Window(variable, draw.pick(anchors), low, low + draw.pick((0, 2, 4, 6, 6, 8)))


def _comparison(draw: Draw, variable: str, bound: Sequence[str]) -> Comparison:
    names = ("k", "v", "id", TIMESTAMP)
    other: Attribute | int = draw.integer(0, 3)
    if bound and draw.chance(60):
        other = Attribute(draw.pick(bound), draw.pick(names))
    operator = draw.pick((*sorted(COMPARE), "!=", "<=", ">="))
    return Comparison(Attribute(variable, draw.pick(names)), operator, other, draw.pick((0, 0, 1)))


def _events(draw: Draw, count: int) -> list[Event]:
    latest = draw.pick((3, 5, 9))
    return [
        point(draw.pick("aabc"), draw.integer(0, latest), number, {**_fields(draw), "id": number})
        for number in range(count)
    ]


def _fields(draw: Draw) -> dict[str, Value]:
    return {"k": draw.pick((1, 1, 2, 2, None)), "v": draw.pick((0, 1, 2, 3, None))}


def _source(draw: Draw, name: str, events: Sequence[Event], places: Sequence[str], disorder: int) -> str:
    """Return what is declared about a template: the lowest rate that its events keep to, and where they come from."""
    period = draw.pick((1, 2, 3, 5))
    ends = sorted(event.end for event in events if event.type == name)
    gap = min((later - earlier for earlier, later in pairwise(ends)), default=1)
    rate = f"every {gap} us" if gap and draw.chance(50) else f"{most_in(events, name, period)} per {period} us"
    late = f" disorder {disorder} us" if disorder else ""
    return f"source {name} {rate} from {', '.join(places)}{late}"


def _second_rule(draw: Draw) -> str:
    """Return a rule that reads what the first one emits, in some cases; the event may be dated back."""
    if not draw.chance(25):
        return ""
    low = draw.integer(-4, 2)
    window = f"y in f [{low} us, {low + draw.pick((0, 2, 5))} us]"
    no = "no " if draw.chance(50) else ""
    head = "template Again { x : Integer }\nrule S where f : Found"
    reaction = "then emit Again at f.timestamp with { x = f.x0 }"
    return f"\n{head}  {no}y : {draw.pick('ab')} when {no}{window} {reaction}"


def _steps(
    draw: Draw, events: Sequence[Event], places: Mapping[str, Sequence[str]], disorder: int
) -> dict[str, tuple[Step, ...]]:
    given: dict[str, list[Event]] = {source: [] for source in SOURCES}
    for event in events:
        given[draw.pick(places[event.type])].append(event)
    declared = {source for some in places.values() for source in some}
    return {
        source: tuple(_with_heartbeats(draw, source, random_disordered(draw, given[source], disorder)))
        for source in SOURCES
        if source in declared
    }


def _with_heartbeats(draw: Draw, source: str, arrivals: Sequence[Event]) -> Iterator[Step]:
    for number, event in enumerate(arrivals):
        after = [other.end for other in arrivals[number + 1 :]]
        honest = min(after, default=event.end + draw.integer(0, 12))
        yield Step(source, event, honest if draw.chance(30) else None)


def interleavings(steps: Mapping[str, Sequence[Step]]) -> Iterator[list[Step]]:
    """Yield every order in which the steps of several sources can come, those of each in their order."""
    left = [list(some) for some in steps.values() if some]
    if not left:
        yield []
    for place, some in enumerate(left):
        rest = {str(number): one if number != place else one[1:] for number, one in enumerate(left)}
        for others in interleavings(rest):
            yield [some[0], *others]


def random_interleaving(draw: Draw, steps: Mapping[str, Sequence[Step]]) -> list[Step]:
    """Return one of these orders; each is as probable as any other."""
    order = draw.shuffled([source for source, some in steps.items() for _ in some])
    left = {source: iter(some) for source, some in steps.items()}
    return [next(left[source]) for source in order]
