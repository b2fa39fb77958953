"""Expressions and relations over the events of partial matches, as functions that are made once.

A function is given the events in the order of their names, and the partial matches that `$0`, `$1`, ... or `$pattern`
stand for. What is rare is evaluated as the interpreter does it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from cepheid.algebra.evaluation import Scope, evaluate
from cepheid.algebra.expressions import TYPE, Call, Expr, Field, IsBound, Literal, Moment, Variable
from cepheid.algebra.functions import function_named, is_built_in
from cepheid.algebra.instances import Instance, of_event
from cepheid.algebra.programs import Table
from cepheid.algebra.relations import Axis, Difference, Edge, Endpoint, Relation
from cepheid.engine.direct.partials import Arrival, Emitted, Partial, arrival
from cepheid.events import Event, Value, values

Events = Sequence[Event]
Hulls = Sequence[Partial]
Read = Callable[[Events, Hulls], Value]
Test = Callable[[Events, Hulls], bool]
Moments = Callable[[Events, Hulls], int | None]
Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Reader:
    """What can be read: events by name, hulls by name, and tables.

    Each hull has as many of the events as `widths` says, and their positions; a single one has all of them.
    """

    names: tuple[str, ...]
    hulls: tuple[str, ...]
    tables: Mapping[str, Table]
    widths: tuple[int, ...] = ()

    def value(self, expression: Expr) -> Read:
        """Return the function that gives the value of an expression."""
        match expression:
            case Literal(value):
                return lambda events, hulls: value
            case Field(part, name) if name != TYPE and part in self.names:
                place = self.names.index(part)
                return lambda events, hulls: events[place].fields.get(name)
            case Moment(endpoint) if endpoint.axis is not Axis.ARRIVAL:
                return self.moment(endpoint)
            case Variable():
                return _nothing
            case IsBound(name):
                bound = name in self.names or name in self.hulls
                return lambda events, hulls: bound
            case Call(function, arguments) if is_built_in(function):
                return _call(function, [self.value(argument) for argument in arguments])
            case _:
                return lambda events, hulls: evaluate(expression, self._scope(events))

    def test(self, relation: Relation, equal: Sequence[tuple[Expr, Expr]], conditions: Sequence[Expr]) -> Test | None:
        """Return the function that says whether a relation, equalities and conditions hold; None: they always do."""
        tests = [self._difference(one) for one in relation]
        tests += [_equality(self.value(left), self.value(right)) for left, right in equal]
        tests += [_is_true(self.value(one)) for one in conditions]
        return _all(tests)

    def key(self, expressions: Sequence[Expr]) -> Callable[[Events], Key | None]:
        """Return the function that gives the key which some expressions make, None where one of them is null."""
        parts, key_of = [self.value(one) for one in expressions], values.key_of
        if not parts:
            return lambda events: ()
        if len(parts) == 1:
            only = parts[0]
            return lambda events: None if (key := key_of(only(events, ()))) is None else (key,)

        def key_under(events: Events) -> Key | None:
            key = tuple([key_of(part(events, ())) for part in parts])
            return None if None in key else key

        return key_under

    def moment(self, endpoint: Endpoint) -> Moments:
        """Return the function that gives the time or the position of an endpoint, None where there is none."""
        return self._time(endpoint) if endpoint.axis is Axis.TIME else self._position(endpoint)

    def _position(self, endpoint: Endpoint) -> Moments:
        if endpoint.part in self.hulls:
            number, choose = self.hulls.index(endpoint.part), min if endpoint.edge is Edge.START else max
            if self.width(number) == 1:
                return lambda events, hulls: hulls[number][4][0]
            return lambda events, hulls: choose(hulls[number][4])
        if endpoint.part in self.names:
            hull, place = self._hull_of(self.names.index(endpoint.part))
            return lambda events, hulls: hulls[hull][4][place]
        return _no_moment

    def width(self, number: int) -> int:
        """Return how many events a hull has."""
        return self.widths[number] if self.widths else len(self.names)

    def _hull_of(self, place: int) -> tuple[int, int]:
        """Return the hull that has the event at a place among all names, and its place there."""
        number = 0
        while place >= self.width(number):
            place, number = place - self.width(number), number + 1
        return number, place

    def _time(self, endpoint: Endpoint) -> Moments:
        if endpoint.part in self.hulls:
            number, edge = self.hulls.index(endpoint.part), 0 if endpoint.edge is Edge.START else 1
            return lambda events, hulls: hulls[number][edge]  # type: ignore[return-value]  # start or end
        if endpoint.part in self.names:
            place = self.names.index(endpoint.part)
            if endpoint.edge is Edge.START:
                return lambda events, hulls: events[place].start
            return lambda events, hulls: events[place].end
        return _no_moment

    def _arrival(self, endpoint: Endpoint) -> Callable[[Events, Hulls], Arrival | None]:
        if endpoint.part in self.hulls:
            number, choose = self.hulls.index(endpoint.part), min if endpoint.edge is Edge.START else max
            return lambda events, hulls: choose(map(arrival, hulls[number][3]))
        if endpoint.part in self.names:
            place = self.names.index(endpoint.part)
            return lambda events, hulls: arrival(events[place])
        return _no_arrival

    def _difference(self, difference: Difference) -> Test:
        if difference.later.axis is Axis.ARRIVAL:
            return self._order(difference)
        if difference.later.axis is Axis.TIME and {difference.later.part, difference.earlier.part} <= {*self.hulls}:
            return self._distance(difference)
        later, earlier = self.moment(difference.later), self.moment(difference.earlier)
        low, high = difference.low, difference.high

        def differs(events: Events, hulls: Hulls) -> bool:
            one, other = later(events, hulls), earlier(events, hulls)
            if one is None or other is None:
                return False
            distance = one - other
            return (low is None or low <= distance) and (high is None or distance <= high)

        return differs

    def _distance(self, difference: Difference) -> Test:
        """Say so of two hulls, which are always there, with no more calls."""
        one, other = (self.hulls.index(end.part) for end in (difference.later, difference.earlier))
        later, earlier = (0 if end.edge is Edge.START else 1 for end in (difference.later, difference.earlier))
        low, high = difference.low, difference.high
        if high is None and low is not None:
            return lambda events, hulls: hulls[one][later] - hulls[other][earlier] >= low  # type: ignore[operator]  # times
        if low is None and high is not None:
            return lambda events, hulls: hulls[one][later] - hulls[other][earlier] <= high  # type: ignore[operator]  # times

        def differs(events: Events, hulls: Hulls) -> bool:
            distance: int = hulls[one][later] - hulls[other][earlier]  # type: ignore[operator]  # two times
            return (low is None or low <= distance) and (high is None or distance <= high)

        return differs

    def _order(self, difference: Difference) -> Test:
        later, earlier = self._arrival(difference.later), self._arrival(difference.earlier)
        strictly = difference.low == 1

        def comes_after(events: Events, hulls: Hulls) -> bool:
            one, other = later(events, hulls), earlier(events, hulls)
            if one is None or other is None:
                return False
            return one > other if strictly else one >= other

        return comes_after

    def _scope(self, events: Events) -> Scope:
        bound = {name: _occurrence(event) for name, event in zip(self.names, events, strict=True)}
        return Scope(bound, tables=self.tables)


def _occurrence(event: Event) -> Instance:
    return of_event(event, None, event.rests_on if isinstance(event, Emitted) else None)


def _nothing(events: Events, hulls: Hulls) -> None:
    """There are no variables."""


def _no_moment(events: Events, hulls: Hulls) -> int | None:
    return None


def _no_arrival(events: Events, hulls: Hulls) -> Arrival | None:
    return None


def _call(function: str, arguments: list[Read]) -> Read:
    known = function_named(function)
    assert known is not None
    apply = known.apply
    if len(arguments) == 2:
        first, second = arguments
        return lambda events, hulls: apply(first(events, hulls), second(events, hulls))
    return lambda events, hulls: apply(*[argument(events, hulls) for argument in arguments])


def _equality(left: Read, right: Read) -> Test:
    equals = values.equal
    return lambda events, hulls: equals(left(events, hulls), right(events, hulls)) is True


def _is_true(read: Read) -> Test:
    return lambda events, hulls: read(events, hulls) is True


def _all(tests: list[Test]) -> Test | None:
    if len(tests) < 2:
        return tests[0] if tests else None
    if len(tests) == 2:
        first, second = tests
        return lambda events, hulls: first(events, hulls) and second(events, hulls)

    def all_hold(events: Events, hulls: Hulls) -> bool:
        for test in tests:  # noqa: SIM110  # a generator takes three times as long
            if not test(events, hulls):
                return False
        return True

    return all_hold
