"""Does what a fold accumulates grow? Numbers do not; lists, records and texts may.

    $total + $0 from 0                     a number
    list(get($total, 1), $0) from list()   the last two values
    list($total, $0) from list()           everything that ever came

The forms that the total can take are followed step by step. Where no new form comes, what is held has a constant size.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from cepheid.algebra.expressions import Call, Expr, Field, IsBound, Literal, Moment, Variable
from cepheid.algebra.pipes import Fold
from cepheid.events import Value

TOTAL = "$total"
MOST_STEPS = 64

Form = frozenset["Shape"]


@dataclass(frozen=True, slots=True)
class Shape:
    """A value of one kind: a number, a text, a value that came in, or something made of others by their names."""

    kind: str
    parts: tuple[tuple[str, Form], ...] = ()


NUMBER, TEXT, GIVEN = (frozenset((Shape(kind),)) for kind in ("number", "text", "given"))
CHOSEN: Mapping[str, int] = {"if": 1, "coalesce": 0, "min": 0, "max": 0}  # from which argument on one of them comes out
SAME_SIZE = ("lower", "upper", "substring", "string", "trim", "split_part", "extract", "date")
ARITHMETIC = ("-", "*", "/", "//", "%", "neg", "abs", "pow", "avg", "sqrt", "exp", "log", "floor", "ceil", "round")
TRUTHS = ("==", "!=", "<", "<=", ">", ">=", "and", "or", "not", "in", "is_null", "bool")
TRUTHS_OF_TEXTS = ("contains", "starts_with", "ends_with", "matches", "cidr_contains", "is_ip", "is_private")
OF_TIMES = ("year", "month", "day", "hour", "minute", "second", "weekday", "timestamp")
NUMBERS = frozenset((*ARITHMETIC, *TRUTHS, *TRUTHS_OF_TEXTS, *OF_TIMES, "length", "int", "float"))


def grows(fold: Fold) -> bool:
    """Say whether the total of a fold may grow without end.

    >>> step = Call("+", (Variable(TOTAL), Variable("$0")))
    >>> grows(Fold(step=step, initial=Literal(0))), grows(Fold(step=step, initial=Literal("")))
    (False, True)
    """
    total = _form(fold.initial, frozenset())
    for _ in range(MOST_STEPS):
        more = _together([total, _form(fold.step, total)])
        if more == total:
            return False
        total = more
    return True


def _form(expression: Expr, total: Form) -> Form:
    """Return the forms that the value of an expression can take, given those of the total."""
    match expression:
        case Literal(value):
            return _of_value(value)
        case Variable(name):
            return total if name == TOTAL else GIVEN
        case Field(part, name):
            return _part(total, name) if part == TOTAL else GIVEN
        case Moment() | IsBound():
            return NUMBER
        case Call(function, arguments):
            return _called(function, arguments, [_form(argument, total) for argument in arguments])
        case _:
            return GIVEN


def _called(function: str, arguments: tuple[Expr, ...], forms: list[Form]) -> Form:
    if function in NUMBERS:
        return NUMBER
    if function in CHOSEN:
        return _together(forms[CHOSEN[function] :])
    if function in SAME_SIZE:
        return _together([forms[0], TEXT])
    if function == "+":
        return _sum(forms)
    if function == "get":
        key = arguments[1].value if isinstance(arguments[1], Literal) else None
        return _part(forms[0], None if key is None else str(key))
    if function == "record":
        names = [argument.value if isinstance(argument, Literal) else None for argument in arguments[::2]]
        return _made("record", [str(name) for name in names], forms[1::2])
    return _made(function, [str(number) for number in range(len(forms))], forms)


def _of_value(value: Value) -> Form:
    if isinstance(value, tuple):
        return _made("list", [str(number) for number in range(len(value))], [_of_value(one) for one in value])
    if isinstance(value, Mapping):
        return _made("record", list(value), [_of_value(one) for one in value.values()])
    return TEXT if isinstance(value, str) else NUMBER


def _made(kind: str, names: Iterable[str], forms: Iterable[Form]) -> Form:
    return frozenset((Shape(kind, tuple(zip(names, forms, strict=True))),))


def _sum(forms: list[Form]) -> Form:
    """Two texts make a longer one; whatever else is added is a number, or null."""
    if any(all(shape.kind in ("number", "list", "record") for shape in form) for form in forms):
        return NUMBER
    return _together([NUMBER, _made("+", "01", forms)])


def _part(form: Form, name: str | None) -> Form:
    """Return what stands under a name or a number in something made; under any if it is not known which."""
    found = [NUMBER]
    for shape in form:
        if shape.kind in ("list", "record"):
            found += [part for own, part in shape.parts if name is None or own == name]
        elif shape.kind not in ("number", "text", "+"):
            found.append(frozenset((shape,)))
    return _together(found)


def _together(forms: Iterable[Form]) -> Form:
    """Return the forms that come from any of several; those that are made alike become one."""
    return _united(frozenset(forms))


@lru_cache(maxsize=4096)  # what is made of many alike is looked at once
def _united(forms: frozenset[Form]) -> Form:
    alike: dict[tuple[str, tuple[str, ...]], list[Shape]] = {}
    for shape in (shape for form in forms for shape in form):
        alike.setdefault((shape.kind, tuple(name for name, _ in shape.parts)), []).append(shape)
    return frozenset(_merged(shapes) for shapes in alike.values())


def _merged(shapes: list[Shape]) -> Shape:
    if len(shapes) == 1:
        return shapes[0]
    names = [name for name, _ in shapes[0].parts]
    parts = [_together(shape.parts[number][1] for shape in shapes) for number in range(len(names))]
    return Shape(shapes[0].kind, tuple(zip(names, parts, strict=True)))
