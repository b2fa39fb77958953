"""Results to an address on the web: each in a request of its own, signed, sent again until it is taken.

A result has an id that is the same whenever it is sent: `Cepheid-Id`. After a crash a batch is sent again, so a
receiver that has the id already drops it. What is refused for good, or for too long, is a dead letter: it is written
into a file of its batch, or ends the stream where no path for dead letters is given.
"""

import hmac
import http.client
import json
import socket
import ssl
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from string import punctuation
from typing import Protocol
from urllib.parse import quote, urlsplit

from cepheid.diagnostics import CepheidError, Diagnostic

WEBHOOK = "webhook"
ID_HEADER, SIGNATURE_HEADER = "Cepheid-Id", "Cepheid-Signature"
_SCHEMES = ("http", "https")
_TAKEN, _TOO_MANY, _BROKEN = range(200, 300), 429, 500
_REFUSALS = range(400, 500)
_DIGEST, _LONGEST = 32, 60.0
_IN_HEADERS = punctuation.replace("%", "") + " "
_TRANSIENT = (OSError, http.client.HTTPException)
Letter = tuple[str, str]
"""The id of a result, and its JSON."""


@dataclass(frozen=True, slots=True)
class Webhook:
    """An address, the secret that requests are signed with, how often one is tried, and where dead letters go."""

    url: str = field(repr=False)
    secret: str | None = field(default=None, repr=False)
    attempts: int = 5
    timeout: float = 10.0
    dead_letters: str | None = None

    @property
    def host(self) -> str:
        """Return where it is, without what may be secret in the address."""
        parts = urlsplit(self.url)
        name = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        return f"{parts.scheme}://{name}" + (f":{parts.port}" if parts.port else "")

    def reach(self) -> None:
        """Refuse an address where nobody answers; nothing is sent."""
        parts = urlsplit(self.url)
        try:
            socket.create_connection((parts.hostname or "", parts.port or _port(parts.scheme)), self.timeout).close()
        except OSError as error:
            message = f"`{self.host}` does not answer: {(error.strerror or str(error)).lower()}"
            hint = 'start the receiver, or mend `url = "https://host/alarms"`'
            raise CepheidError(Diagnostic("unwritable-output", message, hints=(hint,))) from None


def fault_in(url: str) -> str | None:
    """Return why an address is none that requests can be sent to, None where it is one.

    >>> fault_in("https://alarms.example/in"), fault_in("alarms.example/in"), fault_in("http://host:no")
    (None, 'it begins neither with `http://` nor with `https://`', 'its port is no number')
    """
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return "its port is no number"
    if parts.scheme not in _SCHEMES:
        return "it begins neither with `http://` nor with `https://`"
    if any(not "!" <= one <= "~" for one in parts.path + parts.query):
        return "it has a space, or letters that only `%20` and the like may stand for"
    return None if parts.hostname else "it names no host"


def in_a_header(name: str) -> str:
    """Return an id as a header can hold it: what is no ASCII is written as in addresses.

    >>> in_a_header("a query/m1"), in_a_header("größe/50%")
    ('a query/m1', 'gr%C3%B6%C3%9Fe/50%25')
    """
    return quote(name, safe=_IN_HEADERS)


def signature(secret: str, body: bytes) -> str:
    """Return what a receiver compares: the HMAC of a body by SHA-256.

    >>> signature("key", b"The quick brown fox jumps over the lazy dog")[:23]
    'sha256=f7bc83f430538424'
    """
    return "sha256=" + hmac.new(secret.encode(), body, sha256).hexdigest()


def letters(rows: Iterable[tuple[str | None, str | None, str]], batch: int, run: str) -> Iterator[Letter]:
    """Yield ids and texts of results, given as query, id and text; what has no id gets one that stays the same.

    >>> [name for name, _ in letters([("q", "m1", "{}")], 0, "run")]
    ['q/m1']
    """
    seen: Counter[str] = Counter()
    for query, name, text in rows:
        if name is None:
            told = sha256(f"{run} {text}".encode()).hexdigest()[:_DIGEST]
            seen[told] += 1
            name = f"{batch}-{told}-{seen[told]}"
        yield f"{query or ''}/{name}", text


