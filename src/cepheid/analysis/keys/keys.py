"""By what the work of a rule can be split: a value on which all events of every match agree.

    a transfer to an account, then one from it   ==>   `destination` of the first, `originator` of the second

An event may hold the key in one attribute where it plays one part, and in another where it plays another: then it goes
to the work of both values, and plays in each only the parts that it has come for.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from cepheid.algebra.expressions import Expr, Field
from cepheid.algebra.patterns import Atom, Distinct, Either, Join
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import EVENT, Rule
from cepheid.algebra.relations import Axis, Endpoint
from cepheid.algebra.text import show
from cepheid.algebra.traversal import walk
from cepheid.analysis.keys.key_classes import ANY_TYPE, Attribute, Classes, KeyClass
from cepheid.analysis.keys.roles import is_mark
from cepheid.analysis.plans.planner import counts_records


class Dealing(IntEnum):
    """How far events may be multiplied for the sake of a key.

    ONCE     every event goes to one place: each type holds the key in one attribute
    BY_ROLE  an event goes to a place for each attribute in which it may hold the key
    TO_ALL   besides, events of types that have no attribute of the key go to every place
    """

    ONCE = 1
    BY_ROLE = 2
    TO_ALL = 3


@dataclass(frozen=True, slots=True)
class PartitionKey:
    """The key of a rule: declared expressions over its events, or for each type the attributes that hold it.

    Where a type has several, `roles` says which of them holds it in each part. Events of types that have none go
    everywhere: `spread`.
    """

    expressions: tuple[Expr, ...] = ()
    by_type: tuple[tuple[str, str], ...] = ()
    roles: tuple[Attribute, ...] = ()
    spread: tuple[str, ...] = ()

    @property
    def has_roles(self) -> bool:
        """Whether an event may hold the key in several attributes."""
        return any(count > 1 for count in Counter(kind for kind, _ in self.by_type).values())

    def __str__(self) -> str:
        if self.expressions:
            return ", ".join(f"`{show(expression).replace(f'{EVENT}.', '')}`" for expression in self.expressions)
        told = _told_roles(self.roles) if self.has_roles else self._told_types()
        everywhere = " and ".join(f"`{kind}`" for kind in self.spread)
        return f"{told}; {everywhere} everywhere" if everywhere else told

    def _told_types(self) -> str:
        attributes = dict.fromkeys(name for _, name in self.by_type)
        if len(attributes) == 1:
            return f"`{next(iter(attributes))}`"
        return ", ".join(f"`{name}` of `{kind}`" for kind, name in self.by_type)


def _told_roles(roles: tuple[Attribute, ...]) -> str:
    parts: dict[str, list[str]] = {}
    for part, name in roles:
        parts.setdefault(name, []).append(f"`{part}`")
    return ", ".join(f"`{name}` of {' and '.join(some)}" for name, some in parts.items())


def partition_key(rule: Rule) -> PartitionKey | None:
    """Return by what the work of a rule can be split, None if it cannot."""
    if rule.per:
        return PartitionKey(expressions=rule.per)
    found = next((some for dealing in Dealing if (some := key_classes(rule, dealing))), None)
    if found is None:
        return None
    order = {node.name: place for place, node in reversed([*enumerate(_atoms(rule))])}
    roles = sorted(found[0].roles, key=lambda role: order.get(role[0], len(order)))
    return PartitionKey((), tuple(sorted(found[0].held)), tuple(roles), tuple(sorted(found[0].spread)))


def key_classes(rule: Rule, dealing: Dealing = Dealing.ONCE) -> list[KeyClass]:
    """Return the classes of attributes by which the work of a rule without a key of its own can be split.

    Those that need an event in fewer places come first.
    """
    if _counts_the_whole_stream(rule):
        return []
    fields = [one for one in walk(rule) if isinstance(one, Field) and not is_mark(one.name)]
    read = frozenset((one.part, one.name) for one in fields)
    found = Classes(read, spreads=dealing is Dealing.TO_ALL).of(rule.pattern)
    once = [one for one in found if not one.spread and _is_held_once(one.held)]
    if dealing is Dealing.ONCE:
        return once
    others = [one for one in found if one not in once and _plays_roles(rule, one)]
    return [*once, *sorted(others, key=lambda one: (len(one.spread), len(one.held)))]


def _counts_the_whole_stream(rule: Rule) -> bool:
    return any(
        (isinstance(node, Endpoint) and node.axis is Axis.POSITION)
        or (isinstance(node, Join) and node.policy.choice is Choice.STRICT)
        for node in walk(rule)
    )


def _is_held_once(held: frozenset[Attribute]) -> bool:
    """Say whether every type holds the key in one attribute: an event goes to one place only."""
    types = [kind for kind, _ in held]
    return len(types) == len(set(types)) and (ANY_TYPE not in types or len({name for _, name in held}) == 1)


def _plays_roles(rule: Rule, one: KeyClass) -> bool:
    """Say whether events may go to several places by a class.

    Every part has one attribute of it, and more of them do than have none. What counts records would count those that
    are there in another role, and what is told apart by the events it rests on rests on the same ones in two roles.
    So may matches of two branches that are alike, and are numbered then.
    """
    by_part = Counter(part for part, _ in one.roles)
    types = {kind for kind, _ in one.held}
    if ANY_TYPE in types or types & one.spread or any(count > 1 for count in by_part.values()) or counts_records(rule):
        return False
    if any(isinstance(node, Distinct) and node.by is None for node in walk(rule)):
        return False
    if not all(_is_held_once(_held_in(node, dict(one.roles))) for node in walk(rule) if isinstance(node, Either)):
        return False
    spread = sum(1 for atom in _atoms(rule) if atom.types <= one.spread)
    return bool(one.held) and spread < len(by_part)


def _held_in(pattern: Either, roles: Mapping[str, str]) -> frozenset[Attribute]:
    """Return the attributes of types that hold the key in some branches."""
    atoms = [node for node in walk(pattern) if isinstance(node, Atom) and node.name in roles]
    return frozenset((kind, roles[atom.name]) for atom in atoms for kind in atom.types)


def _atoms(rule: Rule) -> list[Atom]:
    return [node for node in walk(rule.pattern) if isinstance(node, Atom)]
