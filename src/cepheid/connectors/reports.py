"""Matches as users get them: with times in the form in which the input had them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cepheid.algebra.match_pages import page_of_match
from cepheid.algebra.matches import Match
from cepheid.events import MAX_TIME, EventId, Form, Time, Value, show_time


@dataclass(slots=True)  # to freeze it would take as long as all else that is done for an object
class Report:
    """A match: its name, where it lies in time, its values, and the ids of the events it is made of.

    `known` is the time at which it became certain, None where only the end of the input made it so. `id` is the same
    whenever the same query meets the same events.
    """

    name: str
    start: Time
    end: Time
    known: Time | None
    values: Mapping[str, Value]
    evidence: tuple[EventId, ...]
    id: str = ""
    match: Match | None = field(default=None, compare=False, repr=False)
    """Where the id is not known yet: what it is the id of."""

    def __post_init__(self) -> None:
        if self.match is not None:
            del self.id

    if not TYPE_CHECKING:  # which would take any name for an attribute

        def __getattr__(self, name: str) -> str:
            # Python asks here only for what is not set.
            if name != "id" or self.match is None:
                raise AttributeError(name)
            self.id = self.match.id
            return self.id

    def to_dict(self) -> dict[str, object]:
        """Return the match as it is written."""
        return {
            "match": self.name,
            "start": self.start,
            "end": self.end,
            "known": self.known,
            "values": dict(self.values),
            "evidence": list(self.evidence),
            "id": self.id,
        }

    def _repr_html_(self) -> str:
        """Return the match as a notebook shows it: where it lies in time, and what it says."""
        return page_of_match(self.name, (self.start, self.end, self.known), self.values, self.evidence, self.id)


def reports(matches: Sequence[Match], form: Form) -> list[Report]:
    """Return matches with their times in a form; most of those that are found together end together.

    >>> reports([Match("Alarm", 1_000_000, 2_500_000, known=3_000_000)], "s")[0].end
    2.5
    """
    found = []
    last: int | None = None
    end: Time = 0
    for match in matches:
        if match.end != last:
            last, end = match.end, show_time(match.end, form)
        made = Report.__new__(Report)  # without an id, which the match says to who asks for it
        made.name, made.start, made.end = match.name, show_time(match.start, form), end
        made.known = end if match.known == last else _shown(match.known, form)
        made.values, made.evidence, made.match = match.values, match.evidence, match
        found.append(made)
    return found


def _shown(known: int | None, form: Form) -> Time | None:
    return None if known is None or known == MAX_TIME else show_time(known, form)
