"""By what the work of a rule can be split: an attribute on which all events of every match agree.

Equalities make classes of attributes. A class is a key where it has an attribute of every event the rule looks at, also
of those that are absent, collected or repeated, and where every choice is made within the class: then what happens
under one value never depends on another.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import product

from cepheid.algebra.expressions import Aggregate, Call, Expr, Field, conjuncts
from cepheid.algebra.patterns import (
    Atom,
    Chain,
    Collect,
    Distinct,
    Either,
    Join,
    Pattern,
    Repeat,
    Restrict,
    Select,
    Unless,
)
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import EVENT, Rule
from cepheid.algebra.relations import Axis, Endpoint
from cepheid.algebra.text import show
from cepheid.algebra.traversal import walk
from cepheid.analysis.chain_keys import chain_keys
from cepheid.analysis.reaches import FREE

Attribute = tuple[str, str]
Pair = tuple[Attribute, Attribute]
ANY_TYPE = "*"
MOST_CLASSES = 64
KEEPING = ("first", "last", "min", "max")  # of equal values, each of these is that value


@dataclass(frozen=True, slots=True)
class PartitionKey:
    """The key of a rule: declared expressions over its events, or for each type the attribute that holds it."""

    expressions: tuple[Expr, ...] = ()
    by_type: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        if self.expressions:
            return ", ".join(f"`{show(expression).replace(f'{EVENT}.', '')}`" for expression in self.expressions)
        attributes = dict.fromkeys(name for _, name in self.by_type)
        if len(attributes) == 1:
            return f"`{next(iter(attributes))}`"
        return ", ".join(f"`{name}` of `{kind}`" for kind, name in self.by_type)


@dataclass(frozen=True, slots=True)
class KeyClass:
    """Attributes with one value: those that can be read above, and for each type of event the one that holds it.

    `unsure` are those that are not bound in every branch.
    """

    seen: frozenset[Attribute]
    held: frozenset[Attribute] = field(default_factory=frozenset)
    unsure: frozenset[Attribute] = field(default_factory=frozenset)


def partition_key(rule: Rule) -> PartitionKey | None:
    """Return by what the work of a rule can be split, None if it cannot."""
    if rule.per:
        return PartitionKey(expressions=rule.per)
    found = key_classes(rule)
    return PartitionKey(by_type=tuple(sorted(found[0].held))) if found else None


def key_classes(rule: Rule) -> list[KeyClass]:
    """Return the classes of attributes by which the work of a rule without a key of its own can be split."""
    if _counts_the_whole_stream(rule):
        return []
    read = frozenset((one.part, one.name) for one in walk(rule) if isinstance(one, Field))
    return [one for one in _Classes(read).of(rule.pattern) if _is_consistent(one.held)]


def _counts_the_whole_stream(rule: Rule) -> bool:
    return any(
        (isinstance(node, Endpoint) and node.axis is Axis.POSITION)
        or (isinstance(node, Join) and node.policy.choice is Choice.STRICT)
        for node in walk(rule)
    )


def _is_consistent(held: frozenset[Attribute]) -> bool:
    """Say whether every type holds the key in one attribute: an event goes to one place only."""
    types = [kind for kind, _ in held]
    return len(types) == len(set(types)) and (ANY_TYPE not in types or len({name for _, name in held}) == 1)


@dataclass(frozen=True, slots=True)
class _Classes:
    """The classes of patterns; `read` are the attributes that the rule reads at all."""

    read: frozenset[Attribute]

    def of(self, pattern: Pattern) -> list[KeyClass]:
        """Return the classes of a pattern that nothing above it is known about."""
        return self._of(pattern, tuple(_equalities(pattern)))[:MOST_CLASSES]

    def _of(self, pattern: Pattern, known: tuple[Pair, ...]) -> list[KeyClass]:
        match pattern:
            case Atom():
                return [_of_atom(pattern, name) for part, name in sorted(self.read) if part == pattern.name]
            case Join(parts, policy=policy) if policy.choice in FREE:
                return _tied([self._of(part, known) for part in parts], known)
            case Join(parts):
                return _tied([self.of(part) for part in parts], tuple(_fields(pattern.equal)))
            case Either(branches):
                return [_either(some) for some in product(*(self._of(branch, known) for branch in branches))]
            case Restrict():
                return self._of(pattern.pattern, known)
            case Unless():
                return _beside(self._of(pattern.pattern, known), self.of(pattern.absent), pattern)
            case Collect():
                return _beside(self._of(pattern.anchor, known), self.of(pattern.item), pattern)
            case Select():
                return _split_by(self.of(pattern.pattern), pattern.policy.per)
            case Distinct():
                below = self.of(pattern.pattern)
                # Null is a value here, so the key must be bound whichever branch was taken.
                by = None if pattern.by is None else _attributes(pattern.by)
                return below if by is None else [one for one in below if one.seen & by - one.unsure]
            case Repeat():
                return [_of_group(pattern, one) for one in _split_by(self.of(pattern.item), pattern.per)]
            case Chain():
                return [KeyClass(seen, held) for seen, held in chain_keys(pattern)]
            case _:
                return []


def _of_atom(atom: Atom, name: str) -> KeyClass:
    return KeyClass(frozenset(((atom.name, name),)), frozenset((kind, name) for kind in atom.types or (ANY_TYPE,)))


def _merged(some: Iterable[KeyClass]) -> KeyClass:
    classes = list(some)
    return KeyClass(
        frozenset().union(*(one.seen for one in classes)),
        frozenset().union(*(one.held for one in classes)),
        frozenset().union(*(one.unsure for one in classes)),
    )


def _either(some: Iterable[KeyClass]) -> KeyClass:
    classes = list(some)
    whole = _merged(classes)
    return replace(whole, unsure=whole.unsure | {one for one in whole.seen if any(one not in c.seen for c in classes)})


def _tied(parts: list[list[KeyClass]], known: tuple[Pair, ...]) -> list[KeyClass]:
    """Return the classes that take in one of every part, where equalities tie them all together."""
    return [_merged(some) for some in product(*parts) if _are_one([one.seen for one in some], known)]


def _are_one(groups: list[frozenset[Attribute]], pairs: tuple[Pair, ...]) -> bool:
    first, left = set(groups[0]), [*map(frozenset, pairs), *groups[1:]]
    while near := [group for group in left if group & first and not group <= first]:
        first = first.union(*near)
    return all(group and group <= first for group in groups)


def _beside(kept: list[KeyClass], other: list[KeyClass], node: Unless | Collect) -> list[KeyClass]:
    """Return the classes of a pattern that an absence or a collection beside it keeps to."""
    pairs = tuple(_fields((*node.equal, *_equated(node.where))))
    found = []
    for one in kept:
        near = [another for another in other if _are_one([one.seen, another.seen], pairs)]
        found += [replace(one, held=one.held | near[0].held)] if near else []
    return found


def _split_by(classes: list[KeyClass], expressions: Iterable[Expr]) -> list[KeyClass]:
    wanted = _attributes(expressions)
    return [one for one in classes if one.seen & wanted]


def _attributes(expressions: Iterable[Expr]) -> frozenset[Attribute]:
    return frozenset((one.part, one.name) for one in expressions if isinstance(one, Field))


def _of_group(repeat: Repeat, item: KeyClass) -> KeyClass:
    """Return what can be read of the key of a repetition's items: folds that give back the one value they have."""
    kept = [
        (repeat.name, name)
        for name, fold in repeat.folds.items()
        if isinstance(fold, Aggregate) and fold.function in KEEPING and _attribute(fold.argument) in item.seen
    ]
    return KeyClass(frozenset(kept), item.held)


