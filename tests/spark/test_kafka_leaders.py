"""A partition without a leader is asked again; what else a broker refuses is refused at once."""

from concurrent.futures import Future
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException

from cepheid.spark.kafka.client import KafkaTopic
from cepheid.spark.kafka.transactions import NOTHING_YET, BatchWriter

TRANSACTIONS = "cepheid.spark.kafka.transactions"


class Asked:
    """An administrator of a cluster that refuses with some errors before it says that a partition is empty."""

    def __init__(self, *refusals: int) -> None:
        self.refusals = list(refusals)

    def list_offsets(self, asked: dict[Any, Any], **_: object) -> dict[Any, Future[Any]]:
        answer: Future[Any] = Future()
        if self.refusals:
            answer.set_exception(KafkaException(KafkaError(self.refusals.pop(0))))
        else:
            answer.set_result(SimpleNamespace(offset=0))
        return dict.fromkeys(asked, answer)


def writer(monkeypatch: pytest.MonkeyPatch, asked: Asked) -> BatchWriter:
    module = import_module(TRANSACTIONS)
    own = SimpleNamespace(AdminClient=lambda _: asked, OffsetSpec=module.admin().OffsetSpec)
    monkeypatch.setattr(module, "admin", lambda: own)
    monkeypatch.setattr(module, "_AGAIN", 0)
    return BatchWriter(KafkaTopic("127.0.0.1:1", "found"), "run", 0)


def test_who_asks_before_a_partition_has_a_leader_asks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    passing = (KafkaError._NOENT, KafkaError.LEADER_NOT_AVAILABLE, KafkaError.NOT_LEADER_FOR_PARTITION)
    asked = Asked(*passing, KafkaError.UNKNOWN_TOPIC_OR_PART)
    assert writer(monkeypatch, asked).last_batch() == NOTHING_YET
    assert asked.refusals == []


def test_what_else_is_refused_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(KafkaError.TOPIC_AUTHORIZATION_FAILED, KafkaError._NOENT)
    with pytest.raises(KafkaException, match="TOPIC_AUTHORIZATION_FAILED"):
        writer(monkeypatch, asked).last_batch()
    assert asked.refusals == [KafkaError._NOENT]
