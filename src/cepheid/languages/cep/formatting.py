"""Lay out the text of a query: one declaration after the other, clauses below each other where a line is too long.

Only white space changes: every word stays as it was written, and comments stay beside what they are about.
"""

from collections.abc import Iterator
from typing import Final

from cepheid.algebra.text.layout import WIDTH
from cepheid.diagnostics import Source, internal_error
from cepheid.languages.cep.spacing import spaced
from cepheid.languages.cep.tokens import Piece, pieces_of

_DECLARATIONS: Final = frozenset({"RULE", "STREAM", "TABLE", "TICK", "TIES", "PIPE"})
_CLAUSES: Final = {"WITHIN", "RELATION", "WINDOW", "GAP", "INSIDE", "BETWEEN", "ON", "LINK", "CHOOSE", "WHERE", "WITH"}
_WORDS: Final = {"LET", "MERGED", "OBSERVING", "UNLESS", "THEN", "AND", "OR", "BY", "EMITS", "STEP", "AVOID", "BEFORE"}
_BREAKS: Final = frozenset(_CLAUSES | _WORDS | {"AFTER"})
_CONDITIONS: Final = frozenset({"WHERE", "IF", "LINK"})
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_STEP: Final = "    "


def formatted(text: str, *, name: str = "<query>") -> str:
    r"""Return a text in the usual layout.

    >>> print(formatted("rule x  by user:a then b # soon\n within 5 s emits X( v=a.v )"), end="")
    rule x by user:
        a
        then b  # soon
        within 5 s
        emits X(v = a.v)
    """
    pieces, below = pieces_of(Source(name, text))
    lines: list[str] = []
    previous: list[Piece] = []
    for declaration in _declarations(pieces):
        if previous and (declaration[0].gap or "RULE" in (declaration[0].kind, previous[0].kind)):
            lines.append("")
        lines += _declaration(declaration)
        previous = declaration
    lines += ([""] if lines and below else []) + list(below)
    laid_out = "".join(f"{line}\n" for line in lines)
    if [piece.text for piece in pieces] != [piece.text for piece in pieces_of(Source(name, laid_out))[0]]:
        raise internal_error("a text that is laid out says what it said before")
    return laid_out


def _declarations(pieces: list[Piece]) -> Iterator[list[Piece]]:
    found: list[Piece] = []
    for piece in pieces:
        is_setting = not found or found[0].kind in _DECLARATIONS
        if found and (piece.kind in _DECLARATIONS or (is_setting and _begins_bare(found, piece))):
            yield found
            found = []
        found.append(piece)
    if found:
        yield found


def _begins_bare(setting: list[Piece], piece: Piece) -> bool:
    """Say whether a query without a name begins after a setting: on a line of its own, with what no setting has."""
    if setting[0].kind in ("RULE", "PIPE") or _depth(setting):
        return False
    return (piece.text == "(" and setting[0].kind in ("TICK", "TIES")) or _names_a_part(setting, piece)


def _names_a_part(setting: list[Piece], piece: Piece) -> bool:
    expects = {"STREAM": 2, "TABLE": 2, "TICK": 2, "TIES": 2}[setting[0].kind]
    begins = piece.kind in ("NAME", "QUOTED", "REPEAT", "COLLECT", "DISTINCT", "CHAIN", "INSTANT", "JOIN", "EITHER")
    return begins and len(setting) >= expects


def _declaration(pieces: list[Piece]) -> list[str]:
    first, *rest = pieces
    above = list(first.above)
    first = Piece(first.text, first.kind, (), first.beside, first.apart, first.gap)
    if first.kind != "RULE":
        return [*above, *_laid_out([first, *rest], "", _STEP)]
    colon = next(at for at, piece in enumerate([first, *rest]) if piece.text == ":")
    head, body = [first, *rest][: colon + 1], [first, *rest][colon + 1 :]
    return [*above, *_laid_out(head, "", _STEP), *_body(body)]


def _body(pieces: list[Piece]) -> list[str]:
    """Return what a rule looks for, and what it emits on a line of its own."""
    emits = next((at for at, piece in enumerate(pieces) if piece.kind == "EMITS"), len(pieces))
    parts = [part for part in (pieces[:emits], pieces[emits:]) if part]
    return [line for part in parts for line in _laid_out(part, _STEP, _STEP)]


def _laid_out(pieces: list[Piece], indent: str, more: str) -> list[str]:
    """Return tokens on one line where that fits, else every clause on a line of its own."""
    if not any(piece.above or piece.beside for piece in pieces[:-1]) and not pieces[-1].above:
        line = indent + spaced(pieces)
        if len(line) <= WIDTH:
            return [line + (f"  {pieces[-1].beside}" if pieces[-1].beside else "")]
    lines: list[str] = []
    for at, part in enumerate(_parts(pieces)):
        deeper = indent + (more if at and indent != _STEP else "")
        lines += [deeper + comment for comment in part[0].above]
        lines.append(deeper + spaced(part) + (f"  {part[-1].beside}" if part[-1].beside else ""))
    return lines


def _parts(pieces: list[Piece]) -> Iterator[list[Piece]]:
    """Yield what stands on a line of its own."""
    part: list[Piece] = []
    for piece in pieces:
        in_condition = part and part[0].kind in _CONDITIONS and piece.kind in ("AND", "OR")
        breaks = piece.kind in _BREAKS and not in_condition and _depth_before(pieces, piece) == 0
        if part and (piece.above or part[-1].beside or breaks):
            yield part
            part = []
        part.append(piece)
    if part:
        yield part


def _depth_before(pieces: list[Piece], piece: Piece) -> int:
    at = next(at for at, one in enumerate(pieces) if one is piece)
    return _depth(pieces[:at])


def _depth(pieces: list[Piece]) -> int:
    opened = sum(piece.text in _OPENING for piece in pieces)
    return opened - sum(piece.text in _CLOSING for piece in pieces)
