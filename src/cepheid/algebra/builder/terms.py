"""Terms: what users write about values, with Python's own operators.

    b.value > a.value        (a.kind == "x") & ~b.late        (b.start - a.end) <= "5 s"

A term holds an expression and is never evaluated here. `&`, `|` and `~` mean and, or and not; Python's `and`, `or` and
`not` cannot be given a meaning, so they are refused. Beside a time, a string is a duration: `a.end + "5 s"`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, Union

from cepheid.algebra.builder.names import readable
from cepheid.algebra.builder.times import is_temporal, ticks
from cepheid.algebra.expressions import Call, Expr, Literal
from cepheid.algebra.query_sizes import check_term_size
from cepheid.algebra.text.lengths import is_length
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.events import Duration, Value

Operand: TypeAlias = Union["Term", Value, Duration]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Term:
    """A value that is computed for every match.

    >>> constant(1) + 2
    Term(1 + 2)
    """

    expression: Expr

    def __post_init__(self) -> None:
        check_term_size(self.expression)

    def __add__(self, other: Operand) -> "Term":
        return self._call("+", other)

    def __radd__(self, other: Operand) -> "Term":
        return self._called("+", other)

    def __sub__(self, other: Operand) -> "Term":
        return self._call("-", other)

    def __rsub__(self, other: Operand) -> "Term":
        return self._called("-", other)

    def __mul__(self, other: Operand) -> "Term":
        return self._call("*", other)

    def __rmul__(self, other: Operand) -> "Term":
        return self._called("*", other)

    def __truediv__(self, other: Operand) -> "Term":
        return self._call("/", other)

    def __rtruediv__(self, other: Operand) -> "Term":
        return self._called("/", other)

    def __floordiv__(self, other: Operand) -> "Term":
        return self._call("//", other)

    def __rfloordiv__(self, other: Operand) -> "Term":
        return self._called("//", other)

    def __mod__(self, other: Operand) -> "Term":
        return self._call("%", other)

    def __rmod__(self, other: Operand) -> "Term":
        return self._called("%", other)

    def __pow__(self, other: Operand) -> "Term":
        return self._call("pow", other)

    def __neg__(self) -> "Term":
        return self._call("neg")

    def __abs__(self) -> "Term":
        return self._call("abs")

    def __eq__(self, other: Operand) -> "Term":  # type: ignore[override]  # a condition, not an answer
        return self._call("==", other)

    def __ne__(self, other: Operand) -> "Term":  # type: ignore[override]  # a condition, not an answer
        return self._call("!=", other)

    def __lt__(self, other: Operand) -> "Term":
        return self._call("<", other)

    def __le__(self, other: Operand) -> "Term":
        return self._call("<=", other)

    def __gt__(self, other: Operand) -> "Term":
        return self._call(">", other)

    def __ge__(self, other: Operand) -> "Term":
        return self._call(">=", other)

    def __and__(self, other: Operand) -> "Term":
        return self._call("and", other)

    def __rand__(self, other: Operand) -> "Term":
        return self._called("and", other)

    def __or__(self, other: Operand) -> "Term":
        return self._call("or", other)

    def __ror__(self, other: Operand) -> "Term":
        return self._called("or", other)

    def __invert__(self) -> "Term":
        return self._call("not")

    def __bool__(self) -> bool:
        raise _term_as_bool(self)

    def between(self, low: Operand, high: Operand) -> "Term":
        """`low <= self <= high`, both included."""
        return (self >= low) & (self <= high)

    def is_in(self, *items: Operand) -> "Term":
        """Is it equal to one of the items?"""
        return self._call("in", _collection(items))

    def is_null(self) -> "Term":
        return self._call("is_null")

    def lower(self) -> "Term":
        return self._call("lower")

    def upper(self) -> "Term":
        return self._call("upper")

    def length(self) -> "Term":
        """The number of characters of a string or of items of a collection."""
        return self._call("length")

    def contains(self, text: Operand) -> "Term":
        return self._call("contains", text)

    def starts_with(self, text: Operand) -> "Term":
        return self._call("starts_with", text)

    def ends_with(self, text: Operand) -> "Term":
        return self._call("ends_with", text)

    def substring(self, first: Operand, count: Operand) -> "Term":
        """`count` characters from the one at `first` on, counted from 0."""
        return self._call("substring", first, count)

    def trim(self) -> "Term":
        return self._call("trim")

    def matches(self, pattern: Operand) -> "Term":
        """Is a regular expression found in the text?"""
        return self._call("matches", pattern)

    def extract(self, pattern: Operand) -> "Term":
        """What a regular expression finds first: its first group, or all of it where it has none."""
        return self._call("extract", pattern)

    def in_network(self, network: Operand) -> "Term":
        """Is it an address in a network such as `10.0.0.0/8`?"""
        return self._called("cidr_contains", network)

    def get(self, key: Operand) -> "Term":
        """The field of a record, or the item of a collection at a position counted from 0."""
        return self._call("get", key)

    def as_int(self) -> "Term":
        return self._call("int")

    def as_float(self) -> "Term":
        return self._call("float")

    def as_string(self) -> "Term":
        return self._call("string")

    def as_bool(self) -> "Term":
        return self._call("bool")

    def __repr__(self) -> str:
        return f"Term({readable(self.expression)})"

    def __str__(self) -> str:
        return readable(self.expression)

    def _call(self, function: str, *others: Operand) -> "Term":
        return _term(self, function, self, *others)

    def _called(self, function: str, other: Operand) -> "Term":
        return _term(self, function, other, self)


def _term(beside: Term, function: str, *operands: Operand) -> Term:
    """Return the term of a call; a number where a length of time belongs is in the unit of the query."""
    call = Call(function, tuple(expression_of(one, beside) for one in operands))
    if len(operands) != 2:
        return Term(call)
    return Term(Call(function, tuple(_in_unit(call, side, one) for side, one in enumerate(operands))))


def _in_unit(call: Call, side: int, operand: Operand) -> Expr:
    if isinstance(operand, int) and not isinstance(operand, bool) and is_length(call, side):
        return Literal(ticks(operand))
    return call.arguments[side]


def constant(value: Value) -> Term:
    """A term that always has this value."""
    return Term(Literal(value))


def expression_of(operand: Operand, beside: Term | None = None) -> Expr:
    """Return the expression that an operand stands for; `beside` a time, a string is a duration."""
    if isinstance(operand, Term):
        return operand.expression
    if isinstance(operand, Duration):
        return Literal(operand.ticks)
    if isinstance(operand, str) and beside is not None and is_temporal(beside.expression):
        return Literal(ticks(operand))
    if not _is_value(operand):
        raise _not_a_value(operand)
    return Literal(operand)


def _is_value(operand: object) -> bool:
    if isinstance(operand, tuple):
        return all(_is_value(item) for item in operand)
    if isinstance(operand, Mapping):
        return all(isinstance(name, str) and _is_value(item) for name, item in operand.items())
    return operand is None or isinstance(operand, bool | int | float | str)


def _collection(items: tuple[Operand, ...]) -> Term:
    expressions = [expression_of(item) for item in items]
    if all(isinstance(expression, Literal) for expression in expressions):
        constants = (expression.value for expression in expressions if isinstance(expression, Literal))
        return Term(Literal(tuple(constants)))
    return Term(Call("list", tuple(expressions)))


def _term_as_bool(term: Term) -> CepheidError:
    return CepheidError(
        Diagnostic(
            "term-as-bool",
            f"`{term}` has no truth value before there is a match",
            hints=(
                "write `&`, `|` and `~` for `and`, `or` and `not`, with parentheses: `(a.x > 1) & (a.y > 2)`",
                "write `a.x.between(1, 5)` for `1 <= a.x <= 5`",
            ),
        )
    )


def _not_a_value(operand: object) -> CepheidError:
    return CepheidError(
        Diagnostic(
            "not-a-value",
            f"`{type(operand).__name__}` is no value and cannot stand in an expression",
            hints=("name a field, as in `a.value`, or write a number, a string, a tuple or a mapping",),
        )
    )
