"""A pipeline as a service: figures that Prometheus reads, lines of JSON, and whether it is well."""

import json
import socket
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from cepheid.cli.metrics import Metrics
from cepheid.cli.service import address_of, log_batch, log_findings, served
from cepheid.diagnostics import CepheidError, Diagnostic, Severity
from cepheid.spark.pipelines import BatchFigures
from cepheid.spark.pipelines.figures import RuleFigures
from tests.cli.console import cepheid

RULES = (
    RuleFigures("paid", "Paid, Again", 7, 40, {"Paid": 2, "Again": 1}, late=3),
    RuleFigures('the "q"', "Near", 1, None, {"Near": 0}, duplicates=1),
)


def figures(batch: int = 4) -> BatchFigures:
    named = {"rules": RULES, "lag": {"orders": 12}, "seconds": 1.25, "exceeded": ("too fast",)}
    return BatchFigures(batch, 100, 3, 3, 1, 5, 8, 40, 0, 60, 80.0, **named)  # type: ignore[arg-type]  # as named


def test_figures_are_told_by_rule_and_counters_only_grow() -> None:
    metrics = Metrics("orders", now=lambda: 1_700_000_000.5)
    metrics.take(figures(4))
    metrics.take(figures(5))
    metrics.state = "running"
    lines = metrics.text().splitlines()
    assert [line for line in lines if not line.startswith("#")] == [
        'cepheid_up{pipeline="orders"} 1',
        'cepheid_batches_total{pipeline="orders"} 2',
        'cepheid_batch{pipeline="orders"} 5',
        'cepheid_batch_seconds{pipeline="orders"} 1.25',
        'cepheid_last_batch_timestamp_seconds{pipeline="orders"} 1700000000.5',
        'cepheid_events_total{pipeline="orders"} 200',
        'cepheid_matches_total{pipeline="orders",query="paid",rule="Again"} 2',
        'cepheid_matches_total{pipeline="orders",query="paid",rule="Paid"} 4',
        'cepheid_matches_total{pipeline="orders",query="the \\"q\\"",rule="Near"} 0',
        'cepheid_late_total{pipeline="orders",query="paid"} 6',
        'cepheid_late_total{pipeline="orders",query="the \\"q\\""} 0',
        'cepheid_duplicates_total{pipeline="orders",query="paid"} 0',
        'cepheid_duplicates_total{pipeline="orders",query="the \\"q\\""} 2',
        'cepheid_rejected_total{pipeline="orders"} 10',
        'cepheid_held_entries{pipeline="orders",query="paid",rules="Paid, Again"} 7',
        'cepheid_held_entries{pipeline="orders",query="the \\"q\\"",rules="Near"} 1',
        'cepheid_promised_entries{pipeline="orders",query="paid",rules="Paid, Again"} 40',
        'cepheid_lag_records{pipeline="orders",topic="orders"} 12',
        'cepheid_rate_exceeded_total{pipeline="orders"} 2',
    ]
    assert lines[:2] == ["# HELP cepheid_up 1 while the stream runs", "# TYPE cepheid_up gauge"]


def test_health_is_whether_the_stream_runs() -> None:
    metrics = Metrics("orders")
    with served(("127.0.0.1", 0), metrics) as port:
        with pytest.raises(HTTPError) as raised:
            urlopen(f"http://127.0.0.1:{port}/health", timeout=10)
        with raised.value as answer:
            assert (answer.code, answer.read()) == (503, b"starting\n")
        metrics.state = "running"
        with urlopen(f"http://127.0.0.1:{port}/health", timeout=10) as answer:
            assert (answer.status, answer.read()) == (200, b"running\n")
        with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
            assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
            assert b"cepheid_up" in answer.read()
        with pytest.raises(HTTPError) as raised:
            urlopen(f"http://127.0.0.1:{port}/", timeout=10)
        raised.value.close()


def test_a_batch_is_a_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    log_batch("orders", figures())
    log_findings(Diagnostic("one-partition", "it has no key", hints=("give it one",), severity=Severity.WARNING))
    batch, finding = map(json.loads, capsys.readouterr().err.splitlines())
    assert (batch.pop("time")[-6:], finding.pop("time")[-6:]) == ("+00:00", "+00:00")
    assert batch == {
        "level": "info",
        "event": "batch",
        "pipeline": "orders",
        "batch": 4,
        "seconds": 1.25,
        "events": 100,
        "matches": 3,
        "late": 3,
        "duplicates": 1,
        "corrupt": 5,
        "held": 8,
        "promised": 40,
        "lag": {"orders": 12},
        "rules": [
            {"query": "paid", "rules": "Paid, Again", "held": 7, "promised": 40, "matches": {"Paid": 2, "Again": 1}},
            {"query": 'the "q"', "rules": "Near", "held": 1, "promised": None, "matches": {"Near": 0}},
        ],
        "hottest": [],
    }
    assert (finding["level"], finding["code"], finding["hints"]) == ("warning", "one-partition", ["give it one"])


@pytest.mark.parametrize("text", ["9464", "here:", "here:http", ":9464", "127.0.0.1:70000"])
def test_an_address_that_is_none_is_refused_before_anything_starts(text: str) -> None:
    answer = cepheid("pipeline", "run", "nowhere.toml", "--metrics", text)
    assert (answer.status, answer.said.splitlines()) == (
        2,
        [
            f"error[bad-argument]: `{text}` is no address to serve figures at",
            "  = hint: write `--metrics 127.0.0.1:9464`",
        ],
    )


def test_a_port_that_is_taken_is_refused() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with (
            pytest.raises(
                CepheidError, match=f"figures cannot be served at `127.0.0.1:{port}`: address already in use"
            ),
            served(("127.0.0.1", port), Metrics("orders")),
        ):
            pass


def test_an_address_may_be_of_the_sixth_version() -> None:
    assert address_of("[::1]:80") == ("::1", 80)
    with socket.socket(socket.AF_INET6) as asking:
        try:
            asking.bind(("::1", 0))
        except OSError:
            pytest.skip("this machine has no such addresses")
    with (
        served(address_of("[::1]:0"), Metrics("orders")) as port,
        urlopen(f"http://[::1]:{port}/metrics", timeout=10) as answer,
    ):
        assert answer.status == 200


def test_errors_are_lines_of_json_too() -> None:
    answer = cepheid("pipeline", "run", "nowhere.toml", "--log", "json")
    [line] = answer.said.splitlines()
    said = json.loads(line)
    assert (answer.status, said["level"], said["code"]) == (2, "error", "unreadable-input")
