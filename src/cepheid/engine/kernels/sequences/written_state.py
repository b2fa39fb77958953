"""What is written down of a rule at work, and taken up again: its log, its keys and the arrays of its kernel."""

from collections.abc import Mapping
from typing import Any

from cepheid.engine.kernels.columns.key_numbers import KeyNumbers
from cepheid.engine.kernels.columns.state_bytes import Entry, named, under
from cepheid.engine.kernels.sequences.rule_kernel import RuleKernel

Entries = dict[str, Entry]


def written(kernel: RuleKernel) -> Entries:
    """Return the state of a rule by name."""
    log = kernel.log
    entries: Entries = {**log.written(), "cursors": log.cursors}
    entries |= named("state", kernel.state.written())
    for number, keys in enumerate(_numbers(kernel)):
        count = len(keys)
        entries |= {f"known {number}": keys.known[:count], f"spaces {number}": keys.spaces[:count]}
    return entries if kernel.suppression is None else entries | kernel.suppression.written()


def take_up(kernel: RuleKernel, entries: Mapping[str, Any]) -> None:  # what `written` gave
    """Go on from a state."""
    log = kernel.log
    log.take_up(entries)
    log.cursors[:] = entries["cursors"]
    kernel.state.take_up(under("state", entries))
    for number, keys in enumerate(_numbers(kernel)):
        keys.restore(entries[f"known {number}"], entries[f"spaces {number}"])
    if kernel.suppression is not None:
        kernel.suppression.take_up(entries)


def _numbers(kernel: RuleKernel) -> list[KeyNumbers]:
    return [kernel.keys.whole, *kernel.keys.single]
