"""The premises of a certificate: events come no faster, and with no more keys, than was declared.

An event that comes too fast is the user's data, not our bug. The policy says what happens: the source waits, a warning
is kept, or the run fails. A bound that was proved from a premise is not held against us once the premise is broken.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import Enum

import numpy as np

from cepheid.algebra.programs import Arrival, Program
from cepheid.analysis import Certificate
from cepheid.diagnostics import CepheidError, Diagnostic, Severity
from cepheid.engine.limits.declared_keys import DeclaredKeys
from cepheid.events import Duration, Event


class Excess(Enum):
    """What to do with an event that comes faster than was declared.

    WAIT   do not take it, and tell the source to wait
    WARN   take it, and keep a warning
    FAIL   do not take it, and stop
    """

    WAIT = "wait"
    WARN = "warn"
    FAIL = "fail"


class Wait(CepheidError):  # noqa: N818  # it says what to do
    """The event was not taken: it came faster than was declared, or there is no capacity for it yet.

    Where there is no capacity, the same event can be pushed again later: nothing was lost. Its source has come as far
    as the event says, so that others need not wait for it.
    """


class Premises:
    """The recent ends of every declared type, as far back as its period reaches, and the keys that were counted on.

    `hold` is true until an event comes that breaks a premise. `counted` are types that nobody declared and on which
    bounds rest all the same, None for all types: an event of one of these breaks the premise that there are none.
    `listener` is told the ends of the events of a declared type that are taken in.
    """

    def __init__(
        self, program: Program, on_excess: Excess, certificate: Certificate | None, counted: frozenset[str] | None
    ) -> None:
        self.declared = {one.name: one.arrival for one in program.streams if one.arrival is not None}
        self.keys = DeclaredKeys(program, certificate)
        self.on_excess, self.counted = on_excess, counted
        self.recent: dict[str, list[int]] = {name: [] for name in self.declared}
        self.hold = True
        kinds = {kind for kind, _ in self.keys.most}
        self.concerned = frozenset((*self.declared, *(counted or ()), *kinds))
        """The types of events that could break something; all others do where `counted` is None."""
        self.listener: Callable[[str, Sequence[int]], None] | None = None
        self.warnings: dict[str, Diagnostic] = {}
        self.exceeded: Counter[str] = Counter()

    def admit(self, event: Event, frontier: int) -> None:
        """Take note of an event before it is taken in; `frontier` is that of its type."""
        attribute = self.keys.one_too_many(event)
        if attribute is not None:
            self.complain(".".join(attribute), self.keys.complaint(attribute, self.severity))
        arrival = self.declared.get(event.type)
        if arrival is not None:
            self._admit(event, frontier, arrival)
        elif self.counted is None or event.type in self.counted:
            self.hold = False
        self.keys.take(event)

    def hold_for(self, ends: Mapping[str, Sequence[int]]) -> bool:
        """Say whether events with these ends, by type, are surely as was declared, in whatever order they come."""
        if self.keys.most:
            return False
        return all(
            _is_slow(arrival, [*self.recent[name], *ends.get(name, ())]) for name, arrival in self.declared.items()
        )

    def note(self, ends: Mapping[str, Sequence[int]], frontier: int) -> None:
        """Take note of events that are as was declared, and that were taken in; `frontier` is as they have moved it."""
        for name, arrival in self.declared.items():
            recent = sorted([*self.recent[name], *ends.get(name, ())])
            self.recent[name] = recent[bisect_right(recent, frontier - arrival.per) :]
            if self.listener is not None:
                self.listener(name, ends.get(name, ()))

    def state(self) -> object:
        recent = [[name, list(ends)] for name, ends in self.recent.items()]
        return [self.hold, recent, list(self.exceeded.items()), self.keys.state()]

    def restore(self, state: object) -> None:
        assert isinstance(state, list)
        self.hold, recent, exceeded, keys = state
        self.recent.update({name: list(ends) for name, ends in recent if name in self.declared})
        self.exceeded.update(dict(exceeded))
        self.keys.restore(keys)

    @property
    def severity(self) -> Severity:
        return Severity.WARNING if self.on_excess is Excess.WARN else Severity.ERROR

    def _admit(self, event: Event, frontier: int, arrival: Arrival) -> None:
        recent = self.recent[event.type]
        del recent[: bisect_right(recent, frontier - arrival.per)]
        place = bisect_right(recent, event.end)
        if is_too_fast(arrival, recent, place, event.end):
            self.complain(event.type, _too_fast(event.type, arrival, self.severity))
        recent.insert(place, event.end)
        if self.listener is not None:
            self.listener(event.type, (event.end,))

    def complain(self, name: str, complaint: Diagnostic) -> None:
        """Do with an event what the policy says: refuse it, or take it with a warning."""
        if self.on_excess is Excess.WAIT:
            raise Wait(complaint)
        if self.on_excess is Excess.FAIL:
            raise CepheidError(complaint)
        self.hold = False
        self.exceeded[name] += 1
        self.warnings.setdefault(name, complaint)


def is_too_fast(arrival: Arrival, recent: Sequence[int], place: int, end: int) -> bool:
    """Say whether one more event at `end`, at that place among the recent ends, is one too many.

    >>> is_too_fast(Arrival(2, 10), [0, 5], 2, 9), is_too_fast(Arrival(2, 10), [0, 5], 2, 10)
    (True, False)
    >>> is_too_fast(Arrival(1, 10, spaced=True), [0, 20], 1, 10), is_too_fast(Arrival(1, 10, spaced=True), [0], 1, 9)
    (False, True)
    """
    if arrival.spaced:
        near = [abs(end - other) for other in recent[max(place - 1, 0) : place + 1]]
        return any(apart * arrival.count < arrival.per for apart in near)
    later = [end, *recent[place:]]
    # Every run of count + 1 events that holds the new one must take at least a period.
    for number, last in enumerate(later):
        first = place + number - arrival.count
        if first >= 0 and first <= place:
            earliest = recent[first] if first < place else end
            if last - earliest < arrival.per:
                return True
    return False


def _is_slow(arrival: Arrival, ends: Sequence[int]) -> bool:
    """Say whether events with these ends are all as far apart as was declared.

    >>> _is_slow(Arrival(2, 10), [5, 0, 10]), _is_slow(Arrival(2, 10), [5, 0, 9])
    (True, False)
    """
    times = np.sort(np.asarray(ends, np.int64))
    if arrival.spaced:
        return bool((np.diff(times) * arrival.count >= arrival.per).all())
    return bool((times[arrival.count :] - times[: -arrival.count] >= arrival.per).all())


def told_too_fast(name: str, arrival: Arrival) -> str:
    """Return what is said of events that come faster than was declared.

    >>> told_too_fast("A", Arrival(2, 10)), told_too_fast("A", Arrival(2, 10, spaced=True))
    ('more than 2 `A` events come within 10 us', 'two `A` events are closer than the 5 us that are declared')
    """
    if arrival.spaced:
        return f"two `{name}` events are closer than the {Duration(arrival.per // arrival.count)} that are declared"
    return f"more than {arrival.count} `{name}` events come within {Duration(arrival.per)}"


def _too_fast(name: str, arrival: Arrival, severity: Severity) -> Diagnostic:
    per, twice = Duration(arrival.per), 2 * arrival.count
    if arrival.spaced:
        hint = f"declare how close they come, for example `stream {name} rate {twice} per {per} spaced`"
    else:
        hint = f"declare how fast they come, for example `stream {name} rate {twice} per {per}`"
    note = "the bounds of this query were proved for what is declared"
    message = told_too_fast(name, arrival)
    return Diagnostic("rate-exceeded", message, hints=(hint,), notes=(note,), severity=severity)
