"""Results on their way to an address on the web: signed, tried again, with an id that stays, and dead letters."""

import hmac
import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from cepheid.diagnostics import CepheidError
from cepheid.spark.pipelines.sinks import WebhookSink
from cepheid.spark.pipelines.webhook import Webhook, letters, send_batch
from tests.spark.webhook_receiver import DIES, OK, Receiver, receiving

SECRET = "not to be seen"


@pytest.fixture
def answers() -> list[int]:
    """What the receiver answers, one after another: 200 where nothing else is said."""
    return []


@pytest.fixture
def receiver(answers: list[int]) -> Iterator[Receiver]:
    with receiving(lambda: answers.pop(0) if answers else OK) as received:
        yield received


def send(hook: Webhook, *names: str, dead: Path | None = None) -> list[float]:
    """Send results with these ids, and return how long it was waited between attempts."""
    waited: list[float] = []
    send_batch(hook, [(name, json.dumps({"id": name})) for name in names], 7, dead, waited.append)
    return waited


def test_each_result_is_a_request_with_its_id_and_a_signature(receiver: Receiver) -> None:
    assert send(Webhook(receiver.url, SECRET), "q/a", "q/b") == []
    assert receiver.ids() == ["q/a", "q/b"]
    for one in receiver.came:
        assert one.signature == "sha256=" + hmac.new(SECRET.encode(), one.body, sha256).hexdigest()


def test_an_id_may_have_letters_that_headers_have_not(receiver: Receiver) -> None:
    assert send(Webhook(receiver.url), "заказ/a", "50%/b", "two\nlines/c") == []
    assert receiver.ids() == [
        "%D0%B7%D0%B0%D0%BA%D0%B0%D0%B7/a",
        "50%25/b",
        "two%0Alines/c",
    ]


def test_what_fails_for_a_while_is_sent_again_with_the_same_id(receiver: Receiver, answers: list[int]) -> None:
    answers += [500, DIES, 429, OK]
    assert send(Webhook(receiver.url), "q/a", "q/b") == [1.0, 2.0, 4.0]
    assert receiver.ids() == ["q/a"] * 4 + ["q/b"]


def test_what_is_refused_for_good_is_a_dead_letter_and_is_not_tried_again(
    receiver: Receiver, answers: list[int], tmp_path: Path
) -> None:
    answers += [400]
    assert send(Webhook(receiver.url), "q/a", "q/b", dead=tmp_path / "dead") == []
    [file] = (tmp_path / "dead").iterdir()
    assert file.name == "batch=7.jsonl"
    assert json.loads(file.read_text(encoding="utf-8")) == {
        "id": "q/a",
        "reason": "it answers 400",
        "result": {"id": "q/a"},
    }
    # The batch is repeated, and all is taken now.
    send(Webhook(receiver.url), "q/a", "q/b", dead=tmp_path / "dead")
    assert list((tmp_path / "dead").iterdir()) == []


def test_without_a_path_for_dead_letters_the_stream_ends_after_all_attempts(
    receiver: Receiver, answers: list[int]
) -> None:
    answers += [503] * 3
    with pytest.raises(CepheidError, match="does not take `q/a`: it answers 503") as raised:
        send(Webhook(receiver.url, SECRET, attempts=3), "q/a")
    assert receiver.ids() == ["q/a"] * 3
    assert "x=1" not in str(raised.value)
    assert SECRET not in str(raised.value)


def test_nobody_there_is_refused_before_anything_starts() -> None:
    with pytest.raises(CepheidError, match=r"`http://127\.0\.0\.1:1` does not answer: connection refused"):
        Webhook("http://127.0.0.1:1/secret-path").reach()
    assert "secret" not in repr(Webhook("http://127.0.0.1:1/secret-path", SECRET))


def test_what_has_no_id_gets_one_that_is_the_same_when_its_batch_is_repeated() -> None:
    def names(batch: int, run: str = "run") -> list[str]:
        return [name for name, _ in letters([(None, None, "x"), (None, None, "x"), ("q", "m", "y")], batch, run)]

    assert names(3) == names(3)
    assert len(set(names(3))) == 3
    assert not set(names(3)[:2]) & {*names(4), *names(3, "other")}
    assert names(3)[2] == "q/m"


def test_a_frame_is_sent_again_with_the_same_ids(receiver: Receiver, spark: SparkSession) -> None:
    sink = WebhookSink(Webhook(receiver.url), None)
    rows = [("match", "q", "m1", 2, ("ann",)), ("late", None, None, 1, None)]
    frame = spark.createDataFrame(rows, "tag string, query string, id string, end long, values struct<user string>")
    sink.check(None)
    sink.begin("a run", frame.schema)
    for _ in range(2):
        sink.write(frame, 0)
    assert receiver.ids()[:2] == receiver.ids()[2:]
    assert json.loads(receiver.came[1].body) == {
        "tag": "match",
        "query": "q",
        "id": "m1",
        "end": 2,
        "values": {"user": "ann"},
    }
