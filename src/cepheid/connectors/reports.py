"""Matches as users get them: with times in the form in which the input had them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

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


def report(match: Match, form: Form) -> Report:
    """Return a match with its times in a form.

    >>> report(Match("Alarm", 1_000_000, 2_500_000, known=3_000_000), "s").end
    2.5
    """
    known = None if match.known is None or match.known == MAX_TIME else show_time(match.known, form)
    start, end = show_time(match.start, form), show_time(match.end, form)
    return Report(match.name, start, end, known, match.values, match.evidence, match=match)
