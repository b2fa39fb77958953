"""Events that are given in columns: what comes out in columns, and in which order, is what comes out one by one.

Events are called by their positions there, so both ways see them under these names.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from cepheid.algebra.matches import Match
from cepheid.analysis import Plan
from cepheid.connectors import EventColumns
from cepheid.engine import Found, Slices, TieredDetector, reach_of
from cepheid.events import Event, Value
from cepheid.testing import Case
from tests.engine_runner import last, plan_for
from tests.kernels_runner import batches_of


def disagreement_in_columns(case: Case) -> bool:
    """Say whether columns tell other matches than events, or in another order; not where a rule is interpreted."""
    plan = plan_for(case.program, intervals=last(case.trace))
    if not TieredDetector(plan).takes_columns:
        return False
    trace = [replace(event, id=number, tie=(), number=None) for number, event in enumerate(case.trace, 1)]
    batches = batches_of([replace(event, support=(event.id,)) for event in trace], case.cuts)
    return any(
        list(map(_whole, by_column)) != list(map(_whole, one_by_one))
        for by_column, one_by_one in zip(in_columns(plan, batches), _one_by_one(plan, batches), strict=True)
    )


def disagreement_in_slices(case: Case) -> bool:
    """Say whether slices of time, cut wherever they can be, tell other matches than one run, or in another order."""
    plan = plan_for(case.program, intervals=last(case.trace))
    reach = reach_of(plan)
    if reach is None or not TieredDetector(plan).takes_columns:
        return False
    trace = [replace(event, id=number, tie=(), number=None) for number, event in enumerate(case.trace, 1)]
    batches = batches_of([replace(event, support=(event.id,)) for event in trace], case.cuts)
    found = [match for some in in_slices(plan, batches, reach) for match in some]
    expected = [match for some in in_columns(plan, batches) for match in some]
    return list(map(_whole, found)) != list(map(_whole, expected))


def in_slices(plan: Plan, batches: Sequence[Sequence[Event]], reach: int, rows: int = 2) -> list[list[Match]]:
    """Return what is found in slices of so many events at least, on two threads."""
    slices = Slices(lambda: TieredDetector(plan), reach, 2, rows, 0)
    found = [one.matches() for one in slices.found(map(columns_of, batches))]
    assert slices.last is not None
    return [*found, slices.last.close_columns().matches()]


def in_columns(plan: Plan, batches: Sequence[Sequence[Event]], *, ids: bool = True) -> list[list[Match]]:
    """Return what each batch makes certain, and the end, where events are given in columns."""
    detector = TieredDetector(plan, ids=ids)
    found = [detector.push_columns(columns_of(batch)) for batch in batches]
    told = [*found, detector.close_columns()]
    return [one.matches() if isinstance(one, Found) else one for one in told]


def _one_by_one(plan: Plan, batches: Sequence[Sequence[Event]]) -> list[list[Match]]:
    detector = TieredDetector(plan)
    return [*(detector.push_all(batch) for batch in batches), detector.close()]


def columns_of(events: Sequence[Event]) -> EventColumns:
    """Return events in columns: of Arrow where all values of a field are of one kind."""
    names = dict.fromkeys(name for event in events for name in event.fields)
    starts, ends = ([getattr(event, edge) for event in events] for edge in ("start", "end"))
    return EventColumns(
        pa.array([event.type for event in events], pa.string()),
        np.array(ends, np.int64),
        None if starts == ends else np.array(starts, np.int64),
        np.array([event.id for event in events], np.int64),
        {name: _column([event.fields.get(name) for event in events]) for name in names},
    )


def _column(values: list[Value]) -> object:
    if len({type(value) for value in values} - {type(None)}) == 1 and not isinstance(values[0], tuple | dict):
        return pa.array(values)
    plain = np.empty(len(values), object)
    plain[:] = values
    return plain


def _whole(match: Match) -> tuple[object, ...]:
    return (match.known, *match.content(), match.id)
