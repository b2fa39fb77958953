"""A chain at work on records that come one at a time: each looks only at the runs that wait for its like."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

from cepheid.algebra.chain_semantics import ChainRun, begin
from cepheid.algebra.closures import relation_test
from cepheid.algebra.evaluation import Scope
from cepheid.algebra.instances import Instance, of_event
from cepheid.algebra.matches import Match
from cepheid.algebra.programs import Table
from cepheid.analysis.plans.plan import RulePlan
from cepheid.connectors import Glance
from cepheid.engine.direct.alerts import Alerts
from cepheid.engine.direct.chain_reach import is_all, reads_positions
from cepheid.engine.direct.chain_runs import ChainRuns
from cepheid.engine.direct.chain_steps import ChainSteps, Looks
from cepheid.engine.direct.partials import Uncounted, arrival, is_counted
from cepheid.engine.direct.record_reading import Fielded, Test, bound_by
from cepheid.engine.direct.waiting_runs import NOBODY, OVER, Lease, Some, Waiting, WaitingRuns, satisfied
from cepheid.engine.limits.too_many import TooManyMatches
from cepheid.events import Event, Value

Moved = tuple[ChainRun, str, Lease]
"""A run, the step by which it takes a record, and how long it may go on waiting."""
Complete = tuple[ChainRun, str]
"""A run, and the last step, by which it takes a record."""


class DirectChain(ChainRuns):
    """The runs of a chain that is a whole rule, over all its keys; it is used as `DirectRule` is."""

    def __init__(self, plan: RulePlan, tables: Mapping[str, Table], most: int | None) -> None:
        super().__init__(plan, tables)
        self.most = most
        steps = ChainSteps(self.chain, tables, self.observable)
        self.first, self.leads, self.lets = steps.first, steps.leads, steps.lets
        self.beginning = begin(self.chain, tables)
        self.follows, self.looks, self.other_looks = steps.follows, steps.looks, steps.other_looks
        self.scans, self.sees_any = steps.scans, steps.sees_any
        self.counts = bool(self.reach.positions) or reads_positions(self.chain)
        self.sees_all = self.sees_any or self.counts
        """Whether records of types that no step asks for matter too: at least they are counted."""
        self.passes = not self.sees_any and (not self.counts or (self.prompt and self.key is None))
        """Whether such records need no more than to be counted."""
        window = self.chain.window
        # A run that waits no longer than the window lasts has no more to be asked.
        self.window = None if not window or is_all(self.reach, self.chain) else relation_test(window)
        self.held: list[Event] = []
        self.waiting: int | None = None
        self.alerts = Alerts(plan, self.chain, tables)
        is_plain = self.alerts.is_plain and self.window is None and most != 0
        self.plain_ends = steps.plain_ends() if is_plain else frozenset()
        """The steps that complete a run whose alert is told without a record of the last event."""
        # Two runs that one record completes by the same one of these never say the same.
        self.apart_ends = steps.apart_ends() & self.plain_ends if self.merges else frozenset()

    def push(self, event: Event, frontier: int) -> list[Match]:
        """Take in a record, and return the alerts that are certain now; nothing more will end before the frontier."""
        if self.prompt:
            return self._record(event, event.end)
        found = self.come_to(frontier)
        if self.sees_all or event.type in self.scans:
            self.held.append(event)
            self.waiting = event.end if self.waiting is None else min(self.waiting, event.end)
        return found

    @property
    def takes_many(self) -> bool:
        """Whether nothing need be known of a record that nobody waits for."""
        return self.passes and self.prompt and self.key is None

    def push_all(self, coming: Iterable[Glance], make: Callable[[Glance], Event]) -> Iterator[list[Match]]:
        """Take in records one after the other, and yield the alerts of each that completes some.

        No event is made of one that nobody waits for.
        """
        looks_of, times, records = self.looks, self.times, self.records
        for one in coming:
            kind, end, _, given = one
            looks = looks_of.get(kind)
            if looks is None:
                self.pass_by()
                continue
            position, places = records.get((), 0), self.places.get(())
            is_due = times.due < end or (places is not None and places.due < position)
            if not is_due and not looks[1] and not self._is_waited_for(looks, given):
                records[()] = position + 1
                continue
            found = self._record(make(one), end)
            if found:
                yield found

    def _is_waited_for(self, looks: Looks, given: Mapping[str, Value]) -> bool:
        """Say whether a run may wait for a record, or end by it, under the one key that there is."""
        for place, leads, ends in looks[0]:
            if place.led and ((leads and place.lead.may_find(given, place.led)) or (ends and place.may_end(given))):
                return True
        return False

    def pass_by(self) -> None:
        """Count a record that nobody waits for."""
        if self.counts:
            self.records[()] = self.records.get((), 0) + 1

    def advance(self, frontier: int) -> list[Match]:
        """Return what becomes certain when nothing more ends before the frontier."""
        found = self.come_to(frontier)
        self.expire(frontier)
        return found

    def come_to(self, frontier: int) -> list[Match]:
        """Look at the records of the instants that are complete, in their order."""
        if self.waiting is None or self.waiting >= frontier:
            return []
        complete = [event for event in self.held if event.end < frontier]
        self.held = [event for event in self.held if event.end >= frontier]
        self.waiting = min([event.end for event in self.held], default=None)
        complete.sort(key=arrival)
        return [one for event in complete for one in self._record(event, event.end + 1)]

    def _record(self, event: Event, known: int) -> list[Match]:
        owner = () if self.key is None else self.key((event,))
        if owner is None:
            return []
        position = self.records.get(owner, 0)
        self.records[owner] = position + 1
        places = self.places.get(owner)
        if self.times.due < event.end or (places is not None and places.due < position):
            self._evict(event.end, position, owner)
        looks = self.looks.get(event.type, self.other_looks)
        found = self._looked_at(event, looks, owner, position, known) if looks is not None else []
        if self.key is not None and not self.live.get(owner):
            self._rest(owner)
        return found

    def _looked_at(self, event: Event, looks: Looks, owner: Hashable, position: int, known: int) -> list[Match]:
        """Let the runs that wait for a record take it, and return what those tell that are complete."""
        moved: list[Moved] = []
        going_on: list[Waiting] = []
        complete: list[Complete] = []
        record: Instance | None = None
        for place, leads, ends in looks[0]:
            if not place.led:
                continue
            ended, asked_of_ended = place.ended(owner, event, position) if ends else NOBODY
            taken, asked = place.lead.found_by(owner, event, position, place.led) if leads else NOBODY
            if not ended and not taken:
                continue
            if place.is_last and not ended:
                complete += self._complete(place, owner, (taken, asked), event)
                continue
            record = record or of_event(event, position, None, known)
            going = satisfied(taken, asked, record)
            if not ended and not place.until and len(place.then) == 1:
                for one in going:
                    place.release(one, merges=self.merges)
                going_on += going
                continue
            gone = satisfied(ended, asked_of_ended, record) if ended else ()
            if place.ends:
                complete += [(one.run, place.step) for one in going]
            else:
                moved += [(one.run, place.step, one.lease) for one in going]
            self._drop(place, owner, going)
            if gone:
                self._drop(place, owner, [one for one in gone if one.lease is not OVER])
        if looks[1]:
            record = record or (None if self.first.reads_fields else of_event(event, position, None, known))
            self._begin(record or event, moved, complete)
        if going_on or moved:
            record = record or of_event(event, position, None, known)
            self._move_all(going_on, moved, owner, record)
        return self._told(complete, event, record, position, known) if complete else []

    def _complete(
        self, place: WaitingRuns, owner: Hashable, asking: tuple[Some, Test | None], event: Event
    ) -> list[Complete]:
        """Let the runs go that an event completes of which nobody need make a record, and return them."""
        taken, asked = asking
        found: list[Complete] = []
        for one in tuple(taken):
            if asked is None or asked(event, one.run.variables):
                one.lease = OVER
                place.release(one, merges=self.merges)
                found.append((one.run, place.step))
        self.live[owner] -= len(found)
        self.total -= len(found)
        return found

    def _begin(self, record: Fielded, moved: list[Moved], complete: list[Complete]) -> None:
        """Let a record begin a run, if it can."""
        first, run = self.chain.first, self.beginning
        if self.first.where is not None and not self.first.where(record, run.variables):
            return
        if self.follows[first]:
            moved.append((run, first, Lease()))
        else:
            complete.append((run, first))

    def _move_all(self, going_on: list[Waiting], moved: list[Moved], owner: Hashable, record: Instance) -> None:
        for one in going_on:
            self._go_on(one, record)
        for run, name, lease in moved:
            taken = self._taken(run, name, record)
            for place in self.follows[name]:
                self._wait(place, owner, taken, lease)
        if self.grown:  # and not before: what is about to move waits for nothing
            self._sweep(owner)

    def _told(
        self, complete: list[Complete], event: Event, record: Instance | None, position: int, known: int
    ) -> list[Match]:
        """Return what runs tell that a record completes by their last steps."""
        run, last = complete[0]
        if len(complete) == 1 and last in self.plain_ends:
            lets = self.lets[last]
            variables = bound_by(lets, event, run.variables) if lets else run.variables
            return self.alerts.completed_by(event, ((run.records, variables),), known)
        if last in self.apart_ends and (self.most is None or len(complete) <= self.most):
            bound = [(run.records, run.variables) for run, step in complete if step == last]
            if len(bound) == len(complete):
                return self.alerts.completed_by(event, bound, known)
        if self.plain_ends.issuperset([step for _, step in complete]) and not self._are_too_many(complete):
            bound = [(run.records, self._bound(run, step, event)) for run, step in complete]
            if self.alerts.are_apart(bound):
                return self.alerts.completed_by(event, bound, known)
        made = record or of_event(event, position, None, known)
        runs = [taken for run, step in complete if self._fits(taken := self._taken(run, step, made))]
        if self._are_too_many(runs):
            raise TooManyMatches(self.most or 0, self.rule.name)
        return self.alerts.of(runs, known) if runs else []

    def _are_too_many(self, some: Sequence[object]) -> bool:
        return self.most is not None and len(some) > self.most

    def _go_on(self, one: Waiting, record: Instance) -> None:
        """Let a run take a record, and wait in the one place that follows; how long it may is as before."""
        one.run = self._taken(one.run, one.place.step, record)
        place = one.place = one.place.then[0]
        one.led = place.lead.key_of_run(one.owner, one.run)
        if self.merges and not self._outlasts(one):
            one.lease = OVER
            self.live[one.owner] -= 1
            self.total -= 1
            return
        place.add(one)
        if place.until:
            self._end_by_itself(one)

    def _fits(self, run: ChainRun) -> bool:
        if self.window is None:
            return True
        return self.window(Scope({"$first": run.records[0], "$last": run.records[-1]}))

    def _taken(self, run: ChainRun, name: str, record: Instance) -> ChainRun:
        variables = self._bound(run, name, record)
        return ChainRun(run.records + (record,), run.leads + self.leads[name], variables)  # noqa: RUF005  # half the time

    def _bound(self, run: ChainRun, name: str, record: Fielded) -> Mapping[str, Value]:
        """Return the variables of a run when it has taken a record by a step."""
        lets = self.lets[name]
        return bound_by(lets, record, run.variables) if lets else run.variables

    def buffered(self) -> int:
        """Return how many records only wait for their instant."""
        return len(self.held)

    def limited(self, most: Sequence[int | None]) -> "Iterator[tuple[DirectChain, Callable[[], int], int]]":
        """Yield what says how much is held that may only be so much."""
        for size, limit in zip((self.entries, self.buffered), most, strict=True):
            if limit is not None:
                yield self, size, limit

    def state(self, frontier: int) -> object:
        """Return the whole state as the interpreter writes that of the rule."""
        self.expire(frontier)
        runs: dict[Hashable, list[object]] = {owner: [] for owner in self.records}
        for place in (place for places in self.follows.values() for place in places):
            for one in place.runs:
                run = one.run
                runs[one.owner].append((place.step, place.after, run.records, run.leads, dict(run.variables)))
        machines = [(owner, [self.records[owner], [some]]) for owner, some in runs.items()]
        held = [(event, event.end, None) for event in self.held]
        return [held, machines, [], self.alerts.state(), frontier]

    def restore(self, state: object) -> None:
        """Take up a state that the interpreter wrote."""
        assert isinstance(state, list)
        held, machines, _, alike, _ = state
        for owner, (records, (runs,)) in machines:
            if runs or self.key is None:
                self.records[owner] = records
            leases: dict[int, Lease] = {}
            for step, after, taken, leads, variables in sorted(runs, key=_beginning):
                place = next(place for place in self.follows[after] if place.step == step)
                lease = leases.setdefault(taken[0].low, Lease())
                self._wait(place, owner, ChainRun(tuple(taken), tuple(leads), variables), lease)
        self.held = [event for event, *_ in held]
        if not all(map(is_counted, self.held)):
            raise Uncounted
        self.waiting = min((event.end for event in self.held), default=None)
        self.alerts.restore(alike)


def _beginning(run: tuple[str, str, Sequence[Instance], object, object]) -> int:
    """Return where a run began that was written down."""
    position = run[2][0].low
    assert position is not None
    return position
