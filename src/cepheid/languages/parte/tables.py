"""Tables that rules look things up in: given by the caller, written in the text, or read from comma-separated values.

    table common_routes(originator, destination) from "routes.csv"
    table limits(account) gives limit : Float = [["A", 100.0], ["B", 20.0]]

The columns in parentheses are those that are looked up. The first line of a file names its columns; a column whose type
is `Integer`, `Float` or `Boolean` holds that, any other one holds texts.
"""

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from cepheid.algebra.programs import Row, Table
from cepheid.diagnostics import CepheidError, Span, close_match
from cepheid.events import Value, cast_bool, cast_float, cast_int
from cepheid.languages.parte.kinds import BOOLEAN, FLOAT, INTEGER, Kind, declared_kind
from cepheid.languages.parte.loading import Resolve, resolved
from cepheid.languages.parte.refusals import listed, refusal
from cepheid.languages.parte.syntax import TableText

Rows: TypeAlias = Table | Iterable[Sequence[Value]]

_CASTS: Final[Mapping[Kind, Callable[[Value], Value]]] = {INTEGER: cast_int, FLOAT: cast_float, BOOLEAN: cast_bool}


def table_of(text: TableText, given: Mapping[str, Rows], resolve: Resolve | None) -> Table:
    """Return a table with its rows; what the caller gives comes before what the text says."""
    name = text.name.name
    if name in given:
        rows = _given(text, given[name])
    elif text.rows is not None:
        rows = _written(text, *text.rows)
    elif text.file is not None:
        rows = _read(text, *text.file, resolve)
    else:
        raise _missing(text)
    return Table(_columns(text), rows, len(text.keys))


def _columns(text: TableText) -> tuple[str, ...]:
    return tuple(slot.name.name for slot in text.columns)


def _given(text: TableText, rows: Rows) -> tuple[Row, ...]:
    found = rows.rows if isinstance(rows, Table) else tuple(tuple(row) for row in rows)
    for row in found:
        if len(row) != len(text.columns):
            raise _wrong_length(text, text.name.span, f"a row that was given for `{text.name.name}`", len(row))
    return found


def _written(text: TableText, rows: Value, span: Span) -> tuple[Row, ...]:
    if not isinstance(rows, tuple):
        message, label = f"the rows of `{text.name.name}` are no list", "not a list of rows"
        raise refusal("bad-table", message, span, label, f"write `= [{_example(text)}]`")
    found = tuple(row if isinstance(row, tuple) else (row,) for row in rows)
    for row in found:
        if len(row) != len(text.columns):
            raise _wrong_length(text, span, f"a row of `{text.name.name}`", len(row))
    return found


def _read(text: TableText, file: str, span: Span, resolve: Resolve | None) -> tuple[Row, ...]:
    lines = list(csv.reader(resolved(file, span, resolve).lstrip("\ufeff").splitlines()))
    header = [name.strip() for name in lines[0]] if lines else []
    places = [_place(slot.name.name, header, file, span) for slot in text.columns]
    kinds = [declared_kind(slot.type) for slot in text.columns]
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        if len(line) != len(header) and line:
            message = f"line {number} of `{file}` has {len(line)} columns, and the first line has {len(header)}"
            raise refusal("bad-table", message, span, "this file", "give every line as many columns as the first")
        if line:
            cells = [line[place] for place in places]
            rows.append(tuple(_cell(cell, kind, number, file, span) for cell, kind in zip(cells, kinds, strict=True)))
    return tuple(rows)


def _place(column: str, header: Sequence[str], file: str, span: Span) -> int:
    if column in header:
        return header.index(column)
    closest = close_match(column, header)
    hint = f"did you mean the column `{closest}`?" if closest else f"its first line names {listed(header) or 'none'}"
    message = f"`{file}` has no column `{column}`"
    raise refusal("bad-table", message, span, "this file", hint)


def _cell(text: str, kind: Kind, line: int, file: str, span: Span) -> Value:
    if kind not in _CASTS or not text:
        return text if kind not in _CASTS else None
    value = _CASTS[kind](text)
    if value is None:
        message = f"line {line} of `{file}` has `{text}` where {kind} should be"
        raise refusal("bad-table", message, span, "this file", "correct the line, or declare the column as `String`")
    return value


def _wrong_length(text: TableText, span: Span, what: str, length: int) -> CepheidError:
    count = len(text.columns)
    message = f"{what} has {length} of {count} columns"
    label = f"its columns are {listed(_columns(text))}"
    return refusal("bad-table", message, span, label, f"write rows like `{_example(text)}`")


def _example(text: TableText) -> str:
    cells = ", ".join(f'"{letter}"' for letter in "abcdefgh"[: len(text.columns)])
    return f"[{cells}]"


def _missing(text: TableText) -> CepheidError:
    name = text.name.name
    message, label = f"the table `{name}` has no rows", "nothing says what is in it"
    hints = (f'read them from a file: `table {name}(...) from "{name}.csv"`', f"give them: `tables={{{name!r}: rows}}`")
    return refusal("missing-table", message, text.name.span, label, *hints)
