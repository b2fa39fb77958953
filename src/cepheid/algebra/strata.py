"""Which rules feed which: the order in which they can be evaluated, and the rules that feed themselves."""

from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from cepheid.algebra.programs import Rule
from cepheid.algebra.traversal import event_types

Feeds = Mapping[str, frozenset[str]]


def readers(rules: Sequence[Rule]) -> Feeds:
    """Return, for every rule, the names of the rules that read what it emits."""
    reads = {rule.name: event_types(rule.pattern) for rule in rules}
    return {rule.name: frozenset(name for name, types in reads.items() if rule.emits in types) for rule in rules}


def reachable(feeds: Feeds, name: str) -> frozenset[str]:
    """Return the rules that what `name` emits can reach; itself only if it feeds itself."""
    found: set[str] = set()
    ahead = set(feeds[name])
    while ahead:
        found |= ahead
        ahead = {reader for rule in ahead for reader in feeds[rule]} - found
    return frozenset(found)


def reach_of(feeds: Feeds) -> Feeds:
    """Return for every rule which others what it emits can reach."""
    return {name: reachable(feeds, name) for name in feeds}


def strata(rules: Sequence[Rule]) -> list[tuple[Rule, ...]]:
    """Return the rules in groups, each after all that feed it; rules that feed each other are one group."""
    reach = reach_of(readers(rules))

    def together(one: Rule, other: Rule) -> bool:
        return one is other or (one.name in reach[other.name] and other.name in reach[one.name])

    left, ordered = list(rules), []
    while left:
        first = next(rule for rule in left if _is_ready(rule, left, reach))
        group = tuple(rule for rule in left if together(rule, first))
        ordered.append(group)
        left = [rule for rule in left if rule not in group]
    return ordered


def feeds_itself(group: Sequence[Rule]) -> bool:
    """Say whether a group of rules is recursive."""
    return has_cycle(readers(group))


def has_cycle(feeds: Feeds) -> bool:
    """Say whether anything comes back to where it began."""
    try:
        TopologicalSorter(feeds).prepare()
    except CycleError:
        return True
    return False


def _is_ready(rule: Rule, left: Sequence[Rule], reach: Mapping[str, frozenset[str]]) -> bool:
    feeders = [other for other in left if rule.name in reach[other.name]]
    return all(other.name in reach[rule.name] for other in feeders)
