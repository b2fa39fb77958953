"""The variables of a rule, and what names mean at each of its places."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from cepheid.algebra.expressions import Field, Moment
from cepheid.algebra.relations import end
from cepheid.diagnostics import CepheidError, Label, Span, close_match
from cepheid.languages.parte.calls import Typed
from cepheid.languages.parte.kinds import ANY, TIME, Kind, declared_kind
from cepheid.languages.parte.syntax import TableText, Template
from cepheid.languages.shared.findings import listed, refusal
from cepheid.languages.shared.terms import Member, Name

TIMESTAMP: Final = "timestamp"
TOTAL: Final = "value"
"""The one field of an aggregate."""


class Role(Enum):
    """What a variable stands for."""

    EVENT = auto()
    INSTANT = auto()
    TOTAL = auto()
    ABSENT = auto()
    ITEM = auto()


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of a rule; `order` is the place of its pattern. An aggregate has a kind, events have a template."""

    name: Name
    role: Role
    order: int
    template: Template | None = None
    kind: Kind = ANY

    @property
    def pattern_text(self) -> str:
        """The pattern of the variable as it is written without conditions."""
        return f"{self.name.name} : {'Event' if self.template is None else self.template.name.name} {{ }}"

    @property
    def slots(self) -> Mapping[str, Kind]:
        slots = () if self.template is None else self.template.slots
        return {slot.name.name: declared_kind(slot.type) for slot in slots}

    @property
    def is_positive(self) -> bool:
        return self.role in (Role.EVENT, Role.INSTANT)


