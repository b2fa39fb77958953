"""Rules whose events come one after the other: each starts no earlier than every one ended that ended before it.

    a: A then b: A choose recent        whatever ends a match is what the next match at the latest starts with

The right events of a sequence of points are left ones as well, so that a match which ends later has a left event that
is at least as late as the right one of any match before it. Conditions on what was chosen remove matches, and so do
absences and whatever else keeps some of them as they are. With keys that holds among the events of one key.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from cepheid.algebra.expressions import Expr, Field, Moment, conjuncts
from cepheid.algebra.patterns import Atom, Join, Pattern, Sieve, Unless
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import EVENT, HULL, Program, Rule
from cepheid.algebra.relations import after, end, start
from cepheid.algebra.traversal import rename
from cepheid.analysis.closures.sizes import Lengths
from cepheid.analysis.plans.retention import is_window

Successive = Mapping[str, frozenset[str]]
"""For each type whose events come one after the other the fields they must agree on for that."""

SEQUENCE = after("$1", "$0")
WHOLE = (Moment(start(HULL)), Moment(end(HULL)))


def emitted_once(program: Program) -> frozenset[str]:
    """Return the types that one rule emits and that nobody declares, so that none of them is given."""
    emitted = Counter(rule.emits for rule in program.rules)
    given = {stream.name for stream in program.streams}
    return frozenset(name for name, count in emitted.items() if count == 1 and name not in given)


def fields_that_follow(rule: Rule, lengths: Lengths) -> frozenset[str] | None:
    """Return the fields on which events of a rule must agree to come one after the other, None if they do not."""
    join = _kept(rule.pattern)
    if rule.per or (rule.start, rule.end) != WHOLE or not isinstance(join, Join) or not _is_plain_sequence(join):
        return None
    left, right = join.parts
    if not isinstance(left, Atom) or not isinstance(right, Atom) or not _takes_in(left, right):
        return None
    if lengths.of_atom(left) != 0 or lengths.of_atom(right) != 0:
        return None
    return _keys(rule, join, (left, right))


def follows(join: Join, successive: Successive) -> bool:
    """Say whether both parts of a sequence by `recent` are events of one stream that come one after the other."""
    if join.policy.choice is not Choice.RECENT or join.policy.by_arrival or len(join.parts) != 2:
        return False
    left, right = join.parts
    if not isinstance(left, Atom) or not isinstance(right, Atom) or left.types != right.types or len(left.types) != 1:
        return False
    (name,) = left.types
    if SEQUENCE not in join.relation or name not in successive:
        return False
    agreed = {frozenset(pair) for pair in join.equal}
    return all(frozenset((Field(left.name, one), Field(right.name, one))) in agreed for one in successive[name])


def _kept(pattern: Pattern) -> Pattern:
    """Return the pattern of which a pattern keeps some matches, each as it is."""
    while isinstance(pattern, Sieve | Unless):
        pattern = pattern.pattern
    return pattern


def _is_plain_sequence(join: Join) -> bool:
    """Say whether the left part of a match is the last before its right one, and there is none if that is too old."""
    policy = join.policy
    if len(join.parts) != 2 or policy.choice not in (Choice.RECENT, Choice.LATEST_START):
        return False
    if policy.by_arrival or policy.per or join.candidate is not None:
        return False
    return SEQUENCE in join.relation and all(one == SEQUENCE or is_window(one) for one in join.relation)


def _takes_in(left: Atom, right: Atom) -> bool:
    """Say whether every event of the right atom is one of the left atom, too."""
    if left.types and not (right.types and right.types <= left.types):
        return False
    own, other = (_unnamed(conjuncts(one.where), one.name) for one in (left, right))
    return set(own) <= set(other)


def _unnamed(expressions: Iterable[Expr], name: str) -> list[Expr]:
    return [rename(one, {name: EVENT}) for one in expressions]


def _keys(rule: Rule, join: Join, atoms: tuple[Atom, Atom]) -> frozenset[str] | None:
    """Return the fields that hold the keys of a join, None if a key is not told or is not the same on both sides."""
    names = {atom.name: EVENT for atom in atoms}
    found: set[str] = set()
    for pair in join.equal:
        told = [name for name, value in rule.fields.items() if value in pair]
        one, other = (rename(side, names) for side in pair)
        if one != other or not told or not _reads_both(pair, atoms):
            return None
        found.add(min(told))
    return frozenset(found)


def _reads_both(pair: tuple[Expr, Expr], atoms: tuple[Atom, Atom]) -> bool:
    """Say whether each side of an equality is a field of another part."""
    return {side.part if isinstance(side, Field) else None for side in pair} == {atom.name for atom in atoms}
