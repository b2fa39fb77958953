"""A chain at work on records that come one at a time: each looks only at the runs that wait for its like."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

from cepheid.algebra.chain_semantics import ChainRun, begin
from cepheid.algebra.closures import relation_test
from cepheid.algebra.evaluation import Scope
from cepheid.algebra.instances import Instance, of_event
from cepheid.algebra.matches import Match
from cepheid.algebra.never import leads_that_may_end
from cepheid.algebra.patterns import Chain
from cepheid.algebra.programs import EVENT, Table
from cepheid.algebra.relations import Axis, Endpoint
from cepheid.algebra.traversal import walk
from cepheid.analysis.plan import SELF, Reach, Retention, RulePlan
from cepheid.analysis.step_limits import says_until_when
from cepheid.analysis.told_positions import tells_positions
from cepheid.engine.deadlines import FOREVER, NEVER, deadline, is_past
from cepheid.engine.direct.alerts import Alerts
from cepheid.engine.direct.leases import Deadlines
from cepheid.engine.direct.partials import arrival
from cepheid.engine.direct.reading import Reader
from cepheid.engine.direct.record_reading import Test, reader
from cepheid.engine.direct.waiting_runs import NOBODY, Ask, Lease, Some, Waiting, WaitingRuns
from cepheid.engine.operators.chain import chances, is_older, observable_by
from cepheid.engine.too_many import TooManyMatches
from cepheid.events import Event, values

Moved = tuple[ChainRun, str, Lease]
"""A run, the step by which it takes a record, and how long it may go on waiting."""
Looks = tuple[list[WaitingRuns], bool]
"""The runs that a record of a type may concern, and whether it may begin one."""


class DirectChain:
    """The runs of a chain that is a whole rule, over all its keys; it is used as `DirectRule` is."""

    def __init__(self, plan: RulePlan, tables: Mapping[str, Table], most: int | None) -> None:
        self.plan, self.rule, self.tables, self.most = plan, plan.rule, tables, most
        operator = plan.root
        assert isinstance(operator.pattern, Chain)
        self.chain, self.reach, self.prompt = operator.pattern, operator.reach[0, 0], operator.prompt
        self.key = Reader((EVENT,), (), tables).key(self.rule.per) if self.rule.per else None
        self.merges, self.observable = operator.retention is Retention.LAST, observable_by(self.chain)
        self._make_steps()
        self.counts = bool(self.reach.positions) or reads_positions(self.chain)
        self.sees_all = self.sees_any or self.counts
        """Whether records of types that no step asks for matter too: at least they are counted."""
        self.passes = not self.sees_any and (not self.counts or (self.prompt and self.key is None))
        """Whether such records need no more than to be counted."""
        self.within = _within(self.reach)
        window = self.chain.window
        # A run that waits no longer than the window lasts has no more to be asked.
        self.window = None if not window or _is_all(self.reach, self.chain) else relation_test(window)
        self.records: dict[Hashable, int] = {}
        self.live: dict[Hashable, int] = {}
        self.total = 0
        self.grown = False
        self.times = Deadlines()
        self.places: dict[Hashable, Deadlines] = {}
        self.held: list[Event] = []
        self.waiting: int | None = None
        self.alerts = Alerts(plan, self.chain, tables)

    def _make_steps(self) -> None:
        """Make of every step what asks for its records and sets its variables, and see which types concern which."""
        chain, tables = self.chain, self.tables
        steps = chain.steps
        asks = {name: Ask(step.lead, tables) for name, step in steps.items()}
        avoids = {name: None if step.avoid is None else Ask(step.avoid, tables) for name, step in steps.items()}
        self.first, self.beginning = asks[chain.first], begin(chain, tables)
        self.lets = {
            name: [(let, reader(value, step.lead.name, tables)) for let, value in step.lets.items()]
            for name, step in steps.items()
        }
        self.follows: dict[str, list[WaitingRuns]] = {
            name: [self._place(follow, name, asks[follow], avoids[name]) for follow in step.follow]
            for name, step in steps.items()
        }
        kinds = [ask.types for ask in (*asks.values(), *(one for one in avoids.values() if one is not None))]
        self.sees_any = not all(kinds)
        self.scans = frozenset().union(*kinds)
        self.looks = {kind: self._looks(kind) for kind in self.scans}
        self.other_looks = self._looks("")

    def _place(self, step: str, after: str, lead: Ask, avoid: Ask | None) -> WaitingRuns:
        names = None if self.chain.observed is None else self.observable(step, after, {})
        steps = self.chain.steps
        only = names[0] if names is not None and len(names) == 1 else None
        return WaitingRuns(
            step, after, lead, avoid, not steps[step].follow, says_until_when(steps[step].lead), names, only
        )

    def _looks(self, kind: str) -> Looks:
        every = [place for places in self.follows.values() for place in places]
        return [one for one in every if one.is_of(kind)], self.first.is_of(kind)

    def push(self, event: Event) -> list[Match]:
        """Take in a record, and return the alerts that are certain now."""
        if self.prompt:
            return self._record(event, event.end)
        found = self._complete() if self.waiting is not None and self.waiting < event.end else []
        if self.sees_all or event.type in self.scans:
            self.held.append(event)
            self.waiting = event.end
        return found

    def pass_by(self) -> None:
        """Count a record that nobody waits for."""
        if self.counts:
            self.records[()] = self.records.get((), 0) + 1

    def advance(self, frontier: int) -> list[Match]:
        """Return what becomes certain when nothing more ends before the frontier."""
        found = self._complete() if self.waiting is not None and self.waiting < frontier else []
        self.expire(frontier)
        return found

    def _complete(self) -> list[Match]:
        """Look at the records of an instant that is complete, in their order."""
        held, self.held, self.waiting = self.held, [], None
        if len(held) > 1:
            held.sort(key=arrival)
        return [one for event in held for one in self._record(event, event.end + 1)]

    def _record(self, event: Event, known: int) -> list[Match]:
        owner = () if self.key is None else self.key((event,))
        if owner is None:
            return []
        position = self.records.get(owner, 0)
        self.records[owner] = position + 1
        places = self.places.get(owner)
        if self.times.due < event.end or (places is not None and places.due < position):
            self._evict(event.end, position, owner)
        complete: list[ChainRun] = []
        looks = self.looks.get(event.type)
        if looks is not None or self.sees_any:
            self._looked_at(event, looks or self.other_looks, owner, position, known, complete)
        if self.key is not None and not self.live.get(owner):
            self._rest(owner)
        return self.alerts.of(complete, known) if complete else []

    def _rest(self, owner: Hashable) -> None:
        """Forget a key that no run waits under."""
        del self.records[owner]
        self.live.pop(owner, None)
        self.places.pop(owner, None)

    def _looked_at(
        self, event: Event, looks: Looks, owner: Hashable, position: int, known: int, complete: list[ChainRun]
    ) -> None:
        """Let the runs that wait for a record take it."""
        moved: list[Moved] = []
        record: Instance | None = None
        for place in looks[0]:
            if not place.runs:
                continue
            ended, asked_of_ended = NOBODY if place.avoid is None else place.ended(owner, event, position)
            taken, asked = place.taken_on(owner, event, position)
            if not taken and not ended:
                continue
            record = record or of_event(event, position, None, known)
            going = _satisfied(taken, asked, record)
            gone = _satisfied(ended, asked_of_ended, record) if ended else ()
            self._drop(place, owner, going)
            if gone:
                self._drop(place, owner, [one for one in gone if one.waits])
            if place.ends:
                complete += [run for one in going if self._fits(run := self._taken(one.run, place.step, record))]
            else:
                moved += [(one.run, place.step, one.lease) for one in going]
        if looks[1]:
            record = record or of_event(event, position, None, known)
            if self.first.where is None or self.first.where(record, self.beginning.variables):
                moved.append((self.beginning, self.chain.first, Lease()))
        for run, name, lease in moved:
            assert record is not None
            self._move(run, name, lease, owner, record, complete)
        if self.most is not None and len(complete) > self.most:
            raise TooManyMatches(self.most, self.rule.name)
        if self.grown:  # and not before: what is about to move waits for nothing
            self._sweep(owner)

    def _sweep(self, owner: Hashable) -> None:
        self.grown = False
        self.times.sweep(self.total)
        places = self.places.get(owner)
        if places is not None:
            places.sweep(self.live.get(owner, 0))

    def _move(
        self, run: ChainRun, name: str, lease: Lease, owner: Hashable, record: Instance, complete: list[ChainRun]
    ) -> None:
        """Let a run take a record by a step, and wait for what follows."""
        taken, follows = self._taken(run, name, record), self.follows[name]
        if not follows and self._fits(taken):
            complete.append(taken)
        for place in follows:
            self._wait(place, owner, taken, lease)

    def _fits(self, run: ChainRun) -> bool:
        if self.window is None:
            return True
        return self.window(Scope({"$first": run.records[0], "$last": run.records[-1]}))

    def _taken(self, run: ChainRun, name: str, record: Instance) -> ChainRun:
        lead, lets = self.chain.steps[name].lead.name, self.lets[name]
        variables = run.variables
        if lets:
            bound = dict(variables)
            for let, value in lets:
                bound[let] = value(record, bound)
            variables = bound
        return ChainRun((*run.records, record), (*run.leads, lead), variables)

    def _wait(self, place: WaitingRuns, owner: Hashable, run: ChainRun, lease: Lease) -> None:
        one = Waiting(owner, run, place, lease)
        if self.merges and not self._outlasts(one):
            return
        place.add(one)
        self.live[owner] = self.live.get(owner, 0) + 1
        self.total += 1
        if not lease.runs:  # it is new
            self._limit(lease, owner, run.records[0])
        lease.add(one)
        if place.until:
            first, *more = chances(self.chain, place.step, run) or [(NEVER, NEVER)]
            self._end(Lease([one], tuple(more)), owner, *first)

    def _limit(self, lease: Lease, owner: Hashable, first: Instance) -> None:
        """Let runs end when no record can be taken any more that is so far from their first one."""
        if self.within is None:
            self._end(lease, owner, *deadline(self.reach, first))
        else:
            assert first.low is not None
            self._end(lease, owner, first.start + self.within[0], first.low + self.within[1])

    def _end(self, lease: Lease, owner: Hashable, time: int, position: int) -> None:
        self.grown = True
        if time < FOREVER:
            self.times.add(time, lease)
        if position < FOREVER:
            places = self.places.get(owner)
            if places is None:
                places = self.places[owner] = Deadlines()
            places.add(position, lease)

    def _outlasts(self, one: Waiting) -> bool:
        """Of runs that nobody can tell apart from here on, keep the one that started last."""
        key = one.seen = self._seen(one)
        other = one.place.merged.get(key)
        if other is not None:
            if not is_older(other.run, one.run):
                return False
            self._drop(one.place, one.owner, [other])
        one.place.merged[key] = one
        return True

    def _seen(self, one: Waiting) -> Hashable:
        """Return what tells a run apart from others that wait for the same."""
        variables, place = one.run.variables, one.place
        if place.only is not None:
            return (one.owner, values.key_of(variables.get(place.only)))
        if place.names is not None:
            return (one.owner, *[values.key_of(variables.get(name)) for name in place.names])
        names = self.observable(place.step, place.after, variables)
        return (one.owner, names, *[values.key_of(variables.get(name)) for name in names])

    def _drop(self, place: WaitingRuns, owner: Hashable, some: Sequence[Waiting]) -> None:
        """Let runs of one owner wait no longer that wait in one place."""
        place.remove(some, merges=self.merges)
        self.live[owner] -= len(some)
        self.total -= len(some)

    def _evict(self, frontier: int, position: int, owner: Hashable) -> None:
        """Drop the runs that no record from here on can take on."""
        for lease in self.times.over(frontier):
            self._is_over(lease, frontier, position, owner)
        places = self.places.get(owner)
        if places is not None:
            for lease in places.over(position):
                self._is_over(lease, frontier, position, owner)
            if places.is_empty():
                del self.places[owner]

    def _is_over(self, lease: Lease, frontier: int, position: int, owner: Hashable) -> None:
        """Drop the runs of a lease, unless it lasts longer in another way."""
        for one in lease.alive():
            place = position if one.owner == owner else self.records[one.owner]
            left = [limit for limit in lease.more if not is_past(limit, frontier, place)]
            if left:
                lease.more = tuple(left[1:])
                self._end(lease, one.owner, *left[0])
                return  # a lease with several deadlines is that of one run
            self._drop(one.place, one.owner, [one])

    def expire(self, frontier: int) -> None:
        """Evict whatever can."""
        for owner in list(self.live):
            self._evict(frontier, self.records[owner], owner)
            if self.key is not None and not self.live[owner]:
                self._rest(owner)

    def entries(self) -> int:
        """Return how many runs wait."""
        return self.total

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
        self.waiting = max((event.end for event in self.held), default=None)
        self.alerts.restore(alike)


def _satisfied(some: Some, asked: Test | None, record: Instance) -> list[Waiting]:
    return list(some) if asked is None else [one for one in some if asked(record, one.run.variables)]


def _beginning(run: tuple[str, str, Sequence[Instance], object, object]) -> int:
    """Return where a run began that was written down."""
    position = run[2][0].low
    assert position is not None
    return position


def _is_all(reach: Reach, chain: Chain) -> bool:
    """Say whether runs are dropped in time whose records would be too far apart for the window of a chain."""
    within = _within(reach)
    if within is None:
        return False
    most = {Axis.TIME: within[0], Axis.POSITION: within[1]}
    return all(
        (one.later.part, one.earlier.part) == ("$last", "$first")
        and (one.low is None or one.low <= 0)
        and one.high is not None
        and most.get(one.later.axis, FOREVER) <= one.high
        for one in chain.window
    )


def _within(reach: Reach) -> tuple[int, int] | None:
    """Return how much time and how many records after its first record a run can last; None where more decides that."""
    if not reach.possible or any(endpoint.part != SELF for endpoint, _ in (*reach.times, *reach.positions)):
        return None
    time = min((offset for _, offset in reach.times), default=FOREVER)
    return time, min((offset for _, offset in reach.positions), default=FOREVER)


def reads_positions(chain: Chain) -> bool:
    """Say whether a chain asks for the places of records: by a window, or in a condition."""
    endpoints = [node for node in walk(chain) if isinstance(node, Endpoint)]
    return any(endpoint.axis is Axis.POSITION for endpoint in endpoints)


def can_run_chain(plan: RulePlan) -> bool:
    """Say whether a rule is a chain alone, over input, whose records nobody tells the places of."""
    chain = plan.root.pattern
    if len(plan.operators) != 1 or not isinstance(chain, Chain) or plan.root.lag != 0 or leads_that_may_end(chain):
        return False
    if any(step.every for step in chain.steps.values()):
        return False
    return not plan.reads_derived and plan.fixed is None and plan.trails is not None and not tells_positions(plan.rule)
