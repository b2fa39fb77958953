"""By what the work of several rules can be split together: one attribute for every type of event they read.

Rules that feed each other share a key where what one emits carries the key of the events it rests on. Then a part of
the input that has all events of some keys has all their matches, of every rule.
"""

from collections.abc import Iterator, Mapping, Sequence

from cepheid.algebra.expressions import Expr, Field
from cepheid.algebra.patterns import Atom, Distinct, Instant
from cepheid.algebra.programs import EVENT, Rule
from cepheid.algebra.traversal import event_types, reads_any_type, walk
from cepheid.analysis.keys import ANY_TYPE, KeyClass, key_classes
from cepheid.analysis.planner import counts_records

Key = Mapping[str, str]


def common_key(rules: Sequence[Rule], among: Sequence[Rule] = ()) -> Key | None:
    """Return the attribute that holds the key in every type that the rules read, None if there is no such key.

    The name `*` stands for every type that is not named. Points of time lie between the first and the last event of
    the whole input, so what reads them has no key. `among` are all rules that there are: what others emit may rest on
    the same events and have another key, so what tells matches apart by the events they rest on has none either.
    """
    if any(isinstance(node, Instant) for node in walk(tuple(rules))):
        return None
    emitted = {rule.emits for rule in among if rule not in rules}
    if any(_tells_apart(node, emitted) for rule in rules if not rule.per for node in walk(rule)):
        return None
    return next(_agreements(rules, {}, {}, rules), None)


def _tells_apart(node: object, emitted: set[str]) -> bool:
    """Say whether a node looks at the events that some of the emitted ones rest on."""
    if not isinstance(node, Distinct) or node.by is not None or not emitted:
        return False
    return reads_any_type(node.pattern) or not emitted.isdisjoint(event_types(node.pattern))


def _agreements(left: Sequence[Rule], key: Key, chosen: Mapping[str, KeyClass], rules: Sequence[Rule]) -> Iterator[Key]:
    """Yield the keys on which all rules can agree, trying one class after another for each."""
    if not left:
        if all(_hands_on(rule, key, chosen[rule.name]) for rule in rules):
            yield key
        return
    rule, *others = left
    for one in _classes(rule):
        together = joined_keys(key, dict(one.held))
        if together is not None:
            yield from _agreements(others, together, {**chosen, rule.name: one}, rules)


def _classes(rule: Rule) -> list[KeyClass]:
    """Return the classes of a rule; a key that it declares itself is in every event that it reads."""
    if not rule.per:
        return key_classes(rule)
    names = [one.name for one in rule.per if isinstance(one, Field) and one.part == EVENT]
    types = {ANY_TYPE} if counts_records(rule) or reads_any_type(rule.pattern) else event_types(rule.pattern)
    return [KeyClass(frozenset(), frozenset((kind, name) for kind in types)) for name in names]


def joined_keys(key: Key, other: Key) -> Key | None:
    """Return what two keys say together, None where they contradict each other."""
    for one, another in ((key, other), (other, key)):
        general = one.get(ANY_TYPE)
        if general is not None and any(name != general for name in another.values()):
            return None
    same = all(key.get(kind, name) == name for kind, name in other.items())
    return {**key, **other} if same else None


def _hands_on(rule: Rule, key: Key, own: KeyClass) -> bool:
    """Say whether the events that a rule emits carry the key, where somebody reads them."""
    name = key.get(rule.emits, key.get(ANY_TYPE))
    if name is None:
        return True
    told = rule.fields.get(name)
    return told is not None and _is_key(told, rule, own)


def _is_key(told: Expr, rule: Rule, own: KeyClass) -> bool:
    if not isinstance(told, Field):
        return False
    if rule.per:
        atoms = {node.name for node in walk(rule.pattern) if isinstance(node, Atom)}
        return told.part in atoms and all(name == told.name for _, name in own.held)
    return (told.part, told.name) in own.seen - own.unsure
