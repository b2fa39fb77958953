"""What a detector refuses, and why: events from elsewhere, events that last, and whatever comes after the end."""

from cepheid.diagnostics import CepheidError, Diagnostic, close_match
from cepheid.events import Event


def unknown_source(source: str, known: list[str]) -> CepheidError:
    """Return the refusal of a source that no stream is declared to come from."""
    near = close_match(source, known) or (known[0] if known else None)
    hints = (f"push(event, source={near!r})",) if near else ("push(event)",)
    return CepheidError(Diagnostic("unknown-source", f"no stream is declared to come from `{source}`", hints=hints))


def misplaced(event: Event, source: str, expected: tuple[str, ...]) -> CepheidError:
    """Return the refusal of an event that comes from another source than was declared."""
    named = [f"`{name}`" if name else "the source without a name" for name in (source, *expected)]
    message = f"`{event.type}` comes from {' or '.join(named[1:])}, not from {named[0]}"
    note = "a source promises nothing about events that others bring, so they would have no frontier"
    hint = f"push(event, source={expected[0]!r})" if expected[0] else "push(event)"
    return CepheidError(Diagnostic("unknown-source", message, hints=(hint,), notes=(note,)))


def closed_already() -> CepheidError:
    """Return the refusal of whatever comes after the input was ended."""
    message, hint = "this detector was closed, so nothing can come any more", "take a new one with `query.detector()`"
    return CepheidError(Diagnostic("detector-closed", message, hints=(hint,)))


def unexpected_interval(event: Event) -> CepheidError:
    """Return the refusal of an event that lasts, where a query was compiled for points in time."""
    message = f"`{event.type}` lasts from {event.start} to {event.end}, but this query was compiled for points in time"
    note = "events that last need more state, so the bounds that were proved would not hold"
    return CepheidError(
        Diagnostic("unexpected-interval", message, hints=("compile(text, intervals=True)",), notes=(note,))
    )
