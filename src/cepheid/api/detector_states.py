"""What a detector writes into its snapshots besides the state of the engine: how far it read, and what of its events.

What says which events these are, and in which order, may not be another when a detector goes on from its snapshot: the
state holds events as they were read then. What only says how they come, what is done with them, or how fast, may
change: rates, disorder and jumps, limits, the engine, and what becomes of events that break a promise. What the query
itself says, its ties and its tick among it, is compared by the engine.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from cepheid.connectors import Calendar, Form, Reading
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.engine import decode, encode, sealed, unsealed
from cepheid.events import Event

MAGIC = b"cepheid-detector-2\n"
_LASTING = (
    "this snapshot was taken where events may last, and here they do not",
    "write `compile(text, intervals=True)`",
)
_POINTS = (
    "this snapshot was taken where events do not last, and here they may",
    "write `compile(text, intervals=False)`",
)


def written(
    inner: bytes, position: int, form: Form | None, ahead: Mapping[str, Event], told: Mapping[str, object]
) -> bytes:
    """Return a state: what the engine wrote, how far was read, and what waits for another event to agree."""
    name = form.value if isinstance(form, Calendar) else form
    head = {"position": position, "form": name, **told, **({"ahead": encode(ahead).decode()} if ahead else {})}
    return sealed(MAGIC, b"".join((json.dumps(head).encode(), b"\n", inner)))


def waiting_events(told: str | None) -> dict[str, tuple[Event, None]]:
    """Return the events that waited for another to agree when a state was taken."""
    events = {} if told is None else decode(told.encode())
    assert isinstance(events, Mapping)
    return {source: (event, None) for source, event in events.items()}


def settings_told(reading: Reading, *, intervals: bool) -> dict[str, object]:
    """Return what a state depends on beside its query: how its events were read."""
    columns = reading.columns
    named = {"type_column": columns.type, "time_column": columns.time, "start_column": columns.start}
    read = {**named, "id_column": columns.id, "order_by": list(columns.order_by) or None}
    return {"unit": reading.unit, "columns": read, "intervals": intervals}


def opened(
    state: object, told: Mapping[str, object]
) -> tuple[dict[str, Any], bytes | None]:  # JSON; its content is checked by use
    """Return what this room and what the engine wrote into a state, which is refused where other settings are `told`.

    Bytes of any kind are one, as databases have it.
    """
    if state is not None and not isinstance(state, bytes | bytearray | memoryview):
        message = f"expected the bytes of a snapshot, got `{type(state).__name__}`"
        raise CepheidError(Diagnostic("bad-state", message, hints=("give what `snapshot()` returned",)))
    head, inner = _opened(None if state is None else bytes(state))
    changed = [Diagnostic("state-mismatch", message, hints=(hint,)) for message, hint in _changes(head, told)]
    if changed:
        raise CepheidError(changed[0], *changed[1:])
    return head, inner


def _changes(head: Mapping[str, Any], told: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what is another setting now, and how it is set as it was; what a state does not tell is not compared."""
    unit = head.get("unit")
    if unit is not None and unit != told["unit"]:
        now = told["unit"]
        message = f"this snapshot was taken where times are numbers of `{unit}`, and here they are numbers of `{now}`"
        yield message, f'write `time_unit="{unit}"`'
    columns = head.get("columns", told["columns"])
    for option, now in told["columns"].items():
        if columns[option] != now:
            message = (
                f"this snapshot was taken with {_shown(option, columns[option])}, and here is {_shown(option, now)}"
            )
            yield (
                message,
                f"{'leave out' if columns[option] is None else 'write'} {_shown(option, columns[option], '')}",
            )
    if head.get("intervals", told["intervals"]) != told["intervals"]:
        yield _LASTING if head["intervals"] else _POINTS


def _shown(option: str, value: object, no: str = "no ") -> str:
    return f"{no}`{option}`" if value is None else f"`{option}={json.dumps(value, ensure_ascii=False)}`"


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
