"""Expressions of a chain as terms of HBL.

A number beside a time counts units where it is plain, and ticks where it is a duration, and one expression can be
written in several ways: `(now() - q) / 1 s` is a number, `(now() - q) / 1000000` a length. So each part is written in
every way that there is, and read again as `kinds` reads it: what gives the expression is a way to write the whole.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Final

from cepheid.algebra.expressions import TYPE, Call, Expr, Field, IsBound, Literal, Moment, Variable
from cepheid.algebra.relations import Axis
from cepheid.events import Duration
from cepheid.languages.hbl.alerts import FIRST, LAST
from cepheid.languages.hbl.kinds import Kind, Kinded, combined, in_ticks, in_units
from cepheid.languages.hbl.meaning import holding
from cepheid.languages.hbl.mistakes import RESERVED
from cepheid.languages.shared.expressible import not_expressible
from cepheid.languages.shared.names import WORD, shown_name
from cepheid.languages.shared.term_printing import COMPARISON, LEVELS, NOT, OPERAND, SIGN, TermPrinter

_NOTED: Final = {"last.index()": "index()", f"last.{TYPE}": "type()"}
_MOST_TRIED: Final = 1_000


@dataclass(frozen=True, slots=True)
class Way:
    """A text, how tightly it binds, and what it is read as."""

    text: str
    level: int
    read: Kinded

    def at(self, level: int) -> str:
        return self.text if self.level >= level else f"({self.text})"


@dataclass(frozen=True, slots=True)
class Terms:
    """Writes terms under the kinds of the variables; `unit` is what a plain number beside a time counts."""

    kinds: Mapping[str, Kind]
    unit: int
    _found: dict[Expr, tuple[Way, ...]] = field(default_factory=dict, compare=False)

    def shown(self, expression: Expr) -> str:
        """Return a condition."""
        return _first(self.ways(expression))

    def setting(self, expression: Expr, kind: Kind) -> str:
        """Return what a variable of some kind is set to."""
        return _first(self.ways_to_set(expression, kind))

    def told(self, expression: Expr) -> str:
        """Return what an alert says."""
        return _first(self.ways_to_tell(expression))

    def ways_to_set(self, expression: Expr, kind: Kind) -> Iterator[Way]:
        """Yield the ways to set a variable of some kind: where that is a time, a plain number counts units."""
        for way in self._operands(expression):
            read = way.read if kind is Kind.PLAIN else in_ticks(way.read, self.unit)
            if way.read.kind <= kind and read.value == expression:
                yield way

    def ways_to_tell(self, expression: Expr) -> Iterator[Way]:
        """Yield the ways to say something in an alert: times are divided by the unit, which nobody writes."""
        for way in self._operands(expression):
            if in_units(way.read, self.unit) == expression:
                yield way

    def least_kind(self, expression: Expr) -> Kind:
        """Return the least that an expression is, in all the ways to write it; plain where there is none."""
        return min((way.read.kind for way in self.ways(expression)), default=Kind.PLAIN)

    def ways(self, expression: Expr) -> tuple[Way, ...]:
        """Return the ways to write an expression, one for each kind that it may then have."""
        if expression not in self._found:
            kept: dict[Kind, Way] = {}
            for way in self._tried(expression):
                kept.setdefault(way.read.kind, way)
            self._found[expression] = tuple(kept.values())
        return self._found[expression]

    def _operands(self, expression: Expr) -> tuple[Way, ...]:
        """Return the ways to write an operand, which is counted in ticks or in units where it stands."""
        match expression:
            case Call("*", (inner, Literal(self.unit))):
                return *(way for way in self.ways(inner) if way.read.kind is Kind.PLAIN), *self.ways(expression)
            case Call("/", (inner, Literal(self.unit))):
                return *(way for way in self.ways(inner) if way.read.kind is not Kind.PLAIN), *self.ways(expression)
            case _:
                return self.ways(expression)

    def _tried(self, expression: Expr) -> Iterator[Way]:
        match expression:
            case Literal(value):
                yield Way(_plain().shown(expression), OPERAND, Kinded(expression))
                if isinstance(value, int) and not isinstance(value, bool):
                    length = f"-{Duration(-value)}" if value < 0 else str(Duration(value))
                    yield Way(length, OPERAND, Kinded(expression, Kind.LENGTH))
            case Field() | Variable() | Moment() | IsBound():
                yield Way(self._name_of(expression), OPERAND, Kinded(expression, self._kind(expression)))
            case Call("not", (Call("is_null", (Field() as asked,)),)):
                yield Way(f"present({self._name_of(asked)})", OPERAND, Kinded(expression))
            case Call("is_null", (Field() as asked,)):
                yield Way(f"absent({self._name_of(asked)})", OPERAND, Kinded(expression))
            case Call("not", (operand,)):
                for way in self.ways(_stripped(operand)):
                    if holding(way.read.value) == operand:
                        yield Way(f"not {way.at(NOT)}", NOT, Kinded(expression))
            case Call(function, arguments):
                yield from self._called(expression, function, arguments)
            case _:
                return

    def _called(self, expression: Expr, function: str, arguments: tuple[Expr, ...]) -> Iterator[Way]:
        """Yield a function of its arguments in all of their ways, where this is read as the expression."""
        for ways in islice(product(*map(self._operands, arguments)), _MOST_TRIED):
            read = combined(function, [way.read for way in ways], self.unit)
            if read.value == expression:
                text, level = _written(function, ways)
                yield Way(text, level, read)

    def _kind(self, expression: Expr) -> Kind:
        match expression:
            case Variable(name):
                return self.kinds.get(name, Kind.PLAIN)
            case Moment(endpoint) if endpoint.axis is Axis.TIME:
                return Kind.TIME
            case _:
                return Kind.PLAIN

    def _name_of(self, expression: Field | Variable | Moment | IsBound) -> str:
        """Return what is read of the record or of the variables."""
        match expression:
            case Field(_, name) if name == TYPE:
                return "type()"
            case Field(_, name):
                return f"record.{_name(name)}" if name in self.kinds else _name(name)
            case Variable(name) if name in _NOTED:
                return _NOTED[name]
            case Variable(name):
                part, _, noted = name.partition(".")
                return f"{part}.{_name(noted)}" if part in (FIRST, LAST) and noted else _name(name)
            case Moment(endpoint):
                return "now()" if endpoint.axis is Axis.TIME else "index()"
            case IsBound(name):
                return f"bound({_name(name)})"


def _written(function: str, ways: tuple[Way, ...]) -> tuple[str, int]:
    """Return a function of arguments as it is written, and how tightly that binds."""
    match ways:
        case (left, right) if function in LEVELS:
            level = LEVELS[function]
            return f"{left.at(level + (level == COMPARISON))} {function} {right.at(level + 1)}", level
        case (operand,) if function == "neg" and not isinstance(operand.read.value, Literal):
            return f"-{operand.at(SIGN)}", SIGN
        case _ if WORD.fullmatch(function):
            return f"{_name(function)}({', '.join(way.text for way in ways)})", OPERAND
        case _:
            raise not_expressible("hbl", f"the function `{function}`")


def _first(ways: Iterable[Way]) -> str:
    for way in ways:
        return way.text
    raise not_expressible("hbl", "something that no watchpoint says")


def _plain() -> TermPrinter:
    return TermPrinter(lambda what: not_expressible("hbl", what))


def _name(name: str) -> str:
    return shown_name(name, RESERVED)


def _stripped(operand: Expr) -> Expr:
    """Return a condition without what makes it false where it is null; it is read with that again."""
    match operand:
        case Call("coalesce", (condition, Literal(False))):
            return condition
        case Call("and" | "or" as function, (left, right)):
            return Call(function, (_stripped(left), _stripped(right)))
        case _:
            return operand
