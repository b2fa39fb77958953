"""Expressions as text: operators between their operands, with no more parentheses than needed.

    b.value > a.value and not bound(c)       start(b) - end(a) <= 5 s       sum of a.amount
    position(end(a))      @pid      $0.user      lookup(prices, a.item; price)      `my function`(a.x)

An aggregate over items is `<function> of <operand>`, so it is never mistaken for a function of one match. A number
beside a length of time is written with its unit. `own` is the part whose fields can be named without it.
"""

from typing import Final

from cepheid.algebra.expressions import (
    Aggregate,
    Call,
    Expr,
    Field,
    IsBound,
    Literal,
    Lookup,
    Moment,
    Variable,
)
from cepheid.algebra.relations import Axis, Endpoint
from cepheid.algebra.text.lengths import is_length
from cepheid.algebra.text.words import (
    EXPRESSION_WORDS,
    IDENTIFIER,
    quoted,
    shown_function,
    shown_member,
    shown_name,
    shown_ticks,
    shown_value,
)

OR, AND, NOT, COMPARISON, SUM, PRODUCT, SIGN, OPERAND = range(8)

_COMPARISONS: Final = ("==", "!=", "<", "<=", ">", ">=", "in")
_LEVELS: Final = {
    "or": OR,
    "and": AND,
    **dict.fromkeys(_COMPARISONS, COMPARISON),
    "+": SUM,
    "-": SUM,
    **dict.fromkeys(("*", "/", "//", "%"), PRODUCT),
}
_PREFIXES: Final = {"not": (NOT, "not "), "neg": (SIGN, "-")}


def shown_expression(expression: Expr, level: int = OR, own: str | None = None) -> str:
    """Return an expression, in parentheses where it binds less than `level`."""
    match expression:
        case Call(function, (_, _)) if function in _LEVELS:
            return _enclosed(_infix(expression, own), _LEVELS[function], level)
        case Call(function, (operand,)) if function in _PREFIXES:
            binds, sign = _PREFIXES[function]
            return _enclosed(sign + _prefixed(operand, binds, own), binds, level)
        case _:
            return _operand(expression, own)


def shown_expressions(expressions: tuple[Expr, ...], own: str | None = None) -> str:
    return ", ".join(shown_expression(expression, own=own) for expression in expressions)


def shown_length(expression: Expr, level: int, own: str | None = None) -> str:
    """Return an expression that is a length of time: a number with its unit."""
    match expression:
        case Literal(int() as ticks) if not isinstance(ticks, bool):
            return shown_ticks(ticks)
        case _:
            return shown_expression(expression, level, own)


def shown_endpoint(endpoint: Endpoint) -> str:
    """Return `start(a)` or `position(end(a))`."""
    shown = f"{endpoint.edge.value}({shown_name(endpoint.part)})"
    return shown if endpoint.axis is Axis.TIME else f"position({shown})"


def _infix(call: Call, own: str | None) -> str:
    """Return two operands with their operator; what is nested on the left takes no parentheses."""
    level, rights = _LEVELS[call.function], []
    left: Expr = call
    while isinstance(left, Call) and len(left.arguments) == 2 and _LEVELS.get(left.function) == level:
        rights.append(left)
        left = left.arguments[0]
        if level == COMPARISON:
            break
    shown = _side(rights[-1], 0, level + (level == COMPARISON), own)
    for nested in reversed(rights):
        shown += f" {nested.function} {_side(nested, 1, level + 1, own)}"
    return shown


def _side(call: Call, side: int, level: int, own: str | None) -> str:
    operand = call.arguments[side]
    return (shown_length if is_length(call, side) else shown_expression)(operand, level, own)


def _prefixed(operand: Expr, level: int, own: str | None) -> str:
    if level == NOT:
        return shown_expression(operand, SUM, own)
    # `-5` is a number; the negation of a number, or of a negation, is told apart by parentheses.
    shown = shown_expression(operand, OPERAND, own)
    return f"({shown})" if isinstance(operand, Literal) else shown


def _enclosed(shown: str, binds: int, level: int) -> str:
    return shown if binds >= level else f"({shown})"


def _operand(expression: Expr, own: str | None) -> str:
    match expression:
        case Literal(value):
            return shown_value(value)
        case Field(part, name):
            return _field(part, name, own)
        case Moment(endpoint):
            return shown_endpoint(endpoint)
        case Variable(name):
            return name if name.startswith("$") and IDENTIFIER.fullmatch(name) else "@" + shown_member(name)
        case Call(function, arguments):
            return f"{_function(function, arguments)}({shown_expressions(arguments, own)})"
        case Aggregate(function, argument):
            over = "items" if argument is None else shown_expression(argument, OPERAND, own)
            return f"{shown_name(function)} of {over}"
        case Lookup(table, keys, column):
            asked = ", ".join([shown_name(table), *(shown_expression(key, own=own) for key in keys)])
            return f"lookup({asked})" if column is None else f"lookup({asked}; {shown_member(column)})"
        case IsBound(name):
            return f"bound({shown_name(name)})"
        case _:
            raise TypeError(f"`{type(expression).__name__}` is not an expression that can be shown")


def _function(function: str, arguments: tuple[Expr, ...]) -> str:
    return "if" if function == "if" and len(arguments) == 3 else shown_function(function)


def _field(part: str, name: str, own: str | None) -> str:
    if part == own and IDENTIFIER.fullmatch(name) and name not in EXPRESSION_WORDS and not name.startswith("$"):
        return name
    return f"{_whose(part, own)}.{shown_member(name)}"


def _whose(part: str, own: str | None) -> str:
    """Return a part before a dot: among the fields of an event, a plain word could be one of them that is a record."""
    return shown_name(part) if own is None or part == own or part.startswith("$") else quoted(part)
