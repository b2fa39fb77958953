"""What a detector writes into its snapshots besides the state of the engine: how far it read, and in which form."""

import json
from collections.abc import Mapping
from typing import Any

from cepheid.connectors import Calendar, Form, TimeUnit
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.engine import decode, unsealed
from cepheid.events import Event

MAGIC = b"cepheid-detector-2\n"


def waiting_events(told: str | None) -> dict[str, tuple[Event, None]]:
    """Return the events that waited for another to agree when a state was taken."""
    events = {} if told is None else decode(told.encode())
    assert isinstance(events, Mapping)
    return {source: (event, None) for source, event in events.items()}


def opened(state: object, unit: TimeUnit) -> tuple[dict[str, Any], bytes | None]:  # JSON; its content is checked by use
    """Return what this room and what the engine wrote into a state; bytes of any kind are one, as databases have it."""
    if state is not None and not isinstance(state, bytes | bytearray | memoryview):
        message = f"expected the bytes of a snapshot, got `{type(state).__name__}`"
        raise CepheidError(Diagnostic("bad-state", message, hints=("give what `snapshot()` returned",)))
    head, inner = _opened(None if state is None else bytes(state))
    _demand_unit(head.get("unit"), unit)
    return head, inner


def _demand_unit(name: str | None, unit: TimeUnit) -> None:
    """Refuse a state whose times were numbers of another unit: the same numbers would be other times."""
    if name is not None and name != unit:
        message = f"this snapshot was taken where times are numbers of `{name}`, and here they are numbers of `{unit}`"
        raise CepheidError(Diagnostic("state-mismatch", message, hints=(f'write `time_unit="{name}"`',)))


def _opened(state: bytes | None) -> tuple[dict[str, Any], bytes | None]:
    if state is None or not state.startswith(MAGIC):
        return {}, state  # where these are other bytes, the engine says so
    head, inner = unsealed(MAGIC, state, "snapshot of a detector").split(b"\n", 1)
    return json.loads(head), inner


def form_called(name: str | None) -> Form | None:
    """Return the form of times that a state names."""
    match name:
        case None:
            return None
        case "s" | "ms" | "us" | "ns":
            return name
        case _:
            return Calendar(name)
