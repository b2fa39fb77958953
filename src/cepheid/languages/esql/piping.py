"""What parts of the lowering ask of the whole of it, and how processors are put behind each other."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from cepheid.algebra.expressions import Expr
from cepheid.algebra.graphs.processors import Pick, Processor
from cepheid.languages.esql.grammars.grammar import Grammar
from cepheid.languages.esql.grammars.syntax import Form, Part
from cepheid.languages.esql.scopes import Scope

__all__ = ["Lowers", "joined"]


class Lowers(Protocol):
    """What makes processors and expressions of forms, and knows the tables."""

    @property
    def grammar(self) -> Grammar: ...
    @property
    def tables(self) -> Mapping[str, Iterable[Mapping[str, Any]]]: ...  # values of any kind

    def processor(self, part: Part) -> Processor: ...
    def expression(self, part: Part, scope: Scope) -> Expr: ...
    def reader(self, form: Form) -> Callable[[], Sequence[Any]]: ...


def joined(first: Processor, second: Processor) -> Processor:
    """Return one processor after another; the only input needs no picking."""
    return second if isinstance(first, Pick) and first.count == 1 else first | second
