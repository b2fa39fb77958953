"""Bytes that know whether they are whole: what they are, a digest, and all that the digest is of.

It is compared before anything is read, so that what is damaged is refused and never taken for a state.
"""

import hashlib

from cepheid.diagnostics import CepheidError, Diagnostic

_SIZE = 32


def sealed(kind: bytes, content: bytes) -> bytes:
    """Return content of a kind with its digest."""
    return b"".join((kind, _digest(content), b"\n", content))


def unsealed(kind: bytes, data: bytes, what: str) -> bytes:
    """Return the content that was sealed; `what` it should be is said where it is something else."""
    if not data.startswith(kind):
        raise _refused(f"this is no {what}", "pass the bytes that `snapshot()` gave")
    first = len(kind) + _SIZE + 1
    digest, content = data[len(kind) : first], data[first:]
    if digest != _digest(content) + b"\n":
        raise _refused("this snapshot is damaged", "take a new one with `snapshot()`")
    return content


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_SIZE // 2).hexdigest().encode()


def _refused(message: str, hint: str) -> CepheidError:
    return CepheidError(Diagnostic("bad-state", message, hints=(hint,)))
