"""A pipeline as a service: a line of JSON for every batch, figures for Prometheus, and whether it is well.

The text that Prometheus reads is a few lines, and the standard library serves it, so no package is needed for that.
"""

import json
import socket
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from cepheid.cli.metrics import Metrics
from cepheid.diagnostics import CepheidError, Diagnostic

if TYPE_CHECKING:
    from cepheid.spark.key_skew import HottestBucket
    from cepheid.spark.pipelines import BatchFigures

_TEXT = "text/plain; version=0.0.4; charset=utf-8"


def log_line(level: str, event: str, **said: object) -> None:
    """Write a line of JSON to standard error."""
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    print(json.dumps({"time": at, "level": level, "event": event, **said}), file=sys.stderr, flush=True)


def log_findings(*findings: Diagnostic) -> None:
    """Write a line for every finding, with its code and the way out."""
    for one in findings:
        places = [str(label.span) for label in one.labels]
        log_line(
            one.severity.value, "finding", code=one.code, message=one.message, places=places, hints=list(one.hints)
        )


def log_batch(pipeline: str, figures: "BatchFigures") -> None:
    """Write a line about a batch."""
    log_line("info", "batch", pipeline=pipeline, **batch_as_json(figures))


def batch_as_json(figures: "BatchFigures") -> Mapping[str, object]:
    """Return the figures of a batch as JSON says them."""
    rules = [
        {"query": one.query, "rules": one.rules, "held": one.used, "promised": one.promised, "matches": one.matches}
        for one in figures.rules
    ]
    return {
        "batch": figures.batch,
        "seconds": figures.seconds,
        "events": figures.events,
        "matches": figures.matches,
        "late": figures.late,
        "duplicates": figures.duplicates,
        "corrupt": figures.corrupt,
        "held": figures.used,
        "promised": figures.promised,
        "lag": dict(figures.lag),
        "rules": rules,
        "hottest": [_hottest(one) for one in figures.hottest_buckets],
    }


def _hottest(one: "HottestBucket") -> Mapping[str, object]:
    rules = [{"query": query, "rules": rules} for query, rules in one.rules]
    key = {"by": list(one.by), "key": one.key, "events": one.key_events}
    return {"bucket": one.bucket, "events": one.bucket_events, "of": one.events, "rules": rules, "most": key}


@contextmanager
def served(address: tuple[str, int] | None, metrics: Metrics) -> Iterator[int | None]:
    """Serve figures at `/metrics` and `/health` as long as a pipeline runs; yield the port, None without an address."""
    if address is None:
        yield None
        return
    server = _server(address, metrics)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


def address_of(text: str) -> tuple[str, int]:
    """Return the host and the port of an address.

    >>> address_of("127.0.0.1:9464")
    ('127.0.0.1', 9464)
    """
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isdecimal() or int(port) > 65_535:
        message = f"`{text}` is no address to serve figures at"
        raise CepheidError(Diagnostic("bad-argument", message, hints=("write `--metrics 127.0.0.1:9464`",)))
    return host.strip("[]"), int(port)


def _server(address: tuple[str, int], metrics: Metrics) -> ThreadingHTTPServer:
    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # as it is called
            path = self.path.partition("?")[0]
            if path == "/metrics":
                self._answer(200, metrics.text())
            elif path == "/health":
                self._answer(200 if metrics.running else 503, f"{metrics.state}\n")
            else:
                self._answer(404, "there is `/metrics` and `/health`\n")

        def _answer(self, status: int, text: str) -> None:
            content = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", _TEXT)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Whoever looks is nobody's business."""

    class Serving(ThreadingHTTPServer):
        address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET

    try:
        return Serving(address, Answering)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        host = f"[{address[0]}]" if ":" in address[0] else address[0]
        message = f"figures cannot be served at `{host}:{address[1]}`: {reason}"
        hint = "name another port: `--metrics 127.0.0.1:9465`"
        raise CepheidError(Diagnostic("unwritable-output", message, hints=(hint,))) from None
