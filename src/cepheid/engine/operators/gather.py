"""Collection: an anchor waits until no further item can belong to it, and then tells the folds over its items."""

from collections import Counter
from collections.abc import Hashable, Sequence

from cepheid.algebra.closures import agree, holds, key_maker, stands
from cepheid.algebra.evaluation import Scope
from cepheid.algebra.history import History
from cepheid.algebra.instances import Instance
from cepheid.algebra.pattern_semantics import collected
from cepheid.algebra.patterns import Collect
from cepheid.analysis.plans.plan import Operator
from cepheid.engine.clock.certainty import not_before, past_at
from cepheid.engine.clock.turn import Turn
from cepheid.engine.operators.interpreter import Interpreter, News
from cepheid.engine.state.deadlines import FOREVER, deadline, meets
from cepheid.engine.state.store import HoldingStore, Store

ANCHOR, ITEM = 0, 1


class Gather(Interpreter):
    """Anchors that wait with the items found for them, and items that anchors to come may still take."""

    def __init__(self, operator: Operator) -> None:
        super().__init__(operator)
        assert isinstance(operator.pattern, Collect)
        self.collect = operator.pattern
        self.keys = [key_maker(side) for side in operator.sides or ((), ())]
        self.anchors = HoldingStore(1)
        self.items = Store(1)
        self.found: dict[int, list[Instance]] = {}
        # How many hold each item: anchors that have found it, and the items that wait for others.
        self.holders: Counter[int] = Counter()

    def turn(self, news: News, inputs: Sequence[Interpreter], turn: Turn) -> list[Instance]:
        for item in news[ITEM]:
            self._offer(item, turn)
        for anchor in news[ANCHOR]:
            self._wait(anchor, [], turn)
            for _, item in self.items.under(0, self._key(ANCHOR, anchor, turn)):
                self._take(anchor, item, turn)
        anchors, items = inputs
        for item in self.items.expire(anchors.frontier, anchors.place):
            self._release(item)
        complete = self.anchors.expire(items.frontier, items.place)
        if items.frontier == FOREVER or self.operator.at_once:
            complete, self.anchors = [*complete, *self.anchors], HoldingStore(1)
        self.frontier = self.held([anchors.frontier])
        self.place = min(anchors.place, self.anchors.first_place())
        return [self._complete(anchor, items.operator.lag, turn) for anchor in complete]

    def entries(self) -> int:
        return sum(self.histories())

    def histories(self) -> tuple[int, ...]:
        return len(self.anchors), len(self.holders)

    def held(self, below: Sequence[int], *, buffered: bool = True) -> int:
        return min(below[ANCHOR], self.anchors.first_end())

    def wake(self) -> int:
        return min(self.anchors.next_time(), self.items.next_time())

    def state(self) -> object:
        return [[(anchor, list(self.found[id(anchor)])) for anchor in self.anchors], list(self.items)]

    def restore(self, state: object, turn: Turn) -> None:
        assert isinstance(state, list)
        for anchor, found in state[0]:
            self._wait(anchor, list(found), turn)
        for item in state[1]:
            self._keep(item, self._key(ITEM, item, turn))

    def _key(self, side: int, instance: Instance, turn: Turn) -> Hashable:
        """Return under what an anchor and an item can be together, None if it is together with nothing."""
        name = "$item" if side == ITEM else "$anchor"
        scope = Scope({**instance.parts, name: instance}, instance.variables, turn.tables)
        return self.keys[side](scope)

    def _offer(self, item: Instance, turn: Turn) -> None:
        key = self._key(ITEM, item, turn)
        if key is not None:
            for _, anchor in self.anchors.under(0, key):
                self._take(anchor, item, turn)
            self._keep(item, key)

    def _wait(self, anchor: Instance, found: list[Instance], turn: Turn) -> None:
        limit = deadline(self.operator.reach[ANCHOR, ITEM], anchor)
        self.anchors.add(anchor, limit, [self._key(ANCHOR, anchor, turn)])
        self.found[id(anchor)] = found
        self.holders.update(id(item) for item in found)

    def _keep(self, item: Instance, key: Hashable) -> None:
        self.items.add(item, deadline(self.operator.reach[ITEM, ANCHOR], item), [key])
        self.holders[id(item)] += 1

    def _release(self, item: Instance) -> None:
        self.holders[id(item)] -= 1
        if not self.holders[id(item)]:
            del self.holders[id(item)]

    def _take(self, anchor: Instance, item: Instance, turn: Turn) -> None:
        collect, reaches = self.collect, self.operator.reach
        if not (meets(reaches[ANCHOR, ITEM], anchor, item) and meets(reaches[ITEM, ANCHOR], item, anchor)):
            return
        scope = Scope(
            {**anchor.parts, **item.parts, "$anchor": anchor, "$item": item},
            {**anchor.variables, **item.variables},
            turn.tables,
        )
        if stands(collect.relation, scope) and agree(collect.equal, scope) and holds(collect.where, scope):
            self.found[id(anchor)].append(item)
            self.holders[id(item)] += 1

    def _complete(self, anchor: Instance, lag: int | None, turn: Turn) -> Instance:
        items = sorted(self.found.pop(id(anchor)), key=lambda item: item.rank)
        for item in items:
            self._release(item)
        whole = collected(self.collect, anchor, items, History((), turn.tables))
        if self.operator.at_once:
            return whole
        certain = past_at(deadline(self.operator.reach[ANCHOR, ITEM], anchor), lag, turn)
        return whole.certain_at(not_before(anchor.known, certain))
