"""The state of a bucket as Spark's state store holds it: for every lane, the engine's bytes in pieces.

What stays the same from batch to batch stays in the same pieces, so only pieces in which something changed are written
again. An index says which pieces each lane has, in order, and which rules it is made of; the program itself is a piece
too, so that whoever looks at a checkpoint needs nothing else. A mark that is new with every
batch tells a worker whether the detectors it still has in memory are those whose state this is.
"""

import hashlib
import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from cepheid.algebra.json_form import program_from_json, program_to_json
from cepheid.algebra.programs import Program
from cepheid.algebra.remembering import ByIdentity
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.engine import cut, state_fingerprint
from cepheid.spark.lanes import Lane


class Pieces(Protocol):
    """Spark's map state, as far as it is used here."""

    def iterator(self) -> Iterator[tuple[tuple[str], tuple[bytes]]]: ...
    def updateValue(self, key: tuple[str], value: tuple[bytes]) -> None: ...  # noqa: N802  # as Spark calls it
    def removeKey(self, key: tuple[str]) -> None: ...  # noqa: N802  # as Spark calls it


class Index(Protocol):
    """Spark's value state, as far as it is used here."""

    def get(self) -> tuple[str] | None: ...
    def update(self, value: tuple[str]) -> None: ...


class StoredState:
    """The states of the lanes of the bucket whose turn it is."""

    def __init__(self, index: Index, pieces: Pieces) -> None:
        self._index, self._pieces = index, pieces
        self._told: Mapping[str, Mapping[str, list[str]]] = {}
        self.mark = ""

    def open(self) -> None:
        """Look at the index of the bucket whose turn it is."""
        kept = self._index.get()
        told = json.loads('{"mark": "", "lanes": {}}' if kept is None else kept[0])
        self.mark, self._told = told["mark"], told["lanes"]

    def load(self, lanes: Sequence[Lane]) -> list[bytes | None]:
        """Return the state of each lane, None where it has none yet; a lane that was changed is refused."""
        for lane in lanes:
            _refuse_changed(lane, self._told)
        known = {name: bytes(value) for (name,), (value,) in self._pieces.iterator()} if self._told else {}
        names = [self._told.get(lane_name(lane)) for lane in lanes]
        return [None if told is None else b"".join(known[name] for name in told["pieces"]) for told in names]

    def save(self, lanes: Sequence[Lane], states: Sequence[bytes]) -> str:
        """Keep the state of each lane, write only what changed, and return the new mark."""
        before = {name for told in self._told.values() for name in (*told["program"], *told["pieces"])}
        wanted: dict[str, bytes] = {}
        self._told = {
            lane_name(lane): self._cut(lane, state, wanted) for lane, state in zip(lanes, states, strict=True)
        }
        for name, piece in wanted.items():
            if name not in before:
                self._pieces.updateValue((name,), (piece,))
        for name in before - wanted.keys():
            self._pieces.removeKey((name,))
        self.mark = uuid.uuid4().hex
        self._index.update((json.dumps({"mark": self.mark, "lanes": self._told}),))
        return self.mark

    def _cut(self, lane: Lane, state: bytes, wanted: dict[str, bytes]) -> Mapping[str, list[str]]:
        pieces = cut(state)
        wanted |= {_digest(piece): piece for piece in pieces}
        program = _program(lane)
        wanted[_digest(program)] = program
        names = [_digest(piece) for piece in pieces]
        return {"rules": [rule.name for rule in lane.rules], "program": [_digest(program)], "pieces": names}


def read_program(data: bytes) -> tuple[Program, bool]:
    """Return the program that was kept beside its state, and whether its input events may last."""
    told = json.loads(data)
    return program_from_json(told["program"]), told["intervals"]


@ByIdentity
def _program(lane: Lane) -> bytes:
    told = {"program": program_to_json(lane.whole), "intervals": lane.plan.lengths.default is None}
    return json.dumps(told).encode()


def lane_name(lane: Lane) -> str:
    """Return what the state of a lane is called: the query it is of, and all that its state depends on."""
    own = f"{lane.title}:{state_fingerprint(lane.plan.program)}"
    return own if lane.stage is None else f"{own}.{state_fingerprint(lane.whole)}"


def _refuse_changed(lane: Lane, known: Mapping[str, Mapping[str, list[str]]]) -> None:
    """Refuse a lane whose rules another lane had under the same names: its state would be lost in silence."""
    if lane_name(lane) in known:
        return
    names = {rule.name for rule in lane.rules}
    for stored, told in known.items():
        if stored.startswith(f"{lane.title}:") and names & set(told["rules"]):
            rules = ", ".join(f"`{name}`" for name in sorted(names & set(told["rules"])))
            message = f"the checkpoint holds state of another version of {rules}"
            hint = (
                "continue with the query that was running, give the changed rule a new name, or start a new checkpoint"
            )
            raise CepheidError(Diagnostic("state-mismatch", message, hints=(hint,)))


def _digest(piece: bytes) -> str:
    return hashlib.blake2b(piece, digest_size=12).hexdigest()
