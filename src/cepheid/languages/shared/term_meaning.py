"""What terms mean: expressions of the algebra, once a scope says what their names stand for."""

from typing import Final, Protocol

from cepheid.algebra.expressions import Call, Expr, Field, IsBound, Literal, Moment
from cepheid.algebra.functions import Function, function_named, function_names
from cepheid.algebra.relations import Edge, Endpoint
from cepheid.diagnostics import CepheidError, Diagnostic, Label, close_match
from cepheid.languages.shared.names import WORD
from cepheid.languages.shared.terms import Constant, Member, Name, Operation, Term

PART_FUNCTIONS: Final = ("start", "end", "bound")
"""Functions of a part, not of a value: its two ends, and whether it is there at all."""


class Scope(Protocol):
    """What names stand for at some place of a query."""

    def attribute(self, name: Name) -> Expr:
        """Return what a name that stands alone means."""

    def part(self, name: Name) -> str:
        """Return the part of the pattern that a name means."""


def meaning(term: Term, scope: Scope) -> Expr:
    """Return the expression that a term is in a scope."""
    match term:
        case Constant(value):
            return Literal(value)
        case Name():
            return scope.attribute(term)
        case Member(part, name):
            return Field(scope.part(part), name)
        case Operation(function, arguments) if function in PART_FUNCTIONS:
            return _of_part(term, arguments, scope)
        case Operation(function, arguments):
            check_call(term)
            return Call(function, tuple(meaning(argument, scope) for argument in arguments))


def _of_part(term: Operation, arguments: tuple[Term, ...], scope: Scope) -> Expr:
    match arguments:
        case (Name() as name,):
            part = scope.part(name)
            return IsBound(part) if term.function == "bound" else Moment(Endpoint(part, Edge(term.function)))
        case _:
            label = Label(term.span, "it takes the name of one event")
            hint = f"name an event of the pattern, for example `{term.function}(a)` where it has `a:Login`"
            message = f"`{term.function}` is asked about something that is no event"
            raise CepheidError(Diagnostic("argument-count", message, (label,), hints=(hint,)))


def check_call(term: Operation) -> None:
    """Raise where no function has the name of a call, or none that takes so many arguments."""
    known = function_named(term.function)
    if known is None:
        raise _unknown(term)
    count = len(term.arguments)
    if count < known.least or (known.most is not None and count > known.most):
        raise _miscounted(term, known)


def _unknown(term: Operation) -> CepheidError:
    names = [name for name in (*function_names(), *PART_FUNCTIONS) if WORD.fullmatch(name)]
    closest = close_match(term.function, names)
    hint = f"did you mean `{closest}`?" if closest else "some that there are: `abs`, `min`, `max`, `round`, `coalesce`"
    label = Label(term.place, "no function has this name")
    return CepheidError(Diagnostic("unknown-function", f"there is no function `{term.function}`", (label,), (hint,)))


def _miscounted(term: Operation, known: Function) -> CepheidError:
    count = len(term.arguments)
    label = Label(term.span, f"{_counted(count)} here")
    message = f"`{known.name}` takes {_wanted(known)}"
    names = ", ".join("xyz"[: min(known.least, 3)])
    hint = f"write it like this: `{known.name}({names})`"
    return CepheidError(Diagnostic("argument-count", message, (label,), hints=(hint,)))


def _wanted(known: Function) -> str:
    if known.most is None:
        return f"at least {_counted(known.least)}"
    if known.least == known.most:
        return _counted(known.least)
    return f"{known.least} to {_counted(known.most)}"


def _counted(count: int) -> str:
    return {0: "no argument", 1: "one argument"}.get(count, f"{count} arguments")
