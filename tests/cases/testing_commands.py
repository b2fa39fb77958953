"""`trace`: read a trace and show it again, in the notation and event by event."""

from cepheid.events import Event
from cepheid.testing import show_trace, show_value, trace


def traces(arguments: str, text: str) -> str:
    events = trace(text)
    return "\n".join([show_trace(events), *map(_line, events)])


def _line(event: Event) -> str:
    fields, tie = show_value(event.fields), show_value(event.tie)
    return f"  {event.id!r}: {event.type} from {event.start} to {event.end} {fields} {tie}"
