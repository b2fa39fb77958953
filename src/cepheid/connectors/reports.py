"""Matches as users get them: with times in the form in which the input had them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cepheid.algebra.match_pages import page_of_match
from cepheid.algebra.matches import Match
from cepheid.events import MAX_TIME, TICKS_PER_UNIT, EventId, Form, Time, Value, show_time


@dataclass(slots=True, init=False)  # to freeze it would take as long as all else that is done for an object
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

    def __init__(
        self,
        name: str,
        start: Time,
        end: Time,
        known: Time | None,
        values: Mapping[str, Value],
        evidence: tuple[EventId, ...],
        id: str = "",  # noqa: A002  # as it is called
        match: Match | None = None,
    ) -> None:
        self.name, self.start, self.end = name, start, end
        self.known, self.values, self.evidence = known, values, evidence
        self.match = match
        if match is None:
            self.id = id

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
    scale = TICKS_PER_UNIT.get(form)  # type: ignore[arg-type]  # a calendar has none
    found = []
    last: int | None = None
    end: Time = 0
    for match in matches:
        start, stop, known = match.start, match.end, match.known
        if stop != last:
            last, end = stop, show_time(stop, form)
        made = Report.__new__(Report)  # without an id, which the match says to who asks for it
        made.name, made.match, made.end = match.name, match, end
        # What `show_time` says, for the most common of its answers.
        made.start = start // scale if scale is not None and not start % scale else show_time(start, form)
        made.known = end if known == stop else _shown(known, form)
        made.values, made.evidence = match.values, match.evidence
        found.append(made)
    return found


def _shown(known: int | None, form: Form) -> Time | None:
    return None if known is None or known == MAX_TIME else show_time(known, form)
