"""Chains: every run under way looks at each record once, in order, and never looks back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from cepheid.algebra.chain_semantics import (
    ChainRun,
    begin,
    complete_run,
    fits,
    merged_runs,
    satisfies,
    take,
)
from cepheid.algebra.expressions import IsBound, Variable
from cepheid.algebra.instances import Instance, merged_order
from cepheid.algebra.never import is_never, leads_that_may_end
from cepheid.algebra.patterns import Chain
from cepheid.algebra.programs import Table
from cepheid.algebra.traversal import walk
from cepheid.analysis.plans.plan import Operator, Retention
from cepheid.analysis.plans.step_limits import last_chance, says_until_when
from cepheid.engine.clock.turn import Record, Turn
from cepheid.engine.operators.interpreter import Interpreter, News
from cepheid.engine.state.deadlines import FOREVER, NEVER, Deadline, deadline, is_past
from cepheid.events import Value, values


@dataclass(frozen=True, slots=True)
class Waiting:
    """A run that waits for the lead of `step`; `after` is the step it took last, whose avoid still counts.

    No record can satisfy the lead that comes after the last one of its `chances`.
    """

    step: str
    after: str | None
    run: ChainRun
    chances: tuple[Deadline, ...] = ((FOREVER, FOREVER),)


class Chains(Interpreter):
    """The runs of a chain. Its records come in order, because a chain makes its rule count records."""

    def __init__(self, operator: Operator) -> None:
        super().__init__(operator)
        assert isinstance(operator.pattern, Chain)
        self.chain = operator.pattern
        self.waiting: list[Waiting] = []
        self.limited = {name for name, step in self.chain.steps.items() if says_until_when(step.lead)}
        self.observable = observable_by(self.chain)
        self.ending = leads_that_may_end(self.chain)
        self.merges = operator.retention is Retention.LAST

    def turn(self, news: News, inputs: Sequence[Interpreter], turn: Turn) -> list[Instance]:
        found = []
        for record in turn.records:
            found += self._record(record, turn.tables)
        self.frontier, self.place = turn.least, turn.place
        self.waiting = [one for one in self.waiting if not self._is_over(one, turn)]
        return found

    def entries(self) -> int:
        return len(self.waiting)

    def wake(self) -> int:
        return min((self._wake(one) for one in self.waiting), default=FOREVER)

    def state(self) -> object:
        return [(one.step, one.after, one.run.records, one.run.leads, dict(one.run.variables)) for one in self.waiting]

    def restore(self, state: object, turn: Turn) -> None:
        assert isinstance(state, list)
        self.waiting = [
            self._waiting(step, after, ChainRun(records, leads, variables))
            for step, after, records, leads, variables in state
        ]

    def _record(self, record: Record, tables: Mapping[str, Table]) -> list[Instance]:
        instance = record.instance()
        complete: list[Instance] = []
        going: list[Waiting] = []
        for one in [*self.waiting, Waiting(self.chain.first, None, begin(self.chain, tables))]:
            going += self._step(one, record, instance, complete, tables)
        self.waiting = self._merged(going) if self.merges else going
        return merged_runs(self.chain, complete)

    def _step(
        self,
        one: Waiting,
        record: Record,
        instance: Instance,
        complete: list[Instance],
        tables: Mapping[str, Table],
    ) -> list[Waiting]:
        """Return the runs that one run becomes when it has seen a record."""
        step, going = self.chain.steps[one.step], []
        if satisfies(step.lead, record.event, instance, one.run, tables):
            taken = take(step, one.run, instance, tables)
            if not step.follow and fits(self.chain, taken):
                complete.append(complete_run(self.chain, taken))
            going = [self._waiting(follow, one.step, taken) for follow in step.follow]
            if not step.every:
                return going
        return [*going, *self._still(one, record, instance, tables)]

    def _still(
        self, one: Waiting, record: Record, instance: Instance, tables: Mapping[str, Table]
    ) -> tuple[Waiting, ...]:
        """Return a run that saw a record and goes on waiting, nothing if the record ends that."""
        if one.after is None or self._is_never(one, instance, tables):
            return ()
        avoid = self.chain.steps[one.after].avoid
        blocked = avoid is not None and satisfies(avoid, record.event, instance, one.run, tables)
        return () if blocked else (one,)

    def _is_never(self, one: Waiting, instance: Instance, tables: Mapping[str, Table]) -> bool:
        """Say whether a function of the user's says that no later record can satisfy what a run waits for."""
        return one.step in self.ending and is_never(
            self.chain.steps[one.step].lead, instance, one.run.variables, tables
        )

    def _waiting(self, step: str, after: str | None, run: ChainRun) -> Waiting:
        if step not in self.limited:
            return Waiting(step, after, run)
        return Waiting(step, after, run, chances(self.chain, step, run))

    def _is_over(self, one: Waiting, turn: Turn) -> bool:
        window = deadline(self.operator.reach[0, 0], one.run.records[0])
        return is_past(window, turn.least, turn.place) or are_past(one.chances, turn.least, turn.place)

    def _wake(self, one: Waiting) -> int:
        """Return after which time a run may be over."""
        window = deadline(self.operator.reach[0, 0], one.run.records[0])
        return min(window[0], max([time for time, _ in one.chances], default=NEVER))

    def _merged(self, going: list[Waiting]) -> list[Waiting]:
        """Of runs that nobody can tell apart from here on, keep the one that started last."""
        best: dict[object, Waiting] = {}
        for one in going:
            names = self.observable(one.step, one.after, one.run.variables)
            seen = [(name, values.key_of(one.run.variables.get(name))) for name in names]
            key = (one.step, one.after, tuple(seen))
            if key not in best or is_older(best[key].run, one.run):
                best[key] = one
        return list(best.values())


