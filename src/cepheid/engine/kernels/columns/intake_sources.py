"""Sources of the kernels by which events come into a log: they are written there, and their keys get numbers."""

_NAMING_TYPES = (
    "read_only(types.int64), read_only(types.uint32), types.int64, types.int64, types.int32[::1], types.int32[::1], "
    "types.int64[::1], types.int8[::1], types.int64[::1], types.int64, types.int32[::1]"
)
_WRITING_TYPES = (
    "read_only(types.uint32), types.uint32[::1], read_only(types.int64), read_only(types.int64), types.int64, "
    "types.int64[::1], types.uint32[::1], types.int64[::1]"
)
# A signed number: in machine code its products wrap around, and in Python they have the same bits and more.
_ODD = 0x9E3779B97F4A7C15 - (1 << 64)
_FIELD_TYPES = "read_only(types.int64), types.int64[::1]"
_WRITING = "kinds, members, times, ids, position, time, member, own"
_WRITE = """
        time[top + row] = times[event]
        member[top + row] = members[kinds[event]]
        if own.shape[0] > 0:
            own[top + row] = ids[event] if ids.shape[0] > 0 else event + position"""
_WRITE_FIELD = """
        if source.shape[0] > 0:
            target[top + row] = source[event]"""


def _naming(more: str, writes: str) -> str:
    return f'''
def run(values, rows, space, first, direct, table, known, spaces, control, top, codes{more}):
    """Write the numbers of the keys of some rows from `top` on, new ones for new keys; return where room ended."""
    mask = table.shape[0] - 1
    count = control[0]
    small = direct.shape[0] if space == 0 else 0
    for row in range(first, rows.shape[0]):
        event = rows[row]{writes}
        value = values[event]
        if 0 <= value < small and direct[value] >= 0:
            codes[top + row] = direct[value]
            continue
        # Sixteen neighbours share a line of the cache, and lines are spread, so that no two ranges of keys pile up.
        place = ((((int((value >> 4) ^ (space << 58)) * {_ODD}) >> 28) & mask) ^ (value & 15)) & mask
        while True:
            code = table[place]
            if code < 0:
                if count >= known.shape[0]:
                    control[0] = count
                    return row
                table[place] = count
                if 0 <= value < small:
                    direct[value] = count
                known[count] = value
                spaces[count] = space
                codes[top + row] = count
                count += 1
                break
            if known[code] == value and spaces[code] == space:
                codes[top + row] = code
                break
            place = (place + 1) & mask
    control[0] = count
    return rows.shape[0]
'''


NAME_KEYS_TYPES = f"({_NAMING_TYPES})"
NAME_KEYS = _naming("", "")

# What an event can be, when it is, its id, the number of its key and one of its fields, all in one pass.
WRITE_KEYED_TYPES = f"({_NAMING_TYPES}, {_WRITING_TYPES}, {_FIELD_TYPES})"
WRITE_KEYED = _naming(f", {_WRITING}, source, target", _WRITE + _WRITE_FIELD)

WRITE_ROWS_TYPES = f"(read_only(types.uint32), types.int64, {_WRITING_TYPES})"
WRITE_ROWS = f'''
def run(rows, top, {_WRITING}):
    """Write rows of a batch into the log from its row `top` on: what they can be, when they are, and their ids."""
    for row in range(rows.shape[0]):
        event = rows[row]{_WRITE}
    return top + rows.shape[0]
'''
