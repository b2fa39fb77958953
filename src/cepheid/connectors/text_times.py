r"""A column of times that are texts becomes ticks in one go: decimal numbers, and ISO 8601 in its common forms.

    12      12.5      2024-05-17T08:30:00Z      2024-05-17 08:30:00.25+02:00

All other times are in doubt, and so are all that are not of the form that most have.
"""

import re
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from cepheid.connectors.csv_columns import bytes_of_texts, letters_of_texts, starts_of_texts, without
from cepheid.connectors.records import Reading
from cepheid.connectors.time_columns import Column, Mask, Ticks, scaled, whole_numbers_of
from cepheid.events import MAX_TIME, TICKS_PER_UNIT, TimeUnit

_CLOCK = r"[1-9]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[T ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?"
_ZONED = rf"^{_CLOCK}(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$"
_NAIVE = rf"^{_CLOCK}$"
_ISO: Final = {_ZONED: pa.timestamp("us", "UTC"), _NAIVE: pa.timestamp("us")}
_PLACES: Final[dict[TimeUnit, int]] = {"s": 6, "ms": 3, "us": 0}
_DIGITS = b"0123456789"
_FEW = 8


def ticks_of_texts(column: Column, reading: Reading) -> Ticks | None:
    """Return the times of a column of texts; None where each of them has to be read for itself.

    >>> times, doubtful = ticks_of_texts(pa.array(["1.5", "2", "soon"]), Reading())
    >>> times.tolist(), doubtful.tolist()
    ([1500000, 2000000, 0], [False, False, True])
    """
    found = _all_alike(column, reading.unit) or _most_alike(column, reading.unit)
    if found is None:
        return None
    ticks, doubtful = found
    if column.null_count:
        doubtful |= np.asarray(pc.is_null(column))
    if reading.tick != 1:
        doubtful |= ticks % reading.tick != 0
    return ticks, doubtful


def _all_alike(column: Column, unit: TimeUnit) -> Ticks | None:
    """Return the times where all have one form at a first look."""
    data = bytes_of_texts(column)
    if unit in _PLACES and not data.translate(None, _DIGITS + b"-."):
        return _whole(column, unit) if b"." not in data else _decimals(column, unit)
    form = _iso_form(column, data)
    return None if form is None else _moments(column, form)


def _most_alike(column: Column, unit: TimeUnit) -> Ticks | None:
    """Return the times where most have one form; the others are in doubt."""
    found = _mostly_whole(column, unit) if unit in _PLACES else None
    if found is not None:
        return found
    for pattern in (*_number_patterns(unit), *_ISO):
        fits = pc.fill_null(pc.match_substring_regex(column, pattern), False)
        if 2 * fits.true_count <= len(column):
            continue
        some = pc.if_else(fits, column, None)
        found = _moments(some, _ISO[pattern]) if pattern in _ISO else _decimals(some, unit)
        return None if found is None else (found[0], found[1] | ~_mask(fits))
    return None


def _mostly_whole(column: Column, unit: TimeUnit) -> Ticks | None:
    """Return the times where hardly any has something else than digits; those are in doubt."""
    letters, places = letters_of_texts(column), starts_of_texts(column)
    others = np.flatnonzero(letters - np.uint8(ord("0")) > 9)
    if _FEW * len(others) > len(column):
        return None
    rows = np.searchsorted(places, others, "right") - 1
    signs = (letters[others] == ord("-")) & (others == places[rows])
    doubtful = np.zeros(len(column), np.bool_)
    doubtful[rows[~signs]] = True
    found = _whole(without(column, doubtful), unit)
    return None if found is None else (found[0], found[1] | doubtful)


def _number_patterns(unit: TimeUnit) -> list[str]:
    """Return the pattern of numbers that are no finer than a tick, if there is one."""
    places = _PLACES.get(unit)
    fraction = rf"(?:\.\d{{1,{places}}})?" if places else ""
    return [] if places is None else [rf"^-?\d{{1,18}}{fraction}$"]


def _mask(column: Column) -> Mask:
    mask: Mask = column.to_numpy(zero_copy_only=False)
    return mask


def _whole(column: Column, unit: TimeUnit) -> Ticks | None:
    try:
        whole = column.cast(pa.int64())
    except pa.ArrowInvalid:
        return None
    return scaled(whole, TICKS_PER_UNIT[unit])


def _decimals(column: Column, unit: TimeUnit) -> Ticks | None:
    """Return decimals, none of which has more places than a tick."""
    try:
        exact = column.cast(pa.decimal128(38, _PLACES[unit]))
    except pa.ArrowInvalid:
        return None
    words = np.frombuffer(exact.buffers()[1], np.int64).reshape(-1, 2)[exact.offset : exact.offset + len(exact)]
    low, high = words[:, 0], words[:, 1]
    far = (high != low >> 63) | (low >= MAX_TIME) | (low <= -MAX_TIME)
    if exact.null_count:
        far |= np.asarray(pc.is_null(exact))
    return np.where(far, 0, low), far


def _iso_form(column: Column, data: bytes) -> Any:  # pyarrow's DataType, or None
    """Return the type of moments that differ in their digits alone."""
    count = len(column) - column.null_count
    if not count or len(data) % count:
        return None
    shape = data[: len(data) // count]
    form = next((form for pattern, form in _ISO.items() if re.match(pattern, shape.decode(errors="replace"))), None)
    if form is None or not _are_of_length(column, len(shape)):
        return None
    letters = np.frombuffer(data, np.uint8).reshape(count, -1)
    fixed = [place for place, letter in enumerate(shape) if letter not in _DIGITS]
    others = [place for place, letter in enumerate(shape) if letter in _DIGITS]
    same = all((letters[:, place] == shape[place]).all() for place in fixed)
    digits = same and all(((letters[:, place] - 48) < 10).all() for place in others)
    return form if digits and (letters[:, 0] != 48).all() else None


def _are_of_length(column: Column, length: int) -> bool:
    lengths = pc.min_max(pc.binary_length(column)).as_py()
    return bool(lengths["min"] == lengths["max"] == length)


def _moments(column: Column, form: Any) -> Ticks | None:  # pyarrow's DataType
    try:
        ticks = whole_numbers_of(column.cast(form))
    except pa.ArrowInvalid:
        return None
    return ticks, np.zeros(len(ticks), np.bool_)
