"""Short ways to write down the nodes that a test expects, and the error that a call raises."""

from collections.abc import Callable

import pytest

from cepheid.algebra.expressions import Call, Expr, Field, Literal
from cepheid.algebra.patterns import Atom
from cepheid.algebra.relations import Axis, Endpoint, end
from cepheid.diagnostics import CepheidError
from cepheid.events import Value

A = Atom("a", frozenset({"A"}))
B = Atom("b", frozenset({"B"}))
X = Atom("x", frozenset({"X"}))

A_USER, B_USER, X_USER = Field("a", "user"), Field("b", "user"), Field("x", "user")
A_VALUE, B_VALUE, X_VALUE = Field("a", "value"), Field("b", "value"), Field("x", "value")

SECOND = 1_000_000


def call(function: str, *arguments: Expr | Value) -> Call:
    """A call with constants written plainly."""
    return Call(function, tuple(one if isinstance(one, Expr) else Literal(one) for one in arguments))


def position(part: str) -> Endpoint:
    return end(part, Axis.POSITION)


def error_of(mistake: Callable[[], object]) -> str:
    """The drawing of the error that a mistake is answered with."""
    with pytest.raises(CepheidError) as raised:
        mistake()
    return str(raised.value)
