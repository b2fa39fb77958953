"""Random programs find on Spark what the definition finds, in whole frames and in streams."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.breadth import all_is_run
from tests.spark.packed_cases import (
    FLAVOURS,
    Flavour,
    arriving_cases,
    by_definition,
    by_engine,
    cases,
    has_points_of_time,
    on_batch,
    on_stream,
    watchpoint_cases,
)

TOGETHER, BATCHES = (40, 3) if all_is_run() else (24, 2)


@pytest.mark.parametrize(
    "flavour",
    [FLAVOURS[0], *(pytest.param(flavour, marks=pytest.mark.soak) for flavour in FLAVOURS[1:])],
    ids=lambda flavour: flavour.type,
)
def test_whole_frames_have_the_matches_of_the_definition(spark: SparkSession, flavour: Flavour) -> None:
    first = 1000 * FLAVOURS.index(flavour)
    some = cases(range(first, first + TOGETHER), flavour)
    expected = {name: by_definition(case) for name, case in some.items()}
    assert sum(map(bool, expected.values())) > TOGETHER / 3, "too few of the cases have a match"
    assert on_batch(spark, some, flavour) == expected


def test_events_of_one_time_follow_each_other_as_a_column_says(spark: SparkSession, tmp_path: Path) -> None:
    flavour = FLAVOURS[0]
    half = TOGETHER // 2
    drawn = arriving_cases(range(7000, 7000 + half), flavour) | watchpoint_cases(range(half), flavour)
    expected = {name: by_definition(case) for name, case in drawn.items()}
    assert sum(map(bool, expected.values())) > TOGETHER / 3, "too few of the cases have a match"
    assert on_batch(spark, drawn, flavour) == expected
    some = {name: case for name, case in drawn.items() if not has_points_of_time(case)}
    found = on_stream(spark, some, flavour, tmp_path, BATCHES)
    assert found == {name: by_engine(case) for name, case in some.items()}


@pytest.mark.soak  # what follows each other by a column goes through a stream above
def test_streams_have_the_matches_that_are_certain(spark: SparkSession, tmp_path: Path) -> None:
    flavour = FLAVOURS[0]
    drawn = cases(range(5000, 5000 + TOGETHER), flavour)
    some = {name: case for name, case in drawn.items() if not has_points_of_time(case)}
    expected = {name: by_engine(case) for name, case in some.items()}
    assert sum(map(bool, expected.values())) > len(some) / 4, "too few of the cases have a match"
    assert on_stream(spark, some, flavour, tmp_path, BATCHES) == expected
    for name, case in some.items():
        assert set(expected[name]) <= set(by_definition(case))
