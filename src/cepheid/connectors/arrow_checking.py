"""What comes from outside as Arrow is checked before anybody looks into it.

A changed offset, a length that is too large or an index that leads nowhere would otherwise end the process. Text that
is no UTF-8 costs only the rows that hold it, and a number that its type does not allow costs nothing.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import types

from cepheid.connectors.byte_streams import readable
from cepheid.connectors.rejects import Refused
from cepheid.connectors.view_columns import without_views
from cepheid.diagnostics import DataPlace, Diagnostic, unreadable

Bad = dict[int, Refused]


def names_of(schema: Any, source: str) -> list[str]:  # pyarrow has no types: a Schema
    """Return the names of the columns, or refuse an input in which one is no text."""
    try:
        return list(schema.names)
    except UnicodeDecodeError:
        raise unreadable(source, "the name of a column is not UTF-8", "give it another name") from None


def each_of(batches: Iterable[Any], source: str) -> Iterator[Any]:
    """Yield record batches as long as they can be read."""
    remaining = iter(batches)
    while True:
        with readable(source):
            batch = next(remaining, None)
        if batch is None:
            return
        yield batch


def checked(batch: Any, source: str) -> tuple[Any, Bad]:  # record batches
    """Return a batch that is safe to look into, and the reasons to refuse some of its rows."""
    try:
        batch.validate()
        for column in batch.columns:
            if not _is_plainly_sound(column):
                column.validate(full=True)
    except pa.ArrowException:
        return _checked_by_column(batch, source)
    return without_views(batch), {}


def _is_plainly_sound(column: Any) -> bool:
    """Say whether a look is enough: at numbers, and at codes of a dictionary without nulls."""
    kind = column.type
    if types.is_integer(kind) or types.is_floating(kind) or types.is_timestamp(kind):
        return True
    if not types.is_dictionary(kind) or kind.index_type != pa.int32() or column.null_count or not len(column):
        return False
    column.dictionary.validate(full=True)
    # A negative code is a very large one here.
    return int(np.asarray(column.indices).view(np.uint32).max()) < len(column.dictionary)


def _checked_by_column(batch: Any, source: str) -> tuple[Any, Bad]:
    bad: Bad = {}
    columns = [_checked_column(batch.column(index), name, source, bad) for index, name in enumerate(batch.schema.names)]
    return without_views(pa.RecordBatch.from_arrays(columns, names=batch.schema.names)), bad


def _checked_column(column: Any, name: str, source: str, bad: Bad) -> Any:
    try:
        column.validate(full=not (types.is_primitive(column.type) or types.is_decimal(column.type)))
    except pa.ArrowException as error:
        if not (types.is_string(column.type) or types.is_large_string(column.type)):
            raise _broken(source, name, error) from None
    else:
        return column
    try:
        bytes_ = column.view(pa.binary() if types.is_string(column.type) else pa.large_binary())
        bytes_.validate(full=True)
    except pa.ArrowException as error:
        raise _broken(source, name, error) from None
    return pa.array([_text(value, row, name, bad) for row, value in enumerate(bytes_.to_pylist())], column.type)


def _text(value: bytes | None, row: int, name: str, bad: Bad) -> str | None:
    try:
        return None if value is None else value.decode()
    except UnicodeDecodeError:
        hints, place = ("write it as UTF-8",), DataPlace(path=(name,))
        bad[row] = Refused(Diagnostic("bad-event", "this text is not UTF-8", hints=hints, place=place))
        return None


def _broken(source: str, name: str, error: Exception) -> Exception:
    reason = str(error).partition("\n")[0].rstrip(".") or "no reason is given"
    return unreadable(source, f"the column `{name}` is broken: {reason[0].lower()}{reason[1:]}")
