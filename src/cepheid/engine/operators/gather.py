"""Collection: an anchor waits until no further item can belong to it, and then tells the folds over its items."""

from collections.abc import Sequence
from dataclasses import replace

from cepheid.algebra.evaluation import Scope, agree, holds, stands
from cepheid.algebra.history import History
from cepheid.algebra.instances import Instance
from cepheid.algebra.pattern_semantics import collected
from cepheid.algebra.patterns import Collect
from cepheid.analysis.plan import Operator
from cepheid.engine.certainty import not_before, past_at
from cepheid.engine.deadlines import FOREVER, deadline, meets
from cepheid.engine.operators.interpreter import Interpreter, News
from cepheid.engine.store import Store
from cepheid.engine.turn import Turn

ANCHOR, ITEM = 0, 1


class Gather(Interpreter):
    """Anchors that wait with the items found for them, and items that anchors to come may still take."""

    def __init__(self, operator: Operator) -> None:
        super().__init__(operator)
        assert isinstance(operator.pattern, Collect)
        self.collect = operator.pattern
        self.anchors = Store()
        self.items = Store()
        self.found: dict[int, list[Instance]] = {}

    def turn(self, news: News, inputs: Sequence[Interpreter], turn: Turn) -> list[Instance]:
        for item in news[ITEM]:
            for anchor in self.anchors:
                self._take(anchor, item, turn)
            self.items.add(item, deadline(self.operator.reach[ITEM, ANCHOR], item))
        for anchor in news[ANCHOR]:
            self._wait(anchor, [])
            for item in self.items:
                self._take(anchor, item, turn)
        anchors, items = inputs
        self.items.expire(anchors.frontier, anchors.place)
        complete = self.anchors.expire(items.frontier, items.place)
        if items.frontier == FOREVER:
            complete, self.anchors = [*complete, *self.anchors], Store()
        self.frontier = self.held([anchors.frontier])
        self.place = min([anchors.place, *(anchor.high for anchor in self.anchors if anchor.high is not None)])
        return [self._complete(anchor, items.operator.lag, turn) for anchor in complete]

    def entries(self) -> int:
        return sum(self.histories())

    def histories(self) -> tuple[int, ...]:
        held = {id(item) for items in self.found.values() for item in items} | {id(item) for item in self.items}
        return len(self.anchors), len(held)

    def held(self, below: Sequence[int], *, buffered: bool = True) -> int:
        return min([below[ANCHOR], *(anchor.end for anchor in self.anchors)])

    def wake(self) -> int:
        return min(self.anchors.next_time(), self.items.next_time())

    def state(self) -> object:
        return [[(anchor, list(self.found[id(anchor)])) for anchor in self.anchors], list(self.items)]

    def restore(self, state: object, turn: Turn) -> None:
        assert isinstance(state, list)
        for anchor, found in state[0]:
            self._wait(anchor, list(found))
        for item in state[1]:
            self.items.add(item, deadline(self.operator.reach[ITEM, ANCHOR], item))

    def _wait(self, anchor: Instance, found: list[Instance]) -> None:
        self.anchors.add(anchor, deadline(self.operator.reach[ANCHOR, ITEM], anchor))
        self.found[id(anchor)] = found

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

    def _complete(self, anchor: Instance, lag: int | None, turn: Turn) -> Instance:
        items = sorted(self.found.pop(id(anchor)), key=lambda item: item.rank)
        whole = collected(self.collect, anchor, items, History((), turn.tables))
        certain = past_at(deadline(self.operator.reach[ANCHOR, ITEM], anchor), lag, turn)
        return replace(whole, known=not_before(anchor.known, certain))