Names = tuple[str, ...]


def observable_by(chain: Chain) -> Callable[[str, str | None, Mapping[str, Value]], Names]:
    """Return what names the variables by which runs that wait for a step after another can be told apart."""
    read = {name: _read_from(chain, name) for name in chain.steps}
    avoided = {name: _variables(step.avoid) for name, step in chain.steps.items()}

    def names(step: str, after: str | None, variables: Mapping[str, Value]) -> Names:
        observed = variables if chain.observed is None else chain.observed
        return tuple(sorted(read[step].union(observed, () if after is None else avoided[after])))

    return names


def _read_from(chain: Chain, name: str) -> frozenset[str]:
    """Return the variables that a step, or any step that can follow it, reads."""
    reached, ahead = {name}, [name]
    while ahead:
        follows = [follow for follow in chain.steps[ahead.pop()].follow if follow not in reached]
        reached.update(follows)
        ahead += follows
    return frozenset().union(*(_variables(chain.steps[step]) for step in reached))


def chances(chain: Chain, step: str, run: ChainRun) -> tuple[Deadline, ...]:
    """Return until when each of the ways lasts in which a record can satisfy the lead of a step."""
    ways = last_chance(chain.steps[step].lead, run.variables).ways
    return tuple([(_moment_of(time), _moment_of(records)) for time, records in ways])


def are_past(some: Sequence[Deadline], frontier: int, place: int) -> bool:
    """Say whether nothing that is still to come can end by any of some deadlines."""
    return all(is_past(one, frontier, place) for one in some)


def _moment_of(latest: float) -> int:
    """Return a moment that may lie beyond all time."""
    return FOREVER if latest >= FOREVER else max(int(latest), NEVER)


def _variables(node: object) -> frozenset[str]:
    return frozenset(one.name for one in walk(node) if isinstance(one, Variable | IsBound))


def is_older(run: ChainRun, other: ChainRun) -> bool:
    """Say whether a run started before another; of those that started together, by their other records."""
    one, second = run.records[0].low, other.records[0].low
    assert one is not None
    assert second is not None
    return one < second if one != second else merged_order(run.records) < merged_order(other.records)
