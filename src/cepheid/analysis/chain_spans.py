"""How far back the runs of a chain can have begun that still wait.

A window says so for all of them. Without one, each step may have a limit of its own: then a run began within the
longest limit in time, or else within the longest in records.
"""

from cepheid.algebra.patterns import Chain
from cepheid.analysis.plan import Reach
from cepheid.analysis.run_limits import run_limits

Limit = tuple[int | None, int | None]


def waiting_since(chain: Chain, reach: Reach) -> list[Limit]:
    """Return ticks and records, one of which a run that waits has begun within; None is no limit."""
    whole = [(reach.ends, reach.records)]
    if whole != [(None, None)]:
        return whole
    waits = run_limits(chain).waits
    if not waits or (None, None) in waits:
        return whole
    times = [max(time, 0) for time, _ in waits if time is not None]
    records = [max(count, 0) for time, count in waits if time is None and count is not None]
    return [*([(max(times), None)] if times else []), *([(None, max(records))] if records else [])]
