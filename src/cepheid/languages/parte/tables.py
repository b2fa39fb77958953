"""Tables that rules look things up in: given by the caller, written in the text, or read from comma-separated values.

    table common_routes(originator, destination) from "routes.csv"
    table limits(account) gives limit : Float = [["A", 100.0], ["B", 20.0]]

The columns in parentheses are those that are looked up. The first line of a file names its columns; a column whose type
is `Integer`, `Float` or `Boolean` holds that, any other one holds texts.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from cepheid.algebra.programs import Row, Table
from cepheid.diagnostics import CepheidError, Span, close_match
from cepheid.events import Value, cast_bool, cast_float, cast_int
from cepheid.languages.parte.kinds import BOOLEAN, FLOAT, INTEGER, Kind, declared_kind
from cepheid.languages.parte.syntax import TableText
from cepheid.languages.shared.files import Resolve, resolved
from cepheid.languages.shared.findings import listed, refusal
from cepheid.languages.shared.tables import NamedRows, comma_separated

Rows: TypeAlias = Table | NamedRows | Iterable[Sequence[Value]]

_CASTS: Final[Mapping[Kind, Callable[[Value], Value]]] = {INTEGER: cast_int, FLOAT: cast_float, BOOLEAN: cast_bool}


def table_of(text: TableText, given: Mapping[str, Rows], resolve: Resolve | None) -> Table:
    """Return a table with its rows; what the caller gives comes before what the text says."""
    name = text.name.name
    found = given.get(name)
    if isinstance(found, NamedRows):
        rows = _placed(text, found, text.name.span)
    elif found is not None:
        rows = _given(text, found)
    elif text.rows is not None:
        rows = _written(text, *text.rows)
    elif text.file is not None:
        file, span = text.file
        rows = _placed(text, comma_separated(file, resolved(file, span, resolve)), span)
    else:
        raise _missing(text)
    return Table(_columns(text), rows, len(text.keys))


def _columns(text: TableText) -> tuple[str, ...]:
    return tuple(slot.name.name for slot in text.columns)


def _given(text: TableText, rows: Table | Iterable[Sequence[Value]]) -> tuple[Row, ...]:
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


def _placed(text: TableText, given: NamedRows, span: Span) -> tuple[Row, ...]:
    """Return the rows with their columns in the order in which the table declares them."""
    places = [_place(slot.name.name, given, span) for slot in text.columns]
    kinds = [declared_kind(slot.type) for slot in text.columns]
    rows = []
    for number, line in enumerate(given.rows, start=2):
        if len(line) != len(given.columns) and line:
            message = (
                f"line {number} of `{given.name}` has {len(line)} columns, and the first line has {len(given.columns)}"
            )
            raise refusal("bad-table", message, span, "this file", "give every line as many columns as the first")
        if line:
            cells = [line[place] for place in places]
            rows.append(tuple(_cell(one, kind, number, given, span) for one, kind in zip(cells, kinds, strict=True)))
    return tuple(rows)


def _place(column: str, given: NamedRows, span: Span) -> int:
    if column in given.columns:
        return given.columns.index(column)
    closest = close_match(column, given.columns)
    named = listed(given.columns) or "none"
    hint = f"did you mean the column `{closest}`?" if closest else f"its first line names {named}"
    message = f"`{given.name}` has no column `{column}`"
    raise refusal("bad-table", message, span, "this file", hint)


def _cell(cell: Value, kind: Kind, line: int, given: NamedRows, span: Span) -> Value:
    if not given.texts or not isinstance(cell, str) or kind not in _CASTS:
        return cell
    if not cell:
        return None
    value = _CASTS[kind](cell)
    if value is None:
        message = f"line {line} of `{given.name}` has `{cell}` where {kind} should be"
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
    hints = (
        f'read them from a file: `table {name}(a, b) from "{name}.csv"`',
        f"give them: `tables={{{name!r}: rows}}`",
    )
    return refusal("missing-table", message, text.name.span, label, *hints)
