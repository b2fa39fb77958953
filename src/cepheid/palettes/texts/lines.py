"""Lines of text, and the pieces of a line."""

from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.processors import Processor
from cepheid.algebra.graphs.refusals import refusal
from cepheid.algebra.graphs.terms import NativeTerm, native
from cepheid.palettes.files import Given, numbered_lines, source


def lines(src: Given) -> Processor:
    """The lines of a file, without their ends."""
    return source("lines", src, lambda given: (line.text for line in numbered_lines(given)), "text")


def split(separator: str) -> NativeTerm:
    """A text cut at each separator, as a list; None for what is no text.

    >>> from cepheid.algebra.graphs.evaluation import evaluate
    >>> evaluate(split(",").expression, ("a,b",), {})
    ['a', 'b']
    """
    if not separator:
        raise refusal("a text is split at nothing", 'write `p.split(",")`')

    def pieces(text: Thing) -> list[str] | None:
        return text.split(separator) if isinstance(text, str) else None

    return native(f"split({separator!r})", pieces)
