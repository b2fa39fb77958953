"""Detection at places as Spark's workers do it, without Spark: whole, in slices, and split by keys."""

from collections.abc import Iterator, Sequence

from cepheid.analysis import certify, plan_of
from cepheid.events import Event
from cepheid.spark.lanes import Lane, Route, lanes_of
from cepheid.spark.results import ResultForm
from cepheid.spark.workers import Place, Row, Settings
from cepheid.testing import Case
from tests.spark.packed_cases import Prepared


def lanes(case: Case) -> Iterator[Lane]:
    """Yield the lanes of a case."""
    lasting = any(event.start != event.end for event in case.trace)
    plan = plan_of(case.program, intervals=lasting)
    return lanes_of(0, Prepared(case.program, plan, certify(plan), 0))


def found(lane: Lane, events: Sequence[Event]) -> list[Row]:
    """Return what a lane finds in some events."""
    place = Place(Route(0, (lane,), None), ResultForm(None, numbered=False), Settings())
    return [*place.push((event, "") for event in events), *place.close()]


def told(rows: Sequence[Row]) -> list[str]:
    """Return what rows say, in an order of its own."""
    return sorted(str([row[name] for name in ("match", "start", "end", "values", "evidence", "id")]) for row in rows)
