"""The rules about fraud and about acquisitions have on Spark, by role, the matches of one process.

Run as a program, over as many random traces as it is told: `python -m tests.spark.test_roles_on_spark 0 2000`.
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from cepheid.events import Event
from cepheid.spark.lanes import lanes_of
from tests.spark.role_traces import acquisitions, in_a_frame, in_a_stream, in_one_process, query, transfers
from tests.spark.session import session

FRAUD, ACQUISITIONS = "fraud/fraud.parte", "etalis/acquisitions.etalis"
TRACES: dict[str, Callable[[Sequence[int]], Iterator[Event]]] = {FRAUD: transfers, ACQUISITIONS: acquisitions}
BUCKETS = 5


def test_every_rule_has_a_key() -> None:
    keys = {lane.name: lane.key for file in TRACES for lane in lanes_of(0, query(file))}
    both = {"MoneyTransferred": ("destination", "originator")}
    assert keys == {
        "FraudPassThrough": {"MoneyTransferred": ("amount",)},
        "FraudDiffusion": both,
        "FraudDiffusionOverAll": both,
        "FraudRefundScam": {**both, "FraudulentTransactionClaimed": ()},
        "indirectlyAcquires": {"buys": ("bought", "buyer")},
    }


@pytest.mark.parametrize("file", TRACES)
def test_frames_have_the_matches_of_one_process(spark: SparkSession, file: str) -> None:
    events = list(TRACES[file](range(60)))
    expected = in_one_process(query(file), events, ended=True)
    assert {rule.name for rule in query(file).program.rules} == {one.split("'")[1] for one in expected}
    assert in_a_frame(spark, query(file), events, BUCKETS) == expected


def test_streams_have_the_matches_of_one_process(spark: SparkSession, tmp_path: Path) -> None:
    events = list(transfers(range(60)))
    expected = in_one_process(query(FRAUD), events, ended=False)
    assert len({one.split("'")[1] for one in expected}) == 4
    assert in_a_stream(spark, query(FRAUD), events, BUCKETS, tmp_path) == expected


def main(arguments: Sequence[str]) -> int:
    seeds = range(int(arguments[0]), int(arguments[1]))
    wrong = 0
    for file, made in TRACES.items():
        asked, events = query(file), list(made(seeds))
        for way in ("frames", "streams"):
            expected = Counter(in_one_process(asked, events, ended=way == "frames"))
            with tempfile.TemporaryDirectory() as folder:
                found = Counter(
                    in_a_frame(session(), asked, events, BUCKETS)
                    if way == "frames"
                    else in_a_stream(session(), asked, events, BUCKETS, Path(folder))
                )
            other = (found - expected) + (expected - found)
            wrong += other.total()
            print(f"{file} in {way}: {len(seeds)} cases, {expected.total()} matches, {other.total()} wrong", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
