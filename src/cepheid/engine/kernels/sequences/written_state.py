"""What is written down of a rule at work, and taken up again: its log, its keys and the arrays of its kernel."""

from collections.abc import Mapping
from typing import Any

from cepheid.engine.kernels.columns.state_bytes import Entry, named, under
from cepheid.engine.kernels.sequences.rule_kernel import RuleKernel

Entries = dict[str, Entry]


def written(kernel: RuleKernel) -> Entries:
    """Return the state of a rule by name."""
    own = {**kernel.log.written(), "cursors": kernel.log.cursors, **named("state", kernel.state.written())}
    return own | kernel.keys.written() | ({} if kernel.suppression is None else kernel.suppression.written())


def take_up(kernel: RuleKernel, entries: Mapping[str, Any]) -> None:  # what `written` gave
    """Go on from a state."""
    kernel.log.take_up(entries)
    kernel.log.cursors[:] = entries["cursors"]
    kernel.state.take_up(under("state", entries))
    kernel.keys.take_up(entries)
    if kernel.suppression is not None:
        kernel.suppression.take_up(entries)
