"""UNION over one trace: of each tuple, what the first SELECT makes of it and then what the second does.

Two traces have no order among each other, and EXCEPT and INTERSECT need all tuples of both; a database answers these.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from cepheid.algebra.expressions import Call, Expr, Literal
from cepheid.algebra.graphs import built_in
from cepheid.algebra.graphs.functions import Function
from cepheid.algebra.graphs.native_calls import NativeCall
from cepheid.algebra.graphs.processors import Processor
from cepheid.languages.esql.grammars.syntax import Form, Number, Part, Word
from cepheid.languages.esql.piping import Lowers, joined
from cepheid.languages.esql.places import refused
from cepheid.languages.esql.scopes import Together
from cepheid.languages.esql.selects import SETS, Select, Source, clauses_of, names_of, select_of
from cepheid.languages.esql.subqueries import is_table, queries_in
from cepheid.languages.esql.traces import distinct

__all__ = ["is_of_one_trace", "united"]


def is_of_one_trace(form: Form, tables: Mapping[str, Any]) -> bool:
    """Say whether queries put together look at one tuple at a time of the same trace."""
    _, operator, _, *clauses = form.parts
    assert isinstance(operator, Form)
    if "order_by" in clauses_of(clauses) or operator.name not in ("union_all", "union_distinct"):
        return False
    selects = list(_selects(form, first=True))
    if None in selects:
        return False
    sources = [_source(one, tables) for one in selects if one is not None]
    return sources[0] is not None and all(one == sources[0] for one in sources)


def _selects(part: Part, *, first: bool = False) -> Iterator[Select | None]:
    """Yield the SELECTs that are put together; None where more than that is done."""
    match part:
        case Form(name, _, (left, Form(operator), right, *_)) if name in SETS:
            if first or (name == "set" and operator == "union_all"):
                yield from _selects(left)
                yield from _selects(right)
            else:
                yield None
        case Form("select" | "select_with"):
            yield select_of(part)
        case _:
            yield None


def _source(select: Select, tables: Mapping[str, Any]) -> Part | None:
    """Return the trace that a SELECT looks at, where it does no more than that."""
    if select.distinct or set(select.clauses) - {"where_clause"} or select.aggregates or select.is_joined:
        return None
    parts = (*(item.form for item in select.items), *select.clauses.values())
    if any(item.is_all for item in select.items) or len(select.sources) != 1 or list(queries_in(parts)):
        return None
    source = _named(select.sources[0])
    return None if is_table(source, tables) else source


def _named(source: Source) -> Part:
    """Return what a source reads; the name that it has here makes no difference."""
    return Form("table", "<processor>", (source.form,)) if isinstance(source.form, Word) else source.form


def united(form: Form, to: Lowers) -> Processor:
    """Return the answers of SELECTs over one trace, all or each once."""
    selects = [one for one in _selects(form, first=True) if one is not None]
    counts = {len(one.items) for one in selects}
    if len(counts) > 1:
        hint = "select as many expressions in each"
        raise refused(form, "bad-pipe", "SELECTs with different numbers of columns", "put together here", hint)
    lists = tuple(_list(one, selects[0], to) for one in selects)
    then = built_in.apply(Function(1, NativeCall("together", _together, lists, False))) | built_in.unpack()
    _, operator, _, *clauses = form.parts
    if isinstance(operator, Form) and operator.name == "union_distinct":
        then = then | distinct
    for name, clause in sorted(clauses_of(clauses).items(), reverse=True):
        then = then | (built_in.trim if name == "offset" else built_in.prefix)(_rows(clause))
    source = _named(selects[0].sources[0])
    return joined(to.processor(source), then)


def _list(select: Select, first: Select, to: Lowers) -> Expr:
    """Return the tuple that a SELECT makes, in a list, or an empty list; its attributes are called as in the first."""
    scope = Together(tuple(source.name for source in select.sources))
    names = names_of(first.items, to.grammar)
    values = [to.expression(item.form, scope) for item in select.items]
    pairs = [one for name, value in zip(names, values, strict=True) for one in (Literal(name), value)]
    made = values[0] if first.gives_values else Call("record", tuple(pairs))
    clause = select.clauses.get("where_clause")
    condition = Literal(True) if clause is None else to.expression(clause.parts[0], scope)
    return Call("if", (condition, Call("list", (made,)), Literal(())))


def _together(*lists: tuple[Any, ...] | list[Any]) -> list[Any]:
    return [value for one in lists for value in one]


def _rows(clause: Form) -> int:
    match clause.parts:
        case (Number(int(value)),) if value >= 0:
            return value
    message, hint = "a number of rows is whole and not negative", "write `LIMIT 10`"
    raise refused(clause, "bad-pipe", message, "not such a number", hint)
