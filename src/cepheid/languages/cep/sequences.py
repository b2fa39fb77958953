"""What a sequence cannot say, with ways out in the words of this language."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from cepheid.algebra.sequences import SequenceMistake
from cepheid.diagnostics import Span
from cepheid.languages.cep.mistakes import mistake

HINTS: Final[Mapping[str, str]] = {
    "empty": "add a step: `a: A`",
    "begins-with-not": "begin with a step that takes a record",
    "all-optional": "leave one `optional` away",
    "dangling-not": "put it at the end, or leave `optional` away",
    "open-not": "add a window: `sequence within 10 min { a: A, not b: B }`",
    "greedy-end": "add the step that ends it, or leave `greedy` away",
    "greedy-group": "leave `greedy` away",
    "greedy-with": "leave one of the two away",
    "one-record": "say how many: `2..* of a: A`",
    "no-times": "say how many: `1..3 of a: A`",
    "too-long": "count less, or take them with `repeat r: 1000 of a: A`",
    "no-variable": "name a step before it: `b: B[price > a.price]`",
    "later-step": "put the condition at the later of the two: `a: A, b: B[price > a.price]`",
    "no-such-step": "name a step that is taken, or write `skip past last`",
}


@contextmanager
def in_own_words(span: Span) -> Iterator[None]:
    """Say what a sequence cannot say where it stands in the text, with a hint."""
    try:
        yield
    except SequenceMistake as error:
        raise mistake(error.message, error.span or span, error.label, HINTS[error.kind]) from None
