"""A source is a named text, and a span is a place in it.

Offsets count characters from 0, as slices do; lines and columns count from 1, as editors do.
"""

from dataclasses import dataclass, field

from cepheid.diagnostics.credentials import shown_address


@dataclass(frozen=True, slots=True)
class Source:
    """A text with the name a user knows it by: a file's name, or a word such as `<query>`."""

    name: str
    text: str = field(repr=False)

    def span(self, start: int, end: int) -> "Span":
        return Span(self, start, end)

    @property
    def end(self) -> "Span":
        r"""The place just after the last visible character, where something may be missing.

        >>> str(Source("login.alg", "a ;\n\n").end)
        'login.alg:1:4'
        """
        length = len(self.text.rstrip())
        return Span(self, length, length)

    def line(self, number: int) -> str:
        """The text of one line, without its line break."""
        return self.text.split("\n")[number - 1].removesuffix("\r")


@dataclass(frozen=True, slots=True)
class Span:
    r"""The characters of `source` from `start` up to, not including, `end`; none where the two are equal.

    >>> span = Source("login.alg", "a ;\nb within 5 s").span(6, 16)
    >>> str(span), span.line, span.column, span.text
    ('login.alg:2:3', 2, 3, 'within 5 s')
    """

    source: Source
    start: int
    end: int

    def __post_init__(self) -> None:
        length = len(self.source.text)
        if not 0 <= self.start <= self.end <= length:
            raise ValueError(f"no span {self.start}-{self.end} in a text of {length} characters")

    @property
    def line(self) -> int:
        return self.source.text.count("\n", 0, self.start) + 1

    @property
    def column(self) -> int:
        return self.start - (self.source.text.rfind("\n", 0, self.start) + 1) + 1

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def to(self, other: "Span") -> "Span":
        """The least span that covers both.

        >>> source = Source("login.alg", "a ; b")
        >>> source.span(4, 5).to(source.span(0, 1)).text
        'a ; b'
        """
        if self.source != other.source:
            raise ValueError(f"no span covers both {self} and {other}")
        return Span(self.source, min(self.start, other.start), max(self.end, other.end))

    def __str__(self) -> str:
        return f"{shown_address(self.source.name)}:{self.line}:{self.column}"
