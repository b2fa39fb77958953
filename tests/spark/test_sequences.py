"""Sequences find on Spark what they find in this process: contiguity, loops, groups, and what comes after a match."""

import random

from pyspark.sql import SparkSession

import cepheid as c
from cepheid.spark import detect

SEQUENCES = (
    "sequence within 6 s { 1..* of a: A combinations, any b: B[v > a.v] }",
    "sequence within 6 s { 1..* of a: A greedy, not x: C, b: B }",
    "sequence within 8 s { 2 of (a: A, strict b: B), optional x: C }",
    "sequence within 6 s skip past last { 1..3 of a: A consecutive, b: B }",
    "sequence within 6 s skip to last a { 2..* of a: A until x: C, b: B }",
    "sequence within 6 s skip to first b { a: A, 1..2 of b: B, not x: C }",
)


def test_sequences_find_what_they_find_in_this_process(spark: SparkSession) -> None:
    draw = random.Random(7)
    events = [
        {"type": draw.choice("AABBC"), "time": time, "v": draw.randrange(4), "user": draw.choice("ab")}
        for time in range(60)
    ]
    rules = (f"rule r{number} by user: {text} emits r{number}" for number, text in enumerate(SEQUENCES))
    query = c.compile("\n".join(rules))
    here = sorted((match.name, match.start, match.end) for match in query.run(events))
    frame = spark.createDataFrame(events)
    there = (
        detect(frame, query, type="type", time="time", order_by=["time"])
        .where("tag = 'match'")
        .select("match", "start", "end")
        .collect()
    )
    assert sorted((row["match"], int(row["start"]), int(row["end"])) for row in there) == here
    assert {name for name, *_ in here} == {f"r{number}" for number in range(len(SEQUENCES))}
