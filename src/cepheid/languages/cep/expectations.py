"""What could stand at a place of a text, in the words of a person.

The grammar knows it as a set of words, signs and kinds of tokens, often dozens of them; those that belong together are
called by one name.
"""

from collections.abc import Set
from dataclasses import dataclass
from typing import Final

from lark import Lark
from lark.lexer import PatternStr

from cepheid.algebra.intervals import ALLEN
from cepheid.algebra.text.words import WORDS

END: Final = "the end"
_SEVERAL_WORDS: Final = {
    "PAST_LAST": "past last",
    "TO_NEXT": "to next",
    "TO_FIRST": "to first",
    "TO_LAST": "to last",
    "EVERY": "any",
}
_MOST_LISTED = 6


@dataclass(frozen=True, slots=True)
class _Group:
    """Things that belong together: `all` of them must be possible here, `more` may be."""

    name: str
    all: frozenset[str]
    more: frozenset[str] = frozenset()


def _group(name: str, all_of: str, more: str = "") -> _Group:
    return _Group(name, frozenset(all_of.split()), frozenset(more.split()))


_VALUES = "STRING INT FLOAT NOT_FINITE null true false [ {"
_GROUPS: Final = (
    _group("an expression", f"{_VALUES} NAME QUOTED ( @ lookup bound start end position", "not - if DURATION items"),
    _group("a value", _VALUES),
    _group("a pattern", "NAME QUOTED ( instant distinct chain", "join either repeat collect sequence skip"),
    _group("a relation such as `a then b`", "NAME QUOTED start end position INT DURATION none"),
    _group("a difference such as `start(b) - end(a) <= 5 s`", "start end position", "INT DURATION"),
    _group("a formula", "( [ not next always eventually forall exists", "within three-valued"),
    _group(
        "a stage such as `source` or `map`", "source events input detect map fold gate resample window slice verdict"
    ),
    _group("a declaration such as `rule`", "stream tick ties table pipe", "rule"),
    _group("what holds for ties", "arrival simultaneous"),
    _group("a choice such as `all` or `recent`", "all latest-start recent chronological next strict"),
    _group("an operator", "+ - * / // %", "== != < <= > >= in and or ."),
    _group(
        "a clause such as `within` or `where`",
        "within relation where choose on if window gap link with let inside between merged observing skip suppress",
    ),
    _group("a relation such as `then`", " ".join(ALLEN), "before par inside and or unless"),
    _group("a name", "NAME QUOTED"),
    _group("a length of time", "INT DURATION", "FLOAT"),
    _group("a whole number", "INT"),
    _group("a string", "STRING"),
)


def shown_terminals(terminals: Set[str], grammar: Lark) -> frozenset[str]:
    """Return the words and signs that the grammar's names of tokens stand for; kinds of tokens keep their names."""
    signs = {item.name: item.pattern.value for item in grammar.terminals if isinstance(item.pattern, PatternStr)}
    words = {word.upper(): word for word in WORDS}
    return frozenset({**signs, **words, **_SEVERAL_WORDS, "$END": END}.get(name, name) for name in terminals)


def described(possible: frozenset[str]) -> str:
    """Return what is possible as part of a sentence.

    >>> described(frozenset({"NAME", "QUOTED", ")"}))
    'a name or `)`'
    """
    names: list[str] = []
    rest = possible
    for group in _GROUPS:
        if group.all <= rest:
            names.append(group.name)
            rest -= group.all | group.more
    listed = sorted(rest - {END})
    names += [f"`{text}`" for text in listed[:_MOST_LISTED]]
    names += [END] if END in rest else []
    return _either(names)


def _either(names: list[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last
