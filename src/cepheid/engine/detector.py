"""The engine's door: push events, get the matches that are certain now; stop, and go on as if never stopped."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from heapq import heappop, heappush

from cepheid.algebra.matches import Match
from cepheid.algebra.programs import Ties
from cepheid.analysis import Certificate, Plan
from cepheid.analysis.stages import Stage
from cepheid.diagnostics import internal_error
from cepheid.engine.gears import gears_for
from cepheid.engine.output_order import in_output_order
from cepheid.engine.point_limits import check_points, has_points
from cepheid.engine.premises import Excess, Premises
from cepheid.engine.promises import Usage, pipe_usage, usage
from cepheid.engine.refusals import closed_already, misplaced, unexpected_interval, unknown_source
from cepheid.engine.room import Limits
from cepheid.engine.rule_runner import RuleRunner
from cepheid.engine.rules_at_work import RulesAtWork
from cepheid.engine.settled import ANYWHERE, arrivals_of
from cepheid.engine.short_ways import is_alone, may_pass
from cepheid.engine.snapshot import read_snapshot, state_fingerprint, write_snapshot
from cepheid.engine.turn import Record
from cepheid.engine.watched import watched
from cepheid.events import MAX_TIME, MIN_TIME, Arrival, Disorder, Event, EventId, OrderKey, order_key


class Detector(RulesAtWork):
    """A plan at work.

    `disorder` is allowed to every source, whatever its streams declare. Late and duplicate events are set aside in
    `late` and `duplicates`, the caller's to empty; `counts` remembers them. With `identified`, events have ids
    of their own, and an id that comes again within the disorder is a duplicate. `state` is what `snapshot` gave.
    What a `certificate` promises is checked after every turn, and `on_excess` says what happens to an event that comes
    faster than was declared. With `Excess.WAIT` an event is taken only when there is room for it; `limits` gives
    histories of events less room than was certified, each by its rule and its variable. As a `stage` it is
    told of stages before it by `feed` and `settle`, and what those after it read is in `handed`, the caller's to empty.
    Where a rule has more than `max_matches` at one step, `TooManyMatches` is raised, and the detector cannot go on.
    Unless `direct` is false, events that come in order are taken directly where that can be. Types that are not among
    those `looked_at` matter to nobody: not to rules, not to pipes, and not to what was declared.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        state: bytes | None = None,
        evidence: bool = True,
        identified: bool = False,
        disorder: int = 0,
        certificate: Certificate | None = None,
        on_excess: Excess = Excess.WARN,
        limits: Limits | None = None,
        stage: Stage | None = None,
        max_matches: int | None = None,
        direct: bool = True,
    ) -> None:
        stage = stage or Stage(plan, plan)
        super().__init__(plan, stage, max_matches)
        self.evidence, self.disorder = evidence, disorder
        self.program = state_fingerprint(plan.program)
        self.arrivals = arrivals_of(plan.program, self.settled.sources, disorder, identified=identified)
        derived = None if self._sees_all else frozenset(one.rule.emits for one in stage.whole.rules)
        self.premises = Premises(plan.program, on_excess, certificate, derived)
        self.promises, self.room = watched(
            certificate, on_excess, limits or {}, self._runners, self.settled, self.pipes
        )
        self._take_short_ways(stage, max_matches, direct=direct)
        self.late: list[Event] = []
        self.duplicates: list[Event] = []
        # Events that wait for others, where those of one time come one after the other.
        self.held: list[tuple[OrderKey, int, Event]] | None = [] if plan.program.ties is Ties.ARRIVAL else None
        self.closed = False
        if state is not None:
            self._restore(read_snapshot(state, self.program))

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

    @property
    def frontier(self) -> int:
        """Every event still to come ends here or later."""
        return min(self.settled.sources.values())

    def push(self, event: Event, source: str = ANYWHERE) -> list[Match]:
        """Take in an event and return the matches that are certain now."""
        if not source and self._is_taken_at_once(event):
            return self.at_once(event)
        arrivals = self._source(source)
        if (source or len(self.arrivals) > 1) and source not in self.settled.expected(event.type):
            raise misplaced(event, source, self.settled.expected(event.type))
        if event.start != event.end and self.plan.lengths.default == 0:
            raise unexpected_interval(event)
        if self._is_checked(event.type) and arrivals.judge(event) is Arrival.IN_TIME:
            self._check(event, source, arrivals)
        arrival = arrivals.see(event)
        if arrival is not Arrival.IN_TIME:
            (self.late if arrival is Arrival.LATE else self.duplicates).append(event)
            return []
        if self.premises.counted is None and event.type not in self.premises.concerned:
            self.premises.hold = False  # nobody declared such events
        direct = None if self._gears is None else self._gears.for_event(event, self.frontier)
        if self.held is not None and (self.held or self._waits(event)):
            heappush(self.held, (order_key(event), self.counts.total(), event))
            return self._in_order()
        if direct is not None:
            self._move(event.end, arrivals.bound)
            return self._shown(direct.push(event, arrivals.bound))
        self.settled.sources[source] = arrivals.bound
        return self._taken(event)

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

    def _arrived(self, end: int, name: EventId) -> int:
        """Note that an event came which is in time, and return how far the input has come with it."""
        settled = self.settled
        settled.sources[ANYWHERE] = bound = self.only.take(end, name)
        if settled.horizon is None or end > settled.horizon:
            settled.horizon = end
        if self._counts_all:
            self.premises.hold = False  # nobody declared such events
        return bound

    def _is_checked(self, kind: str) -> bool:
        """Say whether an event of a type may break what was declared, or find no room."""
        return kind in self.premises.concerned or self._has_points or self.room is not None

    def _check(self, event: Event, source: str, arrivals: Disorder) -> None:
        if self.room is not None:
            self._find_room(event, source, arrivals)
        self.premises.admit(event, self.settled.frontier(event.type))
        if self._has_points:
            self._check_points(source, event.end - arrivals.allowed.ticks)

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

    @property
    def runners(self) -> list[RuleRunner]:
        """The rules at work in the interpreter, which has the state from now on."""
        if self._gears is not None and self._gears.hand_over(self.settled):
            for runner in self._runners:
                runner.look_around(self.settled)
        return self._runners

    def advance(self, time: int, source: str = ANYWHERE) -> list[Match]:
        """Promise that every event still to come ends at `time` or later; return what becomes certain by that."""
        self.promise(time, source)
        if self.held:
            return self._in_order()
        if self._gears is not None and self._gears.direct is not None and time < MAX_TIME:
            return self._shown(self._gears.direct.advance(self.frontier))
        return self._turn([])

    def promise(self, time: int, source: str = ANYWHERE) -> None:
        """Promise that every event still to come ends at `time` or later; what follows is told with the next call."""
        arrivals = self._source(source)
        self._check_points(source, time)
        arrivals.promise(time)
        if not self.held:
            self.settled.sources[source] = arrivals.bound

    def feed(self, records: Iterable[Record]) -> list[Match]:
        """Take in events that rules of stages before this one emitted; return the matches that are certain now."""
        given = list(records)
        for record in given:
            if record.event.end < self.fed[record.event.type]:
                raise internal_error(f"`{record.event.type}` came after its stream was complete")
        return self._turn(given)

    def end(self, source: str = ANYWHERE) -> list[Match]:
        """End one source: nothing comes from it any more, so nobody waits for it."""
        return self.advance(MAX_TIME, source)

    def behind(self, sources: Iterable[str]) -> str:
        """Return that of some sources which has come the least far."""
        return min(sources, key=self.clock)

    def clock(self, source: str = ANYWHERE) -> int:
        """Return how far a source has come: every event still to come from it ends there or later."""
        return self._source(source).bound

    def latest(self, source: str = ANYWHERE) -> int:
        """Return the time of the latest event, or of the promise, that a source is measured by."""
        arrivals = self._source(source)
        return arrivals.bound + arrivals.allowed.ticks

    def so_far(self, source: str = ANYWHERE) -> tuple[int, int | None]:
        """Return how far a source has come, and the time that it is measured by, None where nothing came yet."""
        arrivals = self._source(source)
        bound = arrivals.bound
        return bound, None if bound == MIN_TIME else bound + arrivals.allowed.ticks

    def close(self) -> list[Match]:
        """End the input: nothing will come any more, so everything that waits is decided."""
        self.closed = True
        for arrivals in self.arrivals.values():
            arrivals.promise(MAX_TIME)
        self.settle(dict.fromkeys(self.fed, MAX_TIME))
        return self._in_order()

    @property
    def counts(self) -> Counter[Arrival]:
        """How many events were in time, late and duplicate."""
        every: Counter[Arrival] = Counter()
        for arrivals in self.arrivals.values():
            every.update(arrivals.counts)
        return every

    def snapshot(self) -> bytes:
        """Return the whole state; a detector of the same program goes on from it as if it had never stopped."""
        sources = [(name, each.bound, each.memory()) for name, each in self.arrivals.items()]
        counted = [(name, [each.counts[kind] for kind in Arrival]) for name, each in self.arrivals.items()]
        direct = None if self._gears is None else self._gears.direct
        derived = self.settled.derived if direct is None else dict.fromkeys(self.settled.derived, self.frontier)
        settled = [dict(derived), self.settled.horizon]
        rules = [each.state() for each in self._runners] if direct is None else direct.states()
        pipes = [each.state() for each in self.pipes.values()]
        held = [event for *_, event in sorted(self.held or (), key=lambda one: one[:2])]
        return write_snapshot(self.program, [sources, counted, settled, rules, pipes, self.premises.state(), held])

    def usage(self) -> tuple[Usage, ...]:
        """Return what every operator holds now, beside what its certificate promises that it holds at most."""
        runners = self.runners
        if self.promises is None:
            rules = usage(runners, [None] * len(runners))
            return (*rules, *pipe_usage(self.pipes, [None] * len(self.pipes)))
        return (*usage(runners, self.promises.rules), *pipe_usage(self.pipes, self.promises.pipes))

    def _restore(self, state: object) -> None:
        assert isinstance(state, list)
        sources, counted, (derived, horizon), rules, pipes, premises, held = state
        self.premises.restore(premises)
        if self.held is not None:
            self.held = [(order_key(event), number, event) for number, event in enumerate(held)]
        for name, bound, memory in sources:
            self.arrivals[name].recall(bound, memory)
            self.settled.sources[name] = bound
        for name, counts in counted:
            self.arrivals[name].counts = dict(zip(Arrival, counts, strict=True))
        self.settled.derived, self.settled.horizon = derived, horizon
        self.fed.update({name: derived[name] for name in self.fed})
        for runner, its in zip(self.runners, rules, strict=True):
            runner.restore(its, self.settled)
        for pipe, its in zip(self.pipes.values(), pipes, strict=True):
            pipe.restore(its)

    def _source(self, source: str) -> Disorder:
        if self.closed:
            raise closed_already()
        if source not in self.arrivals:
            raise unknown_source(source, [name for name in self.arrivals if name])
        return self.arrivals[source]

    def _waits(self, event: Event) -> bool:
        """Say whether others may still come that stand before an event: from elsewhere, late, or by their columns."""
        return bool(event.tie) or len(self.arrivals) > 1 or any(one.allowed.ticks for one in self.arrivals.values())

    def _taken(self, event: Event) -> list[Match]:
        """Let the rules see an event; where it stands after all that came before, it is in its final place."""
        if self.settled.horizon is None or event.end > self.settled.horizon:
            self.settled.horizon = event.end
        if self.held is not None:
            self.settled.arrived = event.end + 1
        return self._turn([Record(event, event.end)])

    def _in_order(self) -> list[Match]:
        """Let the rules see the events that wait and before which nothing can come any more, one after the other."""
        found: list[Match] = []
        frontiers = {name: arrivals.bound for name, arrivals in self.arrivals.items()}
        least = min(frontiers.values())
        direct = None if self._gears is None or least == MAX_TIME else self._gears.for_held
        while self.held and self.held[0][-1].end < least:
            event = heappop(self.held)[-1]
            self.settled.sources.update(dict.fromkeys(frontiers, event.end))
            if direct is None:
                found += self._taken(event)
            else:
                self._move(event.end, event.end)
                found += self._shown(direct.push(event, event.end))
        self.settled.sources.update(frontiers)
        return found + (self._turn([]) if direct is None else self._shown(direct.come_to(self.frontier)))

    def _check_points(self, source: str, bound: int) -> None:
        """Refuse to move a source on to where more points of time are due than can be told at once."""
        if self.settled.horizon is not None:
            others = [each.bound for name, each in self.arrivals.items() if name != source]
            after = min([bound, *others])
            check_points(self.plan, self.frontier, self.settled.horizon if after == MAX_TIME else after)

    def _find_room(self, event: Event, source: str, arrivals: Disorder) -> None:
        """Refuse an event that there is no room for; its source has come as far as it says all the same."""
        assert self.room is not None
        arrivals.promise(event.end - arrivals.allowed.ticks)
        self.settled.sources[source] = arrivals.bound
        missing = self.room.missing_for(event, self.settled)
        if missing is not None:
            self.premises.complain(event.type, replace(missing, severity=self.premises.severity))

    def _turn(self, records: list[Record]) -> list[Match]:
        if self._gears is not None:
            self._gears.hand_over(self.settled)
        found = self._taken_by_rules(records)
        if self._is_watched and self.premises.hold:
            assert self.promises is not None
            self.promises.check(self._runners, self.settled, self.pipes)
        return self._in_their_order(found)

    def _in_their_order(self, found: list[Match]) -> list[Match]:
        if not found:
            return found
        shown = in_output_order(found, self.plan) if len(found) > 1 else found
        return shown if self.evidence else [match.without_evidence() for match in shown]
