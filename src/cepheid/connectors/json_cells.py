"""Texts of JSON values become columns: plain numbers, texts without escapes, `true`, `false` and `null`.

Most columns hold one kind of values, written in the simplest way; that is seen in their bytes. What else there may be
is told apart by patterns. All that is not plain is in doubt, and somebody reads it as JSON.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from cepheid.connectors.csv_columns import as_mask, column_of_numbers, decoded, letters_of_texts, starts_of_texts

Texts = Any  # pyarrow has no types: an Array of strings
Column = Any  # an Array, or Python's values in an array of NumPy
Mask = npt.NDArray[np.bool_]

_WHOLE = r"^-?(?:0|[1-9][0-9]{0,17})$"
_BROKEN = r"^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][+-]?[0-9]{1,4})?|[eE][+-]?[0-9]{1,4})$"
_LONGEST_WHOLE = 18
_SAMPLE = 1000
_MANY = 8  # texts are few where on average each stands there so many times
_TEXT: Any = pa.string()  # pyarrow has no types


def column_of_json(texts: Texts, *, mixed: bool) -> tuple[Column, Mask]:
    """Return values by their texts in JSON, and which of them are in doubt.

    A `mixed` column may hold values of several kinds, which are Python's then. Texts may come as a dictionary.

    >>> column_of_json(pa.array(["1", "null", '"x"', "1e"]), mixed=True)
    (array([1, None, 'x', None], dtype=object), array([False, False, False,  True]))
    """
    if texts.type != _TEXT:
        return _by_word(texts, mixed=mixed)
    null = pc.equal(texts, "null") if _may_have_nulls(texts) else None
    known = texts if null is None else pc.if_else(null, None, texts)
    first = next((text for text in known.slice(0, 100).to_pylist() if text), "0")
    read = _texts if first[0] == '"' else _booleans if first[0] in "tf" else _numbers
    column, sound = read(known)
    doubtful = ~as_mask(sound) if null is None else ~(as_mask(null) | as_mask(sound))
    return _with_others(column, known, doubtful) if mixed and doubtful.any() else (column, doubtful)


def _may_have_nulls(texts: Texts) -> bool:
    """Say whether some text begins like `null`."""
    letters, starts = letters_of_texts(texts), starts_of_texts(texts)
    return bool((letters[starts[starts < len(letters)]] == ord("n")).any())


def _by_word(texts: Texts, *, mixed: bool) -> tuple[Column, Mask]:
    """Return the same of a dictionary, each of whose texts is looked at once; others than texts are read one by one."""
    column, doubtful = _texts(texts.dictionary)
    if not pc.all(doubtful).as_py() or texts.null_count:
        return column_of_json(decoded(texts), mixed=mixed)
    return pa.DictionaryArray.from_arrays(texts.indices, column, safe=False), np.zeros(len(texts), np.bool_)


def has_few_texts(column: Column) -> bool:
    """Say whether a column holds texts, of which there are few."""
    if isinstance(column, np.ndarray) or not len(column):
        return False
    if column.type != _TEXT:
        return pa.types.is_dictionary(column.type) and _MANY * len(column.dictionary) <= len(column)
    sample = column.slice(0, _SAMPLE)
    return _MANY * len(pc.unique(sample)) <= len(sample)


def _with_others(column: Column, known: Texts, doubtful: Mask) -> tuple[Column, Mask]:
    """Return a column with the values that are of another kind than the first, and which are still in doubt."""
    rows = np.flatnonzero(doubtful)
    some = known.take(pa.array(rows))
    values, found = np.full(len(rows), None, object), np.zeros(len(rows), np.bool_)
    for read in (_texts, _booleans, _numbers):
        other, sound = read(some)
        own = as_mask(sound)
        values[own] = _objects(other)[own]
        found |= own
    if not found.any():
        return column, doubtful
    every = _objects(column)
    every[rows[found]] = values[found]
    doubtful[rows[found]] = False
    return every, doubtful


def _objects(column: Column) -> npt.NDArray[np.object_]:
    """Return values as Python's own."""
    if isinstance(column, np.ndarray):
        return column
    values = np.empty(len(column), object)
    values[:] = column.to_pylist()
    return values


def _texts(known: Texts) -> tuple[Column, Column]:
    whole = pc.and_(pc.starts_with(known, '"'), pc.ends_with(known, '"'))
    sound = pc.and_(whole, pc.equal(pc.count_substring(known, '"'), 2))
    return pc.if_else(sound, pc.ascii_trim(known, '"'), None), sound


def _booleans(known: Texts) -> tuple[Column, Column]:
    true = pc.equal(known, "true")
    sound = pc.or_(true, pc.equal(known, "false"))
    return pc.if_else(sound, true, pa.scalar(None, pa.bool_())), sound


def _numbers(known: Texts) -> tuple[Column, Column]:
    seen = _Digits(known)
    if seen.are_whole():
        return known.cast(pa.int64()), known.is_valid()
    if seen.are_broken() or _are_broken_with_exponents(known):
        return known.cast(pa.float64()), known.is_valid()
    whole = pc.match_substring_regex(known, _WHOLE)
    broken = pc.match_substring_regex(known, _BROKEN)
    return column_of_numbers(known, whole, broken), pc.or_(whole, broken)


def _are_broken_with_exponents(known: Texts) -> bool:
    """Say whether all are numbers with a point or an exponent; few have one."""
    large = pc.match_substring(known, "e")
    if not large.true_count:
        return False
    rest = known.filter(pc.invert(large))
    return _Digits(rest).are_broken() and pc.all(pc.match_substring_regex(known.filter(large), _BROKEN)).as_py() is True


class _Digits:
    """The letters of a column of texts, if it holds nothing but digits, points and signs before them."""

    def __init__(self, known: Texts) -> None:
        self._letters, starts = letters_of_texts(known), starts_of_texts(known)
        ends = np.append(starts[1:], np.int32(len(self._letters)))
        there = ends > starts
        self._begin, self._ends = (starts, ends) if there.all() else (starts[there], ends[there])
        odd = self._letters[self._letters - np.uint8(ord("0")) > 9]
        self._points, signs = np.count_nonzero(odd == ord(".")), np.count_nonzero(odd == ord("-"))
        self._are_there = 0 < len(self._ends) == len(known) - known.null_count
        self._are_digits = self._are_there and len(odd) == self._points + signs
        if self._are_digits and signs:
            minus = self._letters[self._begin] == ord("-")
            self._begin = self._begin + minus
            self._are_digits = signs == np.count_nonzero(minus) and bool((self._begin < self._ends).all())

    def are_whole(self) -> bool:
        """Say whether all are whole numbers, and short enough for 64 bits."""
        if not self._are_digits or self._points:
            return False
        digits = self._ends - self._begin
        return bool(digits.max() <= _LONGEST_WHOLE and not (self._leading_zeros() & (digits > 1)).any())

    def are_broken(self) -> bool:
        """Say whether all are numbers with a point and no exponent."""
        if not self._are_digits or self._points != len(self._ends):
            return False
        points = np.flatnonzero(self._letters == ord("."))
        inside = (points > self._begin) & (points < self._ends - 1)
        return bool(inside.all() and not (self._leading_zeros() & (points != self._begin + 1)).any())

    def _leading_zeros(self) -> Mask:
        zeros: Mask = self._letters[self._begin] == ord("0")
        return zeros
