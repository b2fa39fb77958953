"""Numbers mean the same whatever brings them: NumPy's are Python's, and what 64 bits do not hold is set aside."""

import io
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import cepheid
from cepheid.connectors import Reading, Reject, source_of
from cepheid.diagnostics import CepheidError, draw
from cepheid.events import Event, point
from tests.connectors.reading import read, reasons, told

GREATEST = 2**63 - 1
_A = cepheid.event("A")
QUERY = cepheid.compile(cepheid.query(_A.where(_A.n > 0), values={"n": _A.n}))


@pytest.mark.parametrize(
    ("time", "ticks"),
    [
        (np.int64(3), 3_000_000),
        (np.uint8(3), 3_000_000),
        (np.float64(3.5), 3_500_000),
        (np.float32(3.5), 3_500_000),
        (np.array(3), 3_000_000),
        (np.str_("3.5"), 3_500_000),
        (np.datetime64("1970-01-01T00:00:03"), 3_000_000),
        (np.datetime64("1970-01-01T00:00:03.000001600"), 3_000_002),
        (np.datetime64("1970-01-04"), 3 * 86_400_000_000),
        (pd.Timestamp("1970-01-01T00:00:03"), 3_000_000),
        (pd.Timestamp("1970-01-01T00:00:03.000000400"), 3_000_000),
        (datetime(1970, 1, 1, 0, 0, 3, tzinfo=UTC), 3_000_000),
    ],
)
def test_a_time_of_another_library_is_a_time(time: object, ticks: int) -> None:
    [event], rejects = read(source_of([{"type": "A", "time": time}]))
    assert (event.end, type(event.end), rejects) == (ticks, int, [])


@pytest.mark.parametrize(
    ("given", "value"),
    [
        (np.int64(3), 3),
        (np.uint64(GREATEST), GREATEST),
        (np.float64(2.5), 2.5),
        (np.float32(0.5), 0.5),
        (np.bool_(True), True),
        (np.str_("x"), "x"),
        (np.array([1, 2]), (1, 2)),
        (np.array([[1.5], [2.0]]), ((1.5,), (2.0,))),
        (np.array(7), 7),
        ([np.int64(1), {"n": np.int8(2)}], (1, {"n": 2})),
        (np.datetime64("1970-01-01T00:00:01", "ns"), 1_000_000),
        (np.timedelta64(3, "ms"), 3000),
        (np.datetime64("NaT"), None),
        (pd.NaT, None),
        (pd.Timedelta("3 ms"), 3000),
    ],
)
def test_a_field_of_another_library_is_a_value(given: object, value: object) -> None:
    for one in ({"type": "A", "time": 1, "x": given}, Event("A", 1, 1, 1, {"x": given})):  # type: ignore[dict-item]
        [event], rejects = read(source_of([one]))
        assert (event.fields["x"], type(event.fields["x"]), rejects) == (value, type(value), [])


def test_types_ids_and_sources_may_be_of_another_library() -> None:
    row = {"type": np.str_("A"), "time": 1, "start": np.int64(0), "id": np.int64(7)}
    reading = Reading(cepheid.connectors.Columns(start="start", id="id"))
    assert told(read(source_of([row], reading))[0]) == [(7, "A", 0, 1_000_000, {"id": 7})]
    assert type(read(source_of([row], reading))[0][0].id) is int


