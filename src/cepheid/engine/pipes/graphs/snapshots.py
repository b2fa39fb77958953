"""The state of a running copy as bytes: plain values, sets, tuples and bytes, never code."""

import hashlib

from cepheid.algebra.graphs.layout import laid_out
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.processors import Processor
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.engine.pipes.graphs.plain_state import plain_state, read_state
from cepheid.engine.state.state_codec import decode, encode

_HEAD = b"cepheid pipe 1 "


def written_snapshot(processor: Processor, has_ended: bool, state: Thing) -> bytes:
    """Return a state as bytes, under the shape of its processor."""
    return _HEAD + _shape(processor) + encode([has_ended, plain_state(state)])


def read_snapshot(processor: Processor, data: bytes) -> tuple[bool, Thing]:
    """Return the state that bytes tell, or refuse those of another processor."""
    if not data.startswith(_HEAD):
        raise _refusal("these bytes are no snapshot of a pipe", "take one with `.snapshot()`")
    head = len(_HEAD)
    shape = _shape(processor)
    if data[head : head + len(shape)] != shape:
        raise _refusal("this snapshot was taken of another pipe", "start the pipe that it was taken of")
    try:
        told: Thing = decode(data[head + len(shape) :])
        return bool(told[0]), read_state(told[1])
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise _refusal("this snapshot is damaged", "take another one with `.snapshot()`") from None


def _shape(processor: Processor) -> bytes:
    """Return what is the same for two pipes whose states fit: their operations and how they are joined."""
    graph = laid_out(processor)
    told = [(node.operation.text(*map(repr, node.operation.bodies)), node.inputs, node.scope) for node in graph.nodes]
    return hashlib.blake2b(repr((told, graph.outputs)).encode(), digest_size=8).hexdigest().encode() + b" "


def _refusal(message: str, hint: str) -> CepheidError:
    return CepheidError(Diagnostic("bad-state", message, hints=(hint,)))
