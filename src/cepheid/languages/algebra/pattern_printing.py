"""Patterns as expressions of the algebra, with no more parentheses than needed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from cepheid.algebra.expressions import Expr, Field
from cepheid.algebra.intervals import inside, then
from cepheid.algebra.patterns import Atom, Either, Join, Pattern, Restrict, Select, Unless
from cepheid.algebra.programs import HULL
from cepheid.algebra.relations import length
from cepheid.algebra.traversal import walk
from cepheid.events import Duration
from cepheid.languages.algebra.stops import STATEMENT_WORDS
from cepheid.languages.algebra.syntax import Operator
from cepheid.languages.shared.names import OPERATOR_WORDS, quoted_name, shown_name
from cepheid.languages.shared.spelling import is_slip
from cepheid.languages.shared.term_printing import TermPrinter

_BY, _OR, _AND, _MINUS, _THEN, _WITHIN, _PRIMARY = range(7)
_LEVELS: Final = {Operator.OR: _OR, Operator.AND: _AND, Operator.MINUS: _MINUS, Operator.THEN: _THEN}

Refuse = Callable[[str], Exception]


@dataclass(frozen=True, slots=True)
class Words:
    """How names are written in a program with these definitions."""

    defined: frozenset[str]

    def shown(self, name: str) -> str:
        return shown_name(name, OPERATOR_WORDS | STATEMENT_WORDS)

    def shown_type(self, name: str) -> str:
        """Return an event type, in backticks where it would be taken for a misspelled definition."""
        slips = name not in self.defined and any(is_slip(name, defined) for defined in self.defined)
        return quoted_name(name) if slips else self.shown(name)


@dataclass(frozen=True, slots=True)
class Printed:
    """An expression: its operands, each but the first with its operator before it, and how loosely they are bound."""

    clauses: tuple[str, ...]
    level: int

    def text(self, level: int) -> str:
        """Return it on one line, in parentheses where it binds less than `level`."""
        line = " ".join(self.clauses)
        return line if self.level >= level else f"({line})"


def printed(pattern: Pattern, words: Words, labels: frozenset[str], refuse: Refuse) -> Printed:
    """Return a pattern as an expression; atoms called by one of the `labels` are labelled."""
    return _Printer(words, labels, refuse).printed(pattern, ())


@dataclass(frozen=True, slots=True)
class _Printer:
    words: Words
    labels: frozenset[str]
    refuse: Refuse

    def printed(self, pattern: Pattern, inherited: tuple[str, ...]) -> Printed:
        """Return a pattern that is detected for every value of the `inherited` keys, which are written further out."""
        own = tuple(name for name in _keys(pattern) if name not in inherited)
        if own:
            unkeyed = self.printed(pattern, (*inherited, *own))
            return Printed((*unkeyed.clauses, f"by {', '.join(map(self.words.shown, own))}"), _BY)
        match pattern:
            case Select(below):
                return self.printed(below, inherited)
            case Atom():
                return Printed((self._primitive(pattern),), _PRIMARY)
            case Restrict(below, (window,), None) if window.high is not None and window == _window(window.high):
                line = f"{self.printed(below, inherited).text(_WITHIN)} within {Duration(window.high)}"
                return Printed((line,), _WITHIN)
            case _:
                return self._combined(pattern, inherited)

    def _combined(self, pattern: Pattern, inherited: tuple[str, ...]) -> Printed:
        match pattern:
            case Either((left, right)):
                operator = Operator.OR
            case Join((left, right), relation) if relation in ((), then()):
                operator = Operator.THEN if relation else Operator.AND
            case Unless(left, right, relation) if relation == inside("$absent", HULL):
                operator = Operator.MINUS
            case _:
                raise self.refuse(f"a pattern of the kind `{type(pattern).__name__}`")
        level = _LEVELS[operator]
        on_left, on_right = self.printed(left, inherited), self.printed(right, inherited)
        first = on_left.clauses if on_left.level == level else (on_left.text(level),)
        return Printed((*first, f"{operator.sign} {on_right.text(level + 1)}"), level)

    def _primitive(self, atom: Atom) -> str:
        if len(atom.types) != 1:
            raise self.refuse(f"an event of {len(atom.types) or 'any'} types")
        [event_type] = atom.types
        label = f"{self.words.shown(atom.name)}:" if atom.name in self.labels else ""
        where = "" if atom.where is None else f"[{TermPrinter(self.refuse, atom.name).shown(atom.where)}]"
        return f"{label}{self.words.shown_type(event_type)}{where}"


def _window(longest: int) -> object:
    return length(HULL, HULL, longest)


def _keys(pattern: Pattern) -> list[str]:
    """Return the attributes that a node is keyed by."""
    match pattern:
        case Select(policy=policy):
            keys = policy.per
        case Join(equal=equal, policy=policy):
            keys = policy.per or tuple(left for left, _ in equal)
        case Unless(equal=equal):
            keys = tuple(left for left, _ in equal)
        case _:
            keys = ()
    return [name for key in keys for name in _attribute(key)]


def _attribute(key: Expr) -> list[str]:
    """Return the attribute that a key reads, whichever branch it reads it from."""
    return [node.name for node in walk(key) if isinstance(node, Field)][:1]
