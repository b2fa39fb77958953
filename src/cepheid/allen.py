"""Relations of two intervals, as Allen has them: `during(call, meeting)` is `call.during(meeting)`.

>>> import cepheid as c
>>> call, meeting = c.event("Call"), c.event("Meeting")
>>> disturbed = c.query(c.allen.during(call, meeting))
"""

from cepheid.algebra.builder.relations import (
    after,
    contains,
    during,
    equals,
    finished_by,
    finishes,
    meets,
    met_by,
    overlapped_by,
    overlaps,
    par,
    started_by,
    starts,
)

__all__ = [
    "after",
    "contains",
    "during",
    "equals",
    "finished_by",
    "finishes",
    "meets",
    "met_by",
    "overlapped_by",
    "overlaps",
    "par",
    "started_by",
    "starts",
]
