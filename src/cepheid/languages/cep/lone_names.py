"""Names that stand alone in an expression: fields of the event at hand, which only what stands around them knows."""

from dataclasses import dataclass
from typing import TypeVar

from cepheid.algebra.expressions import Expr, Field
from cepheid.algebra.traversal import transform
from cepheid.diagnostics import Span

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LoneName(Expr):
    """A name of which it is not known yet whose field it is."""

    name: str
    span: Span


def of_part(node: T, part: str) -> T:
    """Return `node` with the lone names in it as fields of `part`."""
    return transform(node, lambda item: Field(part, item.name) if isinstance(item, LoneName) else item)
