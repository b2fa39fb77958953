"""The runs of a chain that wait: how long they may, which of them nobody can tell apart, and which are over."""

from collections.abc import Hashable, Mapping, Sequence

from cepheid.algebra.chain_semantics import ChainRun
from cepheid.algebra.instances import Instance
from cepheid.algebra.patterns import Chain
from cepheid.algebra.programs import EVENT, Table
from cepheid.analysis.plans.plan import Retention, RulePlan
from cepheid.engine.direct.chain_reach import within
from cepheid.engine.direct.leases import Deadlines
from cepheid.engine.direct.reading import Reader
from cepheid.engine.direct.waiting_runs import OVER, Lease, Waiting, WaitingRuns
from cepheid.engine.operators.chain import chances, is_older, observable_by
from cepheid.engine.state.deadlines import FOREVER, NEVER, deadline, is_past
from cepheid.events import values


class ChainRuns:
    """The runs of a chain that is a whole rule, over all its keys, and what they wait for."""

    def __init__(self, plan: RulePlan, tables: Mapping[str, Table]) -> None:
        self.plan, self.rule, self.tables = plan, plan.rule, tables
        operator = plan.root
        assert isinstance(operator.pattern, Chain)
        self.chain, self.reach, self.prompt = operator.pattern, operator.reach[0, 0], operator.prompt
        self.key = Reader((EVENT,), (), tables).key(self.rule.per) if self.rule.per else None
        self.merges, self.observable = operator.retention is Retention.LAST, observable_by(self.chain)
        self.within = within(self.reach)
        self.records: dict[Hashable, int] = {}
        self.live: dict[Hashable, int] = {}
        self.total = 0
        self.grown = False
        self.times = Deadlines()
        self.places: dict[Hashable, Deadlines] = {}

    def _wait(self, place: WaitingRuns, owner: Hashable, run: ChainRun, lease: Lease) -> None:
        one = Waiting(owner, run, place, lease, place.lead.key_of_run(owner, run))
        if self.merges and not self._outlasts(one):
            return
        place.add(one)
        self.live[owner] = self.live.get(owner, 0) + 1
        self.total += 1
        if not lease.runs:  # it is new
            self._limit(lease, owner, run.records[0])
        lease.add(one)
        if place.until:
            self._end_by_itself(one)

    def _end_by_itself(self, one: Waiting) -> None:
        """Let a run end when its lead says that no record can be taken any more."""
        first, *more = chances(self.chain, one.place.step, one.run) or [(NEVER, NEVER)]
        self._end(Lease([one], tuple(more)), one.owner, *first)

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
        key = one.seen = one.led if one.place.is_told_by_lead and one.led is not None else self._seen(one)
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
        for one in some:
            one.lease = OVER
            place.release(one, merges=self.merges)
        count = len(some)
        self.live[owner] -= count
        self.total -= count

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

    def _rest(self, owner: Hashable) -> None:
        """Forget a key that no run waits under."""
        del self.records[owner]
        self.live.pop(owner, None)
        self.places.pop(owner, None)

    def _sweep(self, owner: Hashable) -> None:
        self.grown = False
        self.times.sweep(self.total)
        places = self.places.get(owner)
        if places is not None:
            places.sweep(self.live.get(owner, 0))

    def expire(self, frontier: int) -> None:
        """Evict whatever can."""
        for owner in list(self.live):
            self._evict(frontier, self.records[owner], owner)
            if self.key is not None and not self.live[owner]:
                self._rest(owner)

    def entries(self) -> int:
        """Return how many runs wait."""
        return self.total
