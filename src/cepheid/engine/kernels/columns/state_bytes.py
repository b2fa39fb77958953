"""State as bytes: a head that says what follows, then the arrays as they lie in memory. Nothing is pickled."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask
from cepheid.engine.state.sealing import sealed, unsealed
from cepheid.engine.state.state_codec import decode, encode

MAGIC = b"cepheid-kernels\n"
VERSION = 9


@dataclass(frozen=True, slots=True)
class Coded:
    """Whole numbers that are codes of words, where `there` says so, or everywhere.

    Words that nobody has any more are not written down, and the others have other codes then.
    """

    codes: Data
    there: Mask | None = None


Entry = Data | Coded | list[Any] | int | None  # lists hold what the codec of states can write


def named(name: str, entries: Mapping[str, Entry]) -> dict[str, Entry]:
    """Return entries as those of one of several, which has a name.

    >>> under("left", named("left", {"top": 1}) | named("right", {"top": 2}))
    {'top': 1}
    """
    return {f"{name} {one}": entry for one, entry in entries.items()}


def under(name: str, entries: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries of one of several by its name."""
    return {one.removeprefix(f"{name} "): entry for one, entry in entries.items() if one.startswith(f"{name} ")}


def to_bytes(program: str, entries: Mapping[str, Entry]) -> bytes:
    """Return entries of the program with that fingerprint as bytes."""
    blocks, told = [], []
    for name, entry in entries.items():
        form, block = _block(entry)
        told.append([name, form, len(block)])
        blocks.append(block)
    head = json.dumps({"version": VERSION, "program": program, "entries": told}).encode()
    return sealed(MAGIC, b"".join((head, b"\n", *blocks)))


def from_bytes(state: bytes, program: str) -> dict[str, Any]:  # as `Entry`; the reader knows which it wrote
    """Return the entries of a state; it must be one of the same program, in the format of this release."""
    whole = unsealed(MAGIC, state, "state of compiled kernels")
    first = whole.index(b"\n") + 1
    head = json.loads(whole[:first])
    if head["version"] != VERSION:
        message = f"this snapshot has format {head['version']}, and only format {VERSION} can be read"
        raise _refused("bad-state", message, "go on with the release that wrote it")
    if head["program"] != program:
        message = "this snapshot is of another query, or of another version of this one"
        raise _refused("state-mismatch", message, "continue with the query that was running, or start without a state")
    found: dict[str, Any] = {}
    for name, form, length in head["entries"]:
        found[name] = _entry(form, whole[first : first + length])
        first += length
    return found


def is_of_kernels(state: bytes) -> bool:
    return state.startswith(MAGIC)


def _block(entry: Entry) -> tuple[list[Any], bytes]:
    if isinstance(entry, Coded):
        return _block(entry.codes)
    if isinstance(entry, np.ndarray) and entry.dtype != object:
        return [entry.dtype.str, list(entry.shape)], np.ascontiguousarray(entry).tobytes()
    if isinstance(entry, np.ndarray):
        return ["objects", list(entry.shape)], encode(entry.tolist())
    return ["plain", []], encode(entry)


def _entry(form: list[Any], block: bytes) -> Entry:
    kind, shape = form
    if kind == "plain":
        return decode(block)  # type: ignore[return-value]  # as written
    if kind == "objects":
        found = np.empty(shape, object)
        found[:] = decode(block)
        return found
    return np.frombuffer(block, np.dtype(kind)).reshape(shape).copy()


def _refused(code: str, message: str, hint: str) -> CepheidError:
    return CepheidError(Diagnostic(code, message, hints=(hint,)))
