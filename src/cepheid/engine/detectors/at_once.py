"""Events that come in order and break nothing that was declared: rules take them directly, one by one or many."""

from collections.abc import Callable, Iterator, Sequence
from operator import length_hint

from cepheid.algebra.matches import Match
from cepheid.algebra.programs import Ties
from cepheid.analysis.keys.stages import Stage
from cepheid.connectors import Glance
from cepheid.engine.clock.output_order import in_output_order
from cepheid.engine.clock.point_limits import has_points
from cepheid.engine.clock.settled import ANYWHERE
from cepheid.engine.interpreter.gears import gears_for
from cepheid.engine.interpreter.rule_runner import RuleRunner
from cepheid.engine.interpreter.rules_at_work import RulesAtWork
from cepheid.engine.interpreter.short_ways import is_alone, may_pass
from cepheid.engine.limits.premises import Premises
from cepheid.engine.watching.promises import Promises
from cepheid.engine.watching.room import Room
from cepheid.events import MAX_TIME, Disorder, Event, EventId, OrderKey


class AtOnce(RulesAtWork):
    """Rules at work, and what may stand in for the interpreter where an event asks for no more than to be taken."""

    evidence: bool
    closed: bool
    arrivals: dict[str, Disorder]
    premises: Premises
    promises: Promises | None
    room: Room | None
    held: list[tuple[OrderKey, int, Event]] | None

    def _take_short_ways(self, stage: Stage, most: int | None, *, direct: bool) -> None:
        """Find out what can be done quickly, and which events nobody looks at."""
        self._has_points = has_points(self.plan)
        self.looked_at = self.read | {rule.emits for rule in stage.whole.program.rules}
        self.looked_at |= {stream.name for stream in self.plan.program.streams}
        cycles = any(cycle is not None for cycle in self.cycles)
        plain = self.room is None and not self.pipes
        self._passes = plain and may_pass(self._runners, self.arrivals, stage, cycles=cycles)
        alone = direct and plain and is_alone(self.arrivals, stage)
        self._gears = gears_for(self.plan, self._runners, most) if alone else None
        self.only = next(iter(self.arrivals.values()))
        """The arrivals of the first source, which mostly is the only one."""
        waits = self.plan.program.ties is Ties.ARRIVAL and self.only.allowed.ticks > 0
        self._is_plain = self._gears is not None and not waits and not self._has_points
        self._is_watched, self._counts_all = bool(self.promises and self.promises.limits), self.premises.counted is None

    def _is_taken_at_once(self, event: Event) -> bool:
        """Say whether nothing has to be asked about an event: it is in order, and breaks nothing that was declared."""
        return (
            event.end == event.start
            and not event.tie
            and (event.number is not None or type(event.id) is int)
            and self.takes_at_once(event.type, event.end, event.id)
        )

    def takes_at_once(self, kind: str, end: int, name: EventId) -> bool:
        """Say so of an event that is a point and says nothing about its order."""
        only = self.only
        return (
            self._is_plain
            and end >= only.bound
            and kind not in self.premises.concerned
            and self._gears.direct is not None  # type: ignore[union-attr]  # there are some, where this is plain
            and not self.closed
            and not (only.identified and name in only.kept)
        )

    def at_once(self, event: Event) -> list[Match]:
        """Take in such an event directly, and return the matches that are certain now."""
        direct = self._gears.direct  # type: ignore[union-attr]  # as `takes_at_once` has seen
        found = direct.push(event, self._arrived(event.end, event.id))  # type: ignore[union-attr]  # as above
        if self._is_watched and self.premises.hold:
            return self._shown(found)
        if not self.evidence:
            return self._in_their_order(found)
        return in_output_order(found, self.plan) if len(found) > 1 else found

    @property
    def takes_many(self) -> bool:
        """Whether many events can be looked at before the first is taken: the rules have them, and nobody else asks."""
        gears = self._gears
        watches = self._is_watched and self.premises.hold and not self._counts_all
        ready = self._is_plain and gears is not None and gears.direct is not None and not self.closed
        return ready and not watches and not self.only.identified

    def all_at_once(self, coming: Sequence[Glance], make: Callable[[Glance], Event]) -> Iterator[list[Match]]:
        """Take in events each of which would be taken at once, and yield what is certain with one of them.

        Where this is stopped, by an error too, those that came before are taken in, and the one at hand.
        """
        direct, only = self._gears.direct, self.only  # type: ignore[union-attr]  # as `takes_many` has seen
        assert direct is not None
        if coming and self._counts_all:
            self.premises.hold = False  # nobody declared such events
        rest = iter(coming)
        try:
            for found in direct.push_all(rest, make, only.bound, only.allowed.ticks):
                yield self._in_their_order(found)
        finally:
            if taken := len(coming) - length_hint(rest):
                last = max([one[1] for one in coming[:taken]])
                self._move(last, only.take_many(taken, last))
                direct.frontier = only.bound

    def _arrived(self, end: int, name: EventId) -> int:
        """Note that an event came which is in time, and return how far the input has come with it."""
        settled = self.settled
        settled.sources[ANYWHERE] = bound = self.only.take(end, name)
        if settled.horizon is None or end > settled.horizon:
            settled.horizon = end
        if self._counts_all:
            self.premises.hold = False  # nobody declared such events
        return bound

    def pass_by(self, end: int, name: EventId) -> list[Match] | None:
        """Move on to an event of a type that is not looked at, and return what becomes certain; None: it is pushed.

        It has no more to say than its type, its time and its id.
        """
        only = self.only
        if end < only.bound or self.closed or self.held or (only.identified and name in only.kept):
            return None
        direct = None if self._gears is None else self._gears.direct
        if direct is None:
            return self._pass_interpreted(end, name)
        if not self._is_plain or not direct.passes:
            return None
        settled = self.settled  # what follows is `_arrived`, without the time that a call takes
        settled.sources[ANYWHERE] = frontier = only.take(end, name)
        if settled.horizon is None or end > settled.horizon:
            settled.horizon = end
        if self._counts_all:
            self.premises.hold = False
        if direct.counts:
            direct.pass_by()
        return [] if direct.due >= frontier else self._shown(direct.come_to(frontier))

    def _pass_interpreted(self, end: int, name: EventId) -> list[Match] | None:
        first = min([runner.due for runner in self._runners], default=MAX_TIME)
        if not self._passes or first < end - self.only.allowed.ticks:
            return None
        self._arrived(end, name)
        return []

    def _move(self, end: int, bound: int) -> None:
        """Note how far the one source has come."""
        self.settled.sources[ANYWHERE] = bound
        if self.settled.horizon is None or end > self.settled.horizon:
            self.settled.horizon = end

    def _shown(self, found: list[Match]) -> list[Match]:
        """Return what rules told that take events directly, and see that they hold no more than was promised."""
        if self._is_watched and self.premises.hold:
            assert self._gears is not None
            assert self._gears.direct is not None
            assert self.promises is not None
            if self._gears.direct.exceeds(self.promises.most, self.frontier):
                self.promises.check(self.runners, self.settled, self.pipes)
        return self._in_their_order(found)

    def _in_their_order(self, found: list[Match]) -> list[Match]:
        if not found:
            return found
        shown = in_output_order(found, self.plan) if len(found) > 1 else found
        return shown if self.evidence else [match.without_evidence() for match in shown]

    @property
    def runners(self) -> list[RuleRunner]:
        """The rules at work in the interpreter, which has the state from now on."""
        if self._gears is not None and self._gears.hand_over(self.settled):
            for runner in self._runners:
                runner.look_around(self.settled)
        return self._runners

    @property
    def frontier(self) -> int:
        """Every event still to come ends here or later."""
        return min(self.settled.sources.values())
