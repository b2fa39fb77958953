"""The source of the kernel that makes ids of matches: what `algebra.match_ids` says of each, as text at once."""

from cepheid.algebra.match_ids import FIRST_FACTOR, SECOND_FACTOR

_TABLE = 'types.Array(types.int64, 2, "C", readonly=True)'
IDS_TYPES = (
    f"(types.uint64[:, ::1], read_only(types.int64), read_only(types.int64), {_TABLE}, types.int64[::1], "
    "types.uint64[:, ::1], types.int64, types.uint64[::1])"
)


def _mixed(word: str, indent: int) -> str:
    """Return the lines that mix a word where it is."""
    steps = [(30, FIRST_FACTOR), (27, SECOND_FACTOR)]
    lines = [f"{word} = ({word} ^ ({word} >> types.uint64({by}))) * types.uint64({factor})" for by, factor in steps]
    lines.append(f"{word} ^= {word} >> types.uint64(31)")
    return "\n".join(" " * indent + line for line in lines).lstrip()


# A half is two numbers of 32 bits, and these are eight digits each: bytes are turned round and put apart, then their
# halves, and a digit above nine is a letter.
IDS = f'''
def run(halves, start, end, ids, places, keys, first, text):
    """Add to sums what matches are made of, and write the texts of their ids, eight digits at a time."""
    low, high, last = types.uint64(0xFF), types.uint64(0xFF00), types.uint64(0)
    for row in range(start.shape[0]):
        left, right = halves[0, row], halves[1, row]
        word = types.uint64(start[row])
        {_mixed("word", 8)}
        left += keys[0, 0] * word
        right += keys[1, 0] * word
        if row == 0 or end[row] != end[row - 1]:
            last = types.uint64(end[row])
            {_mixed("last", 12)}
        left += keys[0, 1] * last
        right += keys[1, 1] * last
        for place in range(places.shape[0]):
            word = types.uint64(ids[row, places[place]])
            {_mixed("word", 12)}
            left += keys[0, first + place] * word
            right += keys[1, first + place] * word
        for half in range(2):
            sum = left if half == 0 else right
            {_mixed("sum", 12)}
            for part in range(2):
                four = (sum >> types.uint64(32 - 32 * part)) & types.uint64(0xFFFFFFFF)
                four = (
                    (four >> types.uint64(24))
                    | ((four >> types.uint64(8)) & high)
                    | ((four & high) << types.uint64(8))
                    | ((four & low) << types.uint64(24))
                )
                four = (four | (four << types.uint64(16))) & types.uint64(0x0000FFFF0000FFFF)
                four = (four | (four << types.uint64(8))) & types.uint64(0x00FF00FF00FF00FF)
                digits = ((four >> types.uint64(4)) & types.uint64(0x000F000F000F000F)) | (
                    (four & types.uint64(0x000F000F000F000F)) << types.uint64(8)
                )
                letters = ((digits + types.uint64(0x0606060606060606)) >> types.uint64(4)) & types.uint64(
                    0x0101010101010101
                )
                digits += types.uint64(0x3030303030303030) + letters * types.uint64(39)
                text[4 * row + 2 * half + part] = digits
'''
