"""Finite input in parts that are read by the threads that look for matches in them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from cepheid.api.intake import Intake, LookedAt
from cepheid.connectors import (
    AnyChunk,
    EventColumns,
    UnreadPart,
    are_in_order,
    in_columns,
    in_order_of_time,
    not_in_order,
)


class PartReader:
    """Reads the first parts of an input; the rest is handed on unread, in blocks."""

    def __init__(self, parts: Iterator[UnreadPart]) -> None:
        self._parts = parts
        self._begun: Iterator[AnyChunk] = iter(())  # what is left of a part
        self._count = 0  # rows of it

    def may_be_left_unread(self, rows: int) -> bool:
        """Say whether the first part need not be read before all others, so many rows together."""
        first = next(self._parts, None)
        if first is None:
            return False
        self._parts = chain((first,), self._parts)
        return first.need_not_be_first(rows)

    def chunks(self) -> Iterator[AnyChunk]:
        """Yield the chunks of one part after the other, as long as they are asked for."""
        while True:
            yield from self._begun
            part = next(self._parts, None)
            if part is None:
                return
            self._begun, self._count = part.chunks(), len(part)

    def blocks(self, first: Sequence[AnyChunk], how: "How", rows: int) -> Iterator["UnreadBlock"]:
        """Yield what was read first with the rest of its part, and all other parts, so many rows at least together."""
        held: list[_Unread] = [_Unread([*first], self._begun)]
        self._begun, count = iter(()), self._count
        try:
            for part in self._parts:
                if count >= rows:
                    yield UnreadBlock(held, how)
                    held, count = [], 0
                own = part.apart()
                held.append(_Unread([], own.chunks(), own.settle))
                count += len(part)
        except Exception as error:  # noqa: BLE001  # whatever it is, it is raised again
            yield UnreadBlock(held, how, error)
        else:
            yield UnreadBlock(held, how)


@dataclass(slots=True)
class How:
    """How blocks are read: which fields of rows, where what is met is noted, and whether parts are in order.

    Where they are not, each is put in order for itself, and none may begin before the `last` event of another.
    """

    fields: frozenset[str]
    intake: Intake
    name: str
    in_order: bool
    last: int | None = None

    def follow(self, pieces: Iterable[EventColumns]) -> None:
        """Note the ends of a part, after all parts before it."""
        for piece in () if self.in_order else pieces:
            if self.last is not None and piece.ends[0] < self.last:
                raise not_in_order(self.name)
            self.last = int(piece.ends[-1])


@dataclass(slots=True)
class _Unread:
    """What was read of a part, and the rest of it."""

    read: list[AnyChunk]
    rest: Iterator[AnyChunk]
    settle: Callable[[], None] = lambda: None
    seen: list[LookedAt] = field(default_factory=list)

    def pieces(self, how: How) -> Iterator[EventColumns]:
        """Yield the events as they stand there; no more than those before what cannot be read."""
        read, self.read = self.read, []
        for chunk in chain(read, self.rest):
            how.intake.demand(chunk)
            events = in_columns(chunk, how.fields).events
            self.read.append(chunk)
            self.seen.append(how.intake.looked_at(chunk))
            if len(events):
                yield events


class UnreadBlock:
    """Some parts of an input, one after the other."""

    def __init__(self, parts: list[_Unread], how: How, error: Exception | None = None) -> None:
        self._parts, self._how, self.error = parts, how, error
        self._pieces: list[list[EventColumns]] = []

    def read(self) -> list[EventColumns]:
        """Return the events in order, up to what cannot be read."""
        for part in self._parts:
            own: list[EventColumns] = []
            self._pieces.append(own)
            try:
                for piece in part.pieces(self._how):
                    own.append(piece)  # noqa: PERF402  # what came before an error stays
            except Exception as error:  # noqa: BLE001  # whatever it is, it is raised again
                self.error = error
                break
            finally:
                if not self._how.in_order and not are_in_order(own):
                    own[:] = [in_order_of_time(own)]
        return [piece for own in self._pieces for piece in own]

    def note(self) -> None:
        """Count the events, and tell of what was set aside; refuse what does not follow what came before it."""
        for part, own in zip(self._parts, self._pieces, strict=False):
            part.settle()
            for chunk, seen in zip(part.read, part.seen, strict=True):
                self._how.intake.note_looked_at(chunk, seen)
            self._how.follow(own)
        self._parts, self._pieces = [], []
