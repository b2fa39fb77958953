"""Terms about the inputs of a processor as users write them."""

from typing import Final

from cepheid.algebra.expressions import Call, Expr, Field, IsBound, Literal, Variable
from cepheid.algebra.graphs.native_calls import NativeCall

_INPUTS: Final = {"$0": "x", "$1": "y", "$2": "z"}
_INFIX: Final = {"pow": "**", "and": "&", "or": "|"}
_INFIX_SAME: Final = frozenset({"+", "-", "*", "/", "//", "%", "==", "!=", "<", "<=", ">", ">="})
_PREFIX: Final = {"neg": "-", "not": "~"}


def shown_term(node: Expr) -> str:
    """Return an expression as Python would write it.

    >>> shown_term(Call(">", (Field("$0", "price"), Call("+", (Variable("$1"), Literal(1))))))
    "x['price'] > (y + 1)"
    """
    match node:
        case Literal(value):
            return repr(value)
        case Variable(name):
            return _variable(name)
        case Field(part, name):
            return f"{_variable(part)}[{name!r}]"
        case IsBound(name):
            return f"bound({name!r})"
        case NativeCall(name=name, arguments=arguments):
            return name if arguments == (Variable("$0"),) else f"{name}({_listed(arguments)})"
        case Call(function, arguments):
            return _call(function, arguments)
        case _:
            return type(node).__name__


def _variable(name: str) -> str:
    if not name.startswith("$"):
        return f"context({name!r})"
    return _INPUTS.get(name) or f"arg({name[1:]})"


def _call(function: str, arguments: tuple[Expr, ...]) -> str:
    symbol = function if function in _INFIX_SAME else _INFIX.get(function)
    if symbol is not None and len(arguments) == 2:
        return f"{_inner(arguments[0])} {symbol} {_inner(arguments[1])}"
    if function in _PREFIX and len(arguments) == 1:
        return f"{_PREFIX[function]}{_inner(arguments[0])}"
    if function == "get" and len(arguments) == 2:
        return f"{_inner(arguments[0])}[{shown_term(arguments[1])}]"
    return f"{function}({_listed(arguments)})"


def _inner(node: Expr) -> str:
    is_plain = not isinstance(node, Call) or (node.function not in _INFIX_SAME and node.function not in _INFIX)
    return shown_term(node) if is_plain else f"({shown_term(node)})"


def _listed(arguments: tuple[Expr, ...]) -> str:
    return ", ".join(map(shown_term, arguments))
