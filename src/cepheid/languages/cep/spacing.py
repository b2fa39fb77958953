"""Where a space stands between two tokens."""

from typing import Final

from cepheid.languages.cep.tokens import Piece

_NAMES: Final = frozenset({"NAME", "QUOTED"})
_CALLED: Final = frozenset({"start", "end", "position", "lookup", "bound"})
_TIGHT_AFTER: Final = frozenset({"(", "[", ".", "@", ".."})
_TIGHT_BEFORE: Final = frozenset({")", "]", ",", ".", ":", ";", ".."})
_AFTER_OPERAND: Final = frozenset({"NAME", "QUOTED", "INT", "FLOAT", "DURATION", "STRING"})


def spaced(pieces: list[Piece]) -> str:
    """Return tokens side by side, on one line.

    >>> from cepheid.diagnostics import Source
    >>> from cepheid.languages.cep.tokens import pieces_of
    >>> spaced(pieces_of(Source("<query>", "a :A[ x>-1 ]then b within 5 s on( a.x )==b . x"))[0])
    'a: A[x > -1] then b within 5 s on (a.x) == b.x'
    """
    line = ""
    for at, piece in enumerate(pieces):
        before = pieces[at - 1] if at else None
        line += ("" if before is None or _touches(pieces, at) else " ") + piece.text
    return line


def _touches(pieces: list[Piece], at: int) -> bool:
    before, piece = pieces[at - 1], pieces[at]
    if before.text in _TIGHT_AFTER or piece.text in _TIGHT_BEFORE:
        return True
    if before.text == "{" or piece.text == "}":
        return not piece.apart
    if piece.text == "(":
        return before.kind in _NAMES or before.text in _CALLED or (before.text == "if" and not piece.apart)
    if piece.text == "[":
        return before.kind in _NAMES or before.text == "}" or (before.text == "*" and not piece.apart)
    return before.text == "-" and not _is_operand(pieces[at - 2] if at > 1 else None)


def _is_operand(piece: Piece | None) -> bool:
    return piece is not None and (piece.kind in _AFTER_OPERAND or piece.text in (")", "]", "items"))
