"""Parts that have a name and can be read: events, groups of events, and points of time."""

from dataclasses import dataclass, field, replace
from typing import Self, overload

from cepheid.algebra.builder.conditions import all_of, names_asked_for, parts_read
from cepheid.algebra.builder.names import new_name, word_of
from cepheid.algebra.builder.patterns import Part
from cepheid.algebra.builder.records import Readable, attribute
from cepheid.algebra.builder.terms import Term
from cepheid.algebra.patterns import Atom
from cepheid.diagnostics import CepheidError, Diagnostic, close_match


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class EventPart(Part, Readable):
    """One event: `a.user` is its field, `a.start`, `a.end` and `a.position` are where it lies.

    A field that has the name of a method is read as `a["within"]`.
    """

    _name: str = field(kw_only=True)

    def where(self, *conditions: Term) -> Self:
        """Only such events: the conditions read this event alone."""
        if not isinstance(self._draft, Atom):
            return Part.where(self, *conditions)
        condition = all_of(conditions, self._draft.where)
        # In a chain it may ask for a variable, which has a plain name; whether there is one is seen there.
        read = parts_read(condition) - {self._name} - names_asked_for(condition)
        others = sorted(map(word_of, read))
        if others:
            raise _reads_others(word_of(self._name), others[0])
        return self._with(replace(self._draft, where=condition))

    @overload
    def __getitem__(self, key: str) -> Term: ...
    @overload
    def __getitem__(self, key: Term) -> Self: ...
    def __getitem__(self, key: str | Term) -> Term | Self:
        return self.where(key) if isinstance(key, Term) else self._field(key)

    def __getattr__(self, name: str) -> Term:
        return self._field(attribute(name))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GroupPart(Part, Readable):
    """Several events as one part: `runs.total` is a fold over them, `runs.start` and `runs.end` are their hull."""

    _name: str = field(kw_only=True)
    _folds: frozenset[str] = field(kw_only=True)

    def __getitem__(self, name: str) -> Term:
        if name not in self._folds:
            raise _unknown_fold(name, self._folds)
        return self._field(name)

    def __getattr__(self, name: str) -> Term:
        return self[attribute(name)]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class InstantPart(Part, Readable):
    """A point of time that a schedule makes; it has a `start` and an `end`, which are the same, and no fields."""

    _name: str = field(kw_only=True)


def event(*types: str, name: str | None = None) -> EventPart:
    """An event of one of the types; without a name of its own it is called after the first type."""
    if not types:
        raise _no_type()
    own = new_name(name, types[0])
    return EventPart(Atom(own, frozenset(types)), _name=own)


def any_event(*, name: str | None = None) -> EventPart:
    """An event of any type."""
    own = new_name(name, "event")
    return EventPart(Atom(own, frozenset()), _name=own)


def _reads_others(name: str, other: str) -> CepheidError:
    message = f"a condition on the event `{name}` alone reads `{other}`"
    hint = f"put it on a pattern that holds both: `({other} >> {name}).where({name}.x > {other}.x)`"
    return CepheidError(Diagnostic("unknown-part", message, hints=(hint,)))


class MissingValueError(CepheidError, AttributeError):
    """The answer to a name that a group has no value for; to Python it is a missing attribute."""


def _unknown_fold(name: str, folds: frozenset[str]) -> MissingValueError:
    closest = close_match(name, folds)
    hint = f"did you mean `{closest}`?" if closest else f'compute it: `values={{"{name}": c.count()}}`'
    return MissingValueError(Diagnostic("unknown-fold", f"the group has no value `{name}`", hints=(hint,)))


def _no_type() -> CepheidError:
    hints = ('name a type, as in `event("login")`', "write `any_event()` for an event of any type")
    return CepheidError(Diagnostic("no-type", "an event needs a type", hints=hints))
