"""Absence: a match waits until nothing that would forbid it can come any more, and is then certain for good."""

from collections.abc import Hashable, Sequence

from cepheid.algebra.closures import agree, holds, key_maker, stands
from cepheid.algebra.evaluation import Scope
from cepheid.algebra.instances import Instance
from cepheid.algebra.patterns import Unless
from cepheid.algebra.programs import HULL
from cepheid.analysis.plans.plan import Operator
from cepheid.engine.clock.certainty import not_before, past_at
from cepheid.engine.clock.turn import Turn
from cepheid.engine.operators.forbidding import ForbiddingStore
from cepheid.engine.operators.interpreter import Interpreter, News
from cepheid.engine.state.deadlines import FOREVER, Deadline, deadline
from cepheid.engine.state.store import HoldingStore

PATTERN, ABSENT = 0, 1


class Absence(Interpreter):
    """Matches that wait for certainty, and instances of what must be absent that later matches may run into."""

    def __init__(self, operator: Operator) -> None:
        super().__init__(operator)
        assert isinstance(operator.pattern, Unless)
        self.unless = operator.pattern
        self.shares, forbidding_shares = operator.sides or ((), ())
        self.key = key_maker(self.shares)
        self.waiting = HoldingStore(1)
        self.forbidding = ForbiddingStore(operator.reach[ABSENT, PATTERN], operator.forbidding, forbidding_shares)

    def turn(self, news: News, inputs: Sequence[Interpreter], turn: Turn) -> list[Instance]:
        for other in news[ABSENT]:
            self._forbid(other, turn)
        for instance in news[PATTERN]:
            key = self._key(instance, turn)
            if not any(self._blocks(instance, other, turn) for other in self.forbidding.under(key)):
                self.waiting.add(instance, self._certain(instance), [key])
        absent, pattern = inputs[ABSENT], inputs[PATTERN]
        self.forbidding.expire(pattern.frontier, pattern.place, pattern.left_ends)
        certain = self.waiting.expire(absent.frontier, absent.place)
        if absent.frontier == FOREVER or self.operator.at_once:
            certain += self._close()
        self.frontier = self.held([pattern.frontier])
        self.place = min(pattern.place, self.waiting.first_place())
        if self.operator.at_once:
            return certain
        lag = absent.operator.lag
        return [self._stamped(instance, past_at(self._certain(instance), lag, turn)) for instance in certain]

    def entries(self) -> int:
        return len(self.waiting) + len(self.forbidding)

    def histories(self) -> tuple[int, ...]:
        return len(self.waiting), len(self.forbidding)

    def held(self, below: Sequence[int], *, buffered: bool = True) -> int:
        return min(below[PATTERN], self.waiting.first_end())

    def wake(self) -> int:
        return min(self.waiting.next_time(), self.forbidding.next_time())

    def state(self) -> object:
        return [list(self.waiting), list(self.forbidding)]

    def restore(self, state: object, turn: Turn) -> None:
        assert isinstance(state, list)
        for instance in state[0]:
            self.waiting.add(instance, self._certain(instance), [self._key(instance, turn)])
        for other in state[1]:
            self.forbidding.add(other, self.forbidding.key(other, turn))

    def _forbid(self, other: Instance, turn: Turn) -> None:
        key = self.forbidding.key(other, turn)
        if key is None:
            return
        for number, instance in self.waiting.under(0, key):
            if self._blocks(instance, other, turn):
                self.waiting.remove(number)
        self.forbidding.add(other, key)

    def _key(self, instance: Instance, turn: Turn) -> Hashable:
        """Return under what a match can be forbidden, None if it cannot be."""
        scope = Scope({**instance.parts, HULL: instance}, instance.variables, turn.tables)
        return self.key(scope)

    def _blocks(self, instance: Instance, other: Instance, turn: Turn) -> bool:
        scope = Scope(
            {**instance.parts, **other.parts, "$pattern": instance, "$absent": other},
            {**instance.variables, **other.variables},
            turn.tables,
        )
        unless = self.unless
        return stands(unless.relation, scope) and agree(unless.equal, scope) and holds(unless.where, scope)

    def _certain(self, instance: Instance) -> Deadline:
        return deadline(self.operator.reach[PATTERN, ABSENT], instance)

    def _stamped(self, instance: Instance, certain: int | None) -> Instance:
        return instance.certain_at(not_before(instance.known, certain))

    def _close(self) -> list[Instance]:
        rest = list(self.waiting)
        self.waiting = HoldingStore(1)
        return rest
