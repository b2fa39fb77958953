"""The kernels by which events come into a log: they are written there, and their keys get numbers."""

from cepheid.engine.kernels.compiling.typed_arrays import Data

# A signed number: in machine code its products wrap around, and in Python they have the same bits and more.
ODD_FACTOR = 0x9E3779B97F4A7C15 - (1 << 64)

_NAMING_TYPES = (
    "read_only(types.int64), read_only(types.uint32), types.int64, types.int64, types.int32[::1], types.int32[::1], "
    "types.int64[::1], types.int8[::1], types.int64[::1], types.int64, types.int32[::1]"
)
_WRITING_TYPES = (
    "read_only(types.uint32), types.uint32[::1], read_only(types.int64), read_only(types.int64), types.int64, "
    "types.int64[::1], types.uint32[::1], types.int64[::1]"
)
NAME_KEYS_TYPES = f"({_NAMING_TYPES})"
WRITE_KEYED_TYPES = f"({_NAMING_TYPES}, {_WRITING_TYPES}, read_only(types.int64), types.int64[::1])"
WRITE_ROWS_TYPES = f"(read_only(types.uint32), types.int64, {_WRITING_TYPES})"


def name_keys(
    values: Data,
    rows: Data,
    space: int,
    first: int,
    direct: Data,
    table: Data,
    known: Data,
    spaces: Data,
    control: Data,
    top: int,
    codes: Data,
) -> int:
    """Write the numbers of the keys of some rows from `top` on, new ones for new keys; return where room ended."""
    last: int = rows.shape[0]
    for row in range(first, last):
        code = number_of(values[rows[row]], space, direct, table, known, spaces, control)
        if code < 0:
            return row
        codes[top + row] = code
    return last


def write_keyed(
    values: Data,
    rows: Data,
    space: int,
    first: int,
    direct: Data,
    table: Data,
    known: Data,
    spaces: Data,
    control: Data,
    top: int,
    codes: Data,
    kinds: Data,
    members: Data,
    times: Data,
    ids: Data,
    position: int,
    time: Data,
    member: Data,
    own: Data,
    source: Data,
    target: Data,
) -> int:
    """Write the numbers of keys, what each event can be, when it is, its id and one of its fields, all in one pass."""
    last: int = rows.shape[0]
    for row in range(first, last):
        event = rows[row]
        write_event(event, top + row, kinds, members, times, ids, position, time, member, own)
        if source.shape[0] > 0:
            target[top + row] = source[event]
        code = number_of(values[event], space, direct, table, known, spaces, control)
        if code < 0:
            return row
        codes[top + row] = code
    return last


def write_rows(
    rows: Data,
    top: int,
    kinds: Data,
    members: Data,
    times: Data,
    ids: Data,
    position: int,
    time: Data,
    member: Data,
    own: Data,
) -> int:
    """Write rows of a batch into the log from its row `top` on: what they can be, when they are, and their ids."""
    count: int = rows.shape[0]
    for row in range(count):
        write_event(rows[row], top + row, kinds, members, times, ids, position, time, member, own)
    return top + count


def write_event(
    event: int,
    row: int,
    kinds: Data,
    members: Data,
    times: Data,
    ids: Data,
    position: int,
    time: Data,
    member: Data,
    own: Data,
) -> None:
    """Write an event of a batch into a row of the log; without a column of ids its position is its id."""
    time[row] = times[event]
    member[row] = members[kinds[event]]
    if own.shape[0] > 0:
        own[row] = ids[event] if ids.shape[0] > 0 else event + position


def number_of(value: int, space: int, direct: Data, table: Data, known: Data, spaces: Data, control: Data) -> int:
    """Return the number of a key, a new one for a new key; -1 where no more keys have room."""
    small = space == 0 and 0 <= value < direct.shape[0]
    if small and direct[value] >= 0:
        found: int = direct[value]
        return found
    mask = table.shape[0] - 1
    # Sixteen neighbours share a line of the cache, and lines are spread, so that no two ranges of keys pile up.
    place = ((((int((value >> 4) ^ (space << 58)) * ODD_FACTOR) >> 28) & mask) ^ (value & 15)) & mask
    code: int = table[place]
    while code >= 0 and (known[code] != value or spaces[code] != space):
        place = (place + 1) & mask
        code = table[place]
    if code >= 0:
        return code
    code = control[0]
    if code >= known.shape[0]:
        return -1
    control[0] = code + 1
    table[place] = code
    if small:
        direct[value] = code
    known[code] = value
    spaces[code] = space
    return code
