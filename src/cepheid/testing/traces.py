"""A trace is a list of events that can be read at a glance.

    1 a, 2 c, 3 b           three points, with the ids 1, 2 and 3
    1 a b, 2-5 c            `a` and `b` at one time; `c` from 2 to 5
    1 a(3)                  a field called `value`
    1 a{user: ann, v: 0.5}  any fields; their values are as in `literals`
    1 a#7                   an id of its own; the others count from 1 as they stand in the text
    1 a[2, x]               what orders simultaneous events, ahead of the id

Lines end like commas do. Times are ticks, or multiples of a unit.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from cepheid.diagnostics import CepheidError, Source, Span
from cepheid.events import Event, EventId, Value, integer, interval, is_time
from cepheid.testing.cursor import Cursor
from cepheid.testing.literals import SPACE, read_fields, read_value, read_word, show_value, show_word

_TIME = re.compile(r"(?P<start>-?[0-9]+)(?:-(?P<end>-?[0-9]+))?")
_BLANK = re.compile(r"[ \t]*")
_BREAK = re.compile(r"\s*,\s*|\s*\n\s*|\s*\Z")
_INTEGER_ID = re.compile(r"-?[0-9]+(?!\w)")
_LONGEST_TIME = 20


@dataclass(frozen=True, slots=True)
class _Written:
    """An event as it stands in the text."""

    type: str
    start: int
    end: int
    id: EventId | None
    fields: dict[str, Value]
    tie: tuple[Value, ...]
    span: Span


def trace(text: str, unit: int = 1, name: str = "<trace>") -> list[Event]:
    """Return the events that `text` writes down, as they stand there; its times count `unit` ticks each.

    >>> [(event.id, event.type, event.start, event.end) for event in trace("1 a b, 2-5 c")]
    [(1, 'a', 1, 1), (2, 'b', 1, 1), (3, 'c', 2, 5)]
    >>> trace('7 login{user: "ann"}')[0].get("user"), trace("7 a(3)", unit=1000)[0].end
    ('ann', 7000)
    """
    cursor = Cursor(Source(name, text))
    written = list(_read_groups(cursor, unit))
    chosen = {event.id for event in written if event.id is not None}
    return [_event(event, position, chosen, cursor) for position, event in enumerate(written, start=1)]


def show_trace(events: Iterable[Event], unit: int = 1) -> str:
    """Return the text that `trace` reads as `events`, provided they are input events.

    >>> show_trace(trace("1 a , 1 b(3),2-5 c{user:  ann}"))
    '1 a b(3), 2-5 c{user: ann}'
    """
    listed = list(events)
    numbered = all(event.id == position for position, event in enumerate(listed, start=1))
    groups = groupby(listed, key=lambda event: (event.start, event.end))
    return ", ".join(
        f"{_show_time(*time, unit)} {' '.join(_show_event(event, numbered) for event in group)}"
        for time, group in groups
    )


def _read_groups(cursor: Cursor, unit: int) -> Iterator[_Written]:
    cursor.take(SPACE)
    while cursor.next:
        start, end = _read_time(cursor, unit)
        cursor.take(_BLANK)
        yield _read_event(cursor, start, end)
        while not _ends(cursor):
            yield _read_event(cursor, start, end)


def _ends(cursor: Cursor) -> bool:
    """Read the end of a group, or else the space before its next event."""
    if cursor.take(_BREAK):
        return True
    cursor.take(_BLANK)
    return False


def _read_time(cursor: Cursor, unit: int) -> tuple[int, int]:
    at, found = cursor.at, cursor.take(_TIME)
    if found is None:
        raise cursor.refusal("an event has no time", "a time is missing here", "write a time first: `1 a`")
    if any(len(digits or "") > _LONGEST_TIME for digits in found.groups()):
        raise _too_far(cursor, at)
    start, end = int(found["start"]) * unit, int(found["end"] or found["start"]) * unit
    if start > end:
        hint = f"swap them: `{found['end']}-{found['start']}`"
        raise cursor.refusal("an event ends before it starts", "this is backwards", hint, cursor.since(at))
    if not (is_time(start) and is_time(end)):
        raise _too_far(cursor, at)
    return start, end


def _too_far(cursor: Cursor, at: int) -> CepheidError:
    span = cursor.since(at)
    hint = "write a nearer time: `1`"
    return cursor.refusal("a time is too far away", "64 bits do not hold it", hint, span)


def _read_event(cursor: Cursor, start: int, end: int) -> _Written:
    at, event_type = cursor.at, read_word(cursor)
    if event_type is None:
        raise _no_type(cursor)
    tie = _read_tie(cursor)
    fields = _read_content(cursor)
    event_id = _read_id(cursor) if cursor.take_text("#") else None
    if cursor.next and not cursor.next.isspace() and cursor.next != ",":
        message = f"the event `{event_type}` does not end"
        raise cursor.refusal(message, "a space is missing here", "write `1 a b`")
    return _Written(event_type, start, end, event_id, fields, tie, cursor.since(at))


def _no_type(cursor: Cursor) -> CepheidError:
    if _TIME.match(cursor.next):
        return cursor.refusal("a time stands where a type should", "no comma before this", "write `1 a, 2 b`")
    if cursor.next in ("(", "[", "{", "#"):
        hint = "leave no space after the type: `1 a{user: ann}`"
        return cursor.refusal("an event has no type", "a type is missing before this", hint)
    hint = "write a type after the time: `1 a`"
    return cursor.refusal("an event has no type", "a type is missing here", hint)


def _read_tie(cursor: Cursor) -> tuple[Value, ...]:
    tie = read_value(cursor) if cursor.next == "[" else ()
    return tie if isinstance(tie, tuple) else ()


def _read_content(cursor: Cursor) -> dict[str, Value]:
    if cursor.take_text("{"):
        return read_fields(cursor)
    if not cursor.take_text("("):
        return {}
    cursor.take(SPACE)
    value = read_value(cursor)
    cursor.take(SPACE)
    if not cursor.take_text(")"):
        raise cursor.refusal("a value does not end", "a `)` is missing here", "write one value: `a(3)`")
    return {"value": value}


def _read_id(cursor: Cursor) -> EventId:
    at, number = cursor.at, cursor.take(_INTEGER_ID)
    event_id = _number_id(number[0]) if number else read_word(cursor)
    if event_id is None:
        span, hint = cursor.since(at) if number else None, 'write `a#7`, `a#x` or `a#"7 b"`'
        raise cursor.refusal("an event has no id after `#`", "not an id", hint, span)
    return event_id


def _number_id(digits: str) -> int | None:
    return integer(int(digits)) if len(digits) <= _LONGEST_TIME else None


def _event(written: _Written, position: int, chosen: set[EventId], cursor: Cursor) -> Event:
    if written.id is None and position in chosen:
        label = f"its id would be {position}, and another event has chosen that"
        hint = f'write an id of its own: `{show_word(written.type)}#"{position}"`'
        raise cursor.refusal(f"`{written.type}` has no id of its own", label, hint, written.span)
    event_id = position if written.id is None else written.id
    return interval(written.type, written.start, written.end, event_id, written.fields, written.tie)


def _show_time(start: int, end: int, unit: int) -> str:
    if start % unit or end % unit:
        raise ValueError(f"the times {start} and {end} are not multiples of {unit}")
    return str(start // unit) if start == end else f"{start // unit}-{end // unit}"


def _show_event(event: Event, numbered: bool) -> str:
    tie = show_value(event.tie) if event.tie else ""
    shown_id = event.id if isinstance(event.id, int) else show_word(event.id)
    return show_word(event.type) + tie + _show_content(event) + ("" if numbered else f"#{shown_id}")


def _show_content(event: Event) -> str:
    if not event.fields:
        return ""
    if set(event.fields) == {"value"}:
        return f"({show_value(event.fields['value'])})"
    return show_value(event.fields)
