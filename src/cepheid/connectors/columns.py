"""Which columns of the input say what an event is; all others are its fields."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Columns:
    """The names of the columns; `time` is when an event ended, and also when it started unless `start` says so.

    Without `id` an event is called by its position, counted from 1. `order_by` puts simultaneous events in order.
    `source` names the source that brings an event. The columns of type, time and start become the event's own; the
    others are fields too. Rows that have no type are of the type `otherwise`, where there is one. `expected` is a
    type that somebody looks for, which messages name.
    """

    type: str = "type"
    time: str = "time"
    start: str | None = None
    id: str | None = None
    order_by: tuple[str, ...] = ()
    source: str | None = None
    otherwise: str | None = None
    expected: str = field(default="Event", compare=False)

    @property
    def needed(self) -> tuple[str, ...]:
        """The columns without which there is no event."""
        type_ = self.type if self.otherwise is None else None
        return tuple(name for name in (type_, self.time, self.start, self.id, self.source) if name is not None)

    @property
    def own(self) -> frozenset[str]:
        """The columns that are no fields."""
        return frozenset(name for name in (self.type, self.time, self.start) if name is not None)

    @property
    def are_apart(self) -> bool:
        """Whether each of these columns has a name of its own."""
        names = [name for name in (self.type, self.time, self.start, self.id, self.source) if name is not None]
        return len(set(names)) == len(names)

    @property
    def has_more(self) -> bool:
        """Whether an event has more of its own than a type and a time."""
        return self.start is not None or self.id is not None or self.source is not None or bool(self.order_by)

    def option(self, name: str) -> str:
        """Return the option that sets the column, as it is called on the command line."""
        options = {self.type: "type", self.time: "time", self.start: "start", self.id: "id", self.source: "source"}
        return f"--{options[name]}-column"
