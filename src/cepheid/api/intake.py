"""What comes in is counted, and what is set aside is told."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from cepheid.connectors import AnyChunk, Chunk, Reject
from cepheid.diagnostics import CepheidError
from cepheid.engine import code_counts
from cepheid.events import Event


@dataclass(slots=True)
class Summary:
    """What a run has met so far: the events it took, by type, the matches it told, the rows it set aside, by code."""

    types: Counter[str] = field(default_factory=Counter)
    matches: int = 0
    rejects: Counter[str] = field(default_factory=Counter)

    @property
    def events(self) -> int:
        return self.types.total()

    @property
    def rejected(self) -> int:
        return self.rejects.total()


@dataclass(frozen=True, slots=True)
class LookedAt:
    """How many events of each type a chunk has, and what else was noticed."""

    counts: Counter[str]
    noticed: Any


class Intake:
    """Counts the events of a run by type, and hands on its rejects; if it is `strict`, the first one is an error."""

    def __init__(
        self,
        *,
        strict: bool,
        on_reject: Callable[[Reject], None] | None,
        heartbeat: str | None,
        on_chunk: Callable[[AnyChunk, Any], None] | None = None,
        look: Callable[[AnyChunk], Any] | None = None,
    ) -> None:
        self.summary = Summary()
        self.first_reject: Reject | None = None
        self._on_chunk, self._look = on_chunk, look
        self.strict, self.heartbeat = strict, heartbeat
        self._on_reject = on_reject
        self._muted = 0  # so many rows were told to be set aside, and are now read again

    def begin_again(self) -> None:
        """From now on the same input comes once more; what was set aside is not told a second time."""
        self._muted = self.summary.rejected
        self.summary.types, self.summary.rejects = Counter(), Counter()

    def note(self, chunk: AnyChunk) -> None:
        """Count the events of a chunk, and tell what was set aside."""
        self.note_looked_at(chunk, self.looked_at(chunk))

    def looked_at(self, chunk: AnyChunk) -> "LookedAt":
        """Return what takes a look at all events of a chunk; any thread may ask."""
        return LookedAt(self._counted(chunk), None if self._look is None else self._look(chunk))

    def _counted(self, chunk: AnyChunk) -> Counter[str]:
        if isinstance(chunk, Chunk):
            return Counter(event.type for event in chunk.events if event.type != self.heartbeat)
        return by_type(chunk.events.types if chunk.types is None else chunk.types)

    def note_looked_at(self, chunk: AnyChunk, seen: "LookedAt") -> None:
        """Note a chunk whose events were looked at already."""
        self.summary.types.update(seen.counts)
        if self._on_chunk is not None:
            self._on_chunk(chunk, seen.noticed)
        self.reject_all(chunk.rejects)

    def demand(self, chunk: AnyChunk) -> None:
        """Raise the first reject of a chunk as an error, if each is one."""
        if self.strict:
            self.reject_all(chunk.rejects)

    def reject_all(self, rejects: Sequence[Reject]) -> None:
        for reject in rejects:
            self.reject(reject)

    def reject(self, reject: Reject) -> None:
        """Count a row that was set aside, and tell of it."""
        if self.strict:
            raise CepheidError(reject.diagnostic)
        self.summary.rejects[reject.code] += 1
        self.first_reject = self.first_reject or reject
        self._muted -= 1
        if self._on_reject is not None and self._muted < 0:
            self._on_reject(reject)

    def uncount(self, event: Event) -> None:
        """Take back an event that was counted, and is set aside after all."""
        if event.type != self.heartbeat:
            self.summary.types[event.type] -= 1


def by_type(column: Any) -> Counter[str]:  # pyarrow has no types: an Array
    """Return how many events there are of each type."""
    types = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    counts = code_counts(np.asarray(types.indices), len(types.dictionary)).tolist()
    found: Counter[str] = Counter()
    for name, count in zip(types.dictionary.to_pylist(), counts, strict=True):  # which may stand there twice
        if count:
            found[name] += count
    return found
