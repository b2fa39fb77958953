"""What a rule sees: events in the total order, and tables to look things up in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from cepheid.algebra.evaluation import Scope
from cepheid.algebra.instances import Ground, Instance, of_event, scope_of
from cepheid.algebra.programs import Table
from cepheid.events import Event, EventId


@dataclass(frozen=True, slots=True)
class History:
    """The events that a rule sees, in the total order, and what it may look up.

    `grounds` says what derived events rest on; `horizon` is how far the input has come: schedules run until then.
    """

    events: Sequence[Event]
    tables: Mapping[str, Table] = field(default_factory=dict)
    grounds: Mapping[EventId, frozenset[Ground]] = field(default_factory=dict)
    horizon: int | None = None

    def records(self) -> Iterator[Instance]:
        return (
            of_event(event, position, self.grounds.get(event.id) if event.derived else None)
            for position, event in enumerate(self.events)
        )

    def scope(self, instance: Instance, **more: Instance) -> Scope:
        return scope_of(instance, self.tables, **more)
