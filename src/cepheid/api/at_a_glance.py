"""The short way of an event from a dictionary to the matches that it completes, for those that say nothing unusual."""

from collections.abc import Callable
from typing import Any, TypeAlias

from cepheid.api.noticing import FirstLooks
from cepheid.connectors import ObjectReader, Report, reports
from cepheid.diagnostics import CepheidError
from cepheid.engine import Detector, TooManyMatches
from cepheid.events import MAX_TIME, MIN_TIME, Jumps

Push: TypeAlias = Callable[[dict[str, Any]], list[Report] | None]  # whatever somebody pushes


def at_a_glance(
    reader: ObjectReader,
    engine: Detector,
    jumps: Jumps[None],
    first: FirstLooks,
    cannot_go_on: Callable[[TooManyMatches], CepheidError],
) -> Push:
    """Return what takes in events that say no more than what they are, and returns the matches that are certain then.

    It returns None, and nothing is taken, where an event takes a closer look, which is the caller's. `cannot_go_on`
    makes an error of what is too much.
    """
    # What is looked at for every event is bound once.
    glance, take, looked_at, only, pass_by = reader.glance, reader.take, engine.looked_at, engine.only, engine.pass_by
    far_ahead, far = jumps.waiting, MAX_TIME - MIN_TIME if jumps.most is None else jumps.most
    left = first.left

    def push(given: dict[str, Any]) -> list[Report] | None:
        told = glance(given)
        # The first event is as far ahead of the beginning as can be.
        if told is None or told[1] - only.bound > far or far_ahead:
            return None
        kind, ticks, name = told
        try:
            if kind not in looked_at:  # it only moves the clock on
                found = pass_by(ticks, name)
                if found is None:
                    return None
                reader.position += 1
            elif engine.takes_at_once(kind, ticks, name):
                event = take(given, kind, ticks, name)
                if kind in left:
                    first.take(event)
                found = engine.at_once(event)
            else:
                return None
        except TooManyMatches as reason:
            raise cannot_go_on(reason) from None
        return reports(found, reader.form) if found else []

    return push
