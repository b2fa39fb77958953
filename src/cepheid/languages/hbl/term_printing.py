"""Expressions of a chain as terms of HBL."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cepheid.algebra.expressions import TYPE, Call, Expr, Field, IsBound, Literal, Moment, Variable
from cepheid.algebra.relations import Axis
from cepheid.events import Duration
from cepheid.languages.hbl.alerts import FIRST, LAST
from cepheid.languages.hbl.kinds import COMPARING, Kind
from cepheid.languages.hbl.mistakes import RESERVED
from cepheid.languages.hbl.printed_kinds import LEVELLING, beside_time, is_number, kind_of
from cepheid.languages.shared.expressible import not_expressible
from cepheid.languages.shared.names import shown_name
from cepheid.languages.shared.term_printing import COMPARISON, NOT, OR, PRODUCT, SUM, TermPrinter

_LEVELS: Final = {"+": SUM, "-": SUM, "%": PRODUCT, "*": PRODUCT, **dict.fromkeys(COMPARING, COMPARISON)}
_NOTED: Final = {"last.index()": "index()", f"last.{TYPE}": "type()"}


@dataclass(frozen=True, slots=True)
class Terms:
    """Writes terms under the kinds of the variables; `unit` is what a plain number beside a time counts."""

    kinds: Mapping[str, Kind]
    unit: int

    def shown(self, expression: Expr, kind: Kind = Kind.PLAIN, level: int = OR) -> str:
        """Return an expression where a value of some kind is wanted."""
        if kind is not Kind.PLAIN:
            return self._in_ticks(expression, level)
        return self._printer().shown(expression, level)

    def told(self, expression: Expr) -> str:
        """Return what an alert says, or a function is given: times are divided by the unit, which nobody writes."""
        match expression:
            case Call("/", (inner, Literal(self.unit))) if kind_of(inner, self.kinds) is not Kind.PLAIN:
                return self.shown(inner)
            case _:
                return self.shown(expression)

    def _printer(self) -> TermPrinter:
        return TermPrinter(lambda what: not_expressible("hbl", what), leaf=self._leaf)

    def _in_ticks(self, expression: Expr, level: int) -> str:
        """Return an operand beside a time: a number is a duration, and what counts units is a plain number."""
        match expression:
            case Literal(int() as ticks) if is_number(expression):
                return f"-{Duration(-ticks)}" if ticks < 0 else str(Duration(ticks))
            case Call("*", (inner, Literal(self.unit))) if kind_of(inner, self.kinds) is Kind.PLAIN:
                return self.shown(inner, level=level)
            case Call("*" | "/" as sign, (left, right)) if is_number(left):
                text = f"{self._in_ticks(left, PRODUCT)} {sign} {self.shown(right, level=PRODUCT + 1)}"
                return f"({text})" if level > PRODUCT else text
            case _:
                return self.shown(expression, level=level)

    def _leaf(self, expression: Expr, _: TermPrinter) -> str | None:
        match expression:
            case Field() | Variable() | Moment() | IsBound():
                return self._read(expression)
            case Call("not", (Call("is_null", (Field() as field,)),)):
                return f"present({self._read(field)})"
            case Call("is_null", (Field() as field,)):
                return f"absent({self._read(field)})"
            case Call("not", (operand,)):
                return f"not {self.shown(_stripped(operand), level=NOT)}"
            case Call(function, operands) if function in LEVELLING | COMPARING and beside_time(operands, self.kinds):
                return self._levelled(function, operands)
            case Call(function, operands) if any(self._is_converted(one) for one in operands):
                return self._converted(function, operands)
            case _:
                return None

    def _read(self, expression: Field | Variable | Moment | IsBound) -> str:
        """Return what is read of the record or of the variables."""
        match expression:
            case Field(_, name) if name == TYPE:
                return "type()"
            case Field(_, name):
                return f"record.{self._name(name)}" if name in self.kinds else self._name(name)
            case Variable(name) if name in _NOTED:
                return _NOTED[name]
            case Variable(name):
                part, _, noted = name.partition(".")
                return f"{part}.{self._name(noted)}" if part in (FIRST, LAST) and noted else self._name(name)
            case Moment(endpoint):
                return "now()" if endpoint.axis is Axis.TIME else "index()"
            case IsBound(name):
                return f"bound({self._name(name)})"

    def _levelled(self, function: str, operands: tuple[Expr, ...]) -> str:
        if function not in _LEVELS:
            return f"{function}({', '.join(self._in_ticks(one, OR) for one in operands)})"
        left, right = operands
        level = _LEVELS[function]
        text = f"{self._in_ticks(left, level + (level == COMPARISON))} {function} {self._in_ticks(right, level + 1)}"
        return f"({text})"

    def _is_converted(self, operand: Expr) -> bool:
        match operand:
            case Call("/", (inner, Literal(self.unit))):
                return kind_of(inner, self.kinds) is not Kind.PLAIN
            case _:
                return False

    def _converted(self, function: str, operands: tuple[Expr, ...]) -> str:
        told = [f"({self.told(one)})" if function in _SIGNS else self.told(one) for one in operands]
        return f"({told[0]} {function} {told[1]})" if function in _SIGNS else f"{function}({', '.join(told)})"

    @staticmethod
    def _name(name: str) -> str:
        return shown_name(name, RESERVED)


_SIGNS: Final = frozenset(["*", "/", "//", "in", "and", "or"])


def _stripped(operand: Expr) -> Expr:
    """Return a condition without what makes it false where it is null; it is read with that again."""
    match operand:
        case Call("coalesce", (condition, Literal(False))):
            return condition
        case Call("and" | "or" as function, (left, right)):
            return Call(function, (_stripped(left), _stripped(right)))
        case _:
            return operand
