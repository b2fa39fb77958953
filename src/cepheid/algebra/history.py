"""What a rule sees: events in the total order, and tables to look things up in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from cepheid.algebra.evaluation import Scope
from cepheid.algebra.instances import Instance, of_event, scope_of
from cepheid.algebra.programs import Table
from cepheid.events import Event


@dataclass(frozen=True, slots=True)
class History:
    """The events that a rule sees, in the total order, and what it may look up."""

    events: Sequence[Event]
    tables: Mapping[str, Table] = field(default_factory=dict)

    def records(self) -> Iterator[Instance]:
        return (of_event(event, position) for position, event in enumerate(self.events))

    def scope(self, instance: Instance, **more: Instance) -> Scope:
        return scope_of(instance, self.tables, **more)
