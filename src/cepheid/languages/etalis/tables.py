"""Tables of background knowledge: facts of the text, rows that the caller gives, comma-separated values.

    near(dock, harbour).
    table limits(account, limit : float) from "limits.csv".

The first line of a file names its columns; a column whose kind is `int`, `float` or `bool` holds that, others texts.
"""

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from cepheid.algebra.programs import Row, Table
from cepheid.diagnostics import CepheidError, Span, close_match
from cepheid.events import Value, cast_bool, cast_float, cast_int
from cepheid.languages.etalis.background import close
from cepheid.languages.etalis.definitions import Definitions
from cepheid.languages.etalis.refusals import counted, listed, refusal
from cepheid.languages.etalis.rows import Relation
from cepheid.languages.etalis.syntax import Column, Fact, TableText
from cepheid.languages.shared.terms import Constant

Rows: TypeAlias = Table | Iterable[Sequence[Value]]
Resolve: TypeAlias = Callable[[str], str]
"""Returns the text of a file; raises `OSError` or `LookupError` where there is none."""

_KINDS: Final[Mapping[str, Callable[[Value], Value] | None]] = {
    "int": cast_int,
    "float": cast_float,
    "bool": cast_bool,
    "string": None,
}


def tables_of(definitions: Definitions, given: Mapping[str, Rows], resolve: Resolve | None) -> dict[str, Table]:
    """Return a table for every background predicate, with all rows that follow."""
    relations = {name: Relation() for name in sorted(definitions.background)}
    for fact in definitions.facts:
        relations[fact.head.predicate.name].add(_row(fact))
    for name, text in definitions.tables.items():
        for row in _rows(text, given, resolve, definitions):
            relations[name].add(row)
    close(relations, definitions.clauses)
    return {
        name: Table(_columns(name, definitions), relation.rows, definitions.arities[name])
        for name, relation in relations.items()
    }


def _columns(name: str, definitions: Definitions) -> tuple[str, ...]:
    if name in definitions.tables:
        return tuple(column.name.name for column in definitions.tables[name].columns)
    return tuple(f"arg{number}" for number in range(1, definitions.arities[name] + 1))


def _row(fact: Fact) -> Row:
    cells = []
    for argument in fact.head.arguments:
        if not isinstance(argument, Constant):
            message, label = f"a fact of `{fact.head.predicate.name}` says nothing definite", "not a constant"
            hint = 'write a constant here: `dock`, `"north"` or `12`; a rule for events goes on with `<-`'
            raise refusal("unbound-variable", message, argument.span, label, hint)
        cells.append(argument.value)
    return tuple(cells)


def _rows(
    text: TableText, given: Mapping[str, Rows], resolve: Resolve | None, definitions: Definitions
) -> Iterable[Row]:
    name = text.predicate.name
    if name in given:
        return _given(text, given[name])
    if text.file is not None:
        return _read(text, *text.file, resolve)
    heads = {fact.head.predicate.name for fact in definitions.facts}
    heads |= {clause.head.predicate.name for clause in definitions.clauses}
    if text.empty or name in heads:
        return ()
    raise _missing(text)


def _given(text: TableText, rows: Rows) -> tuple[Row, ...]:
    found = rows.rows if isinstance(rows, Table) else tuple(tuple(row) for row in rows)
    for row in found:
        if len(row) != len(text.columns):
            message = f"a row that was given for `{text.predicate.name}` has {counted(len(row), 'cell')}"
            label = f"it has {counted(len(text.columns), 'column')}"
            raise refusal("bad-table", message, text.predicate.span, label, "give every row a cell for each column")
    return found


def _read(text: TableText, file: str, span: Span, resolve: Resolve | None) -> tuple[Row, ...]:
    lines = list(csv.reader(_resolved(file, span, resolve).lstrip("\ufeff").splitlines()))
    header = [name.strip() for name in lines[0]] if lines else []
    places = [_place(column, header, file, span) for column in text.columns]
    casts = [_cast(column) for column in text.columns]
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        if line and len(line) != len(header):
            message = f"line {number} of `{file}` has {len(line)} columns, and the first line has {len(header)}"
            raise refusal("bad-table", message, span, "this file", "give every line as many columns as the first")
        if line:
            cells = zip((line[place] for place in places), casts, strict=True)
            rows.append(tuple(_cell(cell, cast, number, file, span) for cell, cast in cells))
    return tuple(rows)


def _place(column: Column, header: Sequence[str], file: str, span: Span) -> int:
    name = column.name.name
    if name in header:
        return header.index(name)
    closest = close_match(name, header)
    hint = f"did you mean the column `{closest}`?" if closest else f"its first line names {listed(header) or 'none'}"
    raise refusal("bad-table", f"`{file}` has no column `{name}`", span, "this file", hint)


def _cast(column: Column) -> Callable[[Value], Value] | None:
    if column.kind is None:
        return None
    if column.kind.name in _KINDS:
        return _KINDS[column.kind.name]
    closest = close_match(column.kind.name, _KINDS)
    hint = f"did you mean `{closest}`?" if closest else f"the kinds are {listed(_KINDS)}"
    message = f"no column holds `{column.kind.name}`"
    raise refusal("bad-table", message, column.kind.span, "not a kind of value", hint)


def _cell(text: str, cast: Callable[[Value], Value] | None, line: int, file: str, span: Span) -> Value:
    if cast is None or not text:
        return text if cast is None else None
    value = cast(text)
    if value is None:
        message = f"line {line} of `{file}` has `{text}` where another kind of value should be"
        raise refusal("bad-table", message, span, "this file", "correct the line, or let the column hold `string`")
    return value


def _resolved(file: str, span: Span, resolve: Resolve | None) -> str:
    if resolve is None:
        message, label = f"`{file}` cannot be read: nothing says where files are", "a file is named here"
        raise refusal("unresolved-file", message, span, label, "call `parse(text, resolve=read_file)`")
    try:
        return resolve(file)
    except (OSError, LookupError, UnicodeDecodeError):
        message, label = f"`{file}` cannot be read", "named here"
        raise refusal("unresolved-file", message, span, label, "check the name of the file") from None


def _missing(text: TableText) -> CepheidError:
    name = text.predicate.name
    message, label = f"the table `{name}` has no rows", "nothing says what is in it"
    hints = (
        f'read them from a file: `table {name}(...) from "{name}.csv".`',
        f"give them: `tables={{{name!r}: rows}}`",
    )
    return refusal("missing-table", message, text.predicate.span, label, *hints)
