"""Chained rules of ETALIS under all policies find on Spark what the definition says, in whole frames and in streams."""

import tempfile
from pathlib import Path

from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

import cepheid
from cepheid.events import Event, sort_events
from cepheid.languages.etalis import parse
from cepheid.spark import detect
from cepheid.testing import Case
from tests.breadth import all_is_run
from tests.languages.etalis.random_programs import programs
from tests.properties.traces import traces
from tests.spark.packed_cases import (
    FLAVOURS,
    by_definition,
    by_engine,
    flavoured,
    has_points_of_time,
    on_batch,
    on_stream,
)

WHOLE = FLAVOURS[0]
VALUES = {"arg1": st.sampled_from([1, 1, 1, 0, None])}
TRACES = traces(least=5, most=8, longest=3, fields=VALUES)
DRAWN = st.lists(st.tuples(programs(), TRACES), min_size=20, max_size=20)
# One job takes many programs; there is nothing to be gained from trying smaller ones in turn.
FEW = settings(max_examples=2 if all_is_run() else 1, phases=(Phase.generate,))


def cases_of(drawn: list[tuple[str, list[Event]]]) -> dict[str, Case]:
    numbered = {f"{number}: {text}": (text, trace) for number, (text, trace) in enumerate(drawn)}
    return {name: case_of(text, trace) for name, (text, trace) in numbered.items()}


def case_of(text: str, trace: list[Event]) -> Case:
    """Return a program with events that come in the order of time."""
    ordered = tuple(sort_events(trace))
    return flavoured(Case(parse(text), ordered, ordered, 0, ()), WHOLE)


@FEW
@given(DRAWN)
def test_whole_frames_have_the_matches_of_the_definition(
    spark: SparkSession, drawn: list[tuple[str, list[Event]]]
) -> None:
    some = cases_of(drawn)
    assert on_batch(spark, some, WHOLE) == {name: by_definition(case) for name, case in some.items()}


@FEW
@given(DRAWN)
def test_streams_have_the_matches_that_are_certain(spark: SparkSession, drawn: list[tuple[str, list[Event]]]) -> None:
    some = {name: case for name, case in cases_of(drawn).items() if not has_points_of_time(case)}
    with tempfile.TemporaryDirectory() as folder:
        found = on_stream(spark, some, WHOLE, Path(folder), batches=2)
    assert found == {name: by_engine(case) for name, case in some.items()}


def test_background_knowledge_comes_from_a_frame_of_spark(spark: SparkSession) -> None:
    near = spark.createDataFrame([("dock", "harbour"), ("hall", "centre")], "place string, zone string")
    text = """
    event seen(van, place).
    event ordered(zone, parcel).
    table near(place, zone).
    offer(V, P) <- (seen(V, L) SEQ ordered(Z, P)).10 WHERE (near(L, Z)).
    """
    query = cepheid.compile(text, language="etalis", tables={"near": near})
    columns = "type string, time long, van string, place string, zone string, parcel string"
    events = spark.createDataFrame(
        [
            ("seen", 1, "v1", "dock", None, None),
            ("seen", 2, "v2", "hall", None, None),
            ("ordered", 5, None, None, "harbour", "p1"),
        ],
        columns,
    )
    (found,) = detect(events, query).where("tag = 'match'").collect()
    assert (found["match"], found["start"], found["end"]) == ("offer", 1, 5)
    assert (found["values"]["arg1"], found["values"]["arg2"]) == ("v1", "p1")
