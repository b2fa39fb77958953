"""The hint to declare how many keys a stream has, as it is typed in the native language."""

from dataclasses import replace

from cepheid.algebra.programs import Program, Stream
from cepheid.algebra.text import show
from cepheid.analysis.bounds.advice import KEYS, Advice


def declare_keys(program: Program, name: str) -> Advice:
    """Return how to say that a stream has so many keys, beside all that is said about it already."""
    known = next((stream for stream in program.streams if stream.name == name), Stream(name))
    return Advice(f"say how many there are: `{show(replace(known, keys=1000))}`", KEYS, known)
