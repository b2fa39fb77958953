"""Operators that choose within one instant or not at all: filters, and the latest start of what is no join."""

from collections.abc import Hashable, Mapping
from heapq import heappush

from cepheid.algebra.choices import groups, latest_start
from cepheid.algebra.patterns import Restrict, Select
from cepheid.algebra.programs import HULL, Table
from cepheid.analysis.plans.plan import Operator
from cepheid.engine.direct.operator import DirectOperator, Give, Pace
from cepheid.engine.direct.partials import Partial, Parts
from cepheid.engine.direct.reading import Reader


class Filter(DirectOperator):
    """What stands in a relation and satisfies a condition."""

    def __init__(self, operator: Operator, parts: Parts, tables: Mapping[str, Table], give: Give, pace: Pace) -> None:
        super().__init__(operator, parts, tables, give, pace)
        assert isinstance(operator.pattern, Restrict)
        reader = Reader(parts.names[operator.number], (HULL,), tables)
        conditions = () if operator.pattern.where is None else (operator.pattern.where,)
        self.test = reader.test(operator.pattern.relation, (), conditions)

    def take(self, key: Hashable, side: int, partial: Partial) -> None:
        if self.test is None or self.test(partial[3], (partial,)):
            self.give(key, partial)


class Latest(DirectOperator):
    """Per instant and key, what started last."""

    def __init__(self, operator: Operator, parts: Parts, tables: Mapping[str, Table], give: Give, pace: Pace) -> None:
        super().__init__(operator, parts, tables, give, pace)
        assert isinstance(operator.pattern, Select)
        self.policy = operator.pattern.policy
        self.per = Reader(parts.names[operator.number], (), tables).key(self.policy.per)
        self.pending: dict[int, dict[Hashable, list[Partial]]] = {}

    def take(self, key: Hashable, side: int, partial: Partial) -> None:
        if self.per(partial[3]) is not None:
            waiting = self.pending.get(partial[1])
            if waiting is None:
                waiting = self.pending[partial[1]] = {}
                heappush(self.pace.ends, partial[1])
            waiting.setdefault(key, []).append(partial)

    def complete(self, instant: int) -> None:
        for key, some in self.pending.pop(instant, {}).items():
            for start, end, known, events, positions in some if len(some) == 1 else self._latest(some):
                self.give(key, (start, end, max(known, self.certain(end)), events, positions))

    def _latest(self, some: list[Partial]) -> list[Partial]:
        child = self.operator.inputs[0]
        made = [(one, self.parts.instance(child, one)) for one in some]
        by_key = groups(made, lambda one: self.per(one[0][3]))
        chosen = [latest_start([(0, instance) for _, instance in group], self.policy) for group in by_key]
        return [partial for instance in chosen for partial, other in made if other is instance]

    def buffered(self) -> int:
        return sum([len(some) for waiting in self.pending.values() for some in waiting.values()])

    def state(self) -> dict[Hashable, object]:
        child, found = self.operator.inputs[0], dict[Hashable, list[list[object]]]()
        for key, some in [entry for waiting in self.pending.values() for entry in waiting.items()]:
            found.setdefault(key, [[]])[0].extend((0, self.parts.instance(child, one)) for one in some)
        return dict(found)

    def restore(self, key: Hashable, state: object) -> None:
        assert isinstance(state, list)
        child = self.operator.inputs[0]
        for side, instance in state[0]:
            self.take(key, side, self.parts.partial(child, instance))

    def empty_state(self) -> object:
        return [[]]
