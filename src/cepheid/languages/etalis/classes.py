"""Which attributes of a rule's events are one variable, and what it is called.

A join equates expressions that stand for one variable. Where alternatives bind it, each in its own way, the expression
takes whichever there is; of a repetition it is the value that all items share.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cepheid.algebra.expressions import Call, Expr, Field, conjunction
from cepheid.algebra.patterns import Atom, Either, Join, Pattern, Repeat, Unless
from cepheid.algebra.policies import ALL
from cepheid.algebra.programs import Rule
from cepheid.algebra.traversal import named_parts, transform, walk
from cepheid.languages.etalis.leading_constants import leading_constants
from cepheid.languages.etalis.words import OPERATOR_WORDS

Slot = Field
"""An attribute of an event."""


@dataclass(slots=True)
class Variables:
    """The variables of a rule by the attributes that they stand for."""

    repeats: Mapping[str, Repeat]
    alternatives: tuple[tuple[frozenset[str], ...], ...]
    leaders: dict[Slot, Slot] = field(default_factory=dict)
    names: dict[Slot, str] = field(default_factory=dict)

    def slots(self, expression: Expr) -> list[Slot]:
        """Return the attributes that an expression stands for, if it is what a variable is bound to."""
        match expression:
            case Field(part, name) if part in self.repeats:
                keys = self.repeats[part].per
                place = int(name.removeprefix("key")) if re.fullmatch(r"key[1-9]\d*", name) else 0
                return self.slots(keys[place - 1]) if 0 < place <= len(keys) else []
            case Field():
                return [expression]
            case Call("coalesce", branches) if self._are_alternatives(branches):
                return [slot for branch in branches for slot in self.slots(branch)]
            case _:
                return []

    def name(self, expression: Expr) -> str | None:
        """Return the variable that an expression stands for."""
        slots = self.slots(expression)
        return self.names.get(self._leader(slots[0])) if slots else None

    def unite(self, *expressions: Expr) -> None:
        """Make one variable of all that some expressions stand for."""
        slots = [slot for expression in expressions for slot in self.slots(expression)]
        for slot in slots[1:]:
            self.leaders[self._leader(slot)] = self._leader(slots[0])

    def called(self, slot: Slot) -> None:
        """Give the variable of an attribute a name, if it has none."""
        leader = self._leader(slot)
        if leader not in self.names:
            self.names[leader] = _fresh(slot.name, set(self.names.values()))

    def call(self, names: Mapping[Slot, str]) -> None:
        """Call the variables as they are written, rather than by names that were made up."""
        self.names |= {self._leader(slot): name for slot, name in names.items()}

    def _leader(self, slot: Slot) -> Slot:
        while slot in self.leaders and self.leaders[slot] != slot:
            slot = self.leaders[slot]
        return slot

    def _are_alternatives(self, branches: tuple[Expr, ...]) -> bool:
        parts = [{node.part for node in walk(branch) if isinstance(node, Field)} for branch in branches]
        return any(
            len(names) == len(parts) and all(one and one <= own for one, own in zip(parts, names, strict=True))
            for names in self.alternatives
        )


def variables_of(rule: Rule, attributes: Mapping[str, Sequence[str]]) -> Variables:
    """Return the variables of a rule, with names for those that it reads."""
    pattern = _without_choices(rule.pattern, attributes)
    nodes = list(walk(pattern))
    repeats = {node.name: node for node in nodes if isinstance(node, Repeat)}
    either = [node for node in nodes if isinstance(node, Either)]
    alternatives = tuple(tuple(frozenset(named_parts(one)) for one in node.branches) for node in either)
    found = Variables(repeats, alternatives)
    for node in nodes:
        if isinstance(node, Join | Unless):
            for pair in node.equal:
                found.unite(*pair)
    read = list(_read(pattern, rule))
    for expression in read:
        found.unite(expression)
    for expression in read:
        for slot in found.slots(expression):
            found.called(slot)
    return found


def _without_choices(pattern: Pattern, attributes: Mapping[str, Sequence[str]]) -> Pattern:
    """Return a pattern without what only breaks ties or is written as a constant."""

    def plain(node: object) -> object:
        match node:
            case Join():
                return replace(node, policy=ALL)
            case Atom(types=types):
                own = [name for kind in types for name in attributes[kind]]
                return replace(node, where=conjunction(leading_constants(node, own)[1]))
            case _:
                return node

    return transform(pattern, plain)


def _read(pattern: Pattern, rule: Rule) -> Iterator[Expr]:
    for node in walk((pattern, rule.fields)):
        if isinstance(node, Field | Call):
            yield node


def _fresh(attribute: str, taken: set[str]) -> str:
    letters = re.sub(r"\W", "_", attribute)
    base = "X" if re.fullmatch(r"arg\d*", letters) else letters[:1].upper() + letters[1:]
    base = base if re.match(r"[A-Z_]", base) and base != "_" else f"V{base}"
    candidates = (base, *(f"{base}{number}" for number in range(2, len(taken) + 3)))
    return next(one for one in candidates if one not in taken and one.lower() not in OPERATOR_WORDS)
