"""Functions of eSQL as expressions of the algebra, which are total: null wherever there is no answer."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from cepheid.algebra.builder.terms import Term
from cepheid.algebra.expressions import Call, Expr, Literal
from cepheid.algebra.functions import function_named, function_names
from cepheid.algebra.graphs.native_calls import NativeCall
from cepheid.algebra.graphs.terms import PipeTerm, number
from cepheid.diagnostics import CepheidError, close_match
from cepheid.languages.esql.casting import cast, kind_named
from cepheid.languages.esql.grammars.syntax import Form, Number, Part, Text, Word
from cepheid.languages.esql.places import called
from cepheid.languages.esql.relational_functions import concatenated, like, nullif, remainder, substring, trimmed
from cepheid.languages.esql.scopes import Scope
from cepheid.languages.esql.selects import is_aggregate
from cepheid.languages.esql.subqueries import ToAnswer, asked
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
_SQL: Final[Mapping[str, tuple[Callable[..., Any], int, int]]] = {
    "nullif": (nullif, 2, 2),
    "substr": (substring, 2, 3),
    "substring": (substring, 2, 3),
}
"""Functions as SQL has them, with the fewest and the most arguments."""

_NAMES: Final = {"ceiling": "ceil", "ln": "log", "least": "min", "greatest": "max", "power": "pow", "len": "length"}


def expression_of(part: Part, scope: Scope, makers: Makers, answer: ToAnswer | None = None) -> Expr:
    """Return what a function computes of the inputs of a scope; `answer` gives what reads a query inside of it."""

    def of(inner: Part) -> Expr:
        return expression_of(inner, scope, makers, answer)

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
        case Form("among_query" | "not_among_query" | "exists" | "scalar", _, (*one, query)):
            return asked(part, query, tuple(map(of, one)), scope, answer)
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
        case (("between" | "not_between"), (one, low, high)):
            inside = Call("and", (Call(">=", (of(one), of(low))), Call("<=", (of(one), of(high)))))
            return inside if form.name == "between" else Call("not", (inside,))
        case (("distinct_from" | "not_distinct_from"), (one, two)):
            return _same(of(one), of(two), equal=form.name == "not_distinct_from")
        case (("among" | "not_among"), (one, tuple(items))):
            found = Call("in", (of(one), Call("list", tuple(map(of, items)))))
            return found if form.name == "among" else Call("not", (found,))
        case (("like" | "not_like"), (one, pattern)):
            alike = NativeCall("like", like, (of(one), of(pattern)), False)
            return alike if form.name == "like" else Call("not", (alike,))
        case "concat", (one, two):
            return NativeCall("concatenated", concatenated, (of(one), of(two)), False)
        case "trimmed", (one,):
            return NativeCall("trimmed", trimmed, (of(one),), False)
        case "cast", (one, Word(name)):
            return NativeCall("cast", cast, (Literal(kind_named(form, name)), of(one)), False)
        case "modulo", (one, two):
            return NativeCall("remainder", remainder, (of(one), of(two)), False)
        case "number_of", (one,):
            return number(PipeTerm(of(one))).expression
        case (("case" | "case_else"), (tuple(items), *other)):
            return _case(items, of(other[0]) if other else Literal(None), of)
        case (("case_of" | "case_of_else"), (one, tuple(items), *other)):
            return _case(items, of(other[0]) if other else Literal(None), of, of(one))
    raise _unknown_function(form, "this")


def _same(one: Expr, two: Expr, *, equal: bool) -> Expr:
    """Return whether two values are equal where null is a value like others, or whether they are not."""
    nulls = Call("is_null", (one,)), Call("is_null", (two,))
    same = Call("if", (Call("or", nulls), Call("and", nulls), Call("==", (one, two))))
    return same if equal else Call("not", (same,))


def _case(items: tuple[Part, ...], other: Expr, of: Callable[[Part], Expr], subject: Expr | None = None) -> Expr:
    for item in reversed(items):
        assert isinstance(item, Form)
        condition, value = map(of, item.parts)
        if subject is not None:
            condition = Call("==", (subject, condition))
        other = Call("if", (condition, value, other))
    return other


def _call(form: Form, name: str, arguments: tuple[Expr, ...]) -> Expr:
    if is_aggregate(form):
        raise _unknown_function(
            form, name, "write it over a table, or in a window: `GET (SELECT a FROM *) FROM @t ON A WINDOW OF 9`"
        )
    if name.lower() in _SQL:
        native, least, most = _SQL[name.lower()]
        _count(form, name, len(arguments), least, most)
        return NativeCall(name.lower(), native, arguments, False)
    known = _NAMES.get(name.lower(), name.lower())
    function = function_named(known) or function_named(name)
    if function is None:
        raise _unknown_function(form, name)
    _count(form, name, len(arguments), function.least, function.most)
    return Call(function.name, arguments)


def _count(form: Form, name: str, given: int, least: int, most: int | None) -> None:
    """Raise where a function is called with too few or too many arguments."""
    if least <= given <= (given if most is None else most):
        return
    message, label = f"`{name}` is called with {given} arguments", f"it has {least}"
    assert form.span is not None
    raise refusal("argument-count", message, head(form.span), label, f"write `{name}({'x, ' * (least - 1)}x)`")


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
