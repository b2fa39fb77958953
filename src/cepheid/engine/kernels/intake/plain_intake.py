"""Events that need no closer look: rows of a batch go into the log in one pass of machine code.

That is so where no part has a condition of its own, the key is one field for all parts, and keys and ids are whole
numbers or words without a null among them. All else is worked out column by column.
"""

from typing import Any

import numpy as np

from cepheid.algebra.expressions import Field
from cepheid.engine.kernels.columns.batches import Batch
from cepheid.engine.kernels.columns.columns import Column, Kind
from cepheid.engine.kernels.columns.intake_kernels import (
    WRITE_KEYED_TYPES,
    WRITE_ROWS_TYPES,
    write_keyed,
    write_rows,
)
from cepheid.engine.kernels.columns.key_numbers import WHOLE, WORD
from cepheid.engine.kernels.columns.words import Words
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Rows
from cepheid.engine.kernels.facts.shapes import Shape
from cepheid.engine.kernels.intake.event_log import EventLog
from cepheid.engine.kernels.intake.key_space import KeySpace

_NO_IDS, _NOWHERE = np.zeros(0, np.int64), np.zeros(0, np.int64)
Writing = tuple[Any, ...]  # what the kernels take: columns of a batch, and those of a log
_SPACES = {Kind.INT: WHOLE, Kind.TEXT: WORD}


class PlainIntake:
    """The way of such rows into the log of a rule, or of a family; `conditions`: parts may have some."""

    def __init__(self, shape: Shape, keys: KeySpace, words: Words, *, conditions: bool) -> None:
        self.keys, self.words = keys, words
        self.field = _key_field(shape)
        self.serves = self.field is not None and (conditions or all(part.where is None for part in shape.scanned))

    def take(self, batch: Batch, log: EventLog, rows: Rows, members: Data) -> bool:
        """Write rows into a log that has room for them, or say that they need a closer look.

        `members` says for every code of a type what an event of it can be.
        """
        ids, key = self._ids(batch, log), self._key(batch)
        if ids is None or (self.field and key is None) or not self.serves or log.ties is not None:
            return False
        own = log.ids.data if log.names_events else _NO_IDS
        position = batch.ids if isinstance(batch.ids, int) else 0
        kinds, times = batch.codes.view(np.uint32), np.ascontiguousarray(batch.times)
        writing = kinds, members, times, ids, position, log.time, log.member, own
        places, written = rows.view(np.uint32), None
        if key is None:
            log.key[0, log.top : log.top + len(rows)] = 0
            compiled(write_rows, WRITE_ROWS_TYPES)(places, log.top, *writing)
        else:
            written = self._write_keyed(batch, log, places, key, writing)
        log.put_fields(batch, rows, self.words, written)
        return True

    def _write_keyed(self, batch: Batch, log: EventLog, rows: Data, key: Column, writing: Writing) -> str | None:
        """Write rows and the numbers of their keys, and return the name of a field that was written with them."""
        field = log.plain_field(batch)
        name, source, target = (None, _NO_IDS, _NOWHERE) if field is None else field
        kernel, space = compiled(write_keyed, WRITE_KEYED_TYPES), _SPACES[key.kind]
        values = np.ascontiguousarray(key.data, np.int64)

        def write(first: int, *tables: Data) -> int:
            found: int = kernel(values, rows, space, first, *tables, log.top, log.key[0], *writing, source, target)
            return found

        self.keys.whole.let(write, len(rows))
        return name

    def _key(self, batch: Batch) -> Column | None:
        key = batch.column(self.field) if self.field else None
        return key if key is not None and key.kind in _SPACES and key.valid is None else None

    def _ids(self, batch: Batch, log: EventLog) -> Data | None:
        """Return the ids of a batch, none where they are positions; None where they are no numbers."""
        if batch.ties is not None or (log.names_events and not log.takes_numbers_as_ids()):
            return None
        if isinstance(batch.ids, int) or not log.names_events:
            return _NO_IDS
        plain = batch.ids.kind is Kind.INT and batch.ids.valid is None
        return np.ascontiguousarray(batch.ids.data) if plain else None


def _key_field(shape: Shape) -> str | None:
    """Return the field that is the key of all parts: nothing where there is no key, None where it is not one field."""
    found = set()
    for part in shape.scanned:
        match part.keys:
            case ():
                found.add("")
            case (Field(part=part.name, name=name),):
                found.add(name)
            case _:
                return None
    return found.pop() if len(found) == 1 else None
