"""What a source is told whose event has to wait."""

from collections.abc import Sequence
from dataclasses import dataclass

from cepheid.diagnostics import CepheidError, Diagnostic, close_match
from cepheid.events import MIN_TIME, Duration, Event


@dataclass(frozen=True, slots=True)
class Lack:
    """A history that has no place left: what waits in it, what may still come before the event, and its limit."""

    rule: str
    part: str
    waiting: int
    to_come: int
    limit: int


def full(event: Event, lack: Lack, behind: str) -> Diagnostic:
    """Return the reason to wait for a place in a history."""
    where = f"`{lack.part}` of rule `{lack.rule}`"
    message = f"there is no capacity for `{event.type}`: {where} holds at most {lack.limit} entries"
    note = f"{lack.waiting} wait there" + (f", and {lack.to_come} may come until then" if lack.to_come else "")
    return Diagnostic("history-full", message, hints=(_hint(behind),), notes=(note,))


def ahead(event: Event, behind: str, frontier: int) -> Diagnostic:
    """Return the reason to wait for another source."""
    distance = "" if frontier == MIN_TIME else f" by {Duration(event.end - frontier)}"
    message = f"`{event.type}` is ahead of the source `{behind}`{distance}"
    note = "what is held until that has come as far would be more than was promised"
    return Diagnostic("source-ahead", message, hints=(_hint(behind),), notes=(note,))


def unknown_history(rule: str, part: str, known: Sequence[str]) -> CepheidError:
    """Return the error for a limit of something that holds no events."""
    near = close_match(part, known)
    names = ", ".join(f"`{name}`" for name in known)
    hint = f"did you mean `{near}`?" if near else f"its histories of events are {names}" if known else "leave it out"
    message = f"rule `{rule}` has no history of events called `{part}`"
    return CepheidError(Diagnostic("unknown-part", message, hints=(hint,)))


def _hint(behind: str) -> str:
    which = f", source={behind!r}" if behind else ""
    return f"push it again after `advance(time{which})`"
