"""Write the limits that all ways through a chain have as its window.

    a letting q = now() -> b[now() <= q + 5 s]   ==>   the same within 5 s

A run that is past such a limit can never complete, and a window says so to everybody.
"""

from dataclasses import replace

from cepheid.algebra.patterns import Chain, Pattern
from cepheid.algebra.relations import Axis, Difference, end, length
from cepheid.analysis.plans.run_limits import run_limits, window_of
from cepheid.rewrites.lengths import EventLengths, longest


def limit_chain(pattern: Pattern, lengths: EventLengths) -> Pattern:
    if not isinstance(pattern, Chain):
        return pattern
    limits = run_limits(pattern)
    for axis, latest in ((Axis.TIME, limits.time), (Axis.POSITION, limits.records)):
        if latest is not None and latest < window_of(pattern, axis):
            pattern = _limited(pattern, axis, latest, lengths)
    return pattern


def _limited(chain: Chain, axis: Axis, latest: int, lengths: EventLengths) -> Chain:
    """Return a chain with a window; what is known is how long after the end of the first record the last one ends."""
    points = longest(chain.steps[chain.first].lead, lengths) == 0
    if axis is Axis.POSITION or points:
        looser = length("$first", "$last", latest, axis)
    else:
        looser = Difference(end("$last"), end("$first"), high=latest)
    kept = [one for one in chain.window if (one.later, one.earlier) != (looser.later, looser.earlier)]
    return replace(chain, window=(*kept, looser))
