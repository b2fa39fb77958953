"""Detection at places as Spark's workers do it, without Spark: whole, in slices, and split by keys."""

from collections.abc import Iterator, Sequence

from cepheid.analysis import certify, plan_of
from cepheid.engine import Engine
from cepheid.events import Event
from cepheid.spark.lanes import Lane, lanes_of
from cepheid.spark.places import LaneAtWork, Row, Settings
from cepheid.spark.results import ResultForm
from cepheid.testing import Case
from tests.spark.packed_cases import Prepared


def lanes(case: Case) -> Iterator[Lane]:
    """Yield the lanes of a case."""
    lasting = any(event.start != event.end for event in case.trace)
    plan = plan_of(case.program, intervals=lasting)
    return lanes_of(0, Prepared(case.program, plan, certify(plan), 0))


def found(lane: Lane, events: Sequence[Event]) -> list[Row]:
    """Return what a lane finds in some events."""
    form, work = ResultForm(None, numbered=False), LaneAtWork(lane, Settings(engine=Engine.INTERPRETER))
    matches = [*work.push_events((event, "") for event in events), *work.detector.close()]
    return [form.match(0, match) for match in matches]


def told(rows: Sequence[Row]) -> list[str]:
    """Return what rows say, in an order of its own."""
    return sorted(str([row[name] for name in ("match", "start", "end", "values", "evidence", "id")]) for row in rows)
