"""The join that takes every combination: each new instance is combined with all that wait, then waits itself."""

from collections.abc import Hashable, Iterator, Sequence
from itertools import islice

from cepheid.algebra.closures import agree, closure, holds, stands
from cepheid.algebra.evaluation import Scope
from cepheid.algebra.expressions import Expr
from cepheid.algebra.instances import Instance, combined, scope_of
from cepheid.algebra.patterns import Join
from cepheid.algebra.relations import Relation
from cepheid.analysis.plans.plan import Operator
from cepheid.engine.clock.turn import Turn
from cepheid.engine.operators.conditions import Equality, join_steps
from cepheid.engine.operators.interpreter import Interpreter, News
from cepheid.engine.state.deadlines import FOREVER, Deadline, deadline, latest, meets
from cepheid.engine.state.store import Store
from cepheid.events import Value, values

Parts = dict[int, Instance]
HULLS = [f"${number}" for number in range(200)]
"""What the hulls of parts are called; a rule has no more parts."""


class JoinAll(Interpreter):
    """Waiting instances of every part; partial combinations are never stored."""

    def __init__(self, operator: Operator) -> None:
        super().__init__(operator)
        assert isinstance(operator.pattern, Join)
        self.steps = join_steps(operator.pattern)
        self.stores = [Store(len(index)) for index in self.steps.indexes]

    def turn(self, news: News, inputs: Sequence[Interpreter], turn: Turn) -> list[Instance]:
        self.settle(inputs)
        found: list[Instance] = []
        for part, some in enumerate(news):
            for instance in some:
                if self._fits(*self.steps.own[part], {part: instance}, turn):
                    found += islice(map(combined, self._wholes(part, instance, turn)), turn.room(len(found)))
                    if part not in self.operator.final:
                        self._keep(part, instance, turn)
        for part, store in enumerate(self.stores):
            if len(store):
                store.expire(*self._bounds(part, inputs))
                if self.operator.has_points:
                    self.hold_place(store)
        return found

    def settle(self, inputs: Sequence[Interpreter]) -> None:
        super().settle(inputs)
        self.frontier = self.held([each.frontier for each in inputs])

    def held(self, below: Sequence[int], *, buffered: bool = True) -> int:
        # Whatever is still to come takes in something new, and ends at least so much later than that.
        return min(min(end + ahead, FOREVER) for end, ahead in zip(below, self.operator.headway, strict=True))

    def entries(self) -> int:
        return sum(len(store) for store in self.stores)

    def histories(self) -> tuple[int, ...]:
        return tuple(map(len, self.stores))

    def waiting(self, part: int, frontier: int) -> list[int]:
        """Return the ends of what waits in a part for others that end at `frontier` or later."""
        return self.stores[part].ends_from(frontier)

    def wake(self) -> int:
        return min(store.next_time() for store in self.stores)

    def state(self) -> object:
        return [list(store) for store in self.stores]

    def restore(self, state: object, turn: Turn) -> None:
        assert isinstance(state, list)
        for part, some in enumerate(state):
            for instance in some:
                self.stores[part].add(instance, self._limit(part, instance), self._keys(part, instance, turn))

    def _wholes(self, part: int, instance: Instance, turn: Turn) -> Iterator[list[Instance]]:
        """Yield every combination of waiting instances with the new one, in part order."""
        for parts in self._extended({part: instance}, 0, part, turn):
            yield [parts[number] for number in range(len(self.stores))]

    def _extended(self, parts: Parts, depth: int, first: int, turn: Turn) -> Iterator[Parts]:
        way = self.steps.ways[first]
        if depth == len(way):
            yield parts
            return
        step = way[depth]
        for candidate in self._candidates(step.part, step.lookup, parts, turn):
            more = {**parts, step.part: candidate}
            if not self._meets(step.part, candidate, parts):
                continue
            if self._fits(step.relation, step.equal, step.conditions, more, turn):
                yield from self._extended(more, depth + 1, first, turn)

    def _candidates(self, part: int, lookup: tuple[int, Expr] | None, parts: Parts, turn: Turn) -> list[Instance]:
        if lookup is None:
            return list(self.stores[part])
        index, expression = lookup
        key = values.key_of(closure(expression)(self._scope(parts, turn)))
        return [] if key is None else [instance for _, instance in self.stores[part].under(index, key)]

    def _meets(self, part: int, candidate: Instance, parts: Parts) -> bool:
        """Say whether a candidate is near enough to the parts that are there: what only waits to be dropped is not."""
        reaches = self.operator.reach
        for other, one in parts.items():
            if not (meets(reaches[other, part], one, candidate) and meets(reaches[part, other], candidate, one)):
                return False
        return True

    def _fits(
        self, relation: Relation, equal: tuple[Equality, ...], conditions: tuple[Expr, ...], parts: Parts, turn: Turn
    ) -> bool:
        if not relation and not equal and not conditions:
            return True
        scope = self._scope(parts, turn)
        return stands(relation, scope) and agree(equal, scope) and all(holds(one, scope) for one in conditions)

    def _scope(self, parts: Parts, turn: Turn) -> Scope:
        bound: dict[str, Instance] = {}
        variables: dict[str, Value] = {}
        for number, instance in parts.items():
            bound.update(instance.parts)
            bound[HULLS[number]] = instance
            if instance.variables:
                variables.update(instance.variables)
        return Scope(bound, variables, turn.tables)

    def _keep(self, part: int, instance: Instance, turn: Turn) -> None:
        # A null key equals nothing, so nothing would ever join it. What has no future goes when the turn is over: until
        # then a partner may come in the same turn.
        keys = self._keys(part, instance, turn)
        if None not in keys:
            self.stores[part].add(instance, self._limit(part, instance), keys)

    def _limit(self, part: int, instance: Instance) -> Deadline:
        reaches = self.operator.reach
        return latest(deadline(reaches[part, other], instance) for other in range(len(self.stores)) if other != part)

    def _keys(self, part: int, instance: Instance, turn: Turn) -> list[Hashable]:
        scope = scope_of(instance, turn.tables)
        return [values.key_of(closure(expression)(scope)) for expression in self.steps.indexes[part]]

    def _bounds(self, part: int, inputs: Sequence[Interpreter]) -> tuple[int, int]:
        """Return the least frontier and place of the other inputs: nothing earlier can come from them."""
        others = [each for number, each in enumerate(inputs) if number != part]
        return min([each.frontier for each in others]), min([each.place for each in others])
