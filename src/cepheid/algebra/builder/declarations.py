"""What is known beforehand: how often events come and how late, and tables to look things up in."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from cepheid.algebra.builder.times import Length, ticks
from cepheid.algebra.programs import Arrival, Row, Stream, Table
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.events import Value

TableLike: TypeAlias = Table | Mapping[Value, Value] | Sequence[Mapping[str, Value]]

MOST_DIGITS = 18
_RATE = re.compile(r"\s*(?P<count>\d+)\s*(?:/|per\b)\s*(?P<per>\S.*)")


def declare(
    name: str,
    *,
    rate: str | None = None,
    every: Length | None = None,
    disorder: Length = 0,
    sources: Iterable[str] = (),
    keys: int | None = None,
) -> Stream:
    """Events of a type come at most so often (`rate="5/s"`) or so far apart (`every="10 ms"`), and at most so late.

    `sources` names where they come from, `keys` is the most values their key has.
    """
    if rate is not None and every is not None:
        raise _two_rates(name)
    arrival = None if rate is None else arrival_of(rate)
    if every is not None:
        arrival = Arrival(1, ticks(every), spaced=True)
    return Stream(name, arrival, ticks(disorder), tuple(sources), keys)


def table(columns: Sequence[str], rows: Iterable[Sequence[Value]], *, keys: int = 1) -> Table:
    """A table whose rows are looked up by their first `keys` columns."""
    found = tuple(tuple(row) for row in rows)
    for place, row in enumerate(found):
        if len(row) != len(columns):
            raise _bad_table(f"row {place + 1} has {len(row)} of {len(columns)} columns")
    if not 1 <= keys <= len(columns):
        raise _bad_table(f"a table of {len(columns)} columns cannot be looked up by {keys} of them")
    return Table(tuple(columns), found, keys)


def table_of(content: TableLike) -> Table:
    """Return what a user gives as a table: one, or records whose first field is the key, or a mapping.

    >>> table_of({"pear": 3}).columns, table_of([{"item": "pear", "price": 3}]).rows
    (('key', 'value'), (('pear', 3),))
    """
    if isinstance(content, Table):
        return content
    if isinstance(content, Mapping):
        return _table_of_mapping(content)
    columns = tuple(content[0]) if content else ("key",)
    return table(columns, [_cells(record, columns) for record in content])


def _table_of_mapping(content: Mapping[Value, Value]) -> Table:
    """Return keys and what they stand for: a value, or a record with a column for each field."""
    records = [value for value in content.values() if isinstance(value, Mapping)]
    if not records:
        return table(("key", "value"), content.items())
    columns = tuple(records[0])
    rows: list[Row] = [(key, *_cells(value, columns)) for key, value in content.items()]
    return table(("key", *columns), rows)


def _cells(record: Value, columns: Sequence[str]) -> Row:
    if not isinstance(record, Mapping) or set(record) != set(columns):
        raise _bad_table(f"`{record!r}` has other columns than the first row")
    return tuple(record[column] for column in columns)


def arrival_of(rate: str) -> Arrival:
    """Return the arrival that a text says, such as `5/s`."""
    found = _RATE.fullmatch(rate)
    if found is None or len(found["count"]) > MOST_DIGITS or int(found["count"]) < 1:
        raise _bad_rate(rate)
    per = found["per"] if found["per"][0].isdigit() else f"1 {found['per']}"
    return Arrival(int(found["count"]), ticks(per))


def _bad_rate(rate: str) -> CepheidError:
    hint = "write how many in which time, for example `5/s` or `10 per 100 ms`"
    return CepheidError(Diagnostic("bad-rate", f"`{rate}` is not a rate", hints=(hint,)))


def _two_rates(name: str) -> CepheidError:
    message = f"`rate` and `every` both say how often `{name}` comes"
    hint = "keep `rate` for a number of events in a time, or `every` for the least time between two"
    return CepheidError(Diagnostic("conflicting-options", message, hints=(hint,)))


def _bad_table(message: str) -> CepheidError:
    hint = 'write `table(["item", "price"], [("pear", 3)], keys=1)`'
    return CepheidError(Diagnostic("bad-table", message, hints=(hint,)))
