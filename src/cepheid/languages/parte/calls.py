"""What kind of value an operator or a function gives, and whether its operands fit together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from cepheid.algebra.expressions import Expr
from cepheid.diagnostics import CepheidError, Label, Span
from cepheid.languages.parte.kinds import (
    ANY,
    BOOLEAN,
    FLOAT,
    INTEGER,
    NUMBER,
    NUMERIC,
    STRING,
    TEXTUAL,
    TIME,
    Kind,
    common,
)
from cepheid.languages.shared.findings import refusal
from cepheid.languages.shared.terms import Operation

_COMPARING: Final = frozenset(["==", "!=", "<", "<=", ">", ">="])
_ADDING: Final = frozenset(["+", "-"])
_SCALING: Final = frozenset(["*", "/", "%"])
_LOGICAL: Final = frozenset(["and", "or", "not"])
_ALIKE: Final = frozenset(["min", "max", "coalesce"])
_RESULTS: Final = {
    **dict.fromkeys(("is_null", "contains", "starts_with", "ends_with", "bool", "in"), BOOLEAN),
    **dict.fromkeys(("matches", "cidr_contains", "is_ip", "is_private"), BOOLEAN),
    **dict.fromkeys(("year", "month", "day", "hour", "minute", "second", "weekday"), INTEGER),
    **dict.fromkeys(("trim", "replace", "split_part", "extract", "date"), STRING),
    **dict.fromkeys(("sqrt", "exp", "log", "pow", "float"), FLOAT),
    **dict.fromkeys(("floor", "ceil", "length", "int"), INTEGER),
    **dict.fromkeys(("lower", "upper", "substring", "string"), STRING),
}


@dataclass(frozen=True, slots=True)
class Typed:
    """An expression, what kind of value it is, and where it stands."""

    expression: Expr
    kind: Kind
    span: Span


Suggest = Callable[[Kind], Sequence[str]]
"""Says which attributes are of a kind."""


def kind_of_call(call: Operation, operands: Sequence[Typed], suggest: Suggest) -> Kind:
    """Return the kind of a call; raise where its operands cannot be put together."""
    function = call.function
    if function in _COMPARING:
        _alike(call, operands, "cannot be compared", suggest)
        return BOOLEAN
    if function in _LOGICAL:
        return _logical(operands)
    if function in _ADDING:
        return _sum(call, operands)
    if function in _SCALING or function == "neg":
        return _scaled(call, operands)
    if function in _ALIKE:
        return _alike(call, operands, f"have no `{function}`", suggest)
    return _named(call, operands, suggest)


def _named(call: Operation, operands: Sequence[Typed], suggest: Suggest) -> Kind:
    kinds = [operand.kind for operand in operands]
    match call.function:
        case "avg":
            kind = _alike(call, operands, "have no average", suggest)
            return FLOAT if kind in NUMERIC else kind
        case "abs" | "round":
            return kinds[0]
        case "if":
            return _alike(call, operands[1:], "cannot stand for each other", suggest)
        case "list":
            kind = _alike(call, operands, "are not entries of one list", suggest)
            return Kind(kind.name, len(operands)) if kind.size is None else ANY
        case function:
            return _RESULTS.get(function, ANY)


def condition(typed: Typed) -> Expr:
    """Return an expression that is true or false; raise where it is something else."""
    if typed.kind in (BOOLEAN, ANY):
        return typed.expression
    message, label = f"a condition is {typed.kind}, neither true nor false", "this can never hold"
    raise refusal("not-a-condition", message, typed.span, label, f"compare it with something: `{typed.span.text} = 1`")


def _alike(call: Operation, operands: Sequence[Typed], problem: str, suggest: Suggest) -> Kind:
    """Return the kind that all operands have in common."""
    found = operands[0].kind if operands else ANY
    for operand in operands[1:]:
        together = common(found, operand.kind)
        if together is None:
            hint = _bridge(operands[0], operand, suggest)
            raise mismatch(call.place, f"{found} and {operand.kind} {problem}", operands, hint)
        found = together
    return found


def _bridge(one: Typed, other: Typed, suggest: Suggest) -> str:
    """Return what could stand in the place of one of two operands."""
    pairs = ((one, other), (other, one))
    for kept, left in pairs:
        if kept.kind in TEXTUAL and (left.kind in NUMERIC or left.kind == TIME):
            return f"turn it into a text: `string({left.span.text})`"
    for kept, _ in pairs:
        found = [text for text in suggest(kept.kind) if text != kept.span.text]
        if found:
            return f"of the same type as `{kept.span.text}` is `{found[0]}`"
    return f"put something of type {one.kind} in place of `{other.span.text}`"


def _logical(operands: Sequence[Typed]) -> Kind:
    for operand in operands:
        condition(operand)
    return BOOLEAN


def _sum(call: Operation, operands: Sequence[Typed]) -> Kind:
    """Return the kind of a sum or difference: times move by numbers, and two times are a number apart."""
    left, right = (operand.kind for operand in operands)
    if left == right == TIME:
        if call.function == "-":
            return NUMBER
        raise mismatch(call.place, "two times cannot be added", operands, "move a time: `a.timestamp + 5 s`")
    if call.function == "+" and {left, right} & TEXTUAL:
        together = common(left, right)
        if together is not None:
            return STRING if together in TEXTUAL else together
    return _scaled(call, operands) if TIME not in (left, right) else _moved(call, operands)


def _moved(call: Operation, operands: Sequence[Typed]) -> Kind:
    left, right = (operand.kind for operand in operands)
    if ANY in (left, right):
        return ANY if call.function == "-" else TIME
    if right == TIME and call.function == "-":
        hint = f"turn it around: `{operands[1].span.text} - {operands[0].span.text}`"
        raise mismatch(call.place, "a time cannot be taken from a number", operands, hint)
    if (right if left == TIME else left) not in (NUMBER, INTEGER):
        hint = "move it by a constant: `a.timestamp + 5 s`"
        raise mismatch(call.place, "a time can only be moved by a length of time", operands, hint)
    return TIME


def _scaled(call: Operation, operands: Sequence[Typed]) -> Kind:
    wrong = [operand for operand in operands if operand.kind in (BOOLEAN, TIME, *TEXTUAL) or operand.kind.size]
    if wrong:
        sign = "-" if call.function == "neg" else call.function
        text = wrong[0].span.text
        hint = f"move it: `{text} + 5 s`" if wrong[0].kind == TIME else f"turn it into a number: `float({text})`"
        raise mismatch(call.place, f"{wrong[0].kind} cannot be calculated with `{sign}`", operands, hint)
    kinds = [operand.kind for operand in operands]
    if set(kinds) <= NUMERIC:
        return FLOAT if FLOAT in kinds or call.function == "/" else INTEGER if INTEGER in kinds else NUMBER
    domains = {kind for kind in kinds if kind not in NUMERIC and kind != ANY}
    return domains.pop() if len(domains) == 1 and ANY not in kinds else ANY


def mismatch(place: Span, message: str, operands: Sequence[Typed], hint: str) -> CepheidError:
    """Return the error for operands that do not fit together, each with what it is."""
    others = [Label(operand.span, f"this is {operand.kind}") for operand in operands if operand.span != place]
    return refusal("type-mismatch", message, place, "this does not fit together", hint, others=others)
