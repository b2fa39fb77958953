"""Tables that a query looks things up in: written in the text, in a file that it names, or given beside it.

table limits(kind, most) key 1 {("car", 100), ("truck", 60)}
table limits(kind, most) key 1 from "limits.csv"
table limits(kind, most) key 1

A column of a file whose cells are all numbers holds numbers; an empty cell is null.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from cepheid.algebra.expressions import Lookup
from cepheid.algebra.programs import Program, Row, Table
from cepheid.algebra.traversal import walk
from cepheid.diagnostics import CepheidError, Diagnostic, Label, Span, close_match
from cepheid.events import Value, cast_float, cast_int
from cepheid.languages.shared.files import Resolve, resolved
from cepheid.languages.shared.findings import listed
from cepheid.languages.shared.tables import NamedRows, comma_separated

Rows: TypeAlias = Table | NamedRows | Sequence[Sequence[Value]]


@dataclass(frozen=True, slots=True)
class TableText:
    """A table as it was read: with its rows, or with the file that they are in, or to be given."""

    table: Table
    file: str | None = None
    is_given: bool = False
    span: Span | None = None


def rows_of(name: str, text: TableText, given: Mapping[str, Rows], resolve: Resolve | None) -> Table:
    """Return a table with its rows; what is given beside the text comes before what the text says."""
    if name in given:
        return replace(text.table, rows=_rows(name, text.table.columns, given[name], text.span))
    if text.file is not None and text.span is not None:
        content = comma_separated(text.file, resolved(text.file, text.span, resolve))
        return replace(text.table, rows=_rows(name, text.table.columns, content, text.span))
    if text.is_given:
        hint = f'write its rows, `from "{name}.csv"`, or give them: `--table {name}={name}.csv`'
        raise _refusal(f"nothing says what is in `{name}`", text.span, "this table has no rows", hint)
    return text.table


def with_given(program: Program, given: Mapping[str, Rows]) -> Program:
    """Return a program that also has the tables that are given, and that its text looks things up in undeclared."""
    found = dict(program.tables)
    for lookup in (node for node in walk(program) if isinstance(node, Lookup) and node.table in given):
        if lookup.table not in found:
            rows = given[lookup.table]
            columns = rows.columns if isinstance(rows, Table | NamedRows) else _numbered(rows)
            found[lookup.table] = Table(columns, _rows(lookup.table, columns, rows, None), len(lookup.keys))
    return program if found == program.tables else replace(program, tables=found)


def _numbered(rows: Sequence[Sequence[Value]]) -> tuple[str, ...]:
    return tuple(f"arg{number}" for number in range(1, len(rows[0]) + 1)) if rows else ()


def _rows(name: str, columns: Sequence[str], given: Rows, span: Span | None) -> tuple[Row, ...]:
    if not isinstance(given, NamedRows):
        rows = tuple(tuple(row) for row in (given.rows if isinstance(given, Table) else given))
        wrong = next((row for row in rows if len(row) != len(columns)), None)
        if wrong is not None:
            message = f"a row of `{name}` has {len(wrong)} cells, and there are {len(columns)} columns"
            raise _refusal(message, span, "this table", "give every row a cell for each column")
        return rows
    places = [_place(column, given, span) for column in columns]
    lines = [_line(number, line, given, span) for number, line in enumerate(given.rows, start=2) if line]
    cells = [[line[place] for line in lines] for place in places]
    return tuple(zip(*(map(_read, cells) if given.texts else cells), strict=True))


def _place(column: str, given: NamedRows, span: Span | None) -> int:
    if column in given.columns:
        return given.columns.index(column)
    closest = close_match(column, given.columns)
    hint = f"did you mean the column `{closest}`?" if closest else f"it has {listed(given.columns) or 'none'}"
    raise _refusal(f"`{given.name}` has no column `{column}`", span, "this table", hint)


def _line(number: int, line: Sequence[Value], given: NamedRows, span: Span | None) -> Sequence[Value]:
    if len(line) != len(given.columns):
        message = f"line {number} of `{given.name}` has {len(line)} cells, and there are {len(given.columns)} columns"
        raise _refusal(message, span, "this table", "give every line a cell for each column")
    return line


def _read(cells: Iterable[Value]) -> list[Value]:
    """Return the cells of a column as numbers, where all of them are."""
    texts = [None if cell == "" else cell for cell in cells]
    for cast in (cast_int, cast_float):
        found = [None if text is None else _number(text, cast) for text in texts]
        if all(number is not None for number, text in zip(found, texts, strict=True) if text is not None):
            return found
    return texts


def _number(text: Value, cast: Callable[[Value], Value]) -> Value:
    plain = isinstance(text, str) and text.strip().lstrip("+-")[:1].isdigit()
    return cast(text) if plain else None


def _refusal(message: str, span: Span | None, label: str, hint: str) -> CepheidError:
    labels = () if span is None else (Label(span, label),)
    return CepheidError(Diagnostic("bad-table", message, labels, hints=(hint,)))