def _equalities(pattern: Pattern) -> Iterator[Pair]:
    """Yield the equalities that every match of a pattern satisfies, from joins that take everything."""
    match pattern:
        case Join(parts, policy=policy) if policy.choice in FREE:
            yield from _fields((*pattern.equal, *_equated(pattern.candidate), *_equated(pattern.where)))
            for part in parts:
                yield from _equalities(part)
        case Restrict():
            yield from _fields(_equated(pattern.where))
            yield from _equalities(pattern.pattern)
        case Unless():
            yield from _equalities(pattern.pattern)
        case Collect():
            yield from _equalities(pattern.anchor)
        case Join():
            yield from _fields(pattern.equal)
        case _:
            return


def _equated(condition: Expr | None) -> Iterator[tuple[Expr, Expr]]:
    for one in conjuncts(condition):
        if isinstance(one, Call) and one.function == "==":
            yield one.arguments[0], one.arguments[1]


def _fields(equal: Iterable[tuple[Expr, Expr]]) -> Iterator[Pair]:
    for one, other in equal:
        left, right = _attribute(one), _attribute(other)
        if left is not None and right is not None:
            yield left, right


def _attribute(expression: Expr | None) -> Attribute | None:
    return (expression.part, expression.name) if isinstance(expression, Field) else None
