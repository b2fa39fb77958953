"""The detectors that a worker still has in memory from the batch before, so that it need not read them from the state.

Spark gives a bucket now to one worker and now to another. What a worker has of a bucket that went on elsewhere is of no
use any more. So there is one place of a bucket at most, and it makes way when the worker gets that bucket again.
"""

from pyspark import TaskContext

from cepheid.algebra.json_form import fingerprint
from cepheid.spark.lanes import Route
from cepheid.spark.places import Place

Where = tuple[str, str, int]
"""A stream, what runs in it, and the number of a bucket."""

AT_HAND: dict[Where, tuple[str, Place]] = {}
"""The places of work with the mark of the state that each is in; that which was used last stands last."""
MOST_AT_HAND = 1024
_STREAM = "sql.streaming.queryId"


def taken(route: Route, number: int, mark: str) -> Place | None:
    """Return the place of a bucket if it is in the state of this mark, None where it has to be made of the state.

    No mark is used twice, so detectors of a batch that was not committed are never taken for those that are asked for.
    """
    known, place = AT_HAND.pop(_where(route, number), (None, None))
    return place if known == mark else None


def keep(mark: str, place: Place) -> None:
    """Keep the place of a bucket, in place of another one of it; who was not used for the longest time is left out."""
    where = _where(place.route, place.number)
    AT_HAND.pop(where, None)
    if len(AT_HAND) >= MOST_AT_HAND:
        AT_HAND.pop(next(iter(AT_HAND)))
    AT_HAND[where] = mark, place


def _where(route: Route, number: int) -> Where:
    return stream_at_work(), " ".join(fingerprint(lane.plan.program) for lane in route.lanes), number


def stream_at_work() -> str:
    """Return the id of the stream that this worker works for, nothing outside of Spark."""
    context = TaskContext.get()
    return (context and context.getLocalProperty(_STREAM)) or ""
