"""The engine's door: push events, get the matches that are certain now; stop, and go on as if never stopped."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from heapq import heappop, heappush

from cepheid.algebra.matches import Match
from cepheid.algebra.programs import Ties
from cepheid.analysis import Certificate, Plan
from cepheid.analysis.keys.stages import Stage
from cepheid.diagnostics import internal_error
from cepheid.engine.clock.point_limits import check_points
from cepheid.engine.clock.settled import ANYWHERE, arrivals_of
from cepheid.engine.clock.turn import Record
from cepheid.engine.detectors.at_once import AtOnce
from cepheid.engine.limits.premises import Excess, Premises
from cepheid.engine.limits.refusals import closed_already, misplaced, unexpected_interval, unknown_source
from cepheid.engine.state.snapshot import read_snapshot, state_fingerprint, write_snapshot
from cepheid.engine.watching.promises import Usage, pipe_usage, usage
from cepheid.engine.watching.room import Limits
from cepheid.engine.watching.watched import watched
from cepheid.events import MAX_TIME, MIN_TIME, Arrival, Disorder, Event, OrderKey, order_key


class Detector(AtOnce):
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

    def _is_checked(self, kind: str) -> bool:
        """Say whether an event of a type may break what was declared, or find no room."""
        return kind in self.premises.concerned or self._has_points or self.room is not None

    def _check(self, event: Event, source: str, arrivals: Disorder) -> None:
        if self.room is not None:
            self._find_room(event, source, arrivals)
        self.premises.admit(event, self.settled.frontier(event.type))
        if self._has_points:
            self._check_points(source, event.end - arrivals.allowed.ticks)

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
