"""Classes of attributes that have one value in every match of a pattern: what a key can be.

Equalities make classes. A class counts where it has an attribute of every event the pattern looks at, also of those
that are absent, collected or repeated, and where every choice is made within the class: then what happens under one
value never depends on another. With `spreads`, parts beside the others may have no attribute of it: their events are
given to all.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product

from cepheid.algebra.expressions import Aggregate, Call, Expr, Field, conjuncts
from cepheid.algebra.patterns import (
    Atom,
    Chain,
    Collect,
    Distinct,
    Either,
    Instant,
    Join,
    Pattern,
    Repeat,
    Restrict,
    Select,
    Suppress,
    Unless,
)
from cepheid.algebra.traversal import walk
from cepheid.analysis.keys.chain_keys import chain_keys
from cepheid.analysis.plans.reaches import FREE

Attribute = tuple[str, str]
Pair = tuple[Attribute, Attribute]
ANY_TYPE = "*"
MOST_CLASSES = 64
KEEPING = ("first", "last", "min", "max")  # of equal values, each of these is that value


@dataclass(frozen=True, slots=True)
class KeyClass:
    """Attributes with one value: those that can be read above, and for each type of event those that hold it.

    `unsure` are those that are not bound in every branch. `roles` are the attributes by part, also of parts that
    nothing above can read. `spread` are the types of parts that have none.
    """

    seen: frozenset[Attribute]
    held: frozenset[Attribute] = field(default_factory=frozenset)
    unsure: frozenset[Attribute] = field(default_factory=frozenset)
    roles: frozenset[Attribute] = field(default_factory=frozenset)
    spread: frozenset[str] = field(default_factory=frozenset)

    @property
    def by_type(self) -> Mapping[str, tuple[str, ...]]:
        """The attributes that hold the key of each type; none of them where its events are given to all."""
        found: dict[str, tuple[str, ...]] = dict.fromkeys(sorted(self.spread), ())
        for kind, name in sorted(self.held):
            found[kind] = (*found.get(kind, ()), name)
        return found


@dataclass(frozen=True, slots=True)
class Classes:
    """The classes of patterns; `read` are the attributes that the rule reads at all."""

    read: frozenset[Attribute]
    spreads: bool = False

    def of(self, pattern: Pattern) -> list[KeyClass]:
        """Return the classes of a pattern that nothing above it is known about."""
        return self._of(pattern, tuple(_equalities(pattern)))[:MOST_CLASSES]

    def _of(self, pattern: Pattern, known: tuple[Pair, ...]) -> list[KeyClass]:
        match pattern:
            case Atom():
                return [_of_atom(pattern, name) for part, name in sorted(self.read) if part == pattern.name]
            case Join(parts, policy=policy) if policy.choice in FREE:
                return self._joined(parts, known)
            case Join(parts):
                return _tied([self.of(part) for part in parts], tuple(_fields(pattern.equal)))
            case Either(branches):
                return [_either(some) for some in product(*(self._of(branch, known) for branch in branches))]
            case Restrict():
                return self._of(pattern.pattern, known)
            case Unless():
                return self._beside(self._of(pattern.pattern, known), pattern.absent, pattern)
            case Collect():
                return self._beside(self._of(pattern.anchor, known), pattern.item, pattern)
            case Select():
                return _split_by(self.of(pattern.pattern), pattern.policy.per)
            case Distinct(inner, None):
                return self.of(inner)
            case Distinct(inner, tuple(by)) | Suppress(inner, by=by):
                # Null is a value here, so the key must be bound whichever branch was taken.
                wanted = _attributes(by)
                return [one for one in self.of(inner) if one.seen & wanted - one.unsure]
            case Repeat():
                return [_of_group(pattern, one) for one in _split_by(self.of(pattern.item), pattern.per)]
            case Chain():
                return [KeyClass(seen, held, roles=seen) for seen, held in chain_keys(pattern)]
            case _:
                return []

    def _joined(self, parts: tuple[Pattern, ...], known: tuple[Pair, ...]) -> list[KeyClass]:
        """Return the classes of parts that are taken in every combination."""
        each = [self._of(part, known) for part in parts]
        found = _tied(each, known)
        if self.spreads:
            found += [one for some in each for first in some for one in self._around(first, parts, each, known)]
        return list(dict.fromkeys(found))

    def _around(
        self, first: KeyClass, parts: tuple[Pattern, ...], each: list[list[KeyClass]], known: tuple[Pair, ...]
    ) -> Iterator[KeyClass]:
        """Yield the class that takes in all parts that are tied to one of them; the others are given to all."""
        taken, spread = [], frozenset[str]()
        for part, some in zip(parts, each, strict=True):
            near = next((one for one in some if _are_one([first.seen, one.seen], known)), None)
            types = _types_to_spread(part) if near is None else frozenset()
            if types is None:
                return
            spread |= types
            taken += [] if near is None else [near]
        if spread:
            whole = _merged(taken)
            yield replace(whole, spread=whole.spread | spread)

    def _beside(self, kept: list[KeyClass], other: Pattern, node: Unless | Collect) -> list[KeyClass]:
        """Return the classes of a pattern that an absence or a collection beside it keeps to."""
        pairs, others = tuple(_fields((*node.equal, *_equated(node.where)))), self.of(other)
        types = _types_to_spread(other) if self.spreads else None
        found = []
        for one in kept:
            near = next((another for another in others if _are_one([one.seen, another.seen], pairs)), None)
            if near is not None:
                found.append(replace(_merged([one, near]), seen=one.seen, unsure=one.unsure))
            elif types is not None:
                found.append(replace(one, spread=one.spread | types))
        return found


def _of_atom(atom: Atom, name: str) -> KeyClass:
    own = frozenset(((atom.name, name),))
    return KeyClass(own, frozenset((kind, name) for kind in atom.types or (ANY_TYPE,)), roles=own)


def _types_to_spread(pattern: Pattern) -> frozenset[str] | None:
    """Return the types of a pattern that finds the same wherever all their events are, None where it may not."""
    nodes = list(walk(pattern))
    if any(isinstance(node, Instant | Chain) or (isinstance(node, Atom) and not node.types) for node in nodes):
        return None
    return frozenset(kind for node in nodes if isinstance(node, Atom) for kind in node.types)


def _merged(some: Iterable[KeyClass]) -> KeyClass:
    classes = list(some)
    return KeyClass(
        frozenset().union(*(one.seen for one in classes)),
        frozenset().union(*(one.held for one in classes)),
        frozenset().union(*(one.unsure for one in classes)),
        frozenset().union(*(one.roles for one in classes)),
        frozenset().union(*(one.spread for one in classes)),
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
    return replace(item, seen=frozenset(kept), unsure=frozenset())


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
