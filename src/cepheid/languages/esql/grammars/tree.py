"""Forms as a tree to look at."""

from cepheid.languages.esql.grammars.syntax import Form, Hole, Number, Part, Text, Word

__all__ = ["drawn"]


def drawn(part: Part) -> str:
    """Return a form with its parts below it, each indented.

    >>> print(drawn(Form("freeze", "<processor>", (Form("input", "<processor>", (Word("x"),)),))))
    freeze
      input x
    """
    return "\n".join(_lines(part, 0))


def _lines(part: Part, level: int) -> list[str]:
    match part:
        case tuple():
            return [line for one in part for line in _lines(one, level)]
        case Form(name, _, parts):
            leaves = [_leaf(one) for one in parts if not isinstance(one, Form | tuple)]
            inner = [line for one in parts if isinstance(one, Form | tuple) for line in _lines(one, level + 1)]
            return ["  " * level + " ".join([name, *leaves]), *inner]
        case _:
            return ["  " * level + _leaf(part)]


def _leaf(part: Part) -> str:
    match part:
        case Number(value) | Text(value):
            return repr(value)
        case Word(text):
            return text
        case Hole(name):
            return f"@{name}"
        case _:
            return ""
