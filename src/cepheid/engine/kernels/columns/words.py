"""A stable dictionary: every value that is no number has a code, and keeps it for as long as the engine runs."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from cepheid.algebra.match_ids import text_words
from cepheid.connectors import UNSAYABLE

Codes = npt.NDArray[np.int64]


def texts_as_arrow(texts: Sequence[str | None]) -> Any:  # a pyarrow.Array
    r"""Return texts as Arrow has them; halves of characters, which it cannot say, are escaped.

    >>> texts_as_arrow(["a", "\ud800"]).to_pylist()
    ['a', '\\ud800']
    """
    try:
        return pa.array(texts, pa.string())
    except UnicodeEncodeError:
        return pa.array([text and text.encode(errors=UNSAYABLE).decode() for text in texts], pa.string())


class Words:
    """Codes of words, in the order of their first appearance.

    >>> words = Words()
    >>> words.codes(["b", "a", "b"]).tolist(), words.text(1)
    ([0, 1, 0], 'a')
    """

    __slots__ = ("_array", "_codes", "_digested", "_digests", "_words")

    def __init__(self) -> None:
        self._digests, self._digested = np.zeros((2, 1), np.uint64), 0
        self._words: list[str] = []
        self._codes: dict[str, int] = {}
        self._array: Any = None  # pyarrow has no types

    def __len__(self) -> int:
        return len(self._words)

    def code(self, word: str) -> int:
        """Return the code of a word, a new one if it has none."""
        found = self._codes.get(word)
        if found is None:
            found = self._codes[word] = len(self._words)
            self._words.append(word)
        return found

    def codes(self, words: Sequence[str]) -> Codes:
        return np.fromiter((self.code(word) for word in words), np.int64, len(words))

    def text(self, code: int) -> str:
        return self._words[code]

    def all(self) -> Sequence[str]:
        return self._words

    def as_arrow(self) -> Any:  # a pyarrow.Array
        """Return all words in the order of their codes, as Arrow has them."""
        if self._array is None or len(self._array) != len(self._words):
            self._array = texts_as_arrow(self._words)
        return self._array

    def digests(self) -> npt.NDArray[np.uint64]:
        """Return for every code the two words that its word has in the ids of matches; there is room behind them."""
        new = self._words[self._digested :]
        if new:
            first, last = self._digested, len(self._words)
            if last > self._digests.shape[1]:
                more = np.zeros((2, 2 * last), np.uint64)
                more[:, :first] = self._digests[:, :first]
                self._digests = more
            self._digests[:, first:last] = np.array([text_words(word) for word in new], np.uint64).T
            self._digested = last
        return self._digests

    def restore(self, words: Iterable[str]) -> None:
        """Take up words that another had, in the order of their codes."""
        self._digested = 0
        self._words = list(words)
        self._codes = {word: code for code, word in enumerate(self._words)}
        self._array = None


class KeyMarks:
    """Codes of keys that are no whole numbers: what `values.key_of` gives, in the order of their first appearance."""

    __slots__ = ("_codes",)

    def __init__(self) -> None:
        self._codes: dict[Hashable, int] = {}

    def code(self, mark: Hashable) -> int:
        return self._codes.setdefault(mark, len(self._codes))

    def all(self) -> list[Hashable]:
        return list(self._codes)

    def restore(self, marks: Iterable[Hashable]) -> None:
        """Take up marks that another had, in the order of their codes."""
        self._codes = {mark: code for code, mark in enumerate(marks)}
