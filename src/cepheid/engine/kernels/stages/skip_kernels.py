"""Kernels for what happens after a match: matches that come in their turn, and from which record on the next count."""

from cepheid.engine.kernels.compiling.typed_arrays import Data

PLACE, END, HIGH, REF = range(4)
"""The lines of what a match said: where to go on, its end, its last place, and one of its records."""


def note_certainties(key: Data, certain: Data, least: Data) -> int:
    """Let no match be certain later than one of its key that has its turn after it; return how many there are."""
    for row in range(key.shape[0] - 1, -1, -1):
        least[key[row]] = min(least[key[row]], certain[row])
        certain[row] = least[key[row]]
    return int(key.shape[0])


def take_turns(
    key: Data, low: Data, to: Data, there: Data, end: Data, high: Data, ref: Data, said: Data, kept: Data
) -> int:
    """Write down which matches count; return how many. Where they say `to` go on, others of their key do."""
    count = 0
    for row in range(key.shape[0]):
        own = key[row]
        if low[row] < said[PLACE, own]:
            continue
        kept[count] = row
        count += 1
        if there[row] and to[row] > said[PLACE, own]:
            said[PLACE, own], said[END, own], said[HIGH, own], said[REF, own] = to[row], end[row], high[row], ref[row]
    return count
