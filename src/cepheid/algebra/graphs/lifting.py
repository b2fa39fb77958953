"""Python's operators between things that have a value at every position: what is done, is done at each of them."""

from typing import Self

from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.refusals import refusal


class Lifting:
    """Operators that stand for a function at every position; a constant stands for itself."""

    __slots__ = ()
    __iter__ = None
    __hash__ = object.__hash__

    def _lifted(self, function: str, *operands: Thing) -> Self:
        """Return the function with this name of the operands, at every position."""
        raise AssertionError("whoever has operators says what they do")

    def __add__(self, other: Thing) -> Self:
        return self._lifted("+", self, other)

    def __radd__(self, other: Thing) -> Self:
        return self._lifted("+", other, self)

    def __sub__(self, other: Thing) -> Self:
        return self._lifted("-", self, other)

    def __rsub__(self, other: Thing) -> Self:
        return self._lifted("-", other, self)

    def __mul__(self, other: Thing) -> Self:
        return self._lifted("*", self, other)

    def __rmul__(self, other: Thing) -> Self:
        return self._lifted("*", other, self)

    def __truediv__(self, other: Thing) -> Self:
        return self._lifted("/", self, other)

    def __rtruediv__(self, other: Thing) -> Self:
        return self._lifted("/", other, self)

    def __floordiv__(self, other: Thing) -> Self:
        return self._lifted("//", self, other)

    def __rfloordiv__(self, other: Thing) -> Self:
        return self._lifted("//", other, self)

    def __mod__(self, other: Thing) -> Self:
        return self._lifted("%", self, other)

    def __rmod__(self, other: Thing) -> Self:
        return self._lifted("%", other, self)

    def __eq__(self, other: Thing) -> Self:  # type: ignore[override]  # a processor, not an answer
        return self._lifted("==", self, other)

    def __ne__(self, other: Thing) -> Self:  # type: ignore[override]  # a processor, not an answer
        return self._lifted("!=", self, other)

    def __lt__(self, other: Thing) -> Self:
        return self._lifted("<", self, other)

    def __le__(self, other: Thing) -> Self:
        return self._lifted("<=", self, other)

    def __gt__(self, other: Thing) -> Self:
        return self._lifted(">", self, other)

    def __ge__(self, other: Thing) -> Self:
        return self._lifted(">=", self, other)

    def __and__(self, other: Thing) -> Self:
        return self._lifted("and", self, other)

    def __rand__(self, other: Thing) -> Self:
        return self._lifted("and", other, self)

    def __invert__(self) -> Self:
        return self._lifted("not", self)

    def __bool__(self) -> bool:
        hint = "write `&` and `~` for `and` and `not`, with parentheses: `(P > 1) & (P < 5)`"
        raise refusal("a processor is not true or false, it has outputs", hint)
