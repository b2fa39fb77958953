"""How long after its first record a run of a chain can take another one, as its conditions say.

A limit that is written into the steps, `now() <= q + 5 s` or `index() <= p + 5`, ends a run as a window does: once it
has passed, no later record can satisfy the step. Where every way through a chain has such a limit, it has a window.
"""

import math
from dataclasses import dataclass, replace
from typing import Final

from cepheid.algebra.frozen import FrozenMap
from cepheid.algebra.patterns import Chain, Step
from cepheid.algebra.relations import Axis
from cepheid.analysis.plans.chain_ways import passed_before
from cepheid.analysis.plans.latest import NO_LIMIT, Latest
from cepheid.analysis.plans.linear_forms import Known, Linear, Real
from cepheid.analysis.plans.linear_terms import linear
from cepheid.analysis.plans.step_limits import StepLimits, ends_by_itself, says_until_when

_VISITS: Final = 4
"""After so many rounds through a loop, what has grown with each is taken to grow for ever."""


@dataclass(frozen=True, slots=True)
class Span:
    """From when to when, in ticks or in records after the first record."""

    low: float = 0
    high: float = math.inf


Legs = tuple[tuple[int | None, int | None], ...]
"""Ticks and records, one after the other; None is no limit."""
_FOR_EVER: Final[Legs] = ((None, None),)


@dataclass(frozen=True, slots=True)
class Limits:
    """How late a run can take its last record, in ticks and in records after the first; None: nothing says so.

    `open` is a step that then waits for ever, or where there is none, one whose limit nobody knows before. `waits` says
    of every step, and of every way in which it can take a record, how long a run can have been under way that waits for
    it: in one leg from the first record, or in several where a limit is counted from a later one.
    """

    time: int | None
    records: int | None
    open: str | None = None
    waits: tuple[Legs, ...] = ()


@dataclass(frozen=True, slots=True)
class _At:
    """What is known where a run waits: of its variables, and of when it took its latest record."""

    known: Known
    time: Span
    records: Span


def run_limits(chain: Chain) -> Limits:
    """Return how late a run can complete."""
    ways = _Ways(chain)
    ends = ways.ends()
    time = max((one.time.high for one in ends.values()), default=0)
    records = max((one.records.high for one in ends.values()), default=0)
    waiting = _Waits(chain, ways)
    waits = {name: waiting.of(name) for name in ways.at}
    endless = [name for name, one in ends.items() if one.time.high == one.records.high == math.inf]
    open_first = sorted(endless, key=lambda name: _FOR_EVER not in waits.get(name, [_FOR_EVER]))
    variables = variables_of(chain)
    for_ever = [name for name in (*open_first, *ways.at) if not ends_by_itself(chain.steps[name].lead, variables)]
    every = tuple(legs for some in waits.values() for legs in some)
    waiting_longest = (*for_ever, *open_first) if endless else ()
    return Limits(_whole(time), _whole(records), next(iter(waiting_longest), None), every)


def variables_of(chain: Chain) -> frozenset[str]:
    """Return the names of all variables that a chain sets."""
    return frozenset(chain.initially).union(*(step.lets for step in chain.steps.values()))


class _Waits:
    """How long a run can have been under way that waits for a step; what others build on is found once."""

    def __init__(self, chain: Chain, ways: "_Ways") -> None:
        self._chain, self._ways = chain, ways
        self._found: dict[str, list[Legs]] = {}
        self._later: dict[str, _Ways] = {}

    def of(self, name: str) -> list[Legs]:
        """Return that, in each of the ways that a step can take a record.

        Where nothing limits it from the first record, a limit from a later one does, which every run has taken before.
        """
        if name not in self._found:
            own = self._ways.waited(name)
            self._found[name] = own if _FOR_EVER not in own else self._in_legs(name) or own
        return self._found[name]

    def _in_legs(self, name: str) -> list[Legs] | None:
        for anchor in passed_before(self._chain)[name]:
            before = self.of(anchor)
            if _FOR_EVER not in before and _FOR_EVER not in (after := self._after(anchor, name)):
                return [(*legs, *own) for legs in before for own in after]
        return None

    def _after(self, anchor: str, name: str) -> list[Legs]:
        """Return how long after the record of one step a run can wait for another."""
        if anchor not in self._later:
            self._later[anchor] = _Ways(replace(self._chain, first=anchor, initially=FrozenMap({})))
            self._later[anchor].ends()
        later = self._later[anchor]
        return later.waited(name) if name in later.at else [_FOR_EVER]


