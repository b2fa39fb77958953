"""A SELECT over traces: what is filtered, what is computed of each tuple, and how many of them are given."""

from collections.abc import Callable, Mapping
from typing import Any

from cepheid.algebra.expressions import Call, Expr, Literal
from cepheid.algebra.graphs import built_in
from cepheid.algebra.graphs.functions import Function
from cepheid.algebra.graphs.native_calls import NativeCall
from cepheid.algebra.graphs.processors import Processor
from cepheid.languages.esql.grammars.grammar import Grammar
from cepheid.languages.esql.grammars.syntax import Form, Number, Part
from cepheid.languages.esql.places import refused
from cepheid.languages.esql.scopes import Together
from cepheid.languages.esql.selects import SETS, Item, Select, names_of, select_of
from cepheid.languages.esql.set_operations import is_of_one_trace
from cepheid.languages.esql.stream_joins import can_look_up, conditions, is_by_name
from cepheid.languages.esql.subqueries import is_table, outer_names, queries_in
from cepheid.languages.esql.traces import distinct, merged, side_by_side

__all__ = ["is_whole", "selected"]

ToFunction = Callable[[Part, Together], Function]


def is_whole(form: Form, tables: Mapping[str, Any]) -> bool:
    """Say whether a query is answered from all rows at once: where it needs them, or joins tables."""
    if form.name in SETS:
        return not is_of_one_trace(form, tables)
    select = select_of(form)
    if select.needs_everything or not select.froms:
        return True
    if select.is_joined and not can_look_up(select, tables):
        return True
    if all(is_table(one.form, tables) for one in select.sources) and (len(select.sources) > 1 or _asks(select)):
        return True
    return any(not is_table(query, tables) or _reads(select, query) for query in _queries(select))


def _queries(select: Select) -> list[Form]:
    parts = (*(item.form for item in select.items), *select.clauses.values(), *conditions(select))
    return list(queries_in(parts))


def _asks(select: Select) -> bool:
    return bool(_queries(select))


def _reads(select: Select, query: Form) -> bool:
    """Say whether a query inside of a SELECT reads what it selects from."""
    return not outer_names(query).isdisjoint(source.name or "" for source in select.sources)


def selected(select: Select, grammar: Grammar, function: ToFunction) -> Processor:
    """Return what becomes of the tuples of all sources, side by side; those of a JOIN are together already."""
    scope = Together(tuple(source.name for source in select.sources))
    count = len(scope.names)
    found = built_in.collate(count) if count > 1 and not select.is_joined else None
    if "where_clause" in select.clauses:
        found = _then(found, built_in.where(function(select.clauses["where_clause"].parts[0], scope)))
    computed = _computed(select, scope, grammar, function)
    found = computed if found is None else found if computed is None else found | computed
    if select.distinct:
        found = _then(found, distinct)
    for name, cut in (("offset", built_in.trim), ("limit", built_in.prefix)):
        if name in select.clauses:
            found = _then(found, cut(_rows(select.clauses[name])))
    return built_in.passthrough() if found is None else found


def _then(first: Processor | None, second: Processor) -> Processor:
    return second if first is None else first | second


def _rows(clause: Form) -> int:
    match clause.parts:
        case (Number(int(value)),) if value >= 0:
            return value
    raise refused(
        clause, "bad-pipe", "a number of rows is whole and not negative", "not such a number", "write `LIMIT 10`"
    )


def _computed(select: Select, scope: Together, grammar: Grammar, function: ToFunction) -> Processor | None:
    """Return what computes the items; None where they are the tuples themselves."""
    if select.gives_values:
        return built_in.apply(function(select.items[0].form, scope))
    match select.items:
        case (Item(is_all=True, of=of),) if len(scope.names) == 1 and of in (None, scope.names[0]):
            return None
    found = _record(select, scope, grammar, function)
    return built_in.apply(Function(1, found))


def _record(select: Select, scope: Together, grammar: Grammar, function: ToFunction) -> Expr:
    """Return a tuple of named items, with those that are all attributes of something put in."""
    items, froms = select.items, select.froms
    names = names_of((item for item in items if not item.is_all), grammar)
    named = iter(names)
    if len(names) == len(items):
        return Call("record", tuple(one for item in items for one in _pair(item, next(named), scope, function)))
    pieces: list[Expr] = []
    for item in items:
        pieces += _all(item, scope) if item.is_all else [Call("record", _pair(item, next(named), scope, function))]
    how = merged if len(scope.names) == 1 or any(map(is_by_name, froms)) else side_by_side
    return NativeCall(how.__name__, how, tuple(pieces), False)


def _pair(item: Item, name: str, scope: Together, function: ToFunction) -> tuple[Expr, Expr]:
    term = function(item.form, scope).term
    return Literal(name), Literal(None) if term is None else term


def _all(item: Item, scope: Together) -> list[Expr]:
    if item.of is None:
        return [scope.input(place) for place in range(len(scope.names))]
    if item.of in scope.names:
        return [scope.input(scope.names.index(item.of))]
    message, hint = f"no source is called `{item.of}`", "write the name after AS"
    raise refused(item.form, "unknown-part", message, "not one of the sources", hint)
