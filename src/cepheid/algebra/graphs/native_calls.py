"""A function of a palette in an expression: written in Python, known by its name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from cepheid.algebra.expressions import Expr
from cepheid.algebra.graphs.objects import Thing

Native: TypeAlias = Callable[..., Thing]


@dataclass(frozen=True, slots=True)
class NativeCall(Expr):
    """A named function of terms; one that is `in_context` is handed what reads the context first."""

    name: str
    function: Native
    arguments: tuple[Expr, ...] = ()
    in_context: bool = False
