"""Functions of eSQL as expressions of the algebra, which are total: null wherever there is no answer."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from cepheid.algebra.builder.terms import Term
from cepheid.algebra.expressions import Call, Expr, Literal
from cepheid.algebra.functions import function_named, function_names
from cepheid.algebra.graphs.native_calls import NativeCall
from cepheid.algebra.graphs.terms import PipeTerm, number
from cepheid.diagnostics import CepheidError, close_match
from cepheid.languages.esql.grammars.syntax import Form, Number, Part, Text, Word
from cepheid.languages.esql.places import called
from cepheid.languages.esql.relational_functions import like, remainder
from cepheid.languages.esql.scopes import Scope
from cepheid.languages.esql.selects import is_aggregate
from cepheid.languages.shared.findings import head, refusal

__all__ = ["Makers", "constant_of", "expression_of"]

Makers = Mapping[str, Callable[..., Any]]  # of terms, numbers and texts
"""What rules of palettes make of terms, by the names of the rules."""

_CALLS: Final = {
    "or": "or",
    "and": "and",
    "not": "not",
    "equal": "==",
    "unequal": "!=",
    "less": "<",
    "at_most": "<=",
    "greater": ">",
    "at_least": ">=",
    "is_null": "is_null",
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "whole": "//",
    "negative": "neg",
    "root": "sqrt",
    "power": "pow",
    "absolute": "abs",
}
_NAMES: Final = {"ceiling": "ceil", "ln": "log", "least": "min", "greatest": "max", "power": "pow", "len": "length"}


def expression_of(part: Part, scope: Scope, makers: Makers) -> Expr:
    """Return what a function computes of the inputs of a scope."""

    def of(inner: Part) -> Expr:
        return expression_of(inner, scope, makers)

    match part:
        case Number() | Text() | Form("true" | "false" | "unknown"):
            return Literal(constant_of(part))
        case Form("constant_function", _, (value,)):
            return Literal(constant_of(value))
        case Form("slot", _, (Word(name),)):
            return scope.slot(part, name)
        case Form("attribute", _, (Word(name),)):
            return scope.attribute(name)
        case Form("qualified", _, (Word(source), Word(name))):
            return scope.qualified(source, name)
        case Form("call", _, (Word(name), tuple(arguments))):
            return _call(part, name, tuple(map(of, arguments)))
        case Form(name, _, parts) if name in _CALLS:
            return Call(_CALLS[name], tuple(map(of, parts)))
        case Form(name, _, parts) if name in makers:
            return _made(part, makers[name], tuple(map(of, parts)))
        case Form():
            return _other(part, of)
    raise _unknown_function(part, "this")


def _made(form: Form, maker: Callable[..., object], parts: tuple[Expr, ...]) -> Expr:
    """Return what a palette makes of expressions, which it is handed as terms."""
    made = called(form, maker, [one.value if isinstance(one, Literal) else PipeTerm(one) for one in parts])
    return made.expression if isinstance(made, Term) else Literal(made)  # type: ignore[arg-type]  # a constant


def _other(form: Form, of: Callable[[Part], Expr]) -> Expr:
    match form.name, form.parts:
        case "is_not_null", (one,):
            return Call("not", (Call("is_null", (of(one),)),))
        case "between", (one, low, high):
            return Call("and", (Call(">=", (of(one), of(low))), Call("<=", (of(one), of(high)))))
        case (("among" | "not_among"), (one, tuple(items))):
            found = Call("in", (of(one), Call("list", tuple(map(of, items)))))
            return found if form.name == "among" else Call("not", (found,))
        case "like", (one, pattern):
            return NativeCall("like", like, (of(one), of(pattern)), False)
        case "modulo", (one, two):
            return NativeCall("remainder", remainder, (of(one), of(two)), False)
        case "number_of", (one,):
            return number(PipeTerm(of(one))).expression
        case (("case" | "case_else"), (tuple(items), *other)):
            return _case(items, of(other[0]) if other else Literal(None), of)
    raise _unknown_function(form, "this")


def _case(items: tuple[Part, ...], other: Expr, of: Callable[[Part], Expr]) -> Expr:
    for item in reversed(items):
        assert isinstance(item, Form)
        condition, value = map(of, item.parts)
        other = Call("if", (condition, value, other))
    return other


def _call(form: Form, name: str, arguments: tuple[Expr, ...]) -> Expr:
    if is_aggregate(form):
        raise _unknown_function(
            form, name, "write it over a table, or in a window: `GET (...) FROM @t ON A WINDOW OF 9`"
        )
    known = _NAMES.get(name.lower(), name.lower())
    function = function_named(known) or function_named(name)
    if function is None:
        raise _unknown_function(form, name)
    most = len(arguments) if function.most is None else function.most
    if not function.least <= len(arguments) <= most:
        message, label = f"`{name}` is called with {len(arguments)} arguments", f"it has {function.least}"
        assert form.span is not None
        raise refusal(
            "argument-count", message, head(form.span), label, f"write `{name}({'x, ' * (function.least - 1)}x)`"
        )
    return Call(function.name, arguments)


def _unknown_function(part: Part, name: str, hint: str | None = None) -> CepheidError:
    place = part.span if isinstance(part, Form) else None
    closest = close_match(name.lower(), [one for one in function_names() if one.isalpha()])
    told = hint or (f"did you mean `{closest}`?" if closest else "register it with `cepheid.terms.register`")
    assert place is not None
    return refusal("unknown-function", f"a trace has no function `{name}`", head(place), "not known here", told)


def constant_of(part: Part) -> bool | int | float | str | None:
    """Return the value of a constant."""
    match part:
        case Number(value):
            return value
        case Text(text):
            return text
        case Form("true"):
            return True
        case Form("false"):
            return False
        case _:
            return None
