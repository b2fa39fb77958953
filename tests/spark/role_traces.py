"""Many small traces of transfers and of acquisitions in one: their accounts, companies and ids have nothing in common.

So the matches of all of them together are those of each, and one job of Spark is enough for thousands of cases.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from pyspark.sql import DataFrame, Row, SparkSession

import cepheid
from cepheid.algebra.matches import Match
from cepheid.api.compiling import Settings, load
from cepheid.connectors import plain_json
from cepheid.engine import Detector
from cepheid.events import Event, Value, point
from cepheid.spark import detect
from tests.spark.streams import taken_in

EXAMPLES = Path(__file__).parents[2] / "examples"
DAY = 86_400_000_000
COLUMNS = (
    "type string, time long, name long, id long, originator string, destination string, amount long, "
    "transaction_id long, reason string, buyer string, bought string"
)
FIELDS = ("id", "originator", "destination", "amount", "transaction_id", "reason", "buyer", "bought")
BEAT, LATER = "Beat", 100 * DAY


def query(file: str) -> cepheid.CompiledQuery:
    """Return what one of the examples says."""
    text = (EXAMPLES / file).read_text(encoding="utf-8")
    if file.endswith(".parte"):
        return load(str(EXAMPLES / file), settings=Settings(time_unit="us"))
    return cepheid.compile(text, language="etalis", allow_unbounded=True, time_unit="us")


def transfers(seeds: Sequence[int]) -> Iterator[Event]:
    """Yield transfers among a few accounts and claims about some of them, for each of the seeds."""
    for seed in seeds:
        random, ids = Random(seed), list[int]()
        names = [f"{seed}-{name}" for name in "ABCD"]
        time = 0
        for number in range(random.randrange(6, 14)):
            time += random.choice((0, 1, DAY, 3 * DAY, 9 * DAY))
            ids.append(1000 * seed + number)
            if number > 2 and random.random() < 0.2:
                claimed: dict[str, Value] = {"transaction_id": random.choice(ids), "reason": "none"}
                yield point("FraudulentTransactionClaimed", time, ids[-1], claimed)
                continue
            amount = random.choice((100, 100, 105, 300, 320, 50, 95))
            both = {"originator": random.choice(names), "destination": random.choice(names)}
            yield point("MoneyTransferred", time, ids[-1], {"id": ids[-1], "amount": amount, **both})


def acquisitions(seeds: Sequence[int]) -> Iterator[Event]:
    """Yield who buys whom among a few companies, for each of the seeds."""
    for seed in seeds:
        random = Random(seed)
        names = [f"{seed}-{name}" for name in "ABCDE"]
        for number in range(random.randrange(4, 10)):
            both = {"buyer": random.choice(names), "bought": random.choice(names)}
            yield point("buys", number + random.randrange(2), 1000 * seed + number, both)


def in_one_process(asked: cepheid.CompiledQuery, events: Sequence[Event], *, ended: bool) -> list[str]:
    """Return what one detector finds; where the input does not end, when it is much later."""
    detector = Detector(asked.plan)
    found = [match for event in sorted(events, key=_order) for match in detector.push(event)]
    return sorted(map(_told, [*found, *(detector.close() if ended else detector.advance(LATER))]))


def in_a_frame(spark: SparkSession, asked: cepheid.CompiledQuery, events: Sequence[Event], buckets: int) -> list[str]:
    """Return what Spark finds in a frame."""
    return _by_rows(detect(_frame(spark, events), asked, id="name", buckets=buckets, values="json").collect())


def in_a_stream(
    spark: SparkSession, asked: cepheid.CompiledQuery, events: Sequence[Event], buckets: int, folder: Path
) -> list[str]:
    """Return what Spark finds in a stream of three batches, the last of which says that it is much later."""
    ordered = sorted(events, key=_order)
    half = len(ordered) // 2
    for number, some in enumerate((ordered[:half], ordered[half:], [point(BEAT, LATER, -1)])):
        _frame(spark, some).coalesce(1).write.parquet(f"{folder}/in/{number}")
    stream = spark.readStream.schema(COLUMNS).option("maxFilesPerTrigger", 1).parquet(f"{folder}/in/*")
    results = detect(stream, asked, id="name", buckets=buckets, values="json", heartbeat=BEAT)
    return _by_rows(taken_in(results, folder / "checkpoint"))


def _frame(spark: SparkSession, events: Sequence[Event]) -> DataFrame:
    rows = [(one.type, one.end, one.id, *(one.fields.get(name) for name in FIELDS)) for one in events]
    return spark.createDataFrame(rows, COLUMNS)


def _by_rows(rows: Sequence[Row]) -> list[str]:
    assert all(row["tag"] == "match" for row in rows), [row for row in rows if row["tag"] != "match"][:3]
    return sorted(
        str((row["match"], row["start"], row["end"], row["values"], row["evidence"], row["id"])) for row in rows
    )


def _told(match: Match) -> str:
    values = json.dumps(plain_json(match.values))
    return str((match.name, match.start, match.end, values, list(match.evidence), match.id))


def _order(event: Event) -> tuple[int, int]:
    assert isinstance(event.id, int)
    return event.end, event.id
