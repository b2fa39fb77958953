"""A SELECT over traces: what is filtered, what is computed of each tuple, and how many of them are given."""

from collections.abc import Callable, Mapping
from typing import Any

from cepheid.algebra.expressions import Call, Expr, Literal
from cepheid.algebra.graphs import built_in
from cepheid.algebra.graphs.functions import Function
from cepheid.algebra.graphs.native_calls import NativeCall
from cepheid.algebra.graphs.processors import Processor
from cepheid.languages.esql.grammars.grammar import Grammar
from cepheid.languages.esql.grammars.syntax import Form, Number, Part, Word
from cepheid.languages.esql.places import refused
from cepheid.languages.esql.scopes import Together
from cepheid.languages.esql.selects import Item, Select, names_of
from cepheid.languages.esql.traces import distinct, merged

__all__ = ["is_whole", "selected"]

ToFunction = Callable[[Part, Together], Function]


def is_whole(select: Select, tables: Mapping[str, Any]) -> bool:
    """Say whether a SELECT is answered from all rows at once: where it needs them, or joins tables."""
    return select.needs_everything or (
        len(select.sources) > 1 and all(_is_table(one.form, tables) for one in select.sources)
    )


def _is_table(part: Part, tables: Mapping[str, Any]) -> bool:
    match part:
        case Form("table", _, (Word(name),)) | Word(name):
            return name in tables
        case Form("select" | "select_with", _, (_, tuple(froms), *_)):
            return all(_is_table(one, tables) for one in froms)
        case Form("as" | "as_table" | "where", _, (source, *_)):
            return _is_table(source, tables)
        case _:
            return False


def selected(select: Select, grammar: Grammar, function: ToFunction) -> Processor:
    """Return what becomes of the tuples of all sources, side by side."""
    scope = Together(tuple(source.name for source in select.sources))
    count = len(scope.names)
    found = built_in.collate(count) if count > 1 else None
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
    found = _record(select.items, scope, grammar, function)
    return built_in.apply(Function(1, found))


def _record(items: tuple[Item, ...], scope: Together, grammar: Grammar, function: ToFunction) -> Expr:
    """Return a tuple of named items, with those that are all attributes of something put in."""
    names = names_of((item for item in items if not item.is_all), grammar)
    named = iter(names)
    if len(names) == len(items):
        return Call("record", tuple(one for item in items for one in _pair(item, next(named), scope, function)))
    pieces: list[Expr] = []
    for item in items:
        pieces += _all(item, scope) if item.is_all else [Call("record", _pair(item, next(named), scope, function))]
    return NativeCall("merged", merged, tuple(pieces), False)


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
