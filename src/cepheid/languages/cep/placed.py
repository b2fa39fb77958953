"""What all readers share: they know the source they read and what stands around it, so that nodes have their place."""

from lark import Token
from lark.tree import Meta
from lark.visitors import Transformer_NonRecursive

from cepheid.algebra.relations import Axis, Ticks
from cepheid.algebra.text.words import read_name
from cepheid.diagnostics import Source, Span
from cepheid.languages.cep.lengths import Length, ticks_of
from cepheid.languages.cep.mistakes import mistake
from cepheid.languages.cep.surroundings import Surroundings


class PlacedReader(Transformer_NonRecursive):  # type: ignore[type-arg]  # lark leaves its type parameters out here
    """Turns what the grammar found into nodes; it never recurses, so the text may be nested as deep as it likes."""

    def __init__(self, source: Source, surroundings: Surroundings) -> None:
        super().__init__()
        self.source = source
        self.surroundings = surroundings

    def place(self, meta: Meta) -> Span:
        return self.source.span(meta.start_pos, meta.end_pos)

    def place_of(self, token: Token) -> Span:
        start = token.start_pos or 0
        return self.source.span(start, start + len(token))

    def text_of(self, token: Token) -> str:
        """Return the name or the string that a token says."""
        try:
            inner = token[1:-1].replace("\\'", "'") if token[0] == "'" else token[1:-1]
            return read_name(f"`{inner}`") if token[0] in "\"'`" else str(token)
        except ValueError:
            hint = "a backslash is written `\\\\`"
            raise mistake("this has an escape that means nothing", self.place_of(token), "in here", hint) from None

    def in_time(self, length: Length, axis: Axis = Axis.TIME) -> Ticks:
        """Return a length in ticks; a lone number is in the unit of the text, or counts records."""
        return ticks_of(length, self.surroundings.time_unit, axis)

    def number_of(self, token: Token) -> int:
        try:
            return int(token)
        except ValueError:
            raise mistake("this number is too long", self.place_of(token), "too many digits") from None
