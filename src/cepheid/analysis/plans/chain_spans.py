"""How far back the runs of a chain can have begun that still wait.

A window says so for all of them. Without one, each step may have a limit of its own, in time or in records, from the
first record or from a later one: then a run began within the longest limits in time, and the longest in records, one
after the other.
"""

from itertools import zip_longest

from cepheid.algebra.patterns import Chain
from cepheid.analysis.plans.plan import Reach
from cepheid.analysis.plans.run_limits import Legs, run_limits

Limit = tuple[int | None, int | None]


def waiting_since(chain: Chain, reach: Reach) -> list[Limit]:
    """Return spans of ticks or of records; a run that waits began within all of them, one after the other.

    None is no limit.
    """
    whole = [(reach.ends, reach.records)]
    if whole != [(None, None)]:
        return whole
    waits = run_limits(chain).waits
    if not waits or any((None, None) in legs for legs in waits):
        return whole
    times = [max(some) for some in zip_longest(*map(_times, waits), fillvalue=0)]
    records = [max(most, 0) for legs in waits if (most := _records(legs)) is not None]
    return [*((time, None) for time in times), *([(None, max(records))] if records else [])]


def _times(legs: Legs) -> list[int]:
    """Return the limits in time, the longest first; only the last of several is counted from now."""
    apart = 1 if len(legs) > 1 else 0
    return sorted((max(time, 0) + apart for time, _ in legs if time is not None), reverse=True)


def _records(legs: Legs) -> int | None:
    counts = [records for time, records in legs if time is None and records is not None]
    return sum(max(count, 0) for count in counts) if counts else None
