"""A term as the source of a Python expression, with short ways for the numbers, texts and records that are usual.

    x["price"] > 3    (t0 > 3 if (k := type(t0 := ...)) is int or k is float and t0 == t0 else f0(t0, 3))

The short way is taken only where it has the answer of the definition; every other value goes through its functions.
"""

from collections.abc import Callable
from keyword import iskeyword
from typing import Final, TypeGuard

from cepheid.algebra.expressions import Call, Expr, Field, IsBound, Literal, Variable
from cepheid.algebra.graphs.native_calls import NativeCall
from cepheid.algebra.graphs.objects import Thing, get, operation_named
from cepheid.algebra.graphs.refusals import refusal
from cepheid.events.values import GREATEST_INTEGER, LEAST_INTEGER

_COMPARED: Final = frozenset({"<", "<=", ">", ">=", "==", "!="})
_COUNTED: Final = frozenset({"+", "-", "*"})
_IN_RANGE: Final = f"{LEAST_INTEGER} <= (r := {{left}} {{sign}} {{right}}) <= {GREATEST_INTEGER}"


class TermSource:
    """Writes expressions; `used` holds the objects that they name, inputs are called `a0`, `a1` and so on."""

    def __init__(self) -> None:
        self.used: dict[str, Thing] = {"get": get}
        self.reads_context = False
        self._temporaries = 0

    def written(self, node: Expr) -> str:
        """Return the source of an expression."""
        match node:
            case Literal(value):
                return self._constant(value)
            case Variable(name) if name.startswith("$"):
                return f"a{name[1:]}"
            case Variable(name):
                self.reads_context = True
                return f"context({name!r})"
            case Field(part, name):
                return self._item(self.written(Variable(part)), repr(name))
            case Call(function, arguments):
                return self._call(function, arguments)
            case NativeCall(_, function, arguments, in_context):
                return self._native(function, arguments, in_context)
            case IsBound(name):
                self.reads_context = True
                return f"has_name({name!r})"
            case _:
                raise refusal(f"a processor cannot compute `{type(node).__name__.lower()}`", "write a term over `p.x`")

    def holding(self, node: Expr) -> str:
        """Return the source of whether an expression is True, for a place where only that matters."""
        match node:
            case Call("and" | "or" as word, (left, right)):
                return f"({self.holding(left)} {word} {self.holding(right)})"
            case Call(function, (left, right)) if function in _COMPARED:
                return self._calculated(function, self._named(operation_named(function)), left, right, " is True")
            case _:
                return f"({self.written(node)} is True)"

    def _call(self, function: str, arguments: tuple[Expr, ...]) -> str:
        slow = self._named(operation_named(function))
        if function in _SHORT:
            return _SHORT[function](self, *arguments)
        if function == "get" and isinstance(arguments[1], Literal) and isinstance(arguments[1].value, str):
            return self._item(self.written(arguments[0]), repr(arguments[1].value))
        if function in _COMPARED or function in _COUNTED or function == "/":
            left, right = arguments
            return self._calculated(function, slow, left, right)
        return f"{slow}({', '.join(map(self.written, arguments))})"

    def _native(self, function: Callable[..., Thing], arguments: tuple[Expr, ...], in_context: bool) -> str:
        self.reads_context = self.reads_context or in_context
        given = [*(["context"] if in_context else []), *map(self.written, arguments)]
        return f"{self._named(function)}({', '.join(given)})"

    def _calculated(self, sign: str, slow: str, left: Expr, right: Expr, asked: str = "") -> str:
        """Return a comparison or a calculation, short where both are of one kind of number, or one is a constant.

        `asked` is what is asked of a comparison that goes the long way.
        """
        constant = self._literal(right)
        if constant is not None and sign in _COMPARED and _is_simple(constant.value):
            return self._compared(sign, slow, left, constant.value, asked)
        if constant is not None and sign not in _COMPARED and _is_usual(constant.value):
            return self._counted(sign, slow, left, constant.value)
        (one, first), (other, second) = self._operand(left), self._operand(right)
        kind, another = self._temporary(), self._temporary()
        same = f"({kind} := type({first})) is ({another} := type({second}))"
        long = f"{slow}({one}, {other})"
        if sign in _COMPARED:
            is_number = f"({kind} is int or {kind} is float and {one} == {one} and {other} == {other})"
            return f"({one} {sign} {other} if {same} and {is_number} else {long}{asked})"
        short = f"{one} {sign} {other}"
        mixed = _mixed(one, kind, other, another)
        if sign == "/":
            is_number = f"{kind} is float or {kind} is int and {_small(one, 53)} and {_small(other, 53)}"
            both = f"{short} if ({is_number}) and {other} else {long}"
            return f"(({both}) if {same} else {short} if ({mixed}) and {other} else {long})"
        whole = _IN_RANGE.format(left=one, sign=sign, right=other)
        both = f"{short} if {kind} is float else (r if {whole} else None) if {kind} is int else {long}"
        return f"(({both}) if {same} else {short} if {mixed} else {long})"

    def _compared(self, sign: str, slow: str, left: Expr, constant: Thing, asked: str) -> str:
        one, first = self._operand(left)
        is_short = self._is_short(sign, one, first, constant)
        return f"({one} {sign} {constant!r} if {is_short} else {slow}({one}, {constant!r}){asked})"

    def _is_short(self, sign: str, one: str, first: str, constant: Thing) -> str:
        """Return the condition under which Python compares a value with a constant as the definition does."""
        if isinstance(constant, str):
            return f"type({first}) is str"
        if sign in ("==", "!="):
            own, other = ("int", "float") if type(constant) is int else ("float", "int")
            return f"type({first}) is {own} or type({one}) is {other}"
        kind = self._temporary()
        return f"({kind} := type({first})) is int or {kind} is float and {one} == {one}"

    def _counted(self, sign: str, slow: str, left: Expr, constant: int | float) -> str:
        """Return a calculation with a constant that is not 0."""
        (one, first), kind = self._operand(left), self._temporary()
        short, long = f"{one} {sign} {constant!r}", f"{slow}({one}, {constant!r})"
        is_float = f"({kind} := type({first})) is float"
        if type(constant) is float or sign == "/":
            bits = 63 if type(constant) is float else 53
            return f"({short} if {is_float} or {kind} is int and {_small(one, bits)} else {long})"
        whole = _IN_RANGE.format(left=one, sign=sign, right=repr(constant))
        return f"({short} if {is_float} else (r if {whole} else None) if {kind} is int else {long})"

    def _operand(self, node: Expr) -> tuple[str, str]:
        """Return a variable, and the source that gives it its value where it is first read."""
        return self._variable(self.written(node))

    def _variable(self, text: str) -> tuple[str, str]:
        if text.isidentifier() and not iskeyword(text):
            return text, text
        name = self._temporary()
        return name, f"({name} := {text})"

    def _literal(self, node: Expr) -> Literal | None:
        return node if isinstance(node, Literal) else None

    def _item(self, record: str, key: str) -> str:
        one, first = self._variable(record)
        return f"({one}.get({key}) if type({first}) is dict else get({one}, {key}))"

    def _both(self, left: Expr, right: Expr) -> str:
        one, other = self._temporary(), self._temporary()
        given = f"({one} := {self.written(left)}) is False or ({other} := {self.written(right)}) is False"
        return f"(False if {given} else True if {one} is True and {other} is True else None)"

    def _either(self, left: Expr, right: Expr) -> str:
        one, other = self._temporary(), self._temporary()
        given = f"({one} := {self.written(left)}) is True or ({other} := {self.written(right)}) is True"
        return f"(True if {given} else False if {one} is False and {other} is False else None)"

    def _choice(self, condition: Expr, yes: Expr, no: Expr) -> str:
        return f"({self.written(yes)} if {self.written(condition)} is True else {self.written(no)})"

    def _opposite(self, operand: Expr) -> str:
        one = self._temporary()
        return f"(not {one} if type({one} := {self.written(operand)}) is bool else None)"

    def _constant(self, value: Thing) -> str:
        return repr(value) if value is None or type(value) is bool else self._named(value)

    def _named(self, thing: Thing) -> str:
        name = f"f{len(self.used)}"
        self.used[name] = thing
        return name

    def _temporary(self) -> str:
        self._temporaries += 1
        return f"t{self._temporaries}"


_SHORT: Final[dict[str, Callable[..., str]]] = {
    "and": TermSource._both,
    "or": TermSource._either,
    "if": TermSource._choice,
    "not": TermSource._opposite,
}


def _mixed(one: str, kind: str, other: str, another: str) -> str:
    """Return the source of whether one of two is a float, and the other a whole number that is not too large."""
    first = f"{kind} is float and {another} is int and {_small(other)}"
    return f"{first} or {another} is float and {kind} is int and {_small(one)}"


def _small(name: str, bits: int = 63) -> str:
    return f"{-(1 << bits)} <= {name} <= {1 << bits}"


def _is_simple(value: Thing) -> bool:
    """Say whether a constant can stand in the source and is compared as Python does."""
    return type(value) is str or type(value) is int or (type(value) is float and abs(value) < 1e300)


def _is_usual(value: Thing) -> TypeGuard[int | float]:
    """Say whether a constant can stand in a calculation: a number that is neither 0 nor very large."""
    return type(value) in (int, float) and 0 < abs(value) < 1 << 53
