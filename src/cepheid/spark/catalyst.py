"""Conditions on one event as Catalyst expressions, where both say the same of every row.

Only what is certain goes down: numbers of one width, text with text, and Kleene's logic. All else stays with the
detector, which looks at every condition again.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_

from pyspark.sql import Column
from pyspark.sql import functions as F

from cepheid.algebra.expressions import Call, Expr, Field, Literal, conjuncts
from cepheid.algebra.patterns import Atom
from cepheid.algebra.traversal import walk
from cepheid.events import Kind, Value
from cepheid.spark.event_columns import ADDRESS, TYPE, field_column
from cepheid.spark.lanes import Lane, Route

_COMPARISONS: Mapping[str, Callable[[Column, Column], Column]] = {
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}
_TOLD_APART = 2**53


def wanted_by(route: Route, fields: Mapping[str, Kind]) -> Column | None:
    """Return the condition that an event must meet to matter to a route; None where every event matters."""
    each = [_wanted_by_lane(lane, fields) for lane in route.lanes]
    known = [one for one in each if one is not None]
    wanted = reduce(or_, known) if len(known) == len(each) else None
    if route.address is None:
        return wanted
    addressed = F.coalesce(F.col(ADDRESS) == F.lit(route.address), F.lit(False))
    return addressed if wanted is None else addressed & wanted


def wanted_in_role(route: Route, name: str, fields: Mapping[str, Kind]) -> Column:
    """Return the condition that an event must meet to matter where it holds the key of a route in an attribute."""
    each = [_wanted_of(lane, _atoms(lane, name), fields) for lane in route.lanes]
    return reduce(or_, each)


def _wanted_by_lane(lane: Lane, fields: Mapping[str, Kind]) -> Column | None:
    return None if lane.types is None else _wanted_of(lane, _atoms(lane), fields)


def _atoms(lane: Lane, name: str | None = None) -> list[Atom]:
    """Return the atoms of a lane, or those of parts that hold the key in an attribute."""
    each = [(rule.name, node) for rule in lane.rules for node in walk(rule.pattern) if isinstance(node, Atom)]
    return [atom for rule, atom in each if name is None or lane.roles.get(rule, {}).get(atom.name) == name]


def _wanted_of(lane: Lane, atoms: list[Atom], fields: Mapping[str, Kind]) -> Column:
    derived = {rule.emits for rule in lane.whole.rules}
    each = [(atom.types, [] if atom.types & derived else pushed_down(atom, fields)) for atom in atoms]
    # What is wanted by its type alone is asked for once, however many read it.
    whole = frozenset().union(*(types for types, conditions in each if not conditions))
    limited = [_all_of(types - whole, conditions) for types, conditions in each if conditions and types - whole]
    return reduce(or_, [*([_is_of(whole)] if whole else []), *limited]) if whole or limited else F.lit(False)


def _is_of(types: frozenset[str]) -> Column:
    return F.col(TYPE).isin(sorted(types))


def _all_of(types: frozenset[str], conditions: list[Column]) -> Column:
    return reduce(and_, [F.coalesce(one, F.lit(False)) for one in conditions], _is_of(types))


def pushed_down(atom: Atom, fields: Mapping[str, Kind]) -> list[Column]:
    """Return the conditions of an atom that Catalyst can check."""
    found = [_condition(one, atom.name, fields) for one in conjuncts(atom.where)]
    return [one for one in found if one is not None]


def _condition(expression: Expr, name: str, fields: Mapping[str, Kind]) -> Column | None:
    if not isinstance(expression, Call):
        return None
    if expression.function in ("and", "or"):
        left, right = (_condition(one, name, fields) for one in expression.arguments)
        if left is None or right is None:
            return None
        return left & right if expression.function == "and" else left | right
    if expression.function == "not":
        inner = _condition(expression.arguments[0], name, fields)
        return None if inner is None else ~inner
    if expression.function == "is_null":
        column = _column(expression.arguments[0], name, fields)
        return None if column is None else column.column.isNull()
    return _comparison(expression, name, fields)


def _comparison(call: Call, name: str, fields: Mapping[str, Kind]) -> Column | None:
    compare = _COMPARISONS.get(call.function)
    if compare is None:
        return None
    left, right = (_side(one, name, fields) for one in call.arguments)
    if left is None or right is None or left.kind is not right.kind:
        return None
    # A double tells every whole number from the literals that are let through, but not from every other one.
    both_fields = not left.constant and not right.constant
    return None if both_fields and (left.rounded or right.rounded) else compare(left.column, right.column)


@dataclass(frozen=True, slots=True)
class _Side:
    column: Column
    kind: Kind
    constant: bool = False
    rounded: bool = False


def _side(expression: Expr, name: str, fields: Mapping[str, Kind]) -> _Side | None:
    if isinstance(expression, Literal):
        return _literal(expression.value)
    return _column(expression, name, fields)


def _column(expression: Expr, name: str, fields: Mapping[str, Kind]) -> _Side | None:
    if not isinstance(expression, Field) or expression.part != name:
        return None
    column, kind = F.col(field_column(expression.name)), fields.get(expression.name)
    match kind:
        case Kind.INT | Kind.FLOAT:
            return _Side(column.cast("double"), Kind.FLOAT, rounded=kind is Kind.INT)
        case Kind.BOOL | Kind.STRING:
            return _Side(column, kind)
        case _:
            return None


def _literal(value: Value) -> _Side | None:
    if isinstance(value, bool):
        return _Side(F.lit(value), Kind.BOOL, constant=True)
    if isinstance(value, int | float) and abs(value) < _TOLD_APART:
        return _Side(F.lit(float(value)), Kind.FLOAT, constant=True)
    return _Side(F.lit(value), Kind.STRING, constant=True) if isinstance(value, str) else None
