"""Words that a state still needs: whoever goes on from it has no others, and the dictionary does not grow for ever."""

from collections.abc import Mapping, Sequence

import numpy as np

from cepheid.engine.kernels.columns.state_bytes import Coded, Entry
from cepheid.engine.kernels.compiling.typed_arrays import Data

MANY = 1 << 10
WORDS = "words"


def with_words_in_use(entries: Mapping[str, Entry], words: Sequence[str]) -> dict[str, Entry]:
    """Return entries with the words that they need, unless there are not many others; their codes are those of these.

    >>> texts = [str(number) for number in range(5000)]
    >>> kept = with_words_in_use({"names": Coded(np.array([7, 4000, 7]))}, texts)
    >>> kept["words"], kept["names"].codes.tolist()
    (['7', '4000'], [0, 1, 0])
    """
    used = np.zeros(len(words), np.bool_)
    for entry in entries.values():
        if isinstance(entry, Coded):
            used[_codes(entry)] = True
    if len(words) <= 2 * np.count_nonzero(used) + MANY:
        return {**entries, WORDS: list(words)}
    new = np.cumsum(used) - 1
    kept = [words[code] for code in np.flatnonzero(used).tolist()]
    return {name: _renumbered(entry, new) for name, entry in entries.items()} | {WORDS: kept}


def _codes(entry: Coded) -> Data:
    return entry.codes if entry.there is None else entry.codes[entry.there]


def _renumbered(entry: Entry, new: Data) -> Entry:
    if not isinstance(entry, Coded):
        return entry
    codes = entry.codes.copy()
    there = slice(None) if entry.there is None else entry.there
    codes[there] = new[codes[there]]
    return Coded(codes, entry.there)
