"""Suppression of matches that come one at a time: when the last of each key ended, over all keys of a rule."""

from collections import OrderedDict
from collections.abc import Hashable, Mapping
from heapq import heappush

from cepheid.algebra.patterns import Suppress
from cepheid.algebra.programs import Table
from cepheid.analysis.plans.plan import Operator
from cepheid.engine.direct.operator import DirectOperator, Give, Pace
from cepheid.engine.direct.partials import Partial, Parts
from cepheid.engine.direct.reading import Reader
from cepheid.events import values


class Suppressing(DirectOperator):
    """What waits for its instant, and when the last match of each key ended, the earliest first."""

    def __init__(self, operator: Operator, parts: Parts, tables: Mapping[str, Table], give: Give, pace: Pace) -> None:
        super().__init__(operator, parts, tables, give, pace)
        assert isinstance(operator.pattern, Suppress)
        self.apart = operator.pattern.apart
        reader = Reader(parts.names[operator.number], (), tables)
        self.by = [reader.value(expression) for expression in operator.pattern.by]
        self.pending: dict[int, list[tuple[Hashable, Partial]]] = {}
        self.last: OrderedDict[tuple[Hashable, Hashable], int] = OrderedDict()
        self.is_in_order = True

    def take(self, key: Hashable, side: int, partial: Partial) -> None:
        waiting = self.pending.get(partial[1])
        if waiting is None:
            waiting = self.pending[partial[1]] = []
            heappush(self.pace.ends, partial[1])
        waiting.append((key, partial))

    def complete(self, instant: int) -> None:
        some = self.pending.pop(instant, None)
        if some is None:
            return
        self.expire(min(instant, self.pace.frontier))
        if len(some) > 1:
            child = self.operator.inputs[0]
            some.sort(key=lambda one: self.parts.instance(child, one[1]).rank)
        for key, (start, end, known, events, positions) in some:
            whole = (key, tuple([values.key_of(part(events, ())) for part in self.by]))
            before = self.last.get(whole)
            if before is None or end - before > self.apart:
                self.last[whole] = end
                self.last.move_to_end(whole)
                self.give(key, (start, end, max(known, self.certain(end)), events, positions))

    def expire(self, frontier: int) -> None:
        if not self.is_in_order:
            self.last, self.is_in_order = OrderedDict(sorted(self.last.items(), key=lambda entry: entry[1])), True
        last = self.last
        while last and next(iter(last.values())) + self.apart < frontier:
            last.popitem(last=False)

    def entries(self) -> int:
        return len(self.last)

    def buffered(self) -> int:
        return sum([len(some) for some in self.pending.values()])

    def state(self) -> dict[Hashable, object]:
        child, found = self.operator.inputs[0], dict[Hashable, list[list[object]]]()
        for key, one in [entry for some in self.pending.values() for entry in some]:
            found.setdefault(key, [[], []])[0].append((0, self.parts.instance(child, one)))
        for (key, kind), end in self.last.items():
            found.setdefault(key, [[], []])[1].append((kind, end))
        return dict(found)

    def restore(self, key: Hashable, state: object) -> None:
        assert isinstance(state, list)
        child = self.operator.inputs[0]
        for side, instance in state[0]:
            self.take(key, side, self.parts.partial(child, instance))
        self.last.update(((key, kind), end) for kind, end in state[1])
        self.is_in_order = False

    def empty_state(self) -> object:
        return [[], []]
