"""Snapshots: a detector's state as bytes, with a head that says which program and which format they belong to."""

import json
from dataclasses import replace

from cepheid.algebra.json_form import fingerprint
from cepheid.algebra.programs import Program
from cepheid.algebra.remembering import ByIdentity
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.engine.state.sealing import sealed, unsealed
from cepheid.engine.state.state_codec import decode, encode

MAGIC = b"cepheid-state\n"
VERSION = 6


@ByIdentity
def state_fingerprint(program: Program) -> str:
    """Return a hash of all that the state of a program depends on: not how often its events come, nor how late."""
    streams = tuple(replace(stream, arrival=None, disorder=0, keys=None) for stream in program.streams)
    told = tuple(stream for stream in streams if stream.sources)
    return fingerprint(replace(program, streams=tuple(sorted(told, key=lambda stream: stream.name))))


def write_snapshot(program: str, state: object) -> bytes:
    """Return a state of the program with that fingerprint as bytes."""
    head = json.dumps({"version": VERSION, "program": program}).encode()
    return sealed(MAGIC, head + b"\n" + encode(state))


def read_snapshot(data: bytes, program: str) -> object:
    """Return the state that a snapshot holds; it must be one of the same program."""
    head, _, body = unsealed(MAGIC, data, "snapshot of a detector").partition(b"\n")
    told = json.loads(head)
    if told.get("version") != VERSION:
        message = f"this snapshot has format {told.get('version')}, and only format {VERSION} can be read"
        raise _refused("bad-state", message, "go on with the release that wrote it")
    if told.get("program") != program:
        message = "this snapshot is of another query, or of another version of this one"
        raise _refused("state-mismatch", message, "continue with the query that was running, or start without a state")
    return decode(body)


def _refused(code: str, message: str, hint: str) -> CepheidError:
    return CepheidError(Diagnostic(code, message, hints=(hint,)))
