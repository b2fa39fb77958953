"""A key with far more than its share of the events is named once, and one that has its share never."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import SparkSession

import cepheid as api
from cepheid.analysis.keys.roles import mark_of
from cepheid.cli.metrics import Metrics
from cepheid.cli.service import batch_as_json
from cepheid.spark.bucket_keys import shown_key, told_keys
from cepheid.spark.event_columns import TYPE, field_column
from cepheid.spark.key_skew import BATCHES, LEAST, HottestBucket, KeySkew, hottest_buckets
from cepheid.spark.lanes import Route, lanes_of, routes_of
from cepheid.spark.pipelines import BatchFigures
from tests.cli.console import cepheid

OF = 8


def a_route(text: str) -> Route:
    [route] = routes_of(list(lanes_of(0, api.compile(text, language="algebra"))))
    return route


USERS = a_route("Pair = (a:A ; b:B) within 5 s by user")


def told(route: Route, columns: Mapping[str, Sequence[object]], bucket: int = 0) -> Mapping[str, object] | None:
    named = {TYPE if name == "type" else field_column(name): pa.array(some) for name, some in columns.items()}
    text = told_keys(route, bucket, OF, pa.table(named))
    return None if text is None else json.loads(text)


@given(st.lists(st.one_of(st.none(), st.sampled_from("abcdé\n")), min_size=1, max_size=50))
def test_a_bucket_says_its_key_with_the_most_events(users: list[str | None]) -> None:
    said = told(USERS, {"type": ["A"] * len(users), "user": users}, bucket=5)
    assert said is not None
    counts = Counter(users)
    assert (said["events"], said["keys"], said["most"]) == (len(users), len(counts), max(counts.values()))
    assert said["key"] in {shown_key(user) for user, count in counts.items() if count == said["most"]}
    assert (said["bucket"], said["by"], said["lanes"]) == (5, ["user"], [[0, "Pair"]])


def test_a_bucket_without_rows_says_nothing_and_without_the_column_that_all_are_null() -> None:
    assert told(USERS, {"type": pa.array([], pa.string()), "user": pa.array([], pa.string())}) is None
    said = told(USERS, {"type": ["A", "B"]})
    assert said is not None
    assert (said["key"], said["most"]) == ("null", 2)


def test_events_that_hold_the_key_in_different_attributes_have_one_key() -> None:
    route = Route(0, USERS.lanes, {"A": ("user",), "B": ("owner",)})
    said = told(route, {"type": ["A", "A", "B", "B"], "user": ["x", "y", "z", "z"], "owner": [None, None, "x", "x"]})
    assert said is not None
    assert (said["key"], said["most"], said["events"], said["keys"], said["by"]) == ('"x"', 3, 4, 2, ["user", "owner"])


def test_a_copy_counts_by_the_attribute_that_it_came_by_and_what_goes_everywhere_by_none() -> None:
    route = Route(0, USERS.lanes, {"A": ("from", "to"), "C": ()})
    marked: list[object] = [True, None, None]
    columns: dict[str, Sequence[object]] = {
        "type": ["A", "A", "C"],
        "from": ["p", "q", "r"],
        "to": ["x", "x", "r"],
        mark_of("from"): marked,
    }
    said = told(route, columns)
    assert said is not None
    # The first came by `to` alone, the second by both.
    assert (said["key"], said["most"], said["events"]) == ('"x"', 2, 3)


def test_keys_are_shown_as_they_are_written_and_never_long() -> None:
    assert [shown_key(one) for one in ("a`b\n", True, 1.5)] == ['"a`b\\n"', "true", "1.5"]
    assert len(shown_key("\n" * 1000)) == 60


def line(bucket: int, events: int, most: int, *, keys: int = 100, key: str = '"ann"', of: int = OF) -> str:
    said = {"route": 0, "lanes": [[0, "Pair"]], "of": of, "bucket": bucket, "events": events, "keys": keys}
    return json.dumps({**said, "by": ["user"], "key": key, "most": most})


def batch(share: float, most: float = 1.0, *, bucket: int = 3, **more: object) -> list[HottestBucket]:
    """Return a batch of which one bucket has a share, and one key of it so much, and another bucket the rest."""
    events = round(10_000 * share)
    hot = line(bucket, events, round(events * most), **more)  # type: ignore[arg-type]  # as they are
    return list(hottest_buckets([hot, *(line((bucket + 1 + n) % OF, (10_000 - events) // 7, 1) for n in range(7))]))


def said(*batches: list[HottestBucket]) -> list[str]:
    skew = KeySkew()
    return [one.message for some in batches for one in skew.after(some)]


HOT, FAIR = batch(0.6, 0.9), batch(0.2)
KEY = '`user` is `"ann"` in 54% of the events that `Pair` takes'
BUCKET = "bucket 3 has 60% of the events that `Pair` takes"


def test_a_key_is_named_once_when_it_was_hot_in_three_batches_one_after_another() -> None:
    assert said(*[HOT] * 2) == []
    assert said(*[HOT] * 30) == [KEY]
    assert said(HOT, HOT, FAIR, HOT, HOT) == []
    assert said(*[FAIR] * 30) == []


def test_where_no_one_key_makes_it_so_the_bucket_is_named() -> None:
    assert said(*[batch(0.6, 0.2)] * 3) == [BUCKET]
    assert said(*(batch(0.6, 0.9, key=key) for key in ("1", "2", "3"))) == [BUCKET]
    assert said(HOT, HOT, batch(0.6, 0.9, bucket=4)) == []


def test_small_batches_say_nothing_and_change_nothing() -> None:
    small = list(hottest_buckets([line(3, LEAST - 1, LEAST - 1)]))
    assert said(*[small] * 9) == []
    assert said(HOT, small, HOT, small, HOT) == [KEY]


def test_a_few_keys_that_are_even_are_no_skew_and_one_key_alone_is() -> None:
    even = [line(bucket, 2000, 2000, keys=1, of=32) for bucket in range(4)]
    assert said(*[list(hottest_buckets(even))] * 9) == []
    alone = list(hottest_buckets([line(3, 2000, 2000, keys=1)]))
    assert said(*[alone] * 3) == ['`user` is `"ann"` in 100% of the events that `Pair` takes']


@given(st.lists(st.integers(0, 3).map(lambda one: [HOT, FAIR, batch(0.7, bucket=5), batch(0.9, 0.1)][one])))
def test_what_is_kept_does_not_grow_with_the_batches(batches: list[list[HottestBucket]]) -> None:
    skew = KeySkew()
    found = [finding for some in batches for finding in skew.after(some)]
    assert len(found) <= OF
    assert len(skew._lasting) <= 1
    assert len(skew._said) <= OF


def test_the_hottest_bucket_is_a_figure_and_in_the_line_of_a_batch() -> None:
    [hot] = hottest_buckets([line(3, 750, 700), line(4, 250, 20)], ["pairs"])
    figures = BatchFigures(0, 1000, 0, 0, 0, 0, 0, None, 3, 750, 1.0, hottest_buckets=(hot,))
    assert batch_as_json(figures)["hottest"] == [
        {
            "bucket": 3,
            "events": 750,
            "of": 1000,
            "rules": [{"query": "pairs", "rules": "Pair"}],
            "most": {"by": ["user"], "key": '"ann"', "events": 700},
        }
    ]
    metrics = Metrics("p")
    metrics.take(figures)
    assert 'cepheid_hottest_bucket_ratio{pipeline="p",query="pairs",rules="Pair"} 0.75\n' in metrics.text()


PIPELINE = """
[pipeline]
checkpoint = "checkpoint"
[sources.events]
format = "json"
path = "events"
schema = "type string, time long, user string"
options = { maxFilesPerTrigger = 1 }
[queries.pair]
text = "Pair = (a:A ; b:B) within 5 s by user"
language = "algebra"
[sinks.found]
format = "json"
path = "found"
"""


@pytest.mark.parametrize("hot", [True, False])
def test_a_pipeline_names_the_key_once(spark: SparkSession, tmp_path: Path, hot: bool) -> None:
    (tmp_path / "events").mkdir()
    for number in range(BATCHES + 1):
        users = ["ann" if hot and place % 4 else f"user {place}" for place in range(LEAST)]
        rows = ({"type": "A", "time": number, "user": user} for user in users)
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / "events" / f"{number}.jsonl").write_text(text, encoding="utf-8")
    (tmp_path / "pipeline.toml").write_text(PIPELINE, encoding="utf-8")
    answer = cepheid("pipeline", "run", str(tmp_path / "pipeline.toml"), "--once", "--log", "json")
    assert answer.status == 0, answer.said
    lines = [json.loads(line) for line in answer.said.splitlines()]
    findings = [(one["code"], one["message"]) for one in lines if one.get("code") == "skewed-key"]
    message = '`user` is `"ann"` in 75% of the events that `Pair` takes'
    assert findings == ([("skewed-key", message)] if hot else [])
    shares = [one["hottest"][0]["events"] / one["hottest"][0]["of"] for one in lines if one["event"] == "batch"]
    assert [share > 0.5 for share in shares] == [hot] * (BATCHES + 1)
