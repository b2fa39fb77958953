"""The tokens of a text, each with the comments around it: what a layout must keep."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lark import Token
from lark.exceptions import UnexpectedInput

from cepheid.diagnostics import Source
from cepheid.languages.cep.reading import grammar
from cepheid.languages.cep.slips import slip

_COMMENT = re.compile(r"#[^\n]*")


@dataclass(frozen=True, slots=True)
class Piece:
    """A token; `above` are comments on lines of their own before it, `beside` the one that ends its line.

    `apart` says that white space stands before it, `gap` that an empty line does.
    """

    text: str
    kind: str
    above: tuple[str, ...] = ()
    beside: str | None = None
    apart: bool = True
    gap: bool = False


def pieces_of(source: Source) -> tuple[list[Piece], tuple[str, ...]]:
    """Return the tokens of a text with their comments, and the comments after the last one."""
    tokens = list(_tokens(source))
    found: list[Piece] = []
    end = 0
    above: tuple[str, ...] = ()
    for token in tokens:
        start = token.start_pos or 0
        beside, above = _comments(source.text[end:start], first=not found)
        if beside is not None:
            found[-1] = _ended(found[-1], beside)
        between = source.text[end:start]
        found.append(
            Piece(str(token), token.type, above, None, between != "", re.search(r"\n\s*\n", between) is not None)
        )
        end = start + len(token)
    beside, below = _comments(source.text[end:], first=not found)
    if beside is not None:
        found[-1] = _ended(found[-1], beside)
    return found, below


def _ended(piece: Piece, beside: str) -> Piece:
    return Piece(piece.text, piece.kind, piece.above, beside, piece.apart, piece.gap)


def _tokens(source: Source) -> Iterator[Token]:
    reading = grammar().parse_interactive(source.text, start="program")
    try:
        yield from reading.iter_parse()
        reading.feed_eof()  # type: ignore[no-untyped-call]  # lark leaves its types out here
    except UnexpectedInput as error:
        raise slip(error, source, "program", grammar()) from None


def _comments(between: str, *, first: bool) -> tuple[str | None, tuple[str, ...]]:
    """Return the comment that ends the line before, and those on lines of their own."""
    beside, _, rest = between.partition("\n")
    found = tuple(match[0].rstrip() for match in _COMMENT.finditer(rest))
    ended = _COMMENT.search(beside)
    if ended is None:
        return None, found
    return (None, (ended[0].rstrip(), *found)) if first else (ended[0].rstrip(), found)