@dataclass(frozen=True, slots=True)
class Scope:
    """What names mean in the pattern of `own`, or in the reactions where there is no own pattern.

    `order` is the place of the pattern: later variables are not known yet. `predicates` are those of the text.
    """

    variables: Mapping[str, Variable]
    tables: Mapping[str, TableText]
    order: int
    own: Variable | None = None
    predicates: frozenset[str] = frozenset()

    @property
    def callable(self) -> tuple[str, ...]:
        """What the text itself lets one call."""
        return (*self.tables, *sorted(self.predicates))

    def attribute(self, name: Name) -> Typed:
        """Return what a name that stands alone means: an attribute of the own event, or an aggregate."""
        if self.own is not None and (name.name == TIMESTAMP or name.name in self.own.slots):
            return self._of(self.own, name.name, name.span)
        known = self.variables.get(name.name)
        if known is not None and known.role is Role.TOTAL and self._is_bound(known):
            return self._of(known, TOTAL, name.span)
        raise self._unknown_name(name)

    def member(self, member: Member) -> Typed:
        """Return what `variable.attribute` means."""
        variable = self._variable(member.part)
        name = member.name
        if name != TIMESTAMP and name not in self._attributes(variable):
            raise self._unknown_attribute(variable, name, member.span)
        return self._of(variable, name, member.span)

    def _of(self, variable: Variable, name: str, span: Span) -> Typed:
        part = variable.name.name
        if variable.role is Role.TOTAL:
            return Typed(Field(part, TOTAL), variable.kind, span)
        if name == TIMESTAMP:
            return Typed(Moment(end(part)), TIME, span)
        return Typed(Field(part, name), variable.slots[name], span)

    def _attributes(self, variable: Variable) -> Mapping[str, Kind]:
        return {TOTAL: variable.kind} if variable.role is Role.TOTAL else variable.slots

    def _variable(self, name: Name) -> Variable:
        known = self.variables.get(name.name)
        if known is None:
            raise self._unknown_variable(name)
        if known == self.own:
            return known
        if known.role is Role.ABSENT:
            raise self._absent(known, name)
        if known.role is Role.ITEM:
            raise self._item(known, name)
        if not self._is_bound(known):
            raise self._too_early(known, name)
        return known

    def _is_bound(self, variable: Variable) -> bool:
        return variable == self.own or variable.order < self.order

    def _readable(self) -> Iterator[tuple[str, str]]:
        """Yield every variable that can be read here, with each of its attributes."""
        for variable in self.variables.values():
            if self._is_bound(variable) and variable.role in (Role.EVENT, Role.TOTAL):
                yield from ((variable.name.name, name) for name in self._attributes(variable))

    def of_kind(self, kind: Kind) -> list[str]:
        """Return the attributes of the events before this pattern that have a kind."""
        known = [one for one in self.variables.values() if one.order < self.order and one.role is Role.EVENT]
        return [f"{one.name.name}.{name}" for one in known for name, found in one.slots.items() if found == kind]

    def _example(self) -> str:
        return next((f"{part}.{attribute}" for part, attribute in self._readable()), "incoming.amount")

    def _unknown_variable(self, name: Name) -> CepheidError:
        message, label = f"no pattern of this rule binds `{name.name}`", "not a variable of this rule"
        known = [one.name.name for one in self.variables.values() if self._is_bound(one) and one.role is not Role.ITEM]
        closest = close_match(name.name, known)
        hint = f"did you mean `{closest}`?" if closest else f"the variables are {listed(known)}"
        return refusal("unbound-variable", message, name.span, label, hint)

    def _too_early(self, variable: Variable, name: Name) -> CepheidError:
        message = f"`{name.name}` is used before its pattern"
        others = (Label(variable.name.span, "it is bound only here"),)
        hint = f"move the condition to the pattern of `{name.name}`, or that pattern before this one"
        return refusal("unbound-variable", message, name.span, "not bound yet", hint, others=others)

    def _absent(self, variable: Variable, name: Name) -> CepheidError:
        message = f"`{name.name}` is absent from every match, so it has no attributes to read"
        others = (Label(variable.name.span, "negated here"),)
        hint = f"write the condition inside `no {variable.pattern_text}`"
        if self.own is None:
            hint = f"read an event that is there, for example `{self._example()}`"
        label = "read outside its own pattern"
        return refusal("negated-variable-misuse", message, name.span, label, hint, others=others)

    def _item(self, variable: Variable, name: Name) -> CepheidError:
        message = f"`{name.name}` stands for many events, of which none can be read alone"
        others = (Label(variable.name.span, "an aggregate is made of all of them"),)
        hint = f"write the condition inside `of {variable.pattern_text}`"
        return refusal("unbound-variable", message, name.span, "read outside its own pattern", hint, others=others)

    def _unknown_attribute(self, variable: Variable, name: str, span: Span) -> CepheidError:
        attributes = (*self._attributes(variable), *([] if variable.role is Role.TOTAL else [TIMESTAMP]))
        what = f"`{variable.name.name}`" if variable.template is None else f"`{variable.template.name.name}`"
        message, label = f"{what} has no attribute `{name}`", "not one of its attributes"
        closest = close_match(name, attributes)
        hint = f"did you mean `{variable.name.name}.{closest}`?" if closest else f"it has {listed(attributes)}"
        return refusal("unknown-attribute", message, span, label, hint)

    def _unknown_name(self, name: Name) -> CepheidError:
        owner = next((part for part, attribute in self._readable() if attribute == name.name), None)
        if owner is not None:
            message, label = f"`{name.name}` is no attribute of this pattern's event", "of which event?"
            if self.own is None:
                message = f"`{name.name}` stands alone"
            return refusal("unknown-attribute", message, name.span, label, f"did you mean `{owner}.{name.name}`?")
        if self.own is None or self.own.template is None:
            message, label = f"`{name.name}` stands alone", "an attribute of which event?"
            return refusal("unknown-attribute", message, name.span, label, f"write it like `{self._example()}`")
        return self._unknown_own(self.own.template, name)

    def _unknown_own(self, template: Template, name: Name) -> CepheidError:
        attributes = [slot.name.name for slot in template.slots] + [TIMESTAMP]
        message, label = f"`{template.name.name}` has no attribute `{name.name}`", "not one of its attributes"
        closest = close_match(name.name, attributes)
        hint = f"did you mean `{closest}`?" if closest else f"it has {listed(attributes)}"
        return refusal("unknown-attribute", message, name.span, label, hint)
