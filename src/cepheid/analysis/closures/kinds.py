"""What kind of value an expression has, from the kinds of the fields it reads; `any` where that cannot be said."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce

from cepheid.algebra.expressions import Aggregate, Call, Expr, Field, IsBound, Literal, Lookup, Moment
from cepheid.algebra.patterns import Atom, Collect, Repeat
from cepheid.algebra.programs import Program, Rule
from cepheid.algebra.traversal import walk
from cepheid.events import Kind, Value

Kinds = Mapping[str, Kind]

_TRUTHS = frozenset({"==", "!=", "<", "<=", ">", ">=", "and", "or", "not", "in", "is_null", "bool"})
_TRUTHS_OF_TEXT = frozenset({"contains", "starts_with", "ends_with", "matches", "cidr_contains", "is_ip", "is_private"})
_TEXTS = frozenset({"lower", "upper", "substring", "string", "trim", "replace", "split_part", "extract", "date"})
_OF_TIMES = frozenset({"year", "month", "day", "hour", "minute", "second", "weekday", "timestamp"})
_WHOLE = frozenset({"int", "length", "floor", "ceil"}) | _OF_TIMES
_REAL = frozenset({"/", "avg", "sqrt", "exp", "log", "float"})
_ARITHMETIC = frozenset({"+", "-", "*", "//", "%", "neg", "abs", "pow"})
_OF_THEIR_ARGUMENTS = frozenset({"coalesce", "min", "max"})
_NUMBERS = (Kind.INT, Kind.FLOAT, Kind.TIME)


def kinds_of_rules(program: Program, given: Kinds) -> Mapping[str, Kinds]:
    """Return the kinds of the fields of every rule, by the rule's name.

    `given` are the kinds of the fields of input events, whatever their type. Rules that feed each other are looked at
    until nothing changes.
    """
    known: dict[str, Kinds] = {}
    for _ in range(len(program.rules) + 1):
        reader = _Reader(program, given, known)
        found = {rule.name: reader.fields(rule) for rule in program.rules}
        if found == known:
            break
        known = found
    return known


def joined(kinds: Iterable[Kind | None]) -> Kind | None:
    """Return the kind that holds values of all of some kinds; None, the kind of null, adds nothing."""
    return reduce(_wider, kinds, None)


def _wider(one: Kind | None, other: Kind | None) -> Kind | None:
    if one is None or other is None or one is other:
        return one or other
    both = {one, other}
    return Kind.FLOAT if both == {Kind.INT, Kind.FLOAT} else Kind.INT if both == {Kind.INT, Kind.TIME} else Kind.ANY


@dataclass(frozen=True, slots=True)
class _Reader:
    program: Program
    given: Kinds
    known: Mapping[str, Kinds]

    def fields(self, rule: Rule) -> Kinds:
        parts = {node.name: node for node in walk(rule.pattern) if isinstance(node, Atom | Repeat | Collect)}
        return {name: self._kind(told, parts) or Kind.ANY for name, told in rule.fields.items()}

    def _kind(self, expression: Expr, parts: Mapping[str, Atom | Repeat | Collect]) -> Kind | None:
        def of(inner: Expr) -> Kind | None:
            return self._kind(inner, parts)

        match expression:
            case Literal(value):
                return kind_of_value(value)
            case Field(part, name):
                return self._field(parts.get(part), name, of)
            case Moment():
                return Kind.INT
            case IsBound():
                return Kind.BOOL
            case Lookup():
                return self._lookup(expression)
            case Aggregate():
                return _aggregate(expression, of)
            case Call():
                return _call(expression, of)
            case _:
                return Kind.ANY

    def _field(self, part: Atom | Repeat | Collect | None, name: str, of: Callable[[Expr], Kind | None]) -> Kind | None:
        if part is None:
            return Kind.ANY
        if not isinstance(part, Atom):
            return of(part.folds[name]) if name in part.folds else None
        emitted = [rule for rule in self.program.rules if rule.emits in part.types or not part.types]
        derived = [self.known[rule.name].get(name) for rule in emitted if rule.name in self.known]
        only_derived = part.types and part.types <= {rule.emits for rule in emitted} and name not in self.given
        return joined(derived if only_derived else [*derived, self.given.get(name)])

    def _lookup(self, lookup: Lookup) -> Kind | None:
        table = self.program.tables.get(lookup.table)
        if lookup.column is None:
            return Kind.BOOL
        if table is None or lookup.column not in table.columns:
            return Kind.ANY
        place = table.columns.index(lookup.column)
        return joined(kind_of_value(row[place]) for row in table.rows)


def kind_of_value(value: Value) -> Kind | None:
    """Return the kind of a value, None for null."""
    if value is None:
        return None
    return next((kind for kind in (Kind.BOOL, Kind.INT, Kind.FLOAT, Kind.STRING) if kind.holds(value)), Kind.ANY)


def _aggregate(aggregate: Aggregate, of: Callable[[Expr], Kind | None]) -> Kind | None:
    match aggregate.function:
        case "count":
            return Kind.INT
        case "avg":
            return Kind.FLOAT
        case "sum" | "min" | "max" | "first" | "last" if aggregate.argument is not None:
            return of(aggregate.argument)
        case _:
            return Kind.ANY


def _call(call: Call, of: Callable[[Expr], Kind | None]) -> Kind | None:
    name = call.function
    for names, kind in (
        (_TRUTHS | _TRUTHS_OF_TEXT, Kind.BOOL),
        (_TEXTS, Kind.STRING),
        (_WHOLE, Kind.INT),
        (_REAL, Kind.FLOAT),
    ):
        if name in names:
            return kind
    if name == "round":
        return Kind.INT if len(call.arguments) == 1 else of(call.arguments[0])
    if name == "if":
        return joined(of(argument) for argument in call.arguments[1:])
    if name in _OF_THEIR_ARGUMENTS:
        return joined(of(argument) for argument in call.arguments)
    return _calculated([of(argument) for argument in call.arguments]) if name in _ARITHMETIC else Kind.ANY


def _calculated(kinds: list[Kind | None]) -> Kind | None:
    if any(kind is None for kind in kinds):
        return None
    if all(kind in _NUMBERS for kind in kinds):
        return Kind.FLOAT if Kind.FLOAT in kinds else Kind.INT
    return Kind.STRING if all(kind is Kind.STRING for kind in kinds) else Kind.ANY
