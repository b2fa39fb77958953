"""Tables that a query looks things up in: rows, a frame, or the name of a file."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from cepheid.algebra.programs import Table
from cepheid.diagnostics import readable
from cepheid.events import Value
from cepheid.languages.shared.tables import NamedRows, comma_separated

if TYPE_CHECKING:
    from cepheid.connectors import ArrowStream

TableInput: TypeAlias = "Table | str | PathLike[str] | ArrowStream | Iterable[Sequence[Value]]"
Rows: TypeAlias = Table | NamedRows | list[Sequence[Value]]

_TEXTS = (".csv", ".txt", "")


def rows_of(tables: Mapping[str, TableInput]) -> dict[str, Rows]:
    """Return the rows of each table; what has names for its columns keeps them."""
    return {name: _rows(name, given) for name, given in tables.items()}


def _rows(name: str, given: TableInput) -> Rows:
    if isinstance(given, Table):
        return given
    if isinstance(given, str | PathLike):
        return _from_file(Path(given))
    from cepheid.connectors import ArrowStream, rows_of_frame  # Arrow is heavy, and most queries have no such tables

    if isinstance(given, ArrowStream):
        columns, rows = rows_of_frame(given, name)
        return NamedRows(name, columns, rows)
    return list(given)


def _from_file(path: Path) -> NamedRows:
    if path.suffix.lower() not in _TEXTS:
        from cepheid.connectors import rows_of_file

        columns, rows = rows_of_file(path)
        return NamedRows(str(path), columns, rows)
    with readable(str(path)):
        return comma_separated(str(path), path.read_text(encoding="utf-8-sig"))
