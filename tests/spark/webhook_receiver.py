"""A receiver of webhooks on loopback, which takes what is posted, or fails in one of the ways that receivers have."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

OK, DIES = 200, 0
"""Answers: that it was taken, or none at all, for the receiver dies when it has read what came."""


@dataclass(frozen=True, slots=True)
class Request:
    """What came under which id, with which signature, and what was answered."""

    id: str
    body: bytes
    signature: str | None
    status: int


@dataclass
class Receiver:
    """What came to an address in whole, in the order in which it came; `answer` says what is answered."""

    answer: Callable[[], int]
    url: str = ""
    came: list[Request] = field(default_factory=list)

    def ids(self) -> list[str]:
        return [one.id for one in self.came]


@contextmanager
def receiving(answer: Callable[[], int] = lambda: OK) -> Iterator[Receiver]:
    """Yield a receiver that listens."""
    received = Receiver(answer)

    class Answering(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            body = self.rfile.read(length)
            if len(body) < length:  # who sent it is dead
                self.close_connection = True
                return
            status = received.answer()
            received.came.append(Request(self.headers["Cepheid-Id"], body, self.headers["Cepheid-Signature"], status))
            if status == DIES:
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = Server(("127.0.0.1", 0), Answering)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    received.url = f"http://127.0.0.1:{server.server_port}/in?x=1"
    try:
        yield received
    finally:
        server.shutdown()
        server.server_close()


class Server(ThreadingHTTPServer):
    """A server that does not mind who hangs up."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Whoever was killed meanwhile does not read its answer."""
