"""Names for queries inside of one: `WITH recent AS (SELECT ...) SELECT ... FROM recent`.

Each name is replaced by the query that it stands for, so that nobody else needs to know of it.
"""

from collections.abc import Mapping

from cepheid.languages.esql.grammars.expanding import MOST_FORMS
from cepheid.languages.esql.grammars.syntax import Form, Part, Word
from cepheid.languages.esql.places import refused
from cepheid.languages.esql.selects import JOINS, QUERIES, SETS

__all__ = ["without_common"]


def without_common(part: Part, known: Mapping[str, Part] | None = None) -> Part:
    """Return a form in which no query has a name of its own any more."""
    names = {} if known is None else known
    match part:
        case Form("common", _, (tuple(items), query)):
            return _named(items, query, names)
        case Form("table", _, (Word(name),)) if name in names:
            return names[name]
        case Form("as_table", symbol, (Word(name), other)) if name in names:
            return Form("as", symbol, (names[name], other), part.span, part.uses)
        case Form(name, symbol, parts):
            sources = (0, 1) if name in JOINS else (1,) if name in QUERIES - SETS and len(parts) > 1 else ()
            found = tuple(
                _source(one, names) if place in sources else without_common(one, names)
                for place, one in enumerate(parts)
            )
            return Form(name, symbol, found, part.span, part.uses)
        case tuple():
            return tuple(without_common(one, names) for one in part)
        case _:
            return part


def _named(items: tuple[Part, ...], query: Part, known: Mapping[str, Part]) -> Part:
    names = dict(known)
    for item in items:
        match item:
            case Form("common_item", _, (Word(name), body)):
                names[name] = _small(without_common(body, names))
    return _small(without_common(query, names))


def _small(part: Part) -> Part:
    """Return a form whose queries are not too many when they are written out."""
    counted, stack = 0, [part]
    while stack:
        one = stack.pop()
        counted += isinstance(one, Form)
        if counted > MOST_FORMS:
            message, label = "the query is too large when its names are written out", f"more than {MOST_FORMS} parts"
            raise refused(part, "too-large", message, label, "use fewer names inside each other")
        stack.extend(one.parts if isinstance(one, Form) else one if isinstance(one, tuple) else ())
    return part


def _source(part: Part, names: Mapping[str, Part]) -> Part:
    """Return what is selected from; what has a name is called by it."""
    match part:
        case tuple():
            return tuple(_source(one, names) for one in part)
        case Form("table", _, (Word(name),)) if name in names:
            return Form("as", "<tuple-expression>", (names[name], Word(name)), part.span, part.uses)
        case _:
            return without_common(part, names)
