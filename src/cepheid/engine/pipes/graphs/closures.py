"""Functions as Python can run them fast: of one front, and of whole columns at once.

The code of a term is compiled once; what it reads from a context is bound for each run.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType
from typing import Final, TypeAlias

from cepheid.algebra.expressions import Expr
from cepheid.algebra.graphs.evaluation import evaluate
from cepheid.algebra.graphs.functions import Function
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.remembering import ByIdentity
from cepheid.algebra.traversal import children
from cepheid.engine.pipes.graphs.scopes import Scope
from cepheid.engine.pipes.sources_of_terms import TermSource

Call: TypeAlias = Callable[..., Thing]
Mapped: TypeAlias = Callable[..., list[Thing]]

_DEEPEST: Final = 20
"""How deep a term may be nested that is made into code; what is deeper is evaluated as the definition does."""


@dataclass(frozen=True, slots=True, eq=False)
class _Code:
    """A function of a front, the same of columns, and the values of a column for which it is True."""

    single: CodeType
    columns: CodeType
    kept: CodeType
    used: dict[str, Thing]
    reads_context: bool


def call_of(function: Function, scope: Scope) -> Call:
    """Return a function of as many values as it reads."""
    return _bound(function, scope, "single")


def mapped(function: Function, scope: Scope) -> Mapped:
    """Return a function of columns, which gives a column; one that reads no input is told how long by the first."""
    return _bound(function, scope, "columns")


def kept(function: Function, scope: Scope) -> Mapped:
    """Return a function of a column, which gives those of its values for which the function is True."""
    return _bound(function, scope, "kept")


def _bound(function: Function, scope: Scope, which: str) -> Call:
    code = _compiled(function)
    if code.reads_context:
        names = {**code.used, "names": scope, "context": scope.name, "has_name": scope.has_name}
        return eval(getattr(code, which), names)  # type: ignore[no-any-return]  # our own source
    return _shared(function)[which]


@ByIdentity
def _shared(function: Function) -> dict[str, Call]:
    """Return the functions of a term that reads no context, which all runs can share."""
    code = _compiled(function)
    return {which: eval(getattr(code, which), dict(code.used)) for which in ("single", "columns", "kept")}


@ByIdentity
def _compiled(function: Function) -> _Code:
    source = TermSource()
    body, holds = _body(function, source)
    arguments = [f"a{place}" for place in range(function.arity)]
    lists = [f"c{place}" for place in range(max(1, function.arity))]
    drawn = f"for {_listed(arguments) or '_'} in {lists[0] if len(lists) == 1 else f'zip({_listed(lists)})'}"
    single = f"lambda {_listed(arguments)}: {body}"
    columns = f"lambda {_listed(lists)}: [{body} {drawn}]"
    keeping = f"lambda c0: [a0 for a0 in c0 if {holds}]"
    texts = (single, columns, keeping if function.arity <= 1 else "None")
    one, many, those = (compile(text, "<term>", "eval") for text in texts)
    return _Code(one, many, those, source.used, source.reads_context)


def _body(function: Function, source: TermSource) -> tuple[str, str]:
    """Return the source of a function, and that of whether it is True."""
    arguments = ", ".join(f"a{place}" for place in range(function.arity))
    if function.call is not None:
        source.used["call"] = function.call
        return f"call({arguments})", f"call({arguments}) is True"
    term = function.term
    if term is None or is_shallow(term):
        return ("None", "False") if term is None else (source.written(term), source.holding(term))
    source.used["deep"] = lambda names, *front: evaluate(term, front, names)
    source.reads_context = True
    return f"deep(names, {arguments})", f"deep(names, {arguments}) is True"


def _listed(names: list[str]) -> str:
    return ", ".join(names)


def is_shallow(term: Expr) -> bool:
    """Say whether a term can be made into code."""
    return _depth(term) <= _DEEPEST


def _depth(term: Expr) -> int:
    deepest, ahead = 0, [(term, 1)]
    while ahead:
        node, depth = ahead.pop()
        deepest = max(deepest, depth)
        ahead += [(child, depth + 1) for child in _below(node)]
    return deepest


def _below(node: Expr) -> list[Expr]:
    parts = (part for child in children(node) for part in (child if isinstance(child, tuple) else (child,)))
    return [part for part in parts if isinstance(part, Expr)]
