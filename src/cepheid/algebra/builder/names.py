"""What parts are called: every event gets a name of its own at once, and a pleasant one when a query is made of it.

A part without a name of the user's is called `~7~login` at first, so that no two parts are ever confused. `canonical`
calls it `login`, the second one of that type `login2`, and so on in the order of appearance. Names that a user gave are
kept.
"""

import re
from collections.abc import Iterator
from itertools import count
from typing import TypeVar

from cepheid.algebra.expressions import Field, IsBound
from cepheid.algebra.relations import Endpoint
from cepheid.algebra.text import show
from cepheid.algebra.text.show import Node
from cepheid.algebra.traversal import named_parts, rename, walk
from cepheid.diagnostics import CepheidError, Diagnostic

T = TypeVar("T")

_numbers = count(1)
_FRESH = re.compile(r"~\d+~(?P<word>.*)")


def new_name(given: str | None, word: str) -> str:
    """Return the name of a new part: the one given, else one that nothing else has and that is made of `word`."""
    if given is None:
        return f"~{next(_numbers)}~{_identifier(word)}"
    if not given.isidentifier():
        raise _not_a_name(given)
    return given


def word_of(name: str) -> str:
    """Return the word that a name was made of.

    >>> word_of("~7~login"), word_of("first")
    ('login', 'first')
    """
    fresh = _FRESH.fullmatch(name)
    return fresh["word"] if fresh else name


def canonical(node: T) -> T:
    """Return `node` with a pleasant name for each part that the user gave none."""
    names = dict.fromkeys(_names(node))
    taken = {name for name in names if not _FRESH.fullmatch(name)}
    new: dict[str, str] = {}
    for name in names:
        if name not in taken and name not in new:
            new[name] = _free(word_of(name), taken)
            taken.add(new[name])
    return rename(node, new)


def readable(node: Node) -> str:
    """Return a node as text, with pleasant names."""
    return show(canonical(node))


def _names(node: object) -> Iterator[str]:
    """Yield the names of all parts, and then whatever names are read."""
    yield from named_parts(node)
    for item in walk(node):
        match item:
            case Field(part=name) | Endpoint(part=name) | IsBound(name=name):
                yield name


def _free(word: str, taken: set[str]) -> str:
    return next(
        name for name in (word, *(f"{word}{number}" for number in range(2, len(taken) + 3))) if name not in taken
    )


def _identifier(word: str) -> str:
    plain = re.sub(r"\W", "_", word.lower())
    return plain if plain.isidentifier() else f"_{plain}"


def _not_a_name(given: str) -> CepheidError:
    return CepheidError(
        Diagnostic(
            "not-a-name",
            f"`{given}` cannot be the name of a part",
            hints=(f"use letters, digits and `_`: `{_identifier(given)}`",),
        )
    )
