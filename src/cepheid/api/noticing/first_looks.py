"""What a detector notices about the first events of each type: whatever is pushed after them takes no longer for it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from cepheid.algebra.programs import Program
from cepheid.analysis.plans.inputs import input_types
from cepheid.api.intake import by_type
from cepheid.api.noticing.watch import Watch
from cepheid.connectors import EventColumns, Form
from cepheid.diagnostics import Diagnostic
from cepheid.events import Event

MOST = 1000
"""So many events of each type are looked at."""
_AT_ONCE = 100


@dataclass(slots=True)
class FirstLooks:
    """Looks at the first events of each type that a program reads; `left` says of which types more are looked at."""

    program: Program
    left: dict[str, int] = field(init=False)
    _watch: Watch | None = None
    _rows: list[Event] = field(default_factory=list)
    _seen: Counter[str] = field(default_factory=Counter)
    _columns: dict[str, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.left = dict.fromkeys(input_types(self.program), MOST)

    def take(self, event: Event) -> None:
        """Keep an event of such a type until there are some to look at."""
        self._count(event.type, 1)
        self._rows.append(event)
        if len(self._rows) >= _AT_ONCE:
            self._look()

    def take_columns(self, events: EventColumns) -> None:
        """Look at columns of events, as long as there are types to look at."""
        if not self.left or not len(events):
            return
        watch = self._look()
        watch.look_at_columns(events)
        self._columns.update(dict.fromkeys(events.fields))
        for type_, count in by_type(events.types).items():
            if type_ in self.left:
                self._count(type_, count)
        self._rest(watch)

    def warnings(self, form: Form) -> Iterator[Diagnostic]:
        """Yield what looks like a mistake so far."""
        if not self._seen:
            return iter(())
        of_first = self._seen.keys() - self.left.keys()
        return self._look().warnings_of_first(self._seen, of_first, form, tuple(self._columns))

    def _count(self, type_: str, count: int) -> None:
        self._seen[type_] += count
        self.left[type_] -= count
        if self.left[type_] <= 0:
            del self.left[type_]

    def _look(self) -> Watch:
        if self._watch is None:
            self._watch = Watch.over(self.program)
        if self._rows:
            self._watch.look_at_rows(self._rows)
            self._rows = []
            self._rest(self._watch)
        return self._watch

    def _rest(self, watch: Watch) -> None:
        """Look no longer, where everything was seen that could be missing."""
        if not watch.is_looking:
            self.left.clear()
