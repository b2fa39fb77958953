"""What is written down of a rule at work, and taken up again: its log, its keys and the arrays of its kernel."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from cepheid.engine.kernels.columns.columns import Kind
from cepheid.engine.kernels.columns.key_numbers import KeyNumbers
from cepheid.engine.kernels.columns.row_store import LEAST_ROOM
from cepheid.engine.kernels.columns.state_bytes import Entry
from cepheid.engine.kernels.intake.event_log import EventLog, LogColumn
from cepheid.engine.kernels.sequences.rule_kernel import RuleKernel

Entries = dict[str, Entry]


def written(kernel: RuleKernel) -> Entries:
    """Return the state of a rule by name."""
    log = kernel.log
    entries: Entries = {
        "done": log.done,
        "cursors": log.cursors,
        "time": log.time[: log.top],
        "member": log.member[: log.top],
        "key": log.key[:, : log.top],
        "truth": log.truth[:, : log.top],
        "numbers": log.numbers[:, : log.top],
        "ties": None if log.ties is None else list(log.ties),
        "numbered": int(log.numbered),
    }
    for name, column in _columns(log):
        entries |= {f"{name} {one}": entry for one, entry in written_column(column, log.top).items()}
    for name, array in kernel.state.arrays.items():
        entries[f"state {name}"] = array.data[..., : log.top] if array.by_row else array.data
    for number, keys in enumerate(_numbers(kernel)):
        count = len(keys)
        entries |= {f"known {number}": keys.known[:count], f"spaces {number}": keys.spaces[:count]}
    return entries if kernel.suppression is None else entries | kernel.suppression.written()


def take_up(kernel: RuleKernel, entries: Mapping[str, Any]) -> None:  # what `written` gave
    """Go on from a state."""
    log, top = kernel.log, len(entries["time"])
    log.room = log.limit = max(LEAST_ROOM, 2 << top.bit_length())
    log.done, log.top, log.ties, log.numbered = entries["done"], top, entries["ties"], bool(entries["numbered"])
    log.cursors[:] = entries["cursors"]
    for name in ("time", "member", "key", "truth", "numbers"):
        setattr(log, name, roomy(entries[name], log.room, 0))
    for name, column in _columns(log):
        take_up_column(column, {one: entries[f"{name} {one}"] for one in ("kind", "data", "valid")}, log.room)
    for name, array in kernel.state.arrays.items():
        data = entries[f"state {name}"]
        array.data = roomy(data, log.room, array.blank) if array.by_row else data
    for number, keys in enumerate(_numbers(kernel)):
        keys.restore(entries[f"known {number}"], entries[f"spaces {number}"])
    if kernel.suppression is not None:
        kernel.suppression.take_up(entries)


def _columns(log: EventLog) -> Iterator[tuple[str, LogColumn]]:
    yield "ids", log.ids
    for name, column in log.fields.items():
        yield f"field {name}", column


def _numbers(kernel: RuleKernel) -> list[KeyNumbers]:
    return [kernel.keys.whole, *kernel.keys.single]


def written_column(column: LogColumn, top: int) -> Entries:
    """Return a column by name."""
    valid = None if column.valid is None else column.valid[:top]
    return {"kind": [column.kind.value], "data": column.data[:top], "valid": valid}


def take_up_column(column: LogColumn, entries: Mapping[str, Any], room: int) -> None:
    """Go on from a column that was written."""
    column.kind = Kind(entries["kind"][0])
    blank = None if column.kind is Kind.OBJECT else 0
    column.data = roomy(entries["data"], room, blank)
    column.valid = None if entries["valid"] is None else roomy(entries["valid"], room, True)


def roomy(data: Any, room: int, blank: object) -> Any:  # arrays of any kind
    """Return an array with room behind what it holds."""
    found = np.full((*data.shape[:-1], room), blank, data.dtype)
    found[..., : data.shape[-1]] = data
    return found
