"""Rows of a table that come from outside the text: a list of rows, a frame, or comma-separated values."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from cepheid.algebra.programs import Row, Table
from cepheid.diagnostics import Source, Span, close_match
from cepheid.events import Value, cast_bool, cast_float, cast_int
from cepheid.languages.etalis.syntax import Column, TableText
from cepheid.languages.shared.findings import counted, listed, refusal
from cepheid.languages.shared.tables import NamedRows
from cepheid.languages.shared.terms import Name

Rows: TypeAlias = Table | NamedRows | Sequence[Sequence[Value]]

_KINDS: Final[Mapping[str, Callable[[Value], Value] | None]] = {
    "int": cast_int,
    "float": cast_float,
    "bool": cast_bool,
    "string": None,
}


def undeclared(given: Mapping[str, Rows], declared: Iterable[str]) -> list[TableText]:
    """Return declarations for the tables that are given and that the text does not declare."""
    return [_declaration(name, rows) for name, rows in given.items() if name not in set(declared)]


def _declaration(name: str, rows: Rows) -> TableText:
    span = Source(f"<table {name}>", name).span(0, len(name))
    if isinstance(rows, Table | NamedRows):
        columns = rows.columns
    else:
        columns = tuple(f"arg{number}" for number in range(1, len(rows[0]) + 1)) if rows else ()
    return TableText(Name(name, span), tuple(Column(Name(one, span), None) for one in columns), None, not rows, span)


def rows_given(text: TableText, rows: Rows, span: Span) -> tuple[Row, ...]:
    """Return given rows with their cells in the order of the table's columns; `span` is where errors point."""
    if isinstance(rows, NamedRows):
        return _placed(text, rows, span)
    found = rows.rows if isinstance(rows, Table) else tuple(tuple(row) for row in rows)
    for row in found:
        if len(row) != len(text.columns):
            message = f"a row that was given for `{text.predicate.name}` has {counted(len(row), 'cell')}"
            label = f"it has {counted(len(text.columns), 'column')}"
            raise refusal("bad-table", message, span, label, "give every row a cell for each column")
    return found


def _placed(text: TableText, given: NamedRows, span: Span) -> tuple[Row, ...]:
    places = [_place(column, given, span) for column in text.columns]
    casts = [_cast(column) if given.texts else None for column in text.columns]
    rows = []
    for number, line in enumerate(given.rows, start=2):
        if line and len(line) != len(given.columns):
            names = counted(len(given.columns), "column")
            message = f"line {number} of `{given.name}` has {counted(len(line), 'cell')}, and there are {names}"
            raise refusal("bad-table", message, span, "this table", "give every line a cell for each column")
        if line:
            where = f"line {number} of `{given.name}`"
            cells = zip((line[place] for place in places), casts, strict=True)
            rows.append(tuple(_cell(cell, cast, where, span) for cell, cast in cells))
    return tuple(rows)


def _place(column: Column, given: NamedRows, span: Span) -> int:
    name = column.name.name
    if name in given.columns:
        return given.columns.index(name)
    closest = close_match(name, given.columns)
    hint = f"did you mean the column `{closest}`?" if closest else f"it has {listed(given.columns) or 'none'}"
    raise refusal("bad-table", f"`{given.name}` has no column `{name}`", span, "this table", hint)


def _cast(column: Column) -> Callable[[Value], Value] | None:
    if column.kind is None or column.kind.name in _KINDS:
        return None if column.kind is None else _KINDS[column.kind.name]
    closest = close_match(column.kind.name, _KINDS)
    hint = f"did you mean `{closest}`?" if closest else f"the kinds are {listed(_KINDS)}"
    raise refusal("bad-table", f"no column holds `{column.kind.name}`", column.kind.span, "not a kind of value", hint)


def _cell(cell: Value, cast: Callable[[Value], Value] | None, where: str, span: Span) -> Value:
    if cast is None or cell == "":
        return cell if cast is None else None
    value = cast(cell)
    if value is None:
        message = f"{where} has `{cell}` where another kind of value should be"
        raise refusal("bad-table", message, span, "this table", "correct the line, or let the column hold `string`")
    return value
