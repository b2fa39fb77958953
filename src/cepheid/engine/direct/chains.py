"""A chain at work on records that come one at a time: each looks only at the runs that wait for its like."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import partial as bound
from heapq import heapify, heappop, heappush

from cepheid.algebra.chain_semantics import ChainRun, begin, complete_run, merged_runs
from cepheid.algebra.closures import closure, relation_test
from cepheid.algebra.evaluation import Scope
from cepheid.algebra.instances import Instance, hull, of_event, scope_of
from cepheid.algebra.match_ids import event_ids, match_id
from cepheid.algebra.matches import Match
from cepheid.algebra.never import leads_that_may_end
from cepheid.algebra.patterns import Chain
from cepheid.algebra.programs import EVENT, Table
from cepheid.algebra.relations import Axis, Endpoint
from cepheid.algebra.traversal import walk
from cepheid.analysis.plan import SELF, Reach, Retention, RulePlan
from cepheid.analysis.step_limits import last_chance, says_until_when
from cepheid.analysis.told_positions import tells_positions
from cepheid.engine.deadlines import FOREVER, deadline
from cepheid.engine.direct.partials import arrival
from cepheid.engine.direct.reading import Reader
from cepheid.engine.direct.waiting_runs import Ask, Waiting, WaitingRuns
from cepheid.engine.operators.chain import is_older, moment_of, observable_by
from cepheid.engine.too_many import TooManyMatches
from cepheid.events import Event, EventId, are_times, values

FEW = 64
NO_FIELDS = values.key_of({})
Place = tuple[str, str]
"""The step that a run waits for, and the one that it took last."""


class DirectChain:
    """The runs of a chain that is a whole rule, over all its keys; it is used as `DirectRule` is."""

    def __init__(self, plan: RulePlan, tables: Mapping[str, Table], most: int | None) -> None:
        self.plan, self.rule, self.tables, self.most = plan, plan.rule, tables, most
        operator = plan.root
        assert isinstance(operator.pattern, Chain)
        self.chain, self.reach, self.prompt = operator.pattern, operator.reach[0, 0], operator.prompt
        self.key = Reader((EVENT,), (), tables).key(self.rule.per) if self.rule.per else None
        steps = self.chain.steps
        asks = {name: Ask(step.lead, tables) for name, step in steps.items()}
        avoids = {name: None if step.avoid is None else Ask(step.avoid, tables) for name, step in steps.items()}
        self.first, self.beginning = asks[self.chain.first], begin(self.chain, tables)
        self.lets = {name: [(let, closure(value)) for let, value in step.lets.items()] for name, step in steps.items()}
        self.waiting_for: dict[Place, WaitingRuns] = {
            (follow, name): WaitingRuns(follow, name, asks[follow], avoids[name])
            for name, step in steps.items()
            for follow in step.follow
        }
        self.until = {name for name, step in steps.items() if says_until_when(step.lead)}
        self.merged: dict[object, Waiting] | None = {} if operator.retention is Retention.LAST else None
        self.observable, self.names = observable_by(self.chain), dict[Place, tuple[str, ...]]()
        kinds = [ask.types for ask in (*asks.values(), *(one for one in avoids.values() if one is not None))]
        self.sees_any = not all(kinds)
        self.scans = frozenset().union(*kinds)
        self.counts = bool(self.reach.positions) or reads_positions(self.chain)
        self.sees_all = self.sees_any or self.counts
        """Whether records of types that no step asks for matter too: at least they are counted."""
        self.passes = not self.sees_any and (not self.counts or (self.prompt and self.key is None))
        """Whether such records need no more than to be counted."""
        self.within = _within(self.reach)
        self.window = relation_test(self.chain.window) if self.chain.window else None
        self.records: dict[Hashable, int] = {}
        self.live: dict[Hashable, int] = {}
        self.total = 0
        self.times: list[tuple[int, int, Place, Waiting]] = []
        self.places: dict[Hashable, list[tuple[int, int, Place, Waiting]]] = {}
        self.count = 0
        self.held: list[Event] = []
        self.waiting: int | None = None
        self.start, self.end = closure(self.rule.start), closure(self.rule.end)
        self.fields = {name: closure(value) for name, value in self.rule.fields.items()}
        self.alike: Counter[object] = Counter()
        self.alike_at: int | None = None

    def push(self, event: Event) -> list[Match]:
        """Take in a record, and return the alerts that are certain now."""
        found: list[Instance] = []
        if self.waiting is not None and self.waiting < event.end:
            found += self._complete()
        if self.prompt:
            found += self._record(event, event.end)
        elif self.sees_all or event.type in self.scans:
            self.held.append(event)
            self.waiting = event.end
        return self._told(found) if found else []

    def pass_by(self) -> None:
        """Count a record that nobody waits for."""
        if self.counts:
            self.records[()] = self.records.get((), 0) + 1

    def advance(self, frontier: int) -> list[Match]:
        """Return what becomes certain when nothing more ends before the frontier."""
        found = self._complete() if self.waiting is not None and self.waiting < frontier else []
        self.expire(frontier)
        return self._told(found) if found else []

    def _complete(self) -> list[Instance]:
        """Look at the records of an instant that is complete, in their order."""
        held, self.held, self.waiting = self.held, [], None
        if len(held) > 1:
            held.sort(key=arrival)
        return [one for event in held for one in self._record(event, event.end + 1)]

    def _record(self, event: Event, known: int) -> list[Instance]:
        owner = () if self.key is None else self.key((event,))
        if owner is None:
            return []
        position = self.records.get(owner, 0)
        self.records[owner] = position + 1
        if (self.times and self.times[0][0] < event.end) or owner in self.places:
            self._evict(event.end, position, owner)
        found: list[Instance] = []
        if event.type in self.scans or self.sees_any:
            found = self._looked_at(event, owner, of_event(event, position, None, known))
        if self.key is not None and not self.live.get(owner):
            self._rest(owner)
        return found

    def _rest(self, owner: Hashable) -> None:
        """Forget a key that no run waits under."""
        del self.records[owner]
        self.live.pop(owner, None)
        self.places.pop(owner, None)

    def _looked_at(self, event: Event, owner: Hashable, record: Instance) -> list[Instance]:
        """Let the runs that wait for a record take it, and return those that are complete."""
        kind = event.type
        moved: list[tuple[ChainRun, str]] = []
        complete: list[ChainRun] = []
        for place, waiting in self.waiting_for.items():
            if not waiting.runs:
                continue
            ended = waiting.ended(owner, kind, record)
            for one in waiting.taken_on(owner, kind, record):
                moved.append((one.run, waiting.step))
                self._drop(place, one)
            for one in ended:
                self._drop(place, one)
        if self.first.is_of(kind) and self.first.holds(record, self.beginning):
            moved.append((self.beginning, self.chain.first))
        for run, name in moved:
            self._move(run, name, owner, record, complete)
        if not complete:
            return []
        if len(complete) == 1:
            run = complete[0]
            return [hull(run.records, dict(zip(run.leads, run.records, strict=True)), run.variables, ())]
        return merged_runs(self.chain, [complete_run(self.chain, run) for run in complete])

    def _move(self, run: ChainRun, name: str, owner: Hashable, record: Instance, complete: list[ChainRun]) -> None:
        """Let a run take a record by a step, and wait for what follows."""
        step, taken = self.chain.steps[name], self._taken(run, name, record)
        if not step.follow and self._fits(taken):
            complete.append(taken)
            if self.most is not None and len(complete) > self.most:
                raise TooManyMatches(self.most, self.rule.name)
        for follow in step.follow:
            self._wait((follow, name), owner, taken)

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
                bound[let] = value(Scope({lead: record}, bound, self.tables))
            variables = bound
        return ChainRun((*run.records, record), (*run.leads, lead), variables)

    def _wait(self, place: Place, owner: Hashable, run: ChainRun) -> None:
        first = run.records[0]
        if self.within is None:
            time, position = deadline(self.reach, first)
        else:
            assert first.low is not None
            time, position = min(first.start + self.within[0], FOREVER), min(first.low + self.within[1], FOREVER)
        if place[0] in self.until:
            latest = last_chance(self.chain.steps[place[0]].lead, run.variables)
            time, position = min(time, moment_of(latest.time)), min(position, moment_of(latest.records))
        one = Waiting(owner, run)
        if self.merged is not None and not self._outlasts(place, one):
            return
        self.waiting_for[place].add(one)
        self.live[owner] = self.live.get(owner, 0) + 1
        self.total += 1
        self.count += 1
        if time != FOREVER:
            heappush(self.times, (time, self.count, place, one))
        if position != FOREVER:
            heappush(self.places.setdefault(owner, []), (position, self.count, place, one))
        if len(self.times) > 2 * self.total + FEW:
            self.times = [entry for entry in self.times if id(entry[3]) in self.waiting_for[entry[2]].runs]
            heapify(self.times)

    def _outlasts(self, place: Place, one: Waiting) -> bool:
        """Of runs that nobody can tell apart from here on, keep the one that started last."""
        assert self.merged is not None
        key = one.seen = self._seen(place, one)
        other = self.merged.get(key)
        if other is not None:
            if not is_older(other.run, one.run):
                return False
            self._drop(place, other)
        self.merged[key] = one
        return True

    def _seen(self, place: Place, one: Waiting) -> Hashable:
        """Return what tells a run apart from others that wait."""
        variables = one.run.variables
        names = self.names.get(place)
        if names is None:
            names = self.observable(place[0], place[1], variables)
            if self.chain.observed is not None:
                self.names[place] = names
        seen = tuple([values.key_of(variables.get(name)) for name in names])
        return (place, one.owner, names, seen)

    def _drop(self, place: Place, one: Waiting) -> None:
        waiting = self.waiting_for[place]
        if id(one) not in waiting.runs:
            return
        waiting.remove(one)
        self.live[one.owner] -= 1
        self.total -= 1
        if self.merged is not None:
            del self.merged[one.seen]

    def _evict(self, frontier: int, position: int, owner: Hashable) -> None:
        """Drop the runs that no record from here on can take on."""
        while self.times and self.times[0][0] < frontier:
            _, _, place, one = heappop(self.times)
            self._drop(place, one)
        places = self.places.get(owner)
        while places and places[0][0] < position:
            _, _, place, one = heappop(places)
            self._drop(place, one)
        if places is not None and not places:
            del self.places[owner]

    def expire(self, frontier: int) -> None:
        """Evict whatever can."""
        for owner in list(self.live):
            self._evict(frontier, self.records[owner], owner)
            if self.key is not None and not self.live[owner]:
                self._rest(owner)

    def _told(self, found: list[Instance]) -> list[Match]:
        told = [self._match(instance) for instance in found]
        return [match for match in told if match is not None]

    def _match(self, instance: Instance) -> Match | None:
        scope = scope_of(instance, self.tables, pattern=instance)
        start, end = self.start(scope), self.end(scope)
        if type(start) is not int or type(end) is not int or not are_times(start, end):
            return None
        fields = {name: value(scope) for name, value in self.fields.items()}
        # The records of a run come in their order, each once.
        records = instance.made_of
        ids = tuple(map(_id_of, records)) if isinstance(records, list) else event_ids(instance.identity)
        if self.alike_at != instance.end:
            self.alike.clear()
            self.alike_at = instance.end
        same = (start, end, values.key_of(fields) if fields else NO_FIELDS, ids)
        name = bound(match_id, self.plan.version, start, end, fields, ids, self.alike[same])
        self.alike[same] += 1
        return Match(self.rule.name, start, end, fields, ids, "", instance.known, name)

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
        for (step, after), waiting in self.waiting_for.items():
            for one in waiting.runs.values():
                run = one.run
                runs[one.owner].append((step, after, run.records, run.leads, dict(run.variables)))
        machines = [(owner, [self.records[owner], [some]]) for owner, some in runs.items()]
        held = [(event, event.end, None) for event in self.held]
        alike = [(self.alike_at, list(self.alike.items()))] if self.alike else []
        return [held, machines, [], alike, frontier]

    def restore(self, state: object) -> None:
        """Take up a state that the interpreter wrote."""
        assert isinstance(state, list)
        held, machines, _, alike, _ = state
        for owner, (records, (runs,)) in machines:
            if runs or self.key is None:
                self.records[owner] = records
            for step, after, taken, leads, variables in runs:
                self._wait((step, after), owner, ChainRun(tuple(taken), tuple(leads), variables))
        self.held = [event for event, *_ in held]
        self.waiting = max((event.end for event in self.held), default=None)
        for end, counts in alike[-1:]:
            self.alike_at, self.alike = end, Counter(dict(counts))


def _within(reach: Reach) -> tuple[int, int] | None:
    """Return how much time and how many records after its first record a run can last; None where more decides that."""
    if not reach.possible or any(endpoint.part != SELF for endpoint, _ in (*reach.times, *reach.positions)):
        return None
    time = min((offset for _, offset in reach.times), default=FOREVER)
    return time, min((offset for _, offset in reach.positions), default=FOREVER)


def _id_of(record: Instance) -> EventId:
    identity = record.made_of[0].id if isinstance(record.made_of, tuple) else record.identity
    assert not isinstance(identity, tuple)
    return identity


def reads_positions(chain: Chain) -> bool:
    """Say whether a chain asks for the places of records: by a window, or in a condition."""
    endpoints = [node for node in walk(chain) if isinstance(node, Endpoint)]
    return any(endpoint.axis is Axis.POSITION for endpoint in endpoints)


def can_run_chain(plan: RulePlan) -> bool:
    """Say whether a rule is a chain alone, over input, whose records nobody tells the places of."""
    chain = plan.root.pattern
    if len(plan.operators) != 1 or not isinstance(chain, Chain) or plan.root.lag != 0 or leads_that_may_end(chain):
        return False
    return not plan.reads_derived and plan.fixed is None and plan.trails is not None and not tells_positions(plan.rule)
