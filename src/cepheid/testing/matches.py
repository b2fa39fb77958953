"""Matches as text: when they happened, which events they rest on, and what they say.

1-3 a b                 from 1 to 3, resting on the only `a` and the only `b` of the trace
2 a#4 {total: 7}        at 2, resting on the `a` with the id 4, since there are more of them
alarm: 1-3 a b          of the rule `alarm`, where there are several rules
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from cepheid.algebra.matches import Match
from cepheid.events import Event, EventId
from cepheid.testing.literals import show_value, show_word


def show_matches(matches: Iterable[Match], events: Sequence[Event], *, named: bool = False) -> list[str]:
    """Return a line for every match over `events`, in the order of ends and starts; `named`: with its rule.

    >>> from cepheid.testing import trace
    >>> show_matches([Match("pair", 1, 3, {"total": 7}, (1, 3))], trace("1 a, 2 b, 3 b"))
    ['1-3 a b#3 {total: 7}']
    """
    names = event_names(events)
    in_order = sorted(matches, key=lambda match: (match.end, match.start, _show(match, names, named)))
    return [_show(match, names, named) for match in in_order]


def event_names(events: Sequence[Event]) -> dict[EventId, str]:
    """Return what each event is called: its type, and its id as well where the type does not say which one is meant."""
    unique = {event.id: event for event in events}.values()
    many = Counter(event.type for event in unique)
    return {
        event.id: show_word(event.type) + ("" if many[event.type] == 1 else f"#{_show_id(event.id)}")
        for event in unique
    }


def _show(match: Match, names: dict[EventId, str], named: bool) -> str:
    time = str(match.start) if match.start == match.end else f"{match.start}-{match.end}"
    words = [time, *(names[event_id] for event_id in match.evidence)]
    if match.values:
        words.append(show_value(dict(match.values)))
    return (f"{match.name}: " if named else "") + " ".join(words)


def _show_id(event_id: EventId) -> str:
    return str(event_id) if isinstance(event_id, int) else show_word(event_id)
