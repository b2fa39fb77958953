"""Kernels for what occurrences rest on: references to rows of tables, and the given events below them.

A reference is the number of a table, 48 bits to the left, and the serial number of one of its rows. Tables of what is
made say for each row on which given events it rests: `flat` from `starts` on.
"""

from cepheid.engine.kernels.compiling.typed_arrays import Data

BITS = 48
SERIAL = (1 << BITS) - 1
GIVEN = 0


def count_evidence(refs: Data, source: int, base: int, starts: Data, group: Data, counts: Data) -> int:
    """Add up for each group on how many given events some events of one table rest."""
    for number in range(refs.shape[0]):
        if refs[number] >> BITS == source:
            row = (refs[number] & SERIAL) - base
            counts[group[number]] += 1 if source == GIVEN else starts[row + 1] - starts[row]
    return source


def gather_evidence(
    refs: Data,
    source: int,
    base: int,
    starts: Data,
    flat: Data,
    group: Data,
    serials: Data,
    begins: Data,
    counts: Data,
) -> int:
    """Add what some events of one table rest on to what others of their group do: numbers in order, each once."""
    for number in range(refs.shape[0]):
        if refs[number] >> BITS != source:
            continue
        serial, one = refs[number] & SERIAL, group[number]
        if source == GIVEN:
            counts[one] += put_in(serial, serials, begins[one], counts[one])
        else:
            for place in range(starts[serial - base], starts[serial - base + 1]):
                counts[one] += put_in(flat[place], serials, begins[one], counts[one])
    return source


def put_in(value: int, serials: Data, begin: int, count: int) -> int:
    """Put a number into so many that are in order, from a place on; return how many are new, one or none."""
    spot = begin + count
    while spot > begin and serials[spot - 1] > value:
        spot -= 1
    if spot > begin and serials[spot - 1] == value:
        return 0
    for move in range(begin + count, spot, -1):
        serials[move] = serials[move - 1]
    serials[spot] = value
    return 1


def close_up(serials: Data, begins: Data, counts: Data, offsets: Data) -> int:
    """Move lists together, so that nothing is between them."""
    place = 0
    for group in range(counts.shape[0]):
        offsets[group] = place
        for number in range(counts[group]):
            serials[place] = serials[begins[group] + number]
            place += 1
    offsets[counts.shape[0]] = place
    return place


def note_least(refs: Data, first: int, last: int, least: Data) -> int:
    """Note the least serial number of each table among references."""
    for part in range(refs.shape[0]):
        for row in range(first, last):
            ref = refs[part, row]
            table = ref >> BITS
            if ref >= 0 and table < least.shape[0] and (ref & SERIAL) < least[table]:
                least[table] = ref & SERIAL
    return last


def rows_of(refs: Data, source: int, base: int, rows: Data) -> bool:
    """Write down the rows of events in their table; say whether all are of that table."""
    for number in range(refs.shape[0]):
        if refs[number] >> BITS != source:
            return False
        rows[number] = (refs[number] & SERIAL) - base
    return True
