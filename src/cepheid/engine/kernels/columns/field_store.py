"""Rows that also say something: beside their arrays they have fields, whose values are of any kind."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cepheid.engine.kernels.columns.log_column import LogColumn
from cepheid.engine.kernels.columns.packing import Kept
from cepheid.engine.kernels.columns.row_store import ByRow, RowStore
from cepheid.engine.kernels.columns.state_bytes import Entry, named, under
from cepheid.engine.kernels.compiling.typed_arrays import Rows


class FieldStore(RowStore):
    """Rows with `fields`; `columns` are these and others of their kind, under the names by which they are written."""

    def __init__(self, fields: Iterable[str], room: int | None = None, **arrays: ByRow) -> None:
        super().__init__(room, **arrays)
        self.fields = {name: LogColumn(self.room) for name in fields}
        self.columns = {f"field {name}": column for name, column in self.fields.items()}

    def _own_columns(self) -> Sequence[LogColumn]:
        """Return the columns whose values are nowhere else."""
        return list(self.columns.values())

    @property
    def bytes_of_a_row(self) -> int:
        """How much memory a row takes; what objects take is not known."""
        return super().bytes_of_a_row + sum(column.data.nbytes for column in self._own_columns()) // self.room

    def keep(self, kept: Kept, room: int | None = None) -> None:
        own = self._own_columns()
        super().keep(kept, room)
        for column in own:
            column.resize(kept, self.room)

    def arrange(self, first: int, order: Rows) -> None:
        super().arrange(first, order)
        for column in self._own_columns():
            column.arrange(slice(first, first + len(order)), order)

    def written(self) -> dict[str, Entry]:
        entries = super().written()
        for name, column in self.columns.items():
            entries |= named(name, column.written(self.top))
        return entries

    def take_up(self, entries: Mapping[str, Any], keys: int = 1) -> None:
        super().take_up(entries, keys)
        for name, column in self.columns.items():
            column.take_up(under(name, entries), self.room)
