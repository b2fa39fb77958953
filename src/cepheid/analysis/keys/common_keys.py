"""By what the work of several rules can be split together: attributes for every type of event they read.

Rules that feed each other share a key where what one emits carries the key of the events it rests on. Then a part of
the input that has all events of some keys has all their matches, of every rule.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from cepheid.algebra.expressions import Expr, Field
from cepheid.algebra.patterns import Atom, Distinct, Instant
from cepheid.algebra.programs import EVENT, Rule
from cepheid.algebra.traversal import event_types, reads_any_type, walk
from cepheid.analysis.keys.key_classes import ANY_TYPE, KeyClass
from cepheid.analysis.keys.keys import Dealing, key_classes
from cepheid.analysis.keys.roles import Roles
from cepheid.analysis.plans.planner import counts_records

Key = Mapping[str, tuple[str, ...]]
"""The attributes that hold the key of each type: one, several roles of an event, or none where it goes everywhere."""


NOTHING: Key = {}
NO_CLASS: Mapping[str, KeyClass] = {}


@dataclass(frozen=True, slots=True)
class CommonKey:
    """The key that rules have in common, and by rule the attribute in which each part holds it."""

    by_type: Key
    roles: Roles = field(default_factory=dict)


def common_key(rules: Sequence[Rule], among: Sequence[Rule] = (), most: Dealing = Dealing.TO_ALL) -> CommonKey | None:
    """Return the key of every type that the rules read, None if there is no such key.

    The name `*` stands for every type that is not named. Points of time lie between the first and the last event of
    the whole input, so what reads them has no key. `among` are all rules that there are: what others emit may rest on
    the same events and have another key, so what tells matches apart by the events they rest on has none either.
    Events are multiplied as far as is needed, and not further than `most`.
    """
    if any(isinstance(node, Instant) for node in walk(tuple(rules))):
        return None
    emitted = {rule.emits for rule in among if rule not in rules}
    if any(_tells_apart(node, emitted) for rule in rules if not rule.per for node in walk(rule)):
        return None
    ways = (one for one in Dealing if one <= most)
    return next((key for way in ways for key in _Search(tuple(rules), way).agreements(rules)), None)


def _tells_apart(node: object, emitted: set[str]) -> bool:
    """Say whether a node looks at the events that some of the emitted ones rest on."""
    if not isinstance(node, Distinct) or node.by is not None or not emitted:
        return False
    return reads_any_type(node.pattern) or not emitted.isdisjoint(event_types(node.pattern))


@dataclass(frozen=True, slots=True)
class _Search:
    """The keys on which all rules can agree, where events are multiplied so far."""

    rules: tuple[Rule, ...]
    dealing: Dealing

    def agreements(
        self, left: Sequence[Rule], key: Key = NOTHING, chosen: Mapping[str, KeyClass] = NO_CLASS
    ) -> Iterator[CommonKey]:
        """Yield the keys, trying one class after another for each rule that is left."""
        if not left:
            if self._is_sound(key) and all(_hands_on(rule, key, chosen[rule.name]) for rule in self.rules):
                yield CommonKey(key, {name: dict(one.roles) for name, one in chosen.items()})
            return
        rule, *others = left
        for one in self._classes(rule):
            together = self._joined(key, one.by_type)
            if together is not None:
                yield from self.agreements(others, together, {**chosen, rule.name: one})

    def _is_sound(self, key: Key) -> bool:
        """Say whether nothing is told apart by the events it rests on, where these may be elsewhere in other roles."""
        once = all(len(names) == 1 for names in key.values())
        return once or not any(isinstance(node, Distinct) and node.by is None for node in walk(self.rules))

    def _joined(self, key: Key, other: Key) -> Key | None:
        return joined_keys(key, other) if self.dealing is Dealing.ONCE else _united(key, other)

    def _classes(self, rule: Rule) -> list[KeyClass]:
        """Return the classes of a rule; a key that it declares itself is in every event that it reads."""
        if not rule.per:
            return key_classes(rule, self.dealing)
        names = [one.name for one in rule.per if isinstance(one, Field) and one.part == EVENT]
        types = {ANY_TYPE} if counts_records(rule) or reads_any_type(rule.pattern) else event_types(rule.pattern)
        atoms = [node.name for node in walk(rule.pattern) if isinstance(node, Atom)]
        return [
            KeyClass(frozenset(), frozenset((kind, name) for kind in types), roles=frozenset((a, name) for a in atoms))
            for name in names
        ]


def _united(key: Key, other: Key) -> Key | None:
    """Return two keys of one place as one, with the roles of both; None where a type goes everywhere for one alone."""
    if ANY_TYPE in key or ANY_TYPE in other:
        return joined_keys(key, other)
    if any(bool(key[kind]) != bool(names) for kind, names in other.items() if kind in key):
        return None
    return {kind: tuple(sorted({*key.get(kind, ()), *other.get(kind, ())})) for kind in (*key, *other)}


def joined_keys(key: Key, other: Key) -> Key | None:
    """Return what two keys say together, None where they contradict each other."""
    for one, another in ((key, other), (other, key)):
        general = one.get(ANY_TYPE)
        if general is not None and any(names != general for names in another.values()):
            return None
    same = all(key.get(kind, names) == names for kind, names in other.items())
    return {**key, **other} if same else None


def _hands_on(rule: Rule, key: Key, own: KeyClass) -> bool:
    """Say whether the events that a rule emits carry the key, where somebody reads them.

    They stay where they are emitted, so they hold it in one attribute.
    """
    names = key.get(rule.emits, key.get(ANY_TYPE))
    if names is None:
        return True
    told = rule.fields.get(names[0]) if len(names) == 1 else None
    return told is not None and _is_key(told, rule, own)


def _is_key(told: Expr, rule: Rule, own: KeyClass) -> bool:
    if not isinstance(told, Field):
        return False
    if rule.per:
        atoms = {node.name for node in walk(rule.pattern) if isinstance(node, Atom)}
        return told.part in atoms and all(name == told.name for _, name in own.held)
    return (told.part, told.name) in own.seen - own.unsure
