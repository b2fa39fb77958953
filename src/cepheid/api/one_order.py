"""Matches of finite input come out in one order, whatever finds them and however the input is cut.

That is by when they are known, their end, their start, their rule and their evidence. Portions of input follow each
other in time, so only what becomes known at one instant may be found in several of them.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

import numpy as np

from cepheid.algebra.matches import Match
from cepheid.analysis import Plan
from cepheid.api.portions import AnyFound
from cepheid.engine import Found, in_order, in_output_order
from cepheid.events import MAX_TIME


def in_one_order(found: Iterator[AnyFound], plan: Plan) -> Iterator[AnyFound]:
    """Yield what is found in portions of input; each waits until something becomes known at another instant.

    Where there is an error, what was found before it comes out first.
    """
    held: list[AnyFound] = []  # all but the first are of one instant, at which the first ends
    try:
        for some in found:
            if not len(some):
                yield some
                continue
            coming = in_output_order(some, plan) if isinstance(some, list) else some
            if held and _first_known(coming) == (instant := _last_known(held[-1])):
                same, coming = _cut_after(coming, instant)
                held.append(same)
            if len(coming):
                yield from _joined(held, plan)
                held = [coming]
    except Exception:
        yield from _joined(held, plan)
        raise
    yield from _joined(held, plan)


def _joined(held: Sequence[AnyFound], plan: Plan) -> Sequence[AnyFound]:
    if len(held) < 2:
        return held
    before, last = _cut_after(held[0], _last_known(held[0]) - 1)
    same = _together([last, *held[1:]], plan)
    return [before, same] if len(before) else [same]


def _together(pieces: Sequence[AnyFound], plan: Plan) -> AnyFound:
    if all(isinstance(one, Found) for one in pieces):
        return in_order([batch for one in pieces if isinstance(one, Found) for batch in one.batches])
    return in_output_order([match for one in pieces for match in _listed(one)], plan)


def _listed(found: AnyFound) -> list[Match]:
    return found.matches() if isinstance(found, Found) else found


def _cut_after(found: AnyFound, instant: int) -> tuple[AnyFound, AnyFound]:
    """Return what is known up to an instant, that included, and the rest."""
    if not isinstance(found, Found):
        place = bisect_right(found, instant, key=_known)
        return found[:place], found[place:]
    place = sum(int(np.count_nonzero(batch.known <= instant)) for batch in found.batches)
    return found.slice(0, place), found.slice(place, len(found))


def _first_known(found: AnyFound) -> int:
    if isinstance(found, Found):
        return min(int(batch.known.min()) for batch in found.batches if len(batch))
    return _known(found[0])


def _last_known(found: AnyFound) -> int:
    if isinstance(found, Found):
        return max(int(batch.known.max()) for batch in found.batches if len(batch))
    return _known(found[-1])


def _known(match: Match) -> int:
    return MAX_TIME if match.known is None else match.known
