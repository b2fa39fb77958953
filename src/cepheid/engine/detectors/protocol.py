"""What every detector of the engine does, whichever tier it runs in: what runs a plan needs to know no more of it."""

from typing import Protocol

from cepheid.algebra.matches import Match
from cepheid.analysis import Plan
from cepheid.engine.limits.premises import Premises
from cepheid.engine.watching.promises import Usage
from cepheid.events import Event


class RunsPlan(Protocol):
    """A plan at work: events and promises in, the matches out that are certain by them.

    Events that came too late or again are in `late` and `duplicates`, the caller's to empty.
    """

    plan: Plan

    @property
    def late(self) -> list[Event]: ...
    @property
    def duplicates(self) -> list[Event]: ...
    @property
    def premises(self) -> Premises: ...
    def push(self, event: Event) -> list[Match]: ...
    def advance(self, time: int, source: str = ...) -> list[Match]: ...
    def close(self) -> list[Match]: ...
    def clock(self, source: str = ...) -> int: ...
    def latest(self, source: str = ...) -> int: ...
    def usage(self) -> tuple[Usage, ...]: ...
