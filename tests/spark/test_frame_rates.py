"""Rates of a whole frame are about all its events, each counted once."""

from collections.abc import Sequence

from pyspark.sql import SparkSession

from cepheid.algebra.programs import Arrival, Stream
from cepheid.spark.event_columns import EventColumns, EventRows, event_rows
from cepheid.spark.frame_rates import broken_rates

TIMES = [-30, -1, 0, 5, 9, 10, 2**53 + 1, 2**53 + 2]


def rows(spark: SparkSession, events: Sequence[tuple[str | None, int, int]], id_: str | None = None) -> EventRows:
    frame = spark.createDataFrame(events, "type string, time long, id long")
    return event_rows(frame, EventColumns(id=id_), [], "us", 1, hashed=False, reach=2**60)


def test_each_type_has_its_own_periods(spark: SparkSession) -> None:
    events = [(kind, time, 0) for kind in "AB" for time in TIMES]
    streams = [
        Stream("A", Arrival(2, 10)),
        Stream("B", Arrival(3, 10)),
        Stream("C", Arrival(1, 10)),
        Stream("D"),
    ]
    assert broken_rates(rows(spark, events), streams) == ["more than 2 `A` events come within 10 us"]
    spaced = [Stream("A", Arrival(1, 2**53, spaced=True)), Stream("B", Arrival(8, 8, spaced=True))]
    expected = [f"two `A` events are closer than the {2**53} us that are declared"]
    assert broken_rates(rows(spark, events), spaced) == expected
    assert broken_rates(rows(spark, events), [Stream("D")]) == []


def test_what_says_no_event_or_comes_again_is_not_counted(spark: SparkSession) -> None:
    events = [("A", 1, 1), ("A", 2, 1), ("A", 11, 1), ("A", 12, 2), (None, 13, 3)]
    streams = [Stream("A", Arrival(1, 10))]
    assert broken_rates(rows(spark, events, "id"), streams) == []
    assert broken_rates(rows(spark, [*events, ("A", 13, 4)], "id"), streams) != []
    assert broken_rates(rows(spark, [*events, ("A", 13, 4), ("B", 3, 4)], "id"), streams) == []
    assert broken_rates(rows(spark, events), streams) != []
