"""Queries inside of expressions over traces: they read tables, so that one answer holds for every tuple.

    SELECT symbol FROM @trades WHERE symbol IN (SELECT symbol FROM watched)

A query that reads an attribute of the tuple it is asked for would have another answer for each. Over tables a database
answers it; over a trace it is refused.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from cepheid.algebra.expressions import Call, Expr
from cepheid.algebra.graphs.native_calls import NativeCall
from cepheid.languages.esql.grammars.syntax import Form, Part, Word
from cepheid.languages.esql.places import refused
from cepheid.languages.esql.scopes import Scope
from cepheid.languages.esql.selects import QUERIES, SETS, select_of

__all__ = ["ToAnswer", "asked", "is_table", "outer_names", "queries_in"]

ToAnswer = Callable[[Form], Callable[[], Sequence[Any]]]
"""What gives, for a query, something that reads its answer, once for a run."""

_ASKS: Final = ("among_query", "not_among_query", "exists", "scalar")


def asked(form: Form, query: Part, given: tuple[Expr, ...], scope: Scope, answer: ToAnswer | None) -> Expr:
    """Return what an expression computes of the answer of a query."""
    assert isinstance(query, Form)
    outer = outer_names(query) & {name for name in scope.names if name is not None}
    if answer is None or outer:
        name = next(iter(sorted(outer)), "this")
        hint = "write a JOIN with the table instead, or give the trace as a table"
        raise refused(form, "needs-whole-input", "a query inside reads the tuple around it", f"it reads `{name}`", hint)
    read = answer(query)
    match form.name:
        case "exists":
            return NativeCall("exists", lambda: bool(read()), (), False)
        case "scalar":
            return NativeCall("scalar", lambda: _only(form, read()), (), False)
    found = NativeCall("answer", lambda: tuple(_value(form, one) for one in read()), (), False)
    among = Call("in", (*given, found))
    return among if form.name == "among_query" else Call("not", (among,))


def _only(form: Form, found: Sequence[Any]) -> Any:
    if len(found) > 1:
        message, hint = (
            f"a query in an expression gives {len(found)} values",
            "write `LIMIT 1` after it, or `MAX(value)`",
        )
        raise refused(form, "sql-failed", message, "one value is wanted here", hint)
    return _value(form, found[0]) if found else None


def _value(form: Form, found: Any) -> Any:
    """Return the value of a tuple that has one attribute, or the value that stands for itself."""
    if not isinstance(found, Mapping):
        return found
    if len(found) != 1:
        message, hint = f"a query in an expression gives {len(found)} columns", "select one of them"
        raise refused(form, "sql-failed", message, "one column is wanted here", hint)
    return next(iter(found.values()))


def queries_in(part: Part) -> Iterator[Form]:
    """Yield the queries that stand in an expression, and none that stand in these."""
    match part:
        case Form(name, _, (*_, Form() as query)) if name in _ASKS:
            yield query
            yield from (inner for one in part.parts[:-1] for inner in queries_in(one))
        case Form(name, _, parts) if name not in QUERIES:
            yield from (inner for one in parts for inner in queries_in(one))
        case tuple():
            yield from (inner for one in part for inner in queries_in(one))


def outer_names(part: Part) -> frozenset[str]:
    """Return the names before a point in a query that are no sources of its own."""
    match part:
        case Form("qualified", _, (Word(source), _)):
            return frozenset((source,))
        case Form(name, _, parts):
            found = frozenset[str]().union(*map(outer_names, parts))
            own = select_of(part).sources if name in QUERIES - SETS else ()
            return found - {one.name for one in own}
        case tuple():
            return frozenset[str]().union(*map(outer_names, part))
        case _:
            return frozenset()


def is_table(part: Part, tables: Mapping[str, Any]) -> bool:
    """Say whether something is made of tables alone, with all rows at hand."""
    match part:
        case Form("table", _, (Word(name),)) | Word(name):
            return name in tables
        case Form("as" | "as_table" | "where", _, (source, *_)):
            return is_table(source, tables)
        case Form(name, _, (left, _, right, *_)) if name in SETS:
            return is_table(left, tables) and is_table(right, tables)
        case Form(name) if name in QUERIES:
            select = select_of(part)
            inner = queries_in((part.parts[0], *select.clauses.values()))
            return all(is_table(one.form, tables) for one in select.sources) and all(
                is_table(one, tables) for one in inner
            )
        case _:
            return False
