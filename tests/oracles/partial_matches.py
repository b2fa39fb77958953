"""HBL's execution: a set of active partial matches, each stepped once per record.

    (state to wait for, avoided record or none, environment)

Without evidence, partial matches that agree in these three merge into the one that started last. With evidence the
records taken so far tell them apart as well.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from cepheid.events import Event

Environment: TypeAlias = tuple[tuple[str, int | None], ...]


@dataclass(frozen=True, slots=True)
class Check:
    """The record's field (or its `index`, or `now`) is `operator` a number or a variable of the environment."""

    field: str
    operator: str
    against: int | str


@dataclass(frozen=True, slots=True)
class RecordSpec:
    """A record of one of the types (none named: any) that passes all tests."""

    types: frozenset[str]
    tests: tuple[Check, ...] = ()


@dataclass(frozen=True, slots=True)
class Let:
    """`variable = (base or 0) + field`, where the base is a variable or none and the field may be `index`, `now`."""

    variable: str
    base: str | None
    field: str


@dataclass(frozen=True, slots=True)
class State:
    """Wait for `lead`; bind; then wait for every state of `follow`, none of which may be preceded by `avoid`."""

    lead: RecordSpec
    lets: tuple[Let, ...] = ()
    avoid: RecordSpec | None = None
    follow: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Watchpoint:
    """States by name, where to begin, what is bound initially, and how far the last may lie from the first record."""

    states: Mapping[str, State]
    first: str
    initially: Environment = ()
    longest: int | None = None
    records: int | None = None


@dataclass(frozen=True, slots=True)
class Partial:
    """An active partial match; `taken` holds the indices of its records."""

    state: str
    avoid: RecordSpec | None
    environment: Environment
    taken: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Alert:
    """What a watchpoint reports: its environment, and the records, or without evidence the first and the last."""

    environment: Environment
    taken: tuple[int, ...]


def alerts(watchpoint: Watchpoint, stream: Sequence[Event], evidence: bool) -> set[Alert]:
    """Run the watchpoint over the records in their order."""
    active: set[Partial] = set()
    found: set[Alert] = set()
    for index in range(len(stream)):
        active.add(Partial(watchpoint.first, None, watchpoint.initially, ()))
        following: set[Partial] = set()
        for partial in active:
            stepped, reported = _step(watchpoint, partial, stream, index)
            following |= stepped
            found |= reported
        active = following if evidence else _merged(following)
    return found if evidence else _latest(found)


def _step(
    watchpoint: Watchpoint, partial: Partial, stream: Sequence[Event], index: int
) -> tuple[set[Partial], set[Alert]]:
    state = watchpoint.states[partial.state]
    if partial.taken and _has_passed(watchpoint, stream, partial.taken[0], index):
        return set(), set()
    if _satisfies(state.lead, partial.environment, stream, index):
        taken = (*partial.taken, index)
        environment = _bound(state.lets, partial.environment, stream, index)
        if not state.follow:
            return set(), {Alert(environment, taken)}
        return {Partial(name, state.avoid, environment, taken) for name in state.follow}, set()
    avoided = partial.avoid is not None and _satisfies(partial.avoid, partial.environment, stream, index)
    waits = partial.taken != () and not avoided
    return ({partial} if waits else set()), set()


def _has_passed(watchpoint: Watchpoint, stream: Sequence[Event], first: int, index: int) -> bool:
    too_long = watchpoint.longest is not None and stream[index].end - stream[first].start > watchpoint.longest
    return too_long or (watchpoint.records is not None and index - first >= watchpoint.records)


def _read(field: str, stream: Sequence[Event], index: int) -> int | None:
    if field == "index":
        return index
    value = stream[index].end if field == "now" else stream[index].fields.get(field)
    return value if isinstance(value, int) else None


def _satisfies(spec: RecordSpec, environment: Environment, stream: Sequence[Event], index: int) -> bool:
    if spec.types and stream[index].type not in spec.types:
        return False
    return all(_passes(test, dict(environment), _read(test.field, stream, index)) for test in spec.tests)


def _passes(test: Check, environment: Mapping[str, int | None], value: int | None) -> bool:
    against = environment.get(test.against) if isinstance(test.against, str) else test.against
    if value is None or against is None:
        return False
    return {"==": value == against, "<": value < against, "!=": value != against}[test.operator]


def _bound(lets: Sequence[Let], environment: Environment, stream: Sequence[Event], index: int) -> Environment:
    bound = dict(environment)
    for let in lets:
        base = 0 if let.base is None else bound.get(let.base)
        value = _read(let.field, stream, index)
        bound[let.variable] = None if base is None or value is None else base + value
    return tuple(sorted(bound.items()))


def _merged(active: set[Partial]) -> set[Partial]:
    latest: dict[Partial, tuple[int, ...]] = {}
    for partial in active:
        told_apart = replace(partial, taken=())
        latest[told_apart] = max(latest.get(told_apart, ()), partial.taken)
    return {replace(partial, taken=taken) for partial, taken in latest.items()}


def _latest(found: set[Alert]) -> set[Alert]:
    latest: dict[tuple[Environment, int], int] = {}
    for alert in found:
        key = (alert.environment, alert.taken[-1])
        latest[key] = max(latest.get(key, -1), alert.taken[0])
    return {Alert(environment, (first, last)) for (environment, last), first in latest.items()}
