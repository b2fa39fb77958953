"""The kernel that makes ids of matches: what `algebra.match_ids` says of each, as text at once."""

from numpy import uint64

from cepheid.algebra.match_ids import FIRST_FACTOR, SECOND_FACTOR
from cepheid.engine.kernels.compiling.typed_arrays import Data

_TABLE = 'types.Array(types.int64, 2, "C", readonly=True)'
IDS_TYPES = (
    f"(types.uint64[:, ::1], read_only(types.int64), read_only(types.int64), {_TABLE}, types.int64[::1], "
    "types.uint64[:, ::1], types.int64, types.uint64[::1])"
)


def write_ids(
    halves: Data, start: Data, end: Data, ids: Data, places: Data, keys: Data, first: int, text: Data
) -> None:
    """Add to sums what matches are made of, and write the texts of their ids, eight digits at a time."""
    last = uint64(0)
    for row in range(start.shape[0]):
        word = mixed(uint64(start[row]))
        left = halves[0, row] + keys[0, 0] * word
        right = halves[1, row] + keys[1, 0] * word
        if row == 0 or end[row] != end[row - 1]:
            last = mixed(uint64(end[row]))
        left += keys[0, 1] * last
        right += keys[1, 1] * last
        for place in range(places.shape[0]):
            word = mixed(uint64(ids[row, places[place]]))
            left += keys[0, first + place] * word
            right += keys[1, first + place] * word
        write_digits(mixed(left), text, 4 * row)
        write_digits(mixed(right), text, 4 * row + 2)


def mixed(word: uint64) -> uint64:
    """Return a word whose bits all depend on all bits of another."""
    word = (word ^ (word >> uint64(30))) * uint64(FIRST_FACTOR)
    word = (word ^ (word >> uint64(27))) * uint64(SECOND_FACTOR)
    return word ^ (word >> uint64(31))


def write_digits(half: uint64, text: Data, place: int) -> None:
    """Write the sixteen digits of a half of an id."""
    text[place] = eight_digits(half >> uint64(32))
    text[place + 1] = eight_digits(half & uint64(0xFFFFFFFF))


def eight_digits(four: uint64) -> uint64:
    """Return four bytes as the digits that stand for them.

    The bytes are turned round and put apart, then their halves, and a digit above nine is a letter.
    """
    outer = (four >> uint64(24)) | ((four & uint64(0xFF)) << uint64(24))
    four = outer | ((four >> uint64(8)) & uint64(0xFF00)) | ((four & uint64(0xFF00)) << uint64(8))
    four = (four | (four << uint64(16))) & uint64(0x0000FFFF0000FFFF)
    four = (four | (four << uint64(8))) & uint64(0x00FF00FF00FF00FF)
    low = uint64(0x000F000F000F000F)
    digits = ((four >> uint64(4)) & low) | ((four & low) << uint64(8))
    letters = ((digits + uint64(0x0606060606060606)) >> uint64(4)) & uint64(0x0101010101010101)
    return digits + uint64(0x3030303030303030) + letters * uint64(39)
