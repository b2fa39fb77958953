"""What is found depends on no name, no id and no absolute time: only on the order of the inputs and of the rules."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from cepheid.algebra.expressions import Moment
from cepheid.algebra.patterns import Atom, Instant
from cepheid.algebra.programs import Program, Rule, Stream, Ties
from cepheid.algebra.text import show
from cepheid.algebra.traversal import transform, walk
from cepheid.events import Event, EventId, values
from cepheid.testing import Case, DefinitionRunner, Result
from cepheid.testing.runners import Runner
from cepheid.testing.strategies import cases
from tests.engine_runner import EngineRunner
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels_runner import KernelsRunner

RUNNERS: tuple[Runner, ...] = (DefinitionRunner(), EngineRunner(), KernelsRunner())
Told = Counter[tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class Change:
    """A case under other names, other ids or at another time, and what its matches say in the words of the first."""

    program: Program
    trace: Sequence[Event]
    names: Mapping[str, str]
    ids: Mapping[EventId, EventId]
    shift: int = 0


def renamed(case: Case, random: Random) -> Change:
    """Return a case whose rules and types are called otherwise, so that they stand in another order of names."""
    old = sorted({rule.name for rule in case.program.rules} | _types(case))
    fresh = [f"{letter}{number}" for number, letter in enumerate(random.choices("abxyzABXYZ", k=len(old)))]
    names = dict(zip(old, fresh, strict=True))
    trace = [replace(event, type=names[event.type]) for event in case.trace]
    return Change(_called(case.program, names), trace, {new: one for one, new in names.items()}, {})


def shifted(case: Case, random: Random) -> Change:
    """Return a case at another time."""
    by = random.choice((1, -7, 1000, -(10**9), 10**12))
    trace = [replace(event, start=event.start + by, end=event.end + by) for event in case.trace]
    return Change(case.program, trace, {}, {}, by)


def with_other_ids(case: Case, random: Random) -> Change:
    """Return a case whose events have changed their ids among each other."""
    old = [event.id for event in case.trace]
    fresh = random.sample(old, len(old))
    trace = [replace(event, id=one, support=()) for event, one in zip(case.trace, fresh, strict=True)]
    return Change(case.program, trace, {}, dict(zip(fresh, old, strict=True)))


CHANGES: dict[str, Callable[[Case, Random], Change]] = {
    "names": renamed,
    "shift": shifted,
    "ids": with_other_ids,
}


def numbered(case: Case, ties: Ties) -> Case:
    """Return a case with many ties and numbers of arrival, which comes in order."""
    trace = sorted((replace(one, start=one.start // 2 * 2, end=one.end // 2 * 2) for one in case.trace), key=_end)
    events = tuple(replace(event, number=number, tie=()) for number, event in enumerate(trace))
    streams = tuple(replace(stream, disorder=0, sources=()) for stream in case.program.streams)
    return Case(replace(case.program, streams=streams, ties=ties), events, events)


def is_changed_by(change: str, case: Case, runner: Runner, random: Random) -> bool:
    """Say whether a change that should change nothing changes what a runner finds."""
    if change == "shift" and _reads_times(case.program):
        return False
    other = CHANGES[change](case, random)
    expected = _told(runner.run(case.program, case.trace), Change(case.program, case.trace, {}, {}))
    return _told(runner.run(other.program, other.trace), other) != expected


@pytest.mark.parametrize("runner", RUNNERS, ids=lambda runner: runner.name)
@pytest.mark.parametrize("change", sorted(CHANGES))
@given(case=cases(), ties=st.sampled_from(Ties), random=st.randoms(use_true_random=False))
def test_no_name_id_or_shift_changes_what_is_found(
    runner: Runner, change: str, case: Case, ties: Ties, random: Random
) -> None:
    crowd = numbered(case, ties)
    note(show(crowd.program))
    with plain_kernels():
        assert not is_changed_by(change, crowd, runner, random)


def _told(result: Result, change: Change) -> Told:
    return Counter(
        (
            change.names.get(match.name, match.name),
            match.start - change.shift,
            match.end - change.shift,
            values.key_of(dict(match.values)),
            tuple(change.ids.get(one, one) for one in match.evidence),
        )
        for match in result.matches
    )


def _types(case: Case) -> set[str]:
    nodes = list(walk(case.program))
    read = {name for node in nodes if isinstance(node, Atom) for name in node.types}
    return read | {rule.emits for rule in case.program.rules} | {one.type for one in case.trace} | _streams(nodes)


def _streams(nodes: Sequence[object]) -> set[str]:
    return {node.name for node in nodes if isinstance(node, Stream)}


def _called(program: Program, names: Mapping[str, str]) -> Program:
    def change(node: object) -> object:
        match node:
            case Atom(types=types):
                return replace(node, types=frozenset(names[name] for name in types))
            case Rule():
                return replace(node, name=names[node.name], emits=names[node.emits])
            case Stream():
                return replace(node, name=names[node.name])
            case _:
                return node

    return transform(program, change)


def _reads_times(program: Program) -> bool:
    """Say whether a program says or compares times as numbers, or has points of time."""
    for rule in program.rules:
        expressions = (rule.pattern, *rule.fields.values(), *rule.per)
        if any(isinstance(node, Moment | Instant) for node in walk(expressions)):
            return True
        times = (rule.start, rule.end)
        if not all(isinstance(time, Moment) for time in times) and any(_is_product(time) for time in times):
            return True
    return False


def _is_product(time: object) -> bool:
    return any(getattr(node, "function", "") not in ("", "+", "-", "min", "max") for node in walk(time))


def _end(event: Event) -> int:
    return event.end
