"""The two ends of a pipe over two processes: `send` connects, `receive` listens for one that sends.

    (p.csv("a.csv") | p.send("ws://127.0.0.1:8765")).run()          in one process
    (p.receive("ws://127.0.0.1:8765") | p.window(...)).run()        in the other

Values are JSON, so tuples arrive as lists. Both ends are on this machine, unless `public=True` says that others may.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from queue import Queue
from threading import Event, Thread
from typing import Any, Final
from urllib.parse import urlsplit

from cepheid.algebra.graphs.meaning import Trace, World, means
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operation import Operation
from cepheid.algebra.graphs.operations import Source
from cepheid.algebra.graphs.processors import Atom, Processor
from cepheid.algebra.graphs.refusals import refusal
from cepheid.algebra.graphs.running import Around, Column, Outputs, Stateless, runs
from cepheid.analysis.graphs.costs import EACH, Cost, costs
from cepheid.diagnostics import CepheidError, Diagnostic, missing_package, shown_address

_TRIES: Final = 100
_PAUSE: Final = 0.1
_MOST_WAITING: Final = 1024


@dataclass(frozen=True, slots=True, eq=False)
class Send(Operation):
    url: str

    @property
    def outputs(self) -> int:
        return 0


def send(url: str, *, public: bool = False) -> Processor:
    """Send each value to whoever receives at a url, such as `ws://127.0.0.1:8765`; it is waited for ten seconds."""
    place(url, public)
    return Atom(Send(url))


def receive(url: str, *, public: bool = False) -> Processor:
    """The values that another process sends to this url; they end when it does."""
    host, port = place(url, public)
    return Atom(Source(f"receive({shown_address(url)!r})", lambda: _received(host, port, url), is_open=True))


def place(url: str, public: bool) -> tuple[str, int]:
    """Return the host and the port of a url, or refuse one that is none, or not on this machine."""
    parts = urlsplit(url)
    if parts.scheme != "ws" or not parts.hostname or parts.port is None:
        raise refusal(f"`{url}` is no address of a web socket", "write `ws://127.0.0.1:8765`")
    if not public and not _is_here(parts.hostname):
        raise refusal(f"`{parts.hostname}` is not this machine", "write `public=True` where others may read along")
    return parts.hostname, parts.port


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@means(Send)
def _send(operation: Send, inputs: Sequence[Trace], world: World) -> list[Trace]:
    return []


costs(Send)(lambda operation, bodies: Cost(EACH))


@runs(Send)
class Sending(Stateless):
    """A connection, which is made for the first value, or at the end where there is none."""

    outputs = 0

    def __init__(self, operation: Send, around: Around) -> None:
        self.url = operation.url
        self.connection: Any = None  # of websockets

    def take(self, *columns: Column) -> Outputs:
        connection = self._connected()
        for value in columns[0]:
            connection.send(_written(value))
        return ()

    def end(self) -> Outputs:
        self._connected().close()
        return ()

    def _connected(self) -> Any:
        if self.connection is None:
            self.connection = _connection(self.url)
        return self.connection


def _written(value: Thing) -> str:
    try:
        return json.dumps(value, allow_nan=True)
    except (TypeError, ValueError, RecursionError):
        message = f"a `{type(value).__name__}` cannot be sent as JSON"
        raise refusal(message, "send numbers, texts, truths, lists and records") from None


def _connection(url: str) -> Any:  # of websockets
    try:
        from websockets.sync.client import connect  # an extra
    except ImportError:
        raise missing_package("websockets", "sockets") from None
    for _ in range(_TRIES):
        try:
            return connect(url, max_size=None, proxy=None)
        except ConnectionRefusedError:
            Event().wait(_PAUSE)  # until somebody listens
    raise CepheidError(
        Diagnostic("unreadable-input", f"nobody receives at `{url}`", hints=("start `p.receive` there",))
    )


class _End:
    """The sender is done, or was lost."""

    def __init__(self, is_lost: bool) -> None:
        self.is_lost = is_lost


def _received(host: str, port: int, url: str) -> Iterator[Thing]:
    try:
        from websockets.exceptions import ConnectionClosedError  # an extra
        from websockets.sync.server import serve
    except ImportError:
        raise missing_package("websockets", "sockets") from None
    values: Queue[Thing] = Queue(_MOST_WAITING)

    def taken(connection: Any) -> None:
        is_lost = False
        try:
            for text in connection:
                values.put(json.loads(text))
        except (ConnectionClosedError, ValueError, RecursionError):
            is_lost = True
        values.put(_End(is_lost))

    with serve(taken, host, port) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        while not isinstance(value := values.get(), _End):
            yield value
        server.shutdown()
    if value.is_lost:
        raise CepheidError(
            Diagnostic("unreadable-input", f"what is sent to `{url}` broke off", hints=("send it again",))
        )
