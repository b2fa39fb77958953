"""The state of a bucket as Spark's state store holds it: for every lane, the engine's bytes in pieces.

What stays the same from batch to batch stays in the same pieces, so only pieces in which something changed are written
again. An index says which pieces each lane has, in order, and which rules it is made of; the program itself is a piece
too, so that whoever looks at a checkpoint needs nothing else, and so are the settings that the state depends on. A mark
that is new with every batch tells a worker whether the detectors it still has in memory are those whose state this is.

A piece is called by its digest, and the index begins with one of its own. They are compared when something is read:
what is damaged is refused, and nothing is guessed from it.
"""

import hashlib
import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from cepheid.algebra.json_form import program_from_json, program_to_json
from cepheid.algebra.programs import Program
from cepheid.algebra.remembering import ByIdentity
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.engine import cut
from cepheid.spark.lanes import Lane
from cepheid.spark.state_settings import FORMAT, Told, lane_name, other_format, refuse_changes, settings_to_json

_FROM_A_COPY = "bring back the checkpoint from a copy, or start a new one"


class Pieces(Protocol):
    """Spark's map state, as far as it is used here."""

    def iterator(self) -> Iterator[tuple[tuple[str], tuple[bytes]]]: ...
    def updateValue(self, key: tuple[str], value: tuple[bytes]) -> None: ...  # noqa: N802  # as Spark calls it
    def removeKey(self, key: tuple[str]) -> None: ...  # noqa: N802  # as Spark calls it


class StoredText(Protocol):
    """Spark's value state, as far as it is used here."""

    def get(self) -> tuple[str] | None: ...
    def update(self, value: tuple[str]) -> None: ...


@dataclass(frozen=True, slots=True)
class Index:
    """What a bucket holds: the names of the pieces of each lane, of its settings, and of what it has beside them."""

    mark: str = ""
    settings: str = ""
    lanes: Mapping[str, Mapping[str, list[str]]] = field(default_factory=dict)
    held: str = ""
    counted: str = ""

    @property
    def pieces(self) -> set[str]:
        """The names of all pieces."""
        every = {name for told in self.lanes.values() for name in (*told["program"], *told["pieces"])}
        return every | {name for name in (self.settings, self.held, self.counted) if name}

    def to_text(self) -> str:
        """Return the index as a text that begins with its digest."""
        told = {"format": FORMAT, "mark": self.mark, "settings": self.settings, "lanes": self.lanes}
        told |= {name: piece for name, piece in (("held", self.held), ("counted", self.counted)) if piece}
        text = json.dumps(told)
        return f"{_digest(text.encode())} {text}"


def index_from_text(text: str) -> Index:
    """Return the index that a text says."""
    digest, _, content = text.partition(" ")
    if digest != _digest(content.encode()):
        raise _other_format(text) or damaged("its index is not what was written")
    told = json.loads(content)
    if told["format"] != FORMAT:
        raise CepheidError(other_format(told["format"]).diagnostic)
    return Index(told["mark"], told["settings"], told["lanes"], told.get("held", ""), told.get("counted", ""))


def _other_format(text: str) -> CepheidError | None:
    """Return the error for an index from before it had a digest, None where it is no such index."""
    try:
        told = json.loads(text)
    except ValueError:
        return None
    return CepheidError(other_format(1).diagnostic) if isinstance(told, dict) and "mark" in told else None


def damaged(reason: str) -> CepheidError:
    """Return the error for a checkpoint that is not as it was written."""
    message = f"the state in the checkpoint is damaged: {reason}"
    return CepheidError(Diagnostic("damaged-checkpoint", message, hints=(_FROM_A_COPY,)))


class StoredState:
    """The states of the lanes of the bucket whose turn it is, in a stream with some settings."""

    def __init__(self, text: StoredText, pieces: Pieces, settings: Told) -> None:
        self._text, self._pieces, self._settings = text, pieces, settings
        self._index = Index()

    @property
    def mark(self) -> str:
        return self._index.mark

    def open(self) -> None:
        """Look at the index of the bucket whose turn it is; state that was stored with other settings is refused."""
        kept = self._text.get()
        self._index = Index() if kept is None else index_from_text(kept[0])
        if self._index.settings not in ("", _digest(settings_to_json(self._settings))):
            refuse_changes(json.loads(joined(self._known(), [self._index.settings])), self._settings)

    def load(self, lanes: Sequence[Lane]) -> list[bytes | None]:
        """Return the state of each lane, None where it has none yet."""
        known = self._known() if self._index.lanes else {}
        names = [self._index.lanes.get(lane_name(lane)) for lane in lanes]
        return [None if told is None else joined(known, told["pieces"]) for told in names]

    def held(self) -> bytes:
        """Return what waits for partitions that are behind; nothing where no source has any."""
        return joined(self._known(), [self._index.held]) if self._index.held else b""

    def counted(self) -> bytes:
        """Return what was counted of events whose rates are declared; nothing where there are none."""
        return joined(self._known(), [self._index.counted]) if self._index.counted else b""

    def save(self, lanes: Sequence[Lane], states: Sequence[bytes], held: bytes = b"", counted: bytes = b"") -> str:
        """Keep the state of each lane, what is held and what was counted, and return the new mark.

        Only what changed is written.
        """
        settings = settings_to_json(self._settings)
        before, wanted = self._index.pieces, {_digest(settings): settings}
        told = {lane_name(lane): _cut(lane, state, wanted) for lane, state in zip(lanes, states, strict=True)}
        wanted |= {_digest(piece): piece for piece in (held, counted) if piece}
        for name, piece in wanted.items():
            if name not in before:
                self._pieces.updateValue((name,), (piece,))
        for name in before - wanted.keys():
            self._pieces.removeKey((name,))
        beside = [_digest(piece) if piece else "" for piece in (held, counted)]
        self._index = Index(uuid.uuid4().hex, _digest(settings), told, *beside)
        self._text.update((self._index.to_text(),))
        return self.mark

    def _known(self) -> Mapping[str, bytes]:
        return {name: bytes(value) for (name,), (value,) in self._pieces.iterator()}


def joined(pieces: Mapping[str, bytes], names: Sequence[str]) -> bytes:
    """Return what some pieces are of; one that is not there, or is not what it was, is refused."""
    for name in names:
        if name not in pieces:
            raise damaged(f"the piece `{name}` is not there")
        if _digest(pieces[name]) != name:
            raise damaged(f"the piece `{name}` is not what was written")
    return b"".join(pieces[name] for name in names)


def read_program(data: bytes) -> tuple[Program, bool]:
    """Return the program that was kept beside its state, and whether its input events may last."""
    told: Any = json.loads(data)  # JSON that we wrote
    return program_from_json(told["program"]), told["intervals"]


def _cut(lane: Lane, state: bytes, wanted: dict[str, bytes]) -> Mapping[str, list[str]]:
    """Return what the index says of a lane, and add its pieces to those that are wanted."""
    program, pieces = _program(lane), cut(state)
    wanted |= {_digest(piece): piece for piece in (program, *pieces)}
    names = [_digest(piece) for piece in pieces]
    return {"rules": [rule.name for rule in lane.rules], "program": [_digest(program)], "pieces": names}


@ByIdentity
def _program(lane: Lane) -> bytes:
    told = {"program": program_to_json(lane.working.program), "intervals": lane.plan.lengths.default is None}
    return json.dumps(told).encode()


def _digest(piece: bytes) -> str:
    return hashlib.blake2b(piece, digest_size=12).hexdigest()
