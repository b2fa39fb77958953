"""The processors of a pipe in a flat list, each before what flows into it and before its body."""

from collections.abc import Iterator

from cepheid.algebra.pipes import Detect, Fold, Gate, Map, Pipe, Resample, Slice, Source, Verdict, Window
from cepheid.algebra.text import show

KINDS: dict[type[Pipe], str] = {
    Source: "source",
    Detect: "detection",
    Map: "queue",
    Fold: "fold",
    Resample: "resampling",
    Gate: "queue",
    Window: "window",
    Slice: "slices",
    Verdict: "verdict",
}
LONGEST_NAME = 60


def processors(pipe: Pipe) -> Iterator[Pipe]:
    """Yield the pipe, all that flows into it, and its body; their order is their numbers.

    >>> one = Source(stream="P")
    >>> list(processors(Map((one, one)))) == [Map((one, one)), one, one]
    True
    """
    yield pipe
    for source in pipe.inputs:
        yield from processors(source)
    if isinstance(pipe, Window | Slice):
        yield from processors(pipe.body)


def kind_of(pipe: Pipe) -> str:
    """Return what a processor does, or what it holds, in a word."""
    return KINDS[type(pipe)]


def pipe_called(pipe: Pipe) -> str:
    """Return what a message calls a pipe: its text, as far as that fits.

    >>> pipe_called(Map((Source(stream="P"),)))
    '`source P | map null`'
    """
    text = " ".join(show(pipe).split())
    return f"`{text}`" if len(text) <= LONGEST_NAME else f"`{text[: LONGEST_NAME - 4]} ...`"
