"""Names with dots that name a field inside a record: `Request[geo.city == "Rome"]`, `on geo.city`, `by geo.city`.

They look like the field of a part, `geo.city` of a part `geo`. So this is decided before anything is read: where a
field can stand without its part, a plain word before the dot that names nothing in the rule is the beginning of the
field. In backticks it is always a part.
"""

from collections.abc import Iterator
from typing import Final, TypeAlias

from lark import Token, Tree

from cepheid.algebra.text.words import read_name

Parsed: TypeAlias = Tree[Token]

_NAMING: Final = frozenset({"atom", "instant", "repeat", "collect", "entry"})
_RULES: Final = ("rule", "bare")


def with_nested_names(text: Parsed) -> Parsed:
    """Return what the grammar found, where fields inside of records are told from fields of parts."""
    rules = [tree for tree in text.iter_subtrees() if tree.data in _RULES]
    for rule in rules or [text]:
        known = frozenset(_known(rule))
        for field in _without_part(rule):
            first = _word(field)
            if first[0] not in "$`" and first not in known:
                field.data = "nested"
    return text


def _known(rule: Parsed) -> Iterator[str]:
    """Yield the names of parts and of computed values, which can stand before a dot."""
    for child in _trees(rule):
        if child.data != "emitted":
            yield from (_name(tree) for tree in child.iter_subtrees() if tree.data in _NAMING)
    if rule.data in _NAMING:
        yield _name(rule)


def _without_part(rule: Parsed) -> Iterator[Parsed]:
    """Yield the names with dots that stand where a field can stand without its part."""
    keys = [child for child in _trees(rule) if child.data == "some_expressions"] if rule.data in _RULES else []
    for key in keys:
        yield from _fields(key)
    for tree in rule.iter_subtrees():
        if tree.data == "atom":
            yield from _fields(tree)
        elif tree.data == "equality" and len(sides := list(_trees(tree))) == 1 and sides[0].data == "field":
            yield sides[0]


def _fields(tree: Parsed) -> Iterator[Parsed]:
    return tree.find_data("field")


def _trees(tree: Parsed) -> Iterator[Parsed]:
    return (child for child in tree.children if isinstance(child, Tree))


def _word(tree: Parsed) -> str:
    """Return the first name in a tree as it is written."""
    return str(next(next(_trees(tree)).scan_values(lambda _: True)))


def _name(tree: Parsed) -> str:
    word = _word(tree)
    try:
        return read_name(word)
    except ValueError:  # a wrong escape, which is said where the name is read
        return word
