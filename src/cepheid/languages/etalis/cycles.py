"""Rules that feed themselves: allowed where every turn needs strictly later input.

    path(X, Y) <- edge(X, Y).
    path(X, Z) <- path(X, Y) SEQ edge(Y, Z).

What feeds itself stands on the left of a SEQ, whose right side is fed from elsewhere. On a cycle nothing may be absent,
and no policy may take one candidate and leave another.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cepheid.algebra.policies import Choice
from cepheid.diagnostics import CepheidError, Label
from cepheid.languages.etalis.policies import Consumption
from cepheid.languages.etalis.syntax import Absence, AtomText, Binary, Operator, PatternText, Repetition, RuleText
from cepheid.languages.etalis.walking import atoms, below
from cepheid.languages.shared.findings import refusal


@dataclass(frozen=True, slots=True)
class _Use:
    """An event that a rule reads; `later` says whether strictly later input must follow, `obstacle` what forbids it."""

    rule: RuleText
    atom: AtomText
    later: bool
    obstacle: str | None


Uses = Mapping[str, Sequence[_Use]]


def check_cycles(rules: Sequence[tuple[RuleText, Consumption]]) -> None:
    """Raise for the first cycle that has no meaning or no end."""
    feeds: dict[str, set[str]] = {}
    for rule, _ in rules:
        for atom in atoms(rule.pattern):
            feeds.setdefault(atom.predicate.name, set()).add(rule.head.predicate.name)
    uses = [use for rule, policy in rules for use in _recursive_uses(rule, policy, feeds)]
    for use in uses:
        if use.obstacle is not None:
            raise _forbidden(use, feeds, f"passes {use.obstacle}", _without(use))
    endless: dict[str, set[str]] = {}
    for use in uses:
        if not use.later:
            endless.setdefault(use.atom.predicate.name, set()).add(use.rule.head.predicate.name)
    for use in uses:
        name = use.atom.predicate.name
        if not use.later and name in _reached(name, endless):
            hint = f"let it be followed by later input: `{name}(X) SEQ next(X)`, with `{name}` on the left"
            raise _forbidden(use, endless, "does not wait for later input", hint)


def _recursive_uses(rule: RuleText, policy: Consumption, feeds: Mapping[str, set[str]]) -> Iterator[_Use]:
    made = rule.head.predicate.name
    cycle = {name for name in _reached(made, feeds) if made in _reached(name, feeds)}
    chosen = None if policy.choice is Choice.ALL else f"the policy `{policy.choice.value}`"
    return _uses(rule, rule.pattern, cycle, False, None if _is_plain(rule.pattern) else chosen)


def _is_plain(pattern: PatternText) -> bool:
    """Does nothing in a pattern choose, whatever the policy is?"""
    joins = isinstance(pattern, Absence | Repetition) or (
        isinstance(pattern, Binary) and pattern.operator is not Operator.OR
    )
    return not joins and all(map(_is_plain, below(pattern)))


def _uses(rule: RuleText, pattern: PatternText, cycle: set[str], later: bool, obstacle: str | None) -> Iterator[_Use]:
    match pattern:
        case AtomText(predicate):
            if predicate.name in cycle:
                yield _Use(rule, pattern, later, obstacle)
        case Binary(Operator.SEQ, left, right):
            followed = not any(atom.predicate.name in cycle for atom in atoms(right))
            yield from _uses(rule, left, cycle, later or followed, obstacle)
            yield from _uses(rule, right, cycle, later, obstacle)
        case Absence(absent, first, last):
            yield from _uses(rule, absent, cycle, later, "an absence")
            for one in (first, last):
                yield from _uses(rule, one, cycle, later, "an absence")
        case _:
            for inner in below(pattern):
                yield from _uses(rule, inner, cycle, later, obstacle)


def _reached(name: str, feeds: Mapping[str, set[str]]) -> set[str]:
    """Return the events that are made of an event, directly or through others; itself only on a cycle."""
    found: set[str] = set()
    ahead = set(feeds.get(name, ()))
    while ahead:
        found |= ahead
        ahead = {more for one in ahead for more in feeds.get(one, ())} - found
    return found


def _path(name: str, feeds: Mapping[str, set[str]]) -> list[str]:
    """Return the shortest way from an event back to itself."""
    ways = [[name]]
    seen: set[str] = set()
    for way in ways:
        for made in sorted(feeds.get(way[-1], ())):
            if made == name:
                return [*way, name]
            if made not in seen:
                seen.add(made)
                ways.append([*way, made])
    return [name]


def _without(use: _Use) -> str:
    if use.obstacle is not None and use.obstacle.startswith("the policy"):
        return "let this rule take every candidate: end it with `policy unrestricted.`"
    return f"let the absence read events that are not made of `{use.rule.head.predicate.name}`"


def _forbidden(use: _Use, feeds: Mapping[str, set[str]], what: str, hint: str) -> CepheidError:
    cycle = " -> ".join(f"`{name}`" for name in _path(use.atom.predicate.name, feeds))
    others = (Label(use.rule.head.span, "made here"),)
    message = f"the cycle {cycle} {what}"
    return refusal("forbidden-cycle", message, use.atom.span, "it is read here", hint, others=others)
