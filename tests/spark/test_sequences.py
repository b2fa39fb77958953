"""Sequences find on Spark what they find in this process, and what trying everything finds."""

import random
from collections import Counter
from itertools import product

from pyspark.sql import SparkSession

import cepheid as c
from cepheid.spark import detect
from tests.languages.cep.brute_sequences import BruteStep, text_of
from tests.languages.cep.test_every_sequence import AFTER, CONTIGUITY, TIMES, accepted, expected, steps_with

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


def test_random_sequences_find_what_trying_everything_finds(spark: SparkSession) -> None:
    chance = random.Random(11)
    kinds = [(contiguity, times, group) for contiguity, times, group in product(CONTIGUITY, TIMES, (False, True))]
    tried: list[tuple[list[BruteStep], str | None, str, str]] = []
    while len(tried) < 24:
        contiguity, times, group = chance.choice(kinds)
        steps = chance.choice([*steps_with(contiguity, times, group=group)])
        closing, after = chance.choice((None, "C")), chance.choice(AFTER)
        if accepted(text := text_of(steps, closing, 5, after)) is not None:
            tried.append((steps, closing, after, text))
    records = {user: [(chance.choice("AAABBBC"), 0) for _ in range(12)] for user in "xy"}
    wanted = Counter(
        (f"r{number}", taken[0], taken[-1])
        for number, (steps, closing, after, _) in enumerate(tried)
        for user in records
        for taken in expected(steps, records[user], closing, after)
    )
    assert len({name for name, *_ in wanted}) > 12
    query = c.compile("\n".join(f"rule r{at} by user: {text} emits r{at}" for at, (*_, text) in enumerate(tried)))
    events = [
        {"type": kind, "time": time, "user": user, "id": f"{user}{time}"}
        for user, rows in records.items()
        for time, (kind, _) in enumerate(rows)
    ]
    found = detect(
        spark.createDataFrame(events), query, type="type", time="time", id="id", order_by=["time", "user"]
    ).where("tag = 'match'")
    rows = found.select("match", "start", "end").collect()
    assert Counter((row["match"], int(row["start"]), int(row["end"])) for row in rows) == wanted
