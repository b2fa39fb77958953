"""What names mean inside a condition, and in the values that a definition emits."""

from collections.abc import Sequence
from dataclasses import dataclass

from cepheid.algebra.expressions import Expr, Field
from cepheid.diagnostics import CepheidError, Diagnostic, Label, close_match
from cepheid.languages.algebra.syntax import By, Combination, Expression, Operator, Primitive, Within
from cepheid.languages.shared.terms import Name


@dataclass(frozen=True, slots=True)
class OneEvent:
    """The scope of a condition: attributes of its event; the event itself by its label or its type."""

    primitive: Primitive
    event: str

    def attribute(self, name: Name) -> Expr:
        return Field(self.event, name.name)

    def part(self, name: Name) -> str:
        label = self.primitive.label
        own = [self.primitive.type.name, *([] if label is None else [label.name])]
        if name.name in own:
            return self.event
        told = Label(name.span, f"a condition sees the one event it stands at, `{self.primitive.type.name}`")
        hint = "write its attribute alone, for example `value > 12`"
        message = f"`{name.name}` means nothing in this condition"
        raise CepheidError(Diagnostic("unknown-part", message, (told,), hints=(hint,)))


@dataclass(frozen=True, slots=True)
class Visible:
    """An event whose attributes can be emitted."""

    primitive: Primitive
    event: str


@dataclass(frozen=True, slots=True)
class AllEvents:
    """The scope of what is emitted: events by their label, or by their type where that is clear."""

    events: Sequence[Visible]
    absent: Sequence[Primitive]

    def attribute(self, name: Name) -> Expr:
        example = self._names()[0]
        label = Label(name.span, "an attribute of which event?")
        hint = f"write the event before it, for example `{example}.{name.name}`"
        message = f"`{name.name}` stands alone"
        raise CepheidError(Diagnostic("unknown-part", message, (label,), hints=(hint,)))

    def part(self, name: Name) -> str:
        labelled = [one.event for one in self.events if one.primitive.label and one.primitive.label.name == name.name]
        typed = [one for one in self.events if one.primitive.type.name == name.name]
        if labelled:
            return labelled[0]
        if len(typed) == 1:
            return typed[0].event
        raise self._ambiguous(name, typed) if typed else self._unknown(name)

    def _names(self) -> list[str]:
        return [(one.primitive.label or one.primitive.type).name for one in self.events]

    def _ambiguous(self, name: Name, typed: Sequence[Visible]) -> CepheidError:
        labels = (Label(name.span, "which one?"), *(Label(one.primitive.span, "one of them") for one in typed))
        hint = f"give the one you mean a name: `a:{name.name}`"
        message = f"`{name.name}` is not clear: {len(typed)} events are of this type"
        return CepheidError(Diagnostic("ambiguous-part", message, labels, hints=(hint,)))

    def _unknown(self, name: Name) -> CepheidError:
        closest = close_match(name.name, self._names())
        there = ", ".join(f"`{one}`" for one in dict.fromkeys(self._names()))
        hint = f"did you mean `{closest}`?" if closest else f"the events of this definition are called {there}"
        label = Label(name.span, "no event of this definition is called so")
        message = f"there is no event `{name.name}` to emit something of"
        if name.name in [(event.label or event.type).name for event in self.absent]:
            message, label = f"`{name.name}` is absent from every match", Label(name.span, "so it has no values")
        return CepheidError(Diagnostic("unknown-part", message, (label,), hints=(hint,)))


def present(expression: Expression) -> list[bool]:
    """Say of each primitive, from left to right, whether it is there in a match: what is absent is not."""
    match expression:
        case Primitive():
            return [True]
        case Combination(operator, left, right):
            absent = operator is Operator.MINUS
            return present(left) + [there and not absent for there in present(right)]
        case Within(inner) | By(inner):
            return present(inner)
