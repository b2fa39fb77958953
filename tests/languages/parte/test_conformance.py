"""A rule finds what its pattern of the event algebra holds: by the definition, by the engine, in any arrival order."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.matches import Match, same_matches
from cepheid.algebra.programs import Program
from cepheid.algebra.semantics import matches
from cepheid.analysis.plans.planner import plan_of
from cepheid.diagnostics import CepheidError
from cepheid.engine.detectors.detector import Detector
from cepheid.events import Event, sort_events
from cepheid.languages.parte import parse
from tests.languages.parte.random_rules import (
    RULES,
    SMALL_TRACES,
    TRACES,
    event_pattern_of,
    program_text,
    variables,
)
from tests.oracles.event_algebra import assignments
from tests.properties.event_algebra_lowering import Part
from tests.properties.traces import TYPES

TWO_SOURCES = "\n".join(f"source {name} from one, two" for name in TYPES)
LATE_BY_SEVEN = "\n".join(f"source {name} from one, two disorder 7 us" for name in TYPES)

Assigned = Counter[tuple[object, ...]]
Arrival = tuple[str, Event]


def accepted(parts: Sequence[Part], sources: str = "") -> Program | None:
    """Return the program of a rule; None where its windows contradict each other."""
    try:
        return parse(program_text(parts, sources))
    except CepheidError as error:
        if {finding.code for finding in error.diagnostics} == {"impossible-window"}:
            return None
        raise


def expected(parts: Sequence[Part], trace: Sequence[Event]) -> Assigned:
    names = variables(parts)
    found = assignments(event_pattern_of(parts), trace)
    return Counter(tuple(one[name].id for name in names) for one in found)


def found_by(parts: Sequence[Part], found: Sequence[Match]) -> Assigned:
    return Counter(tuple(match.values[name] for name in variables(parts)) for match in found)


def engine(program: Program, arrivals: Sequence[Arrival]) -> list[Match]:
    detector = Detector(plan_of(program))
    found = [match for source, event in arrivals for match in detector.push(event, source)]
    found += detector.close()
    assert not detector.late
    return found


def interleavings(one: Sequence[Event], two: Sequence[Event]) -> Iterator[list[Arrival]]:
    """Yield every order in which the events of two sources can come."""
    count = len(one) + len(two)
    for places in combinations(range(count), len(one)):
        ones, twos = iter(one), iter(two)
        yield [("one", next(ones)) if place in places else ("two", next(twos)) for place in range(count)]


@given(RULES, TRACES)
def test_the_definition_finds_what_the_event_algebra_says(parts: list[Part], trace: list[Event]) -> None:
    program = accepted(parts)
    found = [] if program is None else matches(program, trace)
    assert found_by(parts, found) == expected(parts, trace)


@given(RULES, TRACES)
def test_the_engine_finds_what_the_event_algebra_says(parts: list[Part], trace: list[Event]) -> None:
    program = accepted(parts)
    if program is not None:
        found = engine(program, [("", event) for event in sort_events(trace)])
        assert found_by(parts, found) == expected(parts, trace)
        assert same_matches(found, matches(program, trace))


@given(RULES, SMALL_TRACES, st.data())
def test_two_sources_may_come_in_any_order(parts: list[Part], trace: list[Event], data: st.DataObject) -> None:
    program = accepted(parts, TWO_SOURCES)
    if program is not None:
        first = data.draw(st.lists(st.booleans(), min_size=len(trace), max_size=len(trace)))
        one = sort_events([event for event, here in zip(trace, first, strict=True) if here])
        two = sort_events([event for event, here in zip(trace, first, strict=True) if not here])
        wanted = matches(program, trace)
        for arrivals in interleavings(one, two):
            assert same_matches(engine(program, arrivals), wanted)


@given(RULES, TRACES, st.data())
def test_a_source_may_bring_its_events_out_of_order(parts: list[Part], trace: list[Event], data: st.DataObject) -> None:
    program = accepted(parts, LATE_BY_SEVEN)
    if program is not None:
        shuffled = data.draw(st.permutations(trace))
        sources = data.draw(st.lists(st.sampled_from(["one", "two"]), min_size=len(trace), max_size=len(trace)))
        assert same_matches(engine(program, list(zip(sources, shuffled, strict=True))), matches(program, trace))
