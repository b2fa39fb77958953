"""Compositions, written out: `e1 followed by e2` is e1, and wherever that ends, e2 goes on.

Definition 2 of the paper. What e1 goes on with is copied together with it, since it may end elsewhere too; a loop in it
becomes a loop of the copy.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import count

from cepheid.diagnostics import CepheidError, Span, close_match
from cepheid.languages.hbl.acceptance import reached
from cepheid.languages.hbl.syntax import Equation, Sequence, Single, Watchpoint
from cepheid.languages.shared.findings import listed, refusal
from cepheid.languages.shared.terms import Name


def written_out(watchpoint: Watchpoint) -> Watchpoint:
    """Return a watchpoint without compositions; the equations that this takes come after its own.

    What was used only to be composed has been copied, and goes.
    """
    if not watchpoint.equations:
        return watchpoint
    made = _WritingOut({one.name.name: one for one in watchpoint.equations})
    own = tuple(replace(one, expression=made.sequence(one.expression)) for one in watchpoint.equations)
    whole = replace(watchpoint, equations=(*own, *made.copies.values()))
    gone = reached(watchpoint) - reached(whole)
    return replace(whole, equations=tuple(one for one in whole.equations if one.name.name not in gone))


class _WritingOut:
    """Compositions on their way: the equations there are, the copies so far, and what is being composed."""

    def __init__(self, equations: Mapping[str, Equation]) -> None:
        self.equations = equations
        self.copies: dict[str, Equation] = {}
        self.composing: list[str] = []
        self.numbers = count(1)

    def sequence(self, sequence: Sequence) -> Sequence:
        """Return a sequence without compositions."""
        if sequence.composes:
            return self._composed(sequence)
        return replace(sequence, follow=tuple(map(self.sequence, sequence.follow)))

    def _composed(self, sequence: Sequence) -> Sequence:
        [name] = sequence.lead.types
        if name.name not in self.equations:
            raise _unknown(name, self.equations)
        if name.name in self.composing:
            raise _endless(name)
        self.composing.append(name.name)
        number = next(self.numbers)
        rest = tuple(self._named(self.sequence(one), number) for one in sequence.follow)
        found = self._followed(self.equations[name.name].expression, rest, number)
        self.composing.pop()
        return found

    def _named(self, sequence: Sequence, number: int) -> Sequence:
        """Return what goes on as the name of an equation, so that many may go on with it."""
        if self._is_equation(sequence):
            return sequence
        name = f"rest+{number}" if f"rest+{number}" not in self.copies else f"rest+{number}.{len(self.copies)}"
        self.copies[name] = Equation(Name(name, sequence.span), sequence)
        return _reference(name, sequence.span)

    def _followed(self, sequence: Sequence, rest: tuple[Sequence, ...], number: int) -> Sequence:
        """Return a copy of a sequence that goes on with the rest wherever it ended."""
        if sequence.composes:
            sequence = self._composed(sequence)
        if self._is_equation(sequence):
            return self._copied(sequence.lead.types[0], sequence.span, rest, number)
        follow = tuple(self._followed(one, rest, number) for one in sequence.follow) or rest
        return replace(sequence, follow=follow)

    def _copied(self, name: Name, span: Span, rest: tuple[Sequence, ...], number: int) -> Sequence:
        copy = f"{name.name}+{number}"
        if copy not in self.copies:
            original = self.equations.get(name.name) or self.copies[name.name]
            self.copies[copy] = original  # a loop comes back to it meanwhile
            expression = self._followed(original.expression, rest, number)
            self.copies[copy] = Equation(Name(copy, original.name.span), expression)
        return _reference(copy, span)

    def _is_equation(self, sequence: Sequence) -> bool:
        name = sequence.reference
        return name is not None and (name.name in self.equations or name.name in self.copies)


def _reference(name: str, span: Span) -> Sequence:
    return Sequence(Single((Name(name, span),), None, (), span), (), None, span)


def _unknown(name: Name, equations: Mapping[str, Equation]) -> CepheidError:
    closest = close_match(name.name, equations)
    hint = f"did you mean `{closest}`?" if closest else f"define it: `{name.name} = login -> logout;`"
    label = f"the equations are {listed(equations)}"
    return refusal(
        "unknown-definition", f"`{name.name}` is no equation that something could follow", name.span, label, hint
    )


def _endless(name: Name) -> CepheidError:
    message = f"`{name.name}` is composed with itself, which has no end"
    hint = "make it a loop: go on with it after an arrow, as the last step"
    return refusal("recursive-definition", message, name.span, "it would stand in itself, and again in that", hint)