class _Ways:
    """What is known at every step of a chain, whichever way a run came to it."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        self.longest = {axis: window_of(chain, axis) for axis in (Axis.TIME, Axis.POSITION)}
        self.at: dict[str, _At] = {}
        self.visits = dict.fromkeys(chain.steps, 0)

    def ends(self) -> dict[str, _At]:
        """Return what is known where runs complete, by the names of the steps."""
        begun = self._begun()
        self._follow(begun)
        last = [name for name in self.at if not self.chain.steps[name].follow]
        ends = {name: taken for name in last if (taken := self._taken(name)) is not None}
        return ends if self.chain.steps[self.chain.first].follow else {self.chain.first: begun}

    def waited(self, name: str) -> list[Legs]:
        """Return how late after the first record a run can still wait for a step, in each way that it can be taken."""
        return [((_whole(time), _whole(records)),) for time, records in self._limit(name).ways]

    def _latest(self, name: str) -> tuple[float, float]:
        """Return until when a step can take a record, in time and in records."""
        limit = self._limit(name)
        return limit.time, limit.records

    def _limit(self, name: str) -> Latest:
        lead, limit = self.chain.steps[name].lead, NO_LIMIT
        if says_until_when(lead):
            limit = StepLimits(lead.name, self.at[name].known, anchored=True).of(lead.where)
        return limit.both(Latest(((self.longest[Axis.TIME], self.longest[Axis.POSITION]),)))

    def _begun(self) -> _At:
        """Return what is known once the first record was taken."""
        initially = {name: linear(value, {}, "") for name, value in self.chain.initially.items()}
        here = Span(0, 0)
        return _set(self.chain.steps[self.chain.first], _At(initially, here, here))

    def _follow(self, begun: _At) -> None:
        """Go through the chain until nothing more is learnt; what grows without end is widened."""
        ahead = [name for name in self.chain.steps[self.chain.first].follow if self._reach(name, begun)]
        while ahead:
            name = ahead.pop()
            taken = self._taken(name)
            if taken is not None:
                ahead += [follow for follow in self.chain.steps[name].follow if self._reach(follow, taken)]

    def _taken(self, name: str) -> _At | None:
        """Return what is known once a step has taken a later record; None where it cannot."""
        before, step = self.at[name], self.chain.steps[name]
        latest = self._latest(name)
        time, records = Span(before.time.low, latest[0]), Span(before.records.low + 1, latest[1])
        if time.high < time.low or records.high < records.low:
            return None
        return _set(step, _At(before.known, time, records))

    def _reach(self, name: str, taken: _At) -> bool:
        """Note that a step is reached; say whether that is news."""
        before = self.at.get(name)
        self.visits[name] += 1
        found = taken if before is None else _joined(before, taken)
        if before is not None and self.visits[name] > _VISITS:
            found = _widened(before, found)
        self.at[name] = found
        return found != before


def _set(step: Step, taken: _At) -> _At:
    """Return what is known after a step has set its variables, one after the other."""
    known = dict(taken.known)
    for variable, value in step.lets.items():
        known[variable] = _settled(linear(value, known, step.lead.name), taken.time, taken.records)
    return replace(taken, known=known)


def _settled(value: Linear | None, time: Span, records: Span) -> Linear | None:
    """Return a value that is set now: the record is some time after the first."""
    if value is None:
        return None
    moved = replace(value, now=0, index=0, start=value.start + value.now, place=value.place + value.index)
    since = Linear(time.low, time.high).times(value.now), Linear(records.low, records.high).times(value.index)
    settled = moved.plus(since[0]).plus(since[1])
    return settled if settled.whole or settled.is_finite else None


def _joined(one: _At, other: _At) -> _At:
    names = one.known.keys() & other.known.keys()
    known = {name: _either(one.known[name], other.known[name]) for name in names}
    return _At(known, _hull(one.time, other.time), _hull(one.records, other.records))


def _either(one: Linear | None, other: Linear | None) -> Linear | None:
    return None if one is None or other is None else one.hull(other)


def _hull(one: Span, other: Span) -> Span:
    return Span(min(one.low, other.low), max(one.high, other.high))


def _widened(before: _At, after: _At) -> _At:
    """Return what is known if all that has grown goes on growing."""
    known = {name: _endless(before.known.get(name), value) for name, value in after.known.items()}
    return _At(known, _endless_span(before.time, after.time), _endless_span(before.records, after.records))


def _endless(before: Linear | None, after: Linear | None) -> Linear | None:
    if before is None or after is None:
        return None
    low, high = _stretched((before.low, before.high), (after.low, after.high))
    least, most = _stretched((before.least, before.most), (after.least, after.most))
    widened = replace(after, low=low, high=high, least=least, most=most)
    return widened if widened.whole or widened.is_finite else None


def _stretched(before: tuple[Real, Real], after: tuple[Real, Real]) -> tuple[Real, Real]:
    """Return a range that goes on for ever where it has grown."""
    return after[0] if after[0] >= before[0] else -math.inf, after[1] if after[1] <= before[1] else math.inf


def _endless_span(before: Span, after: Span) -> Span:
    return Span(after.low, after.high if after.high <= before.high else math.inf)


def window_of(chain: Chain, axis: Axis) -> float:
    """Return how long the window of a chain lasts, in ticks or in records after the first; infinite without one."""
    from_first = [one for one in chain.window if (one.later.part, one.later.axis) == ("$last", axis)]
    highs = [one.high for one in from_first if one.high is not None]
    return min(highs, default=math.inf)


def _whole(number: float) -> int | None:
    return None if number == math.inf else int(number)
