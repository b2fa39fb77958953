"""How many threads long input runs on."""

import os

from cepheid.diagnostics import CepheidError, Diagnostic

MOST = 8
"""So many threads at most are begun unasked: each holds events of its own."""


def threads_for(wanted: int | None) -> int:
    """Return how many threads to use: as many as somebody wants, or as there are cores for this process."""
    if wanted is None:
        return min(_cores(), MOST)
    if wanted < 1:
        hint = "write `threads=1` for a single one, or leave it out for one on each core"
        raise CepheidError(Diagnostic("conflicting-options", f"nothing runs on {wanted} threads", hints=(hint,)))
    return wanted


def _cores() -> int:
    """Return how many cores this process may use; where the system does not say, how many there are."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed is not None else os.cpu_count() or 1
