"""Rules that feed themselves: allowed where more input can only mean more matches, and where they come to an end.

    rule Path: e: Edge then p: Path     allowed: every turn makes a path longer
    rule Calm: a: A unless Calm         refused: there would be a match because there is none

A cycle must not pass an absence or any choice but `all`, which includes greedy repetitions and chains, and no rule on
it may count records, since its own events would move them. Some join on it must want one part strictly after another,
and its events may not be dated back to where they came from.
"""

from collections.abc import Iterator, Sequence

from cepheid.algebra.patterns import Atom, Chain, Collect, Join, Pattern, Repeat, Select, Skip, Suppress, Unless
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import Rule
from cepheid.algebra.relations import Axis, Difference, Edge, Endpoint
from cepheid.algebra.strata import Feeds, reach_of, readers
from cepheid.algebra.traversal import walk
from cepheid.algebra.validation.dating import circular_dates
from cepheid.algebra.validation.finding import finding
from cepheid.algebra.validation.names import below, visible
from cepheid.diagnostics import Diagnostic

COUNT = "a count of records"


def forbidden_cycles(rules: Sequence[Rule]) -> Iterator[Diagnostic]:
    """Yield a finding for every rule that feeds itself in a way that has no meaning or no end."""
    yield from [*_meaningless(rules)] or [*_endless(rules)] or circular_dates(rules)


def _meaningless(rules: Sequence[Rule]) -> Iterator[Diagnostic]:
    """Yield the cycles with something on them that more events can take matches from."""
    feeds = readers(rules)
    reach = reach_of(feeds)
    by_name = {rule.name: rule for rule in rules}
    for rule in rules:
        if rule.name in reach[rule.name]:
            types = frozenset(by_name[name].emits for name in reach[rule.name] if rule.name in reach[name])
            counted = _positions((rule.start, rule.end, *rule.fields.values()))
            for passed in dict.fromkeys((*_obstacles(rule.pattern, types), *counted)):
                message = f"the cycle {_shown(_cycle_through(feeds, rule.name))} passes {passed}"
                hint = "keep to `all` joins on a cycle, and let everything else read the input"
                yield finding("forbidden-cycle", message, rule.pattern, hint)


def _cycle_through(feeds: Feeds, name: str) -> tuple[str, ...]:
    """Return the shortest way from a rule back to itself, with that rule at both ends."""
    ways: list[tuple[str, ...]] = [(name,)]
    seen: set[str] = set()
    for way in ways:
        for reader in sorted(feeds[way[-1]]):
            if reader == name:
                return (*way, name)
            if reader not in seen:
                seen.add(reader)
                ways.append((*way, reader))
    return (name,)


def _obstacles(pattern: Pattern, types: frozenset[str]) -> Iterator[str]:
    """Yield what lies between the rule and the events of its own cycle, in the words of a sentence."""
    if not _reads(pattern, types):
        # Beside the cycle, what follows the order of the whole stream still meets the events of the cycle there.
        yield from (COUNT for item in walk(pattern) if _follows_order(item))
        return
    match pattern:
        case Unless():
            yield "an absence"
        case Join(policy=policy) | Select(policy=policy) if policy.choice is not Choice.ALL:
            yield f"the choice `{policy.choice.value}`"
        case Repeat(choice=choice) if choice is not Choice.ALL:
            yield "a repetition that takes maximal runs"
        case Chain():
            yield "a chain"
        case Skip():
            yield "what happens after a match"
        case Suppress():
            yield "a suppression"
        case Collect():
            yield "a collection"
    yield from _positions(pattern)
    for inner in below(pattern):
        yield from _obstacles(inner, types)


def _positions(node: object) -> Iterator[str]:
    return (COUNT for item in walk(node) if isinstance(item, Endpoint) and item.axis is Axis.POSITION)


def _follows_order(item: object) -> bool:
    return isinstance(item, Chain) or (isinstance(item, Join) and item.policy.choice is Choice.STRICT)


def _reads(pattern: Pattern, types: frozenset[str]) -> bool:
    return any(isinstance(item, Atom) and item.types & types for item in walk(pattern))


def _endless(rules: Sequence[Rule]) -> Iterator[Diagnostic]:
    """Yield the cycles on which no join wants one part strictly after another."""
    reads = {rule.name: frozenset(_unordered_types(rule.pattern)) for rule in rules}
    feeds = {rule.name: frozenset(name for name, types in reads.items() if rule.emits in types) for rule in rules}
    reach, reported = reach_of(feeds), set[str]()
    for rule in rules:
        if rule.name in reach[rule.name] and rule.name not in reported:
            cycle = _cycle_through(feeds, rule.name)
            reported |= set(cycle)
            message = f"nothing brings the cycle {_shown(cycle)} to an end"
            hint = f"join with something strictly later, as in `{rule.emits} then next`"
            yield finding("forbidden-cycle", message, rule.pattern, hint)


def _unordered_types(pattern: Pattern) -> Iterator[str]:
    """Yield the types of the atoms that a match can consist of without anything strictly before or after them."""
    match pattern:
        case Atom(types=types):
            yield from types
        case Join(parts, relation):
            ordered = {end.part for one in relation if _is_strict(one) for end in (one.later, one.earlier)}
            for index, part in enumerate(parts):
                if not ordered & (visible(part) | {f"${index}"}):
                    yield from _unordered_types(part)
        case _:
            for inner in below(pattern):
                yield from _unordered_types(inner)


def _is_strict(difference: Difference) -> bool:
    """Say whether one part must start strictly after the other has ended."""
    edges = (difference.later.edge, difference.earlier.edge)
    return edges == (Edge.START, Edge.END) and difference.low is not None and difference.low >= 1


def _shown(cycle: tuple[str, ...]) -> str:
    return " -> ".join(f"`{name}`" for name in cycle)
