"""What is written down of a rule at work, and taken up again: its log, its keys and the arrays of its kernel."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cepheid.engine.kernels.columns.key_numbers import KeyNumbers
from cepheid.engine.kernels.columns.state_bytes import Entry
from cepheid.engine.kernels.sequences.rule_kernel import RuleKernel

Entries = dict[str, Entry]


def written(kernel: RuleKernel) -> Entries:
    """Return the state of a rule by name."""
    log = kernel.log
    entries: Entries = {**log.written(), "cursors": log.cursors}
    for name, array in kernel.state.arrays.items():
        entries[f"state {name}"] = array.data[..., : log.top] if array.by_row else array.data
    for number, keys in enumerate(_numbers(kernel)):
        count = len(keys)
        entries |= {f"known {number}": keys.known[:count], f"spaces {number}": keys.spaces[:count]}
    return entries if kernel.suppression is None else entries | kernel.suppression.written()


def take_up(kernel: RuleKernel, entries: Mapping[str, Any]) -> None:  # what `written` gave
    """Go on from a state."""
    log = kernel.log
    log.take_up(entries)
    log.cursors[:] = entries["cursors"]
    for name, array in kernel.state.arrays.items():
        data = entries[f"state {name}"]
        array.data = roomy(data, log.room, array.blank) if array.by_row else data
    for number, keys in enumerate(_numbers(kernel)):
        keys.restore(entries[f"known {number}"], entries[f"spaces {number}"])
    if kernel.suppression is not None:
        kernel.suppression.take_up(entries)


def _numbers(kernel: RuleKernel) -> list[KeyNumbers]:
    return [kernel.keys.whole, *kernel.keys.single]


def roomy(data: Any, room: int, blank: object) -> Any:  # arrays of any kind
    """Return an array with room behind what it holds."""
    found = np.full((*data.shape[:-1], room), blank, data.dtype)
    found[..., : data.shape[-1]] = data
    return found
