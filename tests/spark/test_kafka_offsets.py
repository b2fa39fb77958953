"""Which records a batch has is decided once: by what is there, how much may be read, and the clock on the wall."""

import json
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.spark.kafka.client import KafkaTopic
from cepheid.spark.kafka.offsets import (
    Partition,
    Seen,
    between,
    first_offsets,
    from_json,
    planned,
    shared_out,
    to_json,
    waited_for,
)
from cepheid.spark.kafka.source import Range, TopicReader
from cepheid.spark.kafka.transactions import BatchWriter
from cepheid.spark.pipelines import read_pipeline
from cepheid.spark.pipelines.beginnings import beginnings, remember_beginnings

COUNTS = st.dictionaries(st.integers(0, 8), st.integers(0, 10_000), min_size=1)


def test_a_partition_is_idle_when_nothing_came_for_long_and_not_any_more_when_something_comes() -> None:
    start = first_offsets({0: Seen(0, 4), 1: Seen(0, 0)}, "earliest", 100)
    seen = {0: Seen(0, 4), 1: Seen(0, 0)}
    first = planned(start, seen, 130, 60)
    assert waited_for(first) == ["0", "1"]
    second = planned(first, {0: Seen(0, 9), 1: Seen(0, 0)}, 160, 60)
    assert (waited_for(second), second[1].since) == (["0"], 100)
    assert planned(second, {0: Seen(0, 9), 1: Seen(0, 0)}, 170, 60) == second
    assert waited_for(planned(second, {0: Seen(0, 9), 1: Seen(0, 1)}, 180, 60)) == ["0", "1"]


def test_a_partition_with_something_left_is_never_idle() -> None:
    start = {0: Partition(0, 0, 0), 1: Partition(0, 0, 0)}
    after = planned(start, {0: Seen(0, 1000), 1: Seen(0, 1)}, 1000, 1, most=10)
    assert (waited_for(after), after[1].next) == (["0", "1"], 0)


def test_without_a_limit_all_are_waited_for_whatever_happens() -> None:
    assert waited_for(planned({0: Partition(0, 3, 0)}, {0: Seen(0, 3)}, 10**9)) == ["0"]


def test_a_new_partition_begins_with_what_it_holds() -> None:
    start = first_offsets({0: Seen(2, 8)}, "latest", 0)
    assert start == {0: Partition(8, 8, 0)}
    after = planned(start, {0: Seen(2, 9), 1: Seen(3, 5)}, 10)
    assert between(start, after) == {0: (8, 9), 1: (3, 5)}


def test_a_topic_that_was_made_anew_gives_nothing_twice() -> None:
    """Offsets that were read already are not read again, also where the partition has fewer now."""
    start = {0: Partition(0, 50, 0)}
    assert between(start, planned(start, {0: Seen(0, 7)}, 10)) == {}


@given(COUNTS, st.integers(1, 20_000))
def test_what_a_batch_takes_is_no_more_than_it_may_and_something_where_something_is_left(
    left: dict[int, int], most: int
) -> None:
    shares = shared_out(left, most)
    assert all(0 <= shares[number] <= left[number] for number in left)
    assert sum(shares.values()) == min(most, sum(left.values()))


@given(st.dictionaries(st.integers(0, 12), st.builds(Partition, *[st.integers(0, 99)] * 3, st.booleans())))
def test_offsets_are_the_same_text_whatever_the_order(offsets: dict[int, Partition]) -> None:
    assert from_json(to_json(offsets)) == offsets
    assert list(to_json(dict(reversed(offsets.items())))) == list(to_json(offsets))


def test_a_batch_that_is_repeated_reads_and_waits_as_it_was_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever it is repeated, and whatever the topic holds by then: neither the clock nor a broker is asked."""
    start = {0: Partition(0, 5, since=100), 1: Partition(0, 2, since=100), 2: Partition(0, 4, since=150)}
    end = planned(start, {0: Seen(0, 8), 1: Seen(0, 2), 2: Seen(0, 4)}, now=160, idle_after=60)
    written = json.dumps(to_json(end))
    for asked in ("_now", "seen_in"):
        monkeypatch.delattr(f"cepheid.spark.kafka.source.{asked}")
    reader = TopicReader(KafkaTopic("127.0.0.1:1", "orders", idle_after=60), None)
    for _ in range(2):
        ranges = reader.partitions(json.loads(json.dumps(to_json(start))), json.loads(written))
        assert ranges == [Range(0, 5, 8, waited_for=["0", "2"])]
    nothing = reader.partitions(json.loads(written), json.loads(written))
    assert nothing == [Range(-1, 0, 0, waited_for=["0", "2"])]  # who is waited for is said all the same


PIPELINE = """
[pipeline]
checkpoint = "checkpoint"
[sources.orders]
format = "kafka"
bootstrap = "127.0.0.1:1"
topic = "orders"
from = "latest"
schema = "type string, time long"
[queries.pair]
text = "(A ; B) within 9 s"
[sinks.found]
format = "console"
"""


def test_where_a_run_begins_is_decided_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Until the first batch is done, Spark asks for it again: what came meanwhile is not passed over."""
    pipeline = read_pipeline(PIPELINE, directory=tmp_path)
    high = 7
    module = import_module("cepheid.spark.pipelines.beginnings")
    monkeypatch.setattr(module, "seen_in", lambda _: {0: Seen(3, high)})
    first = beginnings(pipeline)
    assert [one.next for one in first["orders"].values()] == [7]
    assert not (tmp_path / "checkpoint").exists()  # a check writes nothing
    remember_beginnings(pipeline, first)
    high = 12
    assert beginnings(pipeline) == first


def test_a_transaction_may_take_as_long_as_its_sink_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broker gives up a batch that takes longer to write, and it would be repeated for ever."""
    module = import_module("cepheid.spark.kafka.transactions")
    monkeypatch.setattr(module, "client", lambda: SimpleNamespace(Producer=dict))
    usual = BatchWriter(KafkaTopic("127.0.0.1:1", "found"), "run", 0)._producer()
    own = {"transaction.timeout.ms": "900000", "transactional.id": "mine"}
    longer = BatchWriter(KafkaTopic("127.0.0.1:1", "found", own), "run", 0)._producer()
    assert (usual["transaction.timeout.ms"], longer["transaction.timeout.ms"]) == (60_000, "900000")
    assert usual["transactional.id"] == longer["transactional.id"] == "cepheid-run-0"
