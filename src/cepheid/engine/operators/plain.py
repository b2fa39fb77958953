"""Operators without memory: events, points of time, alternatives and filters."""

from collections.abc import Sequence

from cepheid.algebra.closures import closure, holds, stands
from cepheid.algebra.instances import Instance, branch, named, of_instant, scope_of
from cepheid.algebra.patterns import Atom, Instant, Restrict
from cepheid.algebra.schedules import fixed_point, next_point, points
from cepheid.analysis.plans.plan import Operator
from cepheid.engine.clock.certainty import complete_at
from cepheid.engine.clock.near_points import near_points
from cepheid.engine.clock.turn import Turn
from cepheid.engine.operators.interpreter import Interpreter, News
from cepheid.engine.state.deadlines import FOREVER
from cepheid.events import MIN_TIME


class Scan(Interpreter):
    """The events that an atom asks for."""

    keeps = False

    def __init__(self, operator: Operator) -> None:
        super().__init__(operator)
        assert isinstance(operator.pattern, Atom)
        self.name, self.types = operator.pattern.name, operator.pattern.types
        self.where = None if operator.pattern.where is None else closure(operator.pattern.where)

    def turn(self, news: News, inputs: Sequence[Interpreter], turn: Turn) -> list[Instance]:
        self.frontier, self.place = turn.frontier(self.types), turn.place
        types, where, found = self.types, self.where, []
        for record in turn.records:
            if not types or record.event.type in types:
                instance = record.instance().called(self.name)
                if where is None or where(scope_of(instance, turn.tables)) is True:
                    found.append(instance)
        return found


class Points(Interpreter):
    """The points of a schedule, each when the frontier has passed it: from the first event until the input has come."""

    def __init__(self, operator: Operator) -> None:
        super().__init__(operator)
        assert isinstance(operator.pattern, Instant)
        self.instant = operator.pattern
        self.first: int | None = None
        self.given = MIN_TIME
        self.near = near_points(self.instant.schedule, operator.near)

    def turn(self, news: News, inputs: Sequence[Interpreter], turn: Turn) -> list[Instance]:
        ends = [record.event.end for record in turn.records]
        self.first = min(ends if self.first is None else [self.first, *ends], default=None)
        self.frontier, self.place = turn.least, turn.place
        if self.near is not None:
            self.near.see(ends)
        if turn.keyed and (self.first is None or self.first >= turn.least):
            # Only when no earlier event can come it is certain when the key begins; a fixed point may lie before it.
            self.frontier = min(turn.least, self._fixed_to_come())
            return []
        last = turn.horizon if turn.closed else turn.least - 1
        due = [time for time in self._times(last, turn.least) if self.given < time < turn.least]
        self.given = max([self.given, *due, *([last] if last is not None else [])])
        begun = self.first if turn.keyed and self.first is not None else MIN_TIME
        return [named(self.instant.name, self._point(time, max(time, begun))) for time in due]

    def _fixed_to_come(self) -> int:
        """Return the point of a schedule that has one alone, as long as it was not given; else the end of time."""
        fixed = fixed_point(self.instant.schedule)
        return FOREVER if fixed is None or fixed <= self.given else fixed

    def _times(self, last: int | None, frontier: int) -> list[int]:
        """Return the points up to `last` that were not given yet, without those that nothing is near."""
        first = None if self.first is None else self._from(self.first)
        if self.near is None or first is None or last is None:
            return points(self.instant.schedule, first, last)
        return self.near.due(first, last, frontier)

    def _point(self, time: int, certain: int) -> Instance:
        return of_instant(time).certain_at(complete_at(certain, self.operator.lag))

    def wake(self) -> int:
        if self.first is None:
            return self.frontier
        following = next_point(self.instant.schedule, self._from(self.first))
        return FOREVER if following is None else max(following, self.first)

    def _from(self, first: int) -> int:
        """Return from when on points are still to be given; fixed ones may lie before the first event."""
        return self.given + 1 if fixed_point(self.instant.schedule) is not None else max(first, self.given + 1)

    @property
    def idle(self) -> bool:
        """A fresh one would give its points again."""
        return False

    def state(self) -> object:
        return [self.first, self.given, [] if self.near is None else [list(one) for one in self.near.held]]

    def restore(self, state: object, turn: Turn) -> None:
        assert isinstance(state, list)
        self.first, self.given, held = state
        if self.near is not None:
            self.near.held = [(first, last) for first, last in held]


class Union(Interpreter):
    """Every instance of every branch."""

    keeps = False

    def turn(self, news: News, inputs: Sequence[Interpreter], turn: Turn) -> list[Instance]:
        self.settle(inputs)
        return [branch(number, instance) for number, some in enumerate(news) for instance in some]


class Filter(Interpreter):
    """The instances that stand in a relation and satisfy a condition."""

    keeps = False

    def __init__(self, operator: Operator) -> None:
        super().__init__(operator)
        assert isinstance(operator.pattern, Restrict)
        self.restrict = operator.pattern

    def turn(self, news: News, inputs: Sequence[Interpreter], turn: Turn) -> list[Instance]:
        self.settle(inputs)
        return [instance for instance in news[0] if self._stays(instance, turn)]

    def _stays(self, instance: Instance, turn: Turn) -> bool:
        scope = scope_of(instance, turn.tables, pattern=instance)
        return stands(self.restrict.relation, scope) and holds(self.restrict.where, scope)