class Connection(Protocol):
    """A connection of the standard library, as far as it is used here."""

    def request(self, method: str, url: str, body: bytes, headers: dict[str, str]) -> None: ...
    def getresponse(self) -> http.client.HTTPResponse: ...
    def close(self) -> None: ...


class Sending:
    """The requests of one batch, over one connection as long as it holds."""

    def __init__(self, hook: Webhook, sleep: Callable[[float], None] = time.sleep) -> None:
        self.hook, self._sleep, self._parts = hook, sleep, urlsplit(hook.url)
        self._connection: Connection | None = None

    def send(self, name: str, text: str) -> str | None:
        """Send a result until it is taken; return why it is not, None where it is."""
        reason: str | None = "it was never tried"
        for attempt in range(self.hook.attempts):
            if attempt:
                self._sleep(min(2.0 ** (attempt - 1), _LONGEST))
            reason, is_final = self._tried(name, text.encode())
            if reason is None or is_final:
                break
        return reason

    def _tried(self, name: str, body: bytes) -> tuple[str | None, bool]:
        """Return why a request failed, and whether it will always; a receiver may ask for patience."""
        headers = {"Content-Type": "application/json", ID_HEADER: in_a_header(name)}
        if self.hook.secret is not None:
            headers[SIGNATURE_HEADER] = signature(self.hook.secret, body)
        try:
            status = self._status(body, headers)
        except _TRANSIENT as error:
            self.close()
            return (getattr(error, "strerror", None) or str(error) or "no answer").lower(), False
        if status in _TAKEN:
            return None, True
        return f"it answers {status}", status in _REFUSALS and status != _TOO_MANY

    def _status(self, body: bytes, headers: dict[str, str]) -> int:
        self._connection = self._connection or self._connected()
        path = (self._parts.path or "/") + (f"?{self._parts.query}" if self._parts.query else "")
        self._connection.request("POST", path, body, headers)
        with self._connection.getresponse() as answer:
            answer.read()
            return answer.status

    def _connected(self) -> Connection:
        host, port = self._parts.hostname or "", self._parts.port
        if self._parts.scheme == "https":
            context = ssl.create_default_context()
            return http.client.HTTPSConnection(host, port, timeout=self.hook.timeout, context=context)
        return http.client.HTTPConnection(host, port, timeout=self.hook.timeout)

    def close(self) -> None:
        if self._connection is not None:
            with suppress(OSError):
                self._connection.close()
            self._connection = None


def send_batch(
    hook: Webhook,
    sent: Iterable[Letter],
    batch: int,
    dead_letters: Path | None,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Send the results of a batch; dead letters go into a file of the batch, or end the stream."""
    sending = Sending(hook, sleep)
    try:
        dead = [(name, text, reason) for name, text in sent if (reason := sending.send(name, text)) is not None]
    finally:
        sending.close()
    if dead and dead_letters is None:
        name, _, reason = dead[0]
        message = f"`{hook.host}` does not take `{name}`: {reason}"
        raise CepheidError(Diagnostic("stream-failed", message, hints=('add `dead_letters = "dead"`',)))
    if dead_letters is not None:
        _write(dead_letters / f"batch={batch}.jsonl", dead)


def _write(file: Path, dead: list[tuple[str, str, str]]) -> None:
    """Write the dead letters of a batch, in place of those that were there if it is repeated."""
    if not dead:
        file.unlink(missing_ok=True)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"id": name, "reason": reason, "result": json.loads(text)}) for name, text, reason in dead]
    new = file.with_suffix(".new")
    new.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    new.replace(file)


def _port(scheme: str) -> int:
    return 443 if scheme == "https" else 80
