"""Expressions over bound parts: total and three-valued, so every tier computes the same value.

Nothing here raises on data: overflow, division by zero, a bad cast, a missing field and an unbound part are null.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from cepheid.algebra.relations import Endpoint
from cepheid.events import Value


@dataclass(frozen=True, slots=True)
class Expr:
    """An expression; `Expr` itself is only the common name of the nodes below."""


@dataclass(frozen=True, slots=True)
class Literal(Expr):
    """A constant; None is null."""

    value: Value

    def __eq__(self, other: object) -> bool:
        # 1, 1.0 and True are equal in Python but are different constants; NaN is one constant.
        return isinstance(other, Literal) and _tagged(self.value) == _tagged(other.value)

    def __hash__(self) -> int:
        return hash(_tagged(self.value))


TYPE = "$type"
"""The field under which the type of an event is read."""


@dataclass(frozen=True, slots=True)
class Field(Expr):
    """An attribute of the event, or a fold of the group, that is bound to `part`; `$type` is the type of the event."""

    part: str
    name: str


@dataclass(frozen=True, slots=True)
class Moment(Expr):
    """The time, or the position, of an endpoint."""

    endpoint: Endpoint


@dataclass(frozen=True, slots=True)
class Variable(Expr):
    """A variable of a chain, an input `$0`, `$1`, ... of a pipe, or the accumulator `$total` of a fold."""

    name: str


@dataclass(frozen=True, slots=True)
class Call(Expr):
    """An operator or a function by its name; `functions.py` lists them."""

    function: str
    arguments: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Aggregate(Expr):
    """Over the items of a repetition or a collection: count, sum, avg, min, max, first, last, list."""

    function: str
    argument: Expr | None = None


@dataclass(frozen=True, slots=True)
class Lookup(Expr):
    """The `column` of the first row of `table` whose key columns equal `keys`; without a column: is there one?"""

    table: str
    keys: tuple[Expr, ...]
    column: str | None = None


@dataclass(frozen=True, slots=True)
class IsBound(Expr):
    """Was a part or a variable of this name bound?"""

    name: str


TRUE = Literal(True)
NULL = Literal(None)


def conjunction(conditions: tuple[Expr, ...]) -> Expr | None:
    """Return one condition that holds when all do; None when there is none."""
    if not conditions:
        return None
    joined = conditions[0]
    for condition in conditions[1:]:
        joined = Call("and", (joined, condition))
    return joined


def conjuncts(condition: Expr | None) -> tuple[Expr, ...]:
    """Return the conditions whose conjunction `condition` is."""
    if condition is None:
        return ()
    if isinstance(condition, Call) and condition.function == "and":
        return tuple(part for argument in condition.arguments for part in conjuncts(argument))
    return (condition,)


def _tagged(value: object) -> tuple[str, object]:
    if isinstance(value, float):
        return ("float", repr(value))
    if isinstance(value, tuple):
        return ("tuple", tuple(_tagged(item) for item in value))
    if isinstance(value, Mapping):
        return ("record", tuple((name, _tagged(value[name])) for name in sorted(value)))
    if isinstance(value, list):  # no value of an event, but an object of a pipe
        return ("list", tuple(_tagged(item) for item in value))
    if isinstance(value, set | frozenset):
        return ("set", frozenset(_tagged(item) for item in value))
    return (type(value).__name__, value)
