"""The short way of an event from a dictionary to the matches that it completes, for those that say nothing unusual."""

from collections.abc import Callable
from typing import Any

from cepheid.api.noticing import FirstLooks
from cepheid.connectors import ObjectReader, Report, reports
from cepheid.diagnostics import CepheidError
from cepheid.engine import Detector, TooManyMatches
from cepheid.events import MAX_TIME, MIN_TIME, Jumps


class AtAGlance:
    """Takes in events that say no more than what they are; all others take a closer look, which is the caller's.

    What is looked at for every event is bound once. `cannot_go_on` makes an error of what is too much.
    """

    def __init__(
        self,
        reader: ObjectReader,
        engine: Detector,
        jumps: Jumps[None],
        first: FirstLooks,
        cannot_go_on: Callable[[TooManyMatches], CepheidError],
    ) -> None:
        self.reader, self.engine = reader, engine
        self.far_ahead, self.far = jumps.waiting, MAX_TIME - MIN_TIME if jumps.most is None else jumps.most
        self.first, self.left, self.cannot_go_on = first, first.left, cannot_go_on

    def push(self, given: dict[str, Any]) -> list[Report] | None:  # whatever somebody pushes
        """Return what an event tells; None, and nothing is taken: it takes a closer look.

        One of a type that no rule reads only moves the clock on.
        """
        engine, reader = self.engine, self.reader
        told = reader.glance(given)
        # The first event is as far ahead of the beginning as can be.
        if told is None or told[1] - engine.only.bound > self.far or self.far_ahead:
            return None
        kind, ticks, name = told
        try:
            if kind not in engine.looked_at:
                found = engine.pass_by(ticks, name)
                if found is None:
                    return None
                reader.position += 1
            elif engine.takes_at_once(kind, ticks, name):
                event = reader.take(given, kind, ticks, name)
                if kind in self.left:
                    self.first.take(event)
                found = engine.at_once(event)
            else:
                return None
        except TooManyMatches as reason:
            raise self.cannot_go_on(reason) from None
        return reports(found, reader.form) if found else []
