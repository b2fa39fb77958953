"""Times and lengths of time among the numbers of a watchpoint.

`now()` is in ticks, and so are durations. A plain number beside one is in the unit of the query: `now() <= q + 5` waits
five seconds where times are in seconds. A time that is told in an alert is in that unit again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from typing import Final

from cepheid.algebra.expressions import Call, Expr, Literal

JOINING: Final = frozenset(["min", "max", "abs", "neg", "coalesce", "avg"])
COMPARING: Final = frozenset(["==", "!=", "<", "<=", ">", ">="])


class Kind(IntEnum):
    """What a value is; of two that may stand for each other, the greater one decides."""

    PLAIN = 0
    LENGTH = 1
    TIME = 2


@dataclass(frozen=True, slots=True)
class Kinded:
    """An expression and what its value is."""

    value: Expr
    kind: Kind = Kind.PLAIN


def combined(function: str, operands: Sequence[Kinded], unit: int) -> Kinded:
    """Return a function of some operands, in which plain numbers beside times count units."""
    kinds = [one.kind for one in operands]
    if max(kinds, default=Kind.PLAIN) is Kind.PLAIN:
        return Kinded(_call(function, operands))
    match function:
        case "+" | "-" | "%":
            return Kinded(_call(function, [in_ticks(one, unit) for one in operands]), _sum(function, kinds))
        case "*" | "/" if kinds[1] is Kind.PLAIN and kinds[0] is Kind.LENGTH:
            return Kinded(_call(function, operands), Kind.LENGTH)
        case "*" if kinds == [Kind.PLAIN, Kind.LENGTH]:
            return Kinded(_call(function, operands), Kind.LENGTH)
        case "/" | "//" if kinds == [Kind.LENGTH, Kind.LENGTH]:
            return Kinded(_call(function, operands))
        case "if":
            return _if(operands, unit)
        case _ if function in JOINING:
            return Kinded(_call(function, [in_ticks(one, unit) for one in operands]), max(kinds))
        case _ if function in COMPARING:
            return Kinded(_call(function, [in_ticks(one, unit) for one in operands]))
        case _:
            return Kinded(Call(function, tuple(in_units(one, unit) for one in operands)))


def in_ticks(operand: Kinded, unit: int) -> Kinded:
    """Return an operand beside a time: a plain number counts units."""
    if operand.kind is not Kind.PLAIN:
        return operand
    match operand.value:
        case Literal(bool() | str() | None):
            return operand
        case Literal(int() | float() as number) if (ticks := _whole(number, unit)) is not None:
            return Kinded(Literal(ticks), Kind.LENGTH)
        case value:
            return Kinded(Call("*", (value, Literal(unit))), Kind.LENGTH)


def _whole(number: float, unit: int) -> int | None:
    """Return a number of units in ticks, if it is a whole number of them."""
    ticks = Fraction(repr(number)) * unit
    return int(ticks) if ticks.denominator == 1 else None


def in_units(operand: Kinded, unit: int) -> Expr:
    """Return a time or a length as a number in the unit of the query; plain numbers are that already."""
    return operand.value if operand.kind is Kind.PLAIN else Call("/", (operand.value, Literal(unit)))


def _sum(function: str, kinds: Sequence[Kind]) -> Kind:
    if function == "-" and kinds == [Kind.TIME, Kind.TIME]:
        return Kind.LENGTH
    return Kind.LENGTH if function == "%" else max(kinds)


def _if(operands: Sequence[Kinded], unit: int) -> Kinded:
    condition, *chosen = operands
    kind = max(one.kind for one in chosen)
    taken = [in_ticks(one, unit) for one in chosen] if kind is not Kind.PLAIN else chosen
    return Kinded(_call("if", [condition, *taken]), kind)


def _call(function: str, operands: Sequence[Kinded]) -> Expr:
    return Call(function, tuple(one.value for one in operands))
