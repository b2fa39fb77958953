"""Templates that events must be of: a value for every slot, each of its type.

    `Transfer` has no `amount` (transfers.jsonl:7)
    expected `Integer`, got `str` at `$.amount` (transfers.jsonl:8)

A type is `Integer`, `Float`, `String`, `Boolean`, `Timestamp` in ticks, or `Any`. Any other one is something that only
the user knows about, such as `AccountId`: one value of any kind. Fields that are no slots may come along.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from cepheid.diagnostics import DataPlace, Diagnostic, close_match
from cepheid.events.event import Event
from cepheid.events.values import Value


@dataclass(frozen=True, slots=True)
class SlotKind:
    """The type of a slot by its name; with `entries`, a list of at most so many of it."""

    name: str
    entries: int | None = None

    def holds(self, value: Value) -> bool:
        """Say whether a slot of this type can have the value, which is not null.

        >>> SlotKind("Integer").holds(3), SlotKind("Integer").holds(3.5), SlotKind("AccountId", 2).holds(("a", "b"))
        (True, False, True)
        """
        if self.entries is None:
            return _holds(self.name, value)
        return isinstance(value, tuple) and len(value) <= self.entries and all(_holds(self.name, one) for one in value)

    def __str__(self) -> str:
        return self.name if self.entries is None else f"[{self.name}; {self.entries}]"


@dataclass(frozen=True, slots=True)
class Templates:
    """All templates by their names, each with the types of its slots."""

    slots: Mapping[str, Mapping[str, SlotKind]]

    @property
    def fields(self) -> frozenset[str]:
        """The names of all slots."""
        return frozenset(name for slots in self.slots.values() for name in slots)

    def problem(self, event: Event) -> Diagnostic | None:
        """Return why an event is of no template; None where it is of one."""
        slots = self.slots.get(event.type)
        if slots is None:
            return self._unknown(event.type)
        fields = event.fields
        for name, kind in slots.items():
            value = fields.get(name)
            if value is None:
                return _missing(event.type, name)
            if not kind.holds(value):
                return _mistyped(name, kind, value)
        return None

    def _unknown(self, name: str) -> Diagnostic:
        closest = close_match(name, self.slots)
        hint = f"did you mean `{closest}`?" if closest else f"declare it: `template {name} {{ }}`"
        return Diagnostic("unknown-template", f"there is no template `{name}`", hints=(hint,))


def _holds(kind: str, value: Value) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    match kind:
        case "Any":
            return True
        case "Integer" | "Timestamp":
            return is_number and (isinstance(value, int) or float(value).is_integer())  # type: ignore[arg-type]  # a number
        case "Float":
            return is_number
        case "String":
            return isinstance(value, str)
        case "Boolean":
            return isinstance(value, bool)
        case _:
            return not isinstance(value, tuple | Mapping)


def _missing(template: str, name: str) -> Diagnostic:
    place, hint = DataPlace(path=(name,)), f'add it: `"{name}": 1`'
    return Diagnostic("missing-field", f"`{template}` has no `{name}`", hints=(hint,), place=place)


def _mistyped(name: str, kind: SlotKind, value: Value) -> Diagnostic:
    given = "list" if isinstance(value, tuple) else "record" if isinstance(value, Mapping) else type(value).__name__
    shown = f"{given} of {len(value)}" if isinstance(value, tuple) and kind.entries is not None else given
    place, hint = DataPlace(path=(name,)), f"mend the data, or declare another type than `{name} : {kind}`"
    return Diagnostic("wrong-kind", f"expected `{kind}`, got `{shown}`", hints=(hint,), place=place)
