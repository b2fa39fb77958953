"""Operators that look at one complete instant at a time: the latest-start choice, distinct matches, suppression."""

from collections import OrderedDict
from collections.abc import Hashable, Sequence

from cepheid.algebra.choices import groups, latest_start
from cepheid.algebra.closures import closure, key_maker
from cepheid.algebra.instances import Instance, scope_of
from cepheid.algebra.patterns import Distinct, Select, Suppress
from cepheid.algebra.suppressing import passing
from cepheid.analysis.plans.plan import Operator
from cepheid.engine.clock.certainty import not_before
from cepheid.engine.clock.turn import Turn
from cepheid.engine.operators.interpreter import Interpreter, News
from cepheid.engine.state.deadlines import FOREVER
from cepheid.engine.state.order_buffer import Arrived, OrderBuffer
from cepheid.events import values


class _ByInstant(Interpreter):
    """Gives each complete instant to `choose`."""

    def __init__(self, operator: Operator) -> None:
        super().__init__(operator)
        pattern = operator.pattern
        self.buffer = OrderBuffer(by_arrival=isinstance(pattern, Select) and pattern.policy.by_arrival)

    def turn(self, news: News, inputs: Sequence[Interpreter], turn: Turn) -> list[Instance]:
        for side, some in enumerate(news):
            self.buffer.add(some, side)
        self.settle(inputs)
        found = []
        for end, instant in self.buffer.release(self.complete(turn)):
            certain = self.certain_at(end)
            chosen = self.choose(instant, turn)
            found += [one.certain_at(not_before(one.known, certain)) for one in chosen]
        self.place = self.buffer.place(self.place)
        return found

    def choose(self, instant: list[Arrived], turn: Turn) -> list[Instance]:
        raise AssertionError("each kind of operator chooses in its own way")

    def buffered(self) -> int:
        return len(self.buffer)

    def held(self, below: Sequence[int], *, buffered: bool = True) -> int:
        return self.buffer.first(min(below)) if buffered else min(below)

    def wake(self) -> int:
        return self.buffer.first(FOREVER)

    def state(self) -> object:
        return [self.buffer.held()]

    def restore(self, state: object, turn: Turn) -> None:
        assert isinstance(state, list)
        for side, instance in state[0]:
            self.buffer.add([instance], side)


class Latest(_ByInstant):
    """Per instant and key, the instance that started last; of level ones that of the later branch."""

    def __init__(self, operator: Operator) -> None:
        super().__init__(operator)
        assert isinstance(operator.pattern, Select)
        self.select = operator.pattern
        self.key = key_maker(self.select.policy.per)

    def choose(self, instant: list[Arrived], turn: Turn) -> list[Instance]:
        keyed = [
            (key, branch, instance)
            for branch, instance in instant
            if (key := self.key(scope_of(instance, turn.tables))) is not None
        ]
        by_key = groups(keyed, lambda entry: entry[0])
        policy = self.select.policy
        return [latest_start([(branch, instance) for _, branch, instance in group], policy) for group in by_key]


class Unique(_ByInstant):
    """The first instance of each kind; without `by`, those of a kind end together and nothing need be remembered."""

    def __init__(self, operator: Operator) -> None:
        super().__init__(operator)
        assert isinstance(operator.pattern, Distinct)
        self.distinct = operator.pattern
        self.seen: dict[object, None] = {}

    def choose(self, instant: list[Arrived], turn: Turn) -> list[Instance]:
        by, instances = self.distinct.by, [instance for _, instance in instant]
        if by is None:
            return [same[0] for same in groups(instances, lambda one: (one.start, one.end, one.rests_on))]
        first = []
        for instance in instances:
            scope = scope_of(instance, turn.tables)
            kind = tuple(values.key_of(closure(expression)(scope)) for expression in by)
            if kind not in self.seen:
                self.seen[kind] = None
                first.append(instance)
        return first

    def entries(self) -> int:
        return len(self.seen)

    def state(self) -> object:
        return [self.buffer.held(), list(self.seen)]

    def restore(self, state: object, turn: Turn) -> None:
        super().restore(state, turn)
        assert isinstance(state, list)
        self.seen = dict.fromkeys(state[1])


class Suppressing(_ByInstant):
    """When the last match of each key ended, the earliest first, for as long as that keeps others away."""

    def __init__(self, operator: Operator) -> None:
        super().__init__(operator)
        assert isinstance(operator.pattern, Suppress)
        self.suppress = operator.pattern
        self.last: OrderedDict[Hashable, int] = OrderedDict()

    def turn(self, news: News, inputs: Sequence[Interpreter], turn: Turn) -> list[Instance]:
        found = super().turn(news, inputs, turn)
        while self._first_over() < self.frontier:
            self.last.popitem(last=False)
        return found

    def choose(self, instant: list[Arrived], turn: Turn) -> list[Instance]:
        return passing(self.suppress, [instance for _, instance in instant], turn.tables, self.last)

    def _first_over(self) -> int:
        """Return up to which end the first match that passed keeps others away."""
        return min(next(iter(self.last.values())) + self.suppress.apart, FOREVER) if self.last else FOREVER

    def entries(self) -> int:
        return len(self.last)

    def wake(self) -> int:
        return min(super().wake(), self._first_over())

    def state(self) -> object:
        return [self.buffer.held(), list(self.last.items())]

    def restore(self, state: object, turn: Turn) -> None:
        super().restore(state, turn)
        assert isinstance(state, list)
        self.last = OrderedDict((key, end) for key, end in state[1])
