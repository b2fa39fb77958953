"""What values are, as far as templates tell: numbers, texts, times, or something of a domain such as `AccountId`.

A domain is whatever the user means by it. It agrees with itself, with constants and with the types that every language
has, but not with another domain: an account is no transaction.
"""

from dataclasses import dataclass, replace
from typing import Final

from cepheid.languages.parte.syntax import SlotType


@dataclass(frozen=True, slots=True)
class Kind:
    """A type by its name; with a size, a list of at most so many of it."""

    name: str
    size: int | None = None

    def __str__(self) -> str:
        if self in _CONSTANT:
            return _CONSTANT[self]
        return f"`{self.name}`" if self.size is None else f"`[{self.name}; {self.size}]`"


ANY: Final = Kind("Any")
INTEGER: Final = Kind("Integer")
FLOAT: Final = Kind("Float")
STRING: Final = Kind("String")
BOOLEAN: Final = Kind("Boolean")
TIME: Final = Kind("Timestamp")
# Constants say less than slots do: `100` can be an `Integer`, a `Float` or an `Amount`.
NUMBER: Final = Kind("number")
TEXT: Final = Kind("text")

_CONSTANT: Final = {NUMBER: "a number", TEXT: "a text"}
_BUILT_IN: Final = frozenset([ANY, INTEGER, FLOAT, STRING, BOOLEAN, TIME, NUMBER, TEXT])
NUMERIC: Final = frozenset([NUMBER, INTEGER, FLOAT])
TEXTUAL: Final = frozenset([TEXT, STRING])


def declared_kind(slot_type: SlotType | None) -> Kind:
    """Return the kind that a template declares; nothing declared is anything."""
    return ANY if slot_type is None else Kind(slot_type.name.name, slot_type.size)


def is_domain(kind: Kind) -> bool:
    """Say whether a kind is something only the user knows about."""
    return kind.size is None and kind not in _BUILT_IN


def common(one: Kind, other: Kind) -> Kind | None:
    """Return the kind of what is one or the other, None where they have nothing in common.

    >>> common(NUMBER, Kind("Amount")), common(INTEGER, FLOAT), common(Kind("AccountId"), Kind("Amount"))
    (Kind(name='Amount', size=None), Kind(name='Float', size=None), None)
    """
    if one == other:
        return one
    if ANY in (one, other):
        return ANY
    if one.size is not None and other.size is not None:
        entries = common(replace(one, size=None), replace(other, size=None))
        return None if entries is None else Kind(entries.name, max(one.size, other.size))
    if one.size is not None or other.size is not None:
        return None
    return _scalar(one, other)


def _scalar(one: Kind, other: Kind) -> Kind | None:
    both = {one, other}
    if both <= NUMERIC:
        return FLOAT if FLOAT in both else INTEGER
    if both <= TEXTUAL:
        return STRING
    domains = [kind for kind in (one, other) if is_domain(kind)]
    if domains:
        return domains[0] if len(domains) == 1 else None
    return TIME if TIME in both and both & {NUMBER, INTEGER} else None


def is_assignable(value: Kind, slot: Kind) -> bool:
    """Say whether a slot can hold such a value: lists have room, and no fraction is cut off."""
    if value == FLOAT and slot == INTEGER:
        return False
    if value.size is not None and slot.size is not None and value.size > slot.size:
        return False
    return common(value, slot) is not None
