"""A topic of Kafka and how it is reached: `confluent-kafka` is the client, because it has transactions.

It comes with `pip install 'cepheid[kafka]'`. What it would say on its own goes nowhere; what went wrong is an error.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from cepheid.diagnostics import CepheidError, Diagnostic, missing_package

if TYPE_CHECKING:
    from confluent_kafka import KafkaException

AVRO: Final = "avro"
PAYLOADS: Final = ("json", "csv", AVRO)
STARTS: Final = ("earliest", "latest")
IDLE_AFTER: Final = "1 min"
GROUP: Final = "cepheid"
PATIENCE: Final = 10.0
"""So many seconds a broker has to answer before anything starts."""
_QUIET: Final[Mapping[str, Any]] = {"client.id": "cepheid", "log_level": 0}


@dataclass(frozen=True, slots=True)
class KafkaTopic:
    """A topic: where its brokers are, what its payloads are, and `settings` of the client, which are never shown.

    `idle_after` are the seconds without a record after which a partition is not waited for any more, None where all
    are waited for whatever happens. A batch takes `most` records. `writers` are the tasks that write into it. Payloads
    of Avro have the schema `avro`, and begin behind a header of so many bytes.
    """

    bootstrap: str
    topic: str
    settings: Mapping[str, str] = field(default_factory=dict, repr=False)
    payload: str = "json"
    start: Literal["earliest", "latest"] = "earliest"
    idle_after: float | None = None
    most: int | None = None
    writers: int = 1
    avro: str | None = None
    avro_header: int = 0

    def config(self, **more: object) -> dict[str, Any]:
        """Return the settings of a client; what the user sets wins over what we would set."""
        return {**_QUIET, "bootstrap.servers": self.bootstrap, **self.settings, **more}

    def consumer(self, **more: object) -> Any:  # a consumer of the client
        """Return a consumer that sees what is committed, and that notes nothing in the cluster."""
        own = {"group.id": GROUP, "enable.auto.commit": False, "isolation.level": "read_committed"}
        own |= {"enable.partition.eof": True, "auto.offset.reset": "error"}
        return client().Consumer({**self.config(), **own, **more})

    def partitions(self) -> tuple[int, ...]:
        """Return the partitions of the topic; refuse brokers that do not answer, and a topic that is not there."""
        heard: list[str] = []
        consumer = self.consumer(error_cb=lambda error: heard.append(error.str()))
        try:
            found = consumer.list_topics(self.topic, timeout=PATIENCE).topics[self.topic]
        except client().KafkaException as error:
            raise unreachable(self, (heard or [_reason(error)])[-1]) from None
        finally:
            consumer.close()
        if found.error is not None or not found.partitions:
            raise _no_topic(self)
        return tuple(sorted(found.partitions))


def client() -> Any:  # the module; its own types are named where they are used
    """Return the client, or say how it is installed."""
    try:
        import confluent_kafka
    except ImportError:
        raise missing_package("confluent-kafka", "kafka") from None
    return confluent_kafka


def admin() -> Any:  # the module
    """Return the part of the client that looks after topics."""
    client()
    import confluent_kafka.admin

    return confluent_kafka.admin


def refused_settings(topic: KafkaTopic) -> str | None:
    """Return why the client does not take the settings of a topic, without their values; None where it does."""
    try:
        topic.consumer().close()
    except client().KafkaException as error:
        return without(topic, _reason(error))
    except (TypeError, ValueError) as error:
        return without(topic, str(error))
    return None


def guarded(topic: KafkaTopic, act: Callable[[], Any]) -> Any:
    """Return what an act with a client gives; what the broker refuses is an error that shows no setting."""
    try:
        return act()
    except client().KafkaException as error:
        raise unreachable(topic, _reason(error)) from None


def unreachable(topic: KafkaTopic, reason: str) -> CepheidError:
    """Return the error for brokers that refuse, or that do not answer."""
    message = f"Kafka at `{topic.bootstrap}` refuses: {without(topic, reason)}"
    hint = 'start the broker, or mend `bootstrap = "host:9092"`'
    return CepheidError(Diagnostic("unreadable-input", message, hints=(hint,)))


def without(topic: KafkaTopic, text: str) -> str:
    """Return one line of a text without the values of the settings of a topic."""
    for value in sorted(topic.settings.values(), key=len, reverse=True):
        text = text.replace(value, "***") if value else text
    return next((line.strip() for line in text.splitlines() if line.strip()), "no answer")


def _reason(error: "KafkaException") -> str:
    return str(error.args[0].str() if error.args and hasattr(error.args[0], "str") else error)


def _no_topic(topic: KafkaTopic) -> CepheidError:
    message = f"Kafka at `{topic.bootstrap}` has no topic `{topic.topic}`"
    hint = f"kafka-topics.sh --bootstrap-server {topic.bootstrap} --create --topic {topic.topic}"
    return CepheidError(Diagnostic("unreadable-input", message, hints=(hint,)))
