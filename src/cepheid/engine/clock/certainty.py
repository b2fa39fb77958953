"""The least frontier at which something is certain; None where only the end of the input makes it so."""

from cepheid.engine.clock.turn import Turn
from cepheid.engine.state.deadlines import FOREVER, Deadline


def not_before(known: int | None, other: int | None) -> int | None:
    """Return when two things both are certain."""
    return None if known is None or other is None else max(known, other)


def complete_at(time: int, lag: int | None) -> int | None:
    """Return when nothing more can end at `time`, where what comes may be known `lag` ticks after its end."""
    return None if lag is None else time + 1 + lag


def past_at(limit: Deadline, lag: int | None, turn: Turn) -> int | None:
    """Return when nothing more can end by a deadline; it is past now."""
    time, place = limit
    if time < FOREVER:
        return complete_at(time, lag)
    return turn.passed(place) if place < turn.seen else None
