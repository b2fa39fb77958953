"""Many matches become lines of text at once: columns become texts, and these are joined to lines.

Numbers become texts in Arrow. Of all other values, one list after the other becomes texts as it would for single lines.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from cepheid.connectors.csv_columns import bytes_of_texts
from cepheid.connectors.match_lists import MatchColumns
from cepheid.connectors.text_cells import csv_texts, json_texts, lists_of_ids, to_json

Column = Any  # pyarrow has no types: an Array; or a list
Texts = Any  # an Array of texts, or one text for all lines
Said = Callable[[Sequence[object]], list[str]]
FEW = 32
"""Fewer matches become lines one by one, which takes no longer."""


def json_lines(some: MatchColumns) -> Texts:
    """Return the lines of matches as JSON."""
    pieces = ['{"match": ', _names(some.names, json_texts)]
    for name, texts in zip(("start", "end", "known"), _times(some, json_texts), strict=True):
        pieces += [f', "{name}": ', texts]
    pieces += [', "values": {']
    for number, (name, column) in enumerate(some.values.items()):
        pieces += [f"{', ' if number else ''}{to_json(name)}: ", _texts(column, json_texts)]
    ids = some.ids
    named = ('"', ids, '"') if _are_plain(ids) else (_texts(ids, json_texts),)
    return _joined(*pieces, '}, "evidence": ', *_lists(some.evidence), ', "id": ', *named, "}\n")


def csv_lines(some: MatchColumns, fields: Sequence[str]) -> Texts:
    """Return the lines of matches as comma-separated values, with a cell for each of the `fields`."""
    values = (_texts(some.values[name], csv_texts) if name in some.values else "" for name in fields)
    pieces: list[Texts] = [_names(some.names, csv_texts)]
    for column in (*_times(some, csv_texts), *values):
        pieces += [",", column]
    ids = some.ids if _are_plain(some.ids) else _texts(some.ids, csv_texts)
    return _joined(*pieces, ",", *_lists_in_quotes(some.evidence), ",", ids, "\n")


def _joined(*pieces: Texts) -> Texts:
    """Return what the pieces of lines say together."""
    apart: list[Texts] = []
    for piece in pieces:
        if isinstance(piece, str) and apart and isinstance(apart[-1], str):
            apart[-1] += piece
        else:
            apart.append(piece)
    return pc.binary_join_element_wise(*apart, "")


def _times(some: MatchColumns, said: Said) -> list[Texts]:
    """Return the texts of start, end and of when matches were known, which mostly is the end."""
    start, end = _texts(some.start, said), _texts(some.end, said)
    return [start, end, end if some.known is some.end else _texts(some.known, said)]


def in_order(lines: Sequence[Texts], order: Any) -> str:  # an array of NumPy, or None
    """Return the lines of some groups as one text, in the order of all of them."""
    whole = lines[0] if len(lines) == 1 else pa.concat_arrays(lines)
    return bytes_of_texts(whole if order is None else whole.take(pa.array(order))).decode()


def _names(names: Sequence[str], said: Said) -> Texts:
    known = list(dict.fromkeys(names))
    texts = said(known)
    if len(texts) == 1:
        return texts[0]
    shown = dict(zip(known, texts, strict=True))
    return pa.array([shown[name] for name in names], pa.string())


def _texts(column: Column, said: Said) -> Texts:
    if isinstance(column, list):
        return pa.array(said(column), pa.string())
    if column.type != pa.int64():
        return pa.array(said(column.to_pylist()), pa.string())
    texts = column.cast(pa.string())
    return pc.fill_null(texts, said([None])[0]) if texts.null_count else texts


def _are_plain(ids: Column) -> bool:
    """Say whether ids need no quotes in comma-separated values, and no escapes in JSON."""
    return not isinstance(ids, list) and bytes_of_texts(ids).isalnum()


def _lists(evidence: Column) -> list[Texts]:
    """Return the pieces of lists of ids as JSON."""
    if isinstance(evidence, list):
        return [pa.array(lists_of_ids(evidence), pa.string())]
    texts = evidence.values.cast(pa.string())
    return ["[", pc.binary_join(pa.ListArray.from_arrays(evidence.offsets, texts), ", "), "]"]


def _lists_in_quotes(evidence: Column) -> list[Texts]:
    """Return the pieces of lists of ids as cells: those with a comma are in quotes."""
    if isinstance(evidence, list):
        return [pa.array(csv_texts(lists_of_ids(evidence)), pa.string())]
    several = np.diff(np.asarray(evidence.offsets)) > 1
    quotes = '"' if several.all() else pc.if_else(pa.array(several), '"', "")
    return [quotes, *_lists(evidence), quotes]
