"""What a rule found: where it lies in time, what it says, what it is made of, and which one it is."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from cepheid.algebra.match_pages import page_of_match
from cepheid.events import MAX_TIME, EventId, Value, values


@dataclass(slots=True)  # one is made for whatever is found
class Match:
    """One match of a rule. Nobody changes it.

    `evidence` names the input events it is made of, in the total order. `known` is the frontier at which it became
    certain; it is reported and no part of what the match is. `id_of` says which one it is to who asks for its `id`.
    """

    name: str
    start: int
    end: int
    values: Mapping[str, Value] = field(default_factory=dict)
    evidence: tuple[EventId, ...] = ()
    id: str = ""
    known: int | None = field(default=None, compare=False)
    id_of: Callable[[], str] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.id_of is not None:
            del self.id

    def __getattr__(self, name: str) -> str:
        # Python asks here only for what is not set.
        if name != "id" or self.id_of is None:
            raise AttributeError(name)
        self.id = self.id_of()
        return self.id

    def __hash__(self) -> int:
        return hash((self.name, self.start, self.end, self.evidence))

    def without_evidence(self) -> "Match":
        """Return it without what it is made of; which one it is, nobody need know for that."""
        called = self.id if self.id_of is None else ""
        return Match(self.name, self.start, self.end, self.values, (), called, self.known, self.id_of)

    def content(self) -> tuple[object, ...]:
        """Return what results are compared by: rule, start, end, values and evidence."""
        return (self.name, self.start, self.end, values.key_of(dict(self.values)), self.evidence)

    def _repr_html_(self) -> str:
        """Return the match as a notebook shows it: where it lies in time, in microseconds, and what it says."""
        known = None if self.known == MAX_TIME else self.known
        return page_of_match(self.name, (self.start, self.end, known), self.values, self.evidence, self.id)


def told_order(match: Match) -> tuple[object, ...]:
    """Return what puts matches of one rule in an order; the id only tells apart what is alike in all else."""
    said = tuple(map(values.sort_key, match.values.values()))
    return (match.end, match.start, said, match.id)


def same_matches(some: Iterable[Match], others: Iterable[Match]) -> bool:
    """Say whether two results hold the same matches, each as often."""
    return Counter(match.content() for match in some) == Counter(match.content() for match in others)
