"""What a rule found: where it lies in time, what it says, what it rests on, and which one it is."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from json.encoder import encode_basestring_ascii as _quoted

from cepheid.events import EventId, Value, values

Identity = EventId | tuple["Identity", ...]


@dataclass(frozen=True, slots=True)
class Match:
    """One match of a rule.

    `evidence` names the input events it rests on, in the total order. `known` is the frontier at which it became
    certain; it is reported and no part of what the match is.
    """

    name: str
    start: int
    end: int
    values: Mapping[str, Value] = field(default_factory=dict)
    evidence: tuple[EventId, ...] = ()
    id: str = ""
    known: int | None = field(default=None, compare=False)

    def content(self) -> tuple[object, ...]:
        """Return what results are compared by: rule, start, end, values and evidence."""
        return (self.name, self.start, self.end, values.key_of(dict(self.values)), self.evidence)


def told_order(match: Match) -> tuple[object, ...]:
    """Return what puts matches of one rule in an order; the id only tells apart what is alike in all else."""
    said = tuple(map(values.sort_key, match.values.values()))
    return (match.end, match.start, said, match.id)


def same_matches(some: Iterable[Match], others: Iterable[Match]) -> bool:
    """Say whether two results hold the same matches, each as often."""
    return Counter(match.content() for match in some) == Counter(match.content() for match in others)


def match_id(version: str, start: int, end: int, fields: Mapping[str, Value], identity: Identity, ordinal: int) -> str:
    """Return the id of a match: the same on every runner and in every replay.

    `version` is the fingerprint of the rule as it was written, `identity` the event id of each part in part order,
    `ordinal` counts matches that are alike in all of these. How the parts are nested does not matter, so a rewrite that
    flattens a join keeps the ids.
    """
    said = ",".join([f"[{_quoted(name)},{_told(value)}]" for name, value in fields.items()])
    ids = ",".join([repr(one) if type(one) is int else _told(one) for one in event_ids(identity)])
    text = f"[{_quoted(version)},{start},{end},[{said}],[{ids}],{ordinal}]"
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def match_ids(
    version: str,
    times: tuple[Sequence[int], Sequence[int]],
    fields: Mapping[str, Sequence[Value]],
    identity: Sequence[Sequence[EventId]],
) -> list[str]:
    """Return the ids of many matches of a rule, of which no two are alike; `identity` has the event ids of each part.

    >>> match_ids("v", ([1, 2], [3, 4]), {"x": ["a", None]}, [[5, 6]])[1] == match_id("v", 2, 4, {"x": None}, (6,), 0)
    True
    """
    said = ",".join([f"[{_written(name)},%s]" for name in fields])
    form = f"[{_written(version)},%s,%s,[{said}],[{','.join(['%s'] * len(identity))}],0]"
    told = [[one if type(one) is int else _told(one) for one in column] for column in (*fields.values(), *identity)]
    return [hashlib.sha256((form % row).encode()).hexdigest()[:32] for row in zip(*times, *told, strict=True)]


def event_ids(identity: Identity) -> tuple[EventId, ...]:
    """Return the event ids of an identity in part order, however the parts are nested.

    >>> event_ids(((1, 4), 6))
    (1, 4, 6)
    """
    if not isinstance(identity, tuple):
        return (identity,)
    if not any(type(part) is tuple for part in identity):
        return identity  # type: ignore[return-value]  # all its parts are ids
    return tuple(event_id for part in identity for event_id in event_ids(part))


def _written(name: str) -> str:
    """Return a name as it stands in the form of a text."""
    return _quoted(name).replace("%", "%%")


def _told(value: Value) -> str:
    """Return a value as JSON without blanks, as the text of an id has it."""
    if type(value) is str:
        return _quoted(value)
    return repr(value) if type(value) is int else json.dumps(_plain(value), separators=(",", ":"))


def _plain(value: Value) -> object:
    if isinstance(value, float):
        return ["float", repr(value)]
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in sorted(value.items())}
    return value