def test_an_event_object_with_numbers_of_another_library_is_an_event() -> None:
    given = Event("A", np.int64(1), np.int64(3), np.int64(7))  # type: ignore[arg-type]
    [event], rejects = read(source_of([given]))
    assert (event, type(event.start), type(event.id), rejects) == (Event("A", 1, 3, 7), int, int, [])


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (Event("A", 1.5, 2, 7), "bad-event: expected ticks, got `float` at `$[0].start`"),  # type: ignore[arg-type]
        (Event("A", 3, 2, 7), "bad-interval: `A` ends at 2, before it starts at 3 at `$[0]`"),
        (Event("A", 1, GREATEST, 7), f"bad-interval: `A` at {GREATEST} is outside the times that can be distinguished"),
        (Event("A", 1, 2, 7.5), "bad-event: expected an id, got `float` at `$[0].id`"),  # type: ignore[arg-type]
        (Event("A", 1, 2, 7, {"n": 2**63}), f"bad-event: `{2**63}` does not fit into 64 bits at `$[0].n`"),
        (Event("A", 1, 2, 7, {"n": {1}}), "bad-event: a `set` is no value of an event at `$[0].n`"),  # type: ignore[dict-item]
    ],
)
def test_an_event_object_that_says_no_event_is_set_aside(event: Event, reason: str) -> None:
    events, rejects = read(source_of([event]))
    assert events == []
    assert reasons(rejects)[0].startswith(reason)


def doors(numbers: Sequence[int]) -> Mapping[str, object]:
    """The same events through every door that can say such numbers."""
    rows = [{"type": "A", "time": time, "n": number} for time, number in enumerate(numbers)]
    events = [point("A", time, time, {"n": number}) for time, number in enumerate(numbers)]
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    cells = "".join(f"A,{time},{number}\n" for time, number in enumerate(numbers))
    return {
        "dictionaries": rows,
        "events": events,
        "json": io.BytesIO(lines.encode()),
        "csv": io.BytesIO(f"type,time,n\n{cells}".encode()),
        "fractions": io.BytesIO(f"type,time,n\n{cells}B,9,0.5\n".encode()),
        "arrow": pa.table({"type": ["A"] * len(rows), "time": range(len(rows)), "n": pa.array(numbers, pa.uint64())}),
        "numpy": [{"type": "A", "time": time, "n": np.uint64(number)} for time, number in enumerate(numbers)],
    }


@pytest.mark.parametrize("door", doors([1]))
def test_a_whole_number_beyond_64_bits_is_set_aside_through_every_door(door: str) -> None:
    rejects: list[Reject] = []
    run = QUERY.run(doors([1, 2**63, 2])[door], on_reject=rejects.append)  # type: ignore[arg-type]
    assert [match.values["n"] for match in run] == [1, 2]
    assert [(reject.code, reject.diagnostic.message) for reject in rejects] == [
        ("bad-event", f"`{2**63}` does not fit into 64 bits")
    ]


@pytest.mark.parametrize("door", sorted(set(doors([1])) - {"fractions"}))
def test_the_greatest_whole_number_is_a_value_through_every_door(door: str) -> None:
    run = QUERY.run(doors([GREATEST])[door], strict=True)  # type: ignore[arg-type]
    assert [match.values["n"] for match in run] == [GREATEST]


def test_a_detector_refuses_what_a_run_sets_aside() -> None:
    detector = QUERY.detector()
    assert [match.values["n"] for match in detector.push({"type": "A", "time": np.int64(1), "n": np.int64(1)})] == [1]
    for event in ({"type": "A", "time": 2, "n": 2**63}, point("A", 2, 2, {"n": 2**63})):
        with pytest.raises(CepheidError) as caught:
            detector.push(event)
        [finding] = caught.value.diagnostics
        assert draw(finding).splitlines()[0] == f"error[bad-event]: `{2**63}` does not fit into 64 bits at `$.n`"


def test_a_number_in_a_list_of_arrow_may_be_too_large_as_well() -> None:
    lists = pa.array([[1], [2**63]], pa.list_(pa.uint64()))
    events, rejects = read(source_of(pa.table({"type": ["A", "A"], "time": [1, 2], "x": lists})))
    assert told(events) == [(1, "A", 1_000_000, 1_000_000, {"x": (1,)})]
    assert reasons(rejects) == [f"bad-event: `{2**63}` does not fit into 64 bits at `$.x[0]` (frame:2)"]
