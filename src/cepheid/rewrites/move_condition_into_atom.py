"""Ask an event what concerns it alone before it is joined.

    a ; b if a.value > 3 and b.value > a.value   ==>   a[value > 3] ; b if b.value > a.value

Candidates are the same, so every choice among them is the same. An event under a choice of its own is another matter:
there the event is chosen first, and the condition stays where it is.
"""

from dataclasses import replace

from cepheid.algebra.expressions import Expr, conjunction, conjuncts
from cepheid.algebra.patterns import Atom, Join, Pattern, Restrict
from cepheid.rewrites.reads import reads_only


def move_condition_into_atom(pattern: Pattern) -> Pattern:
    match pattern:
        case Join(candidate=candidate) if candidate is not None:
            return _into_parts(pattern, conjuncts(candidate))
        case Restrict(Atom(name) as atom, relation, where) if where is not None and reads_only(where, name):
            asked = _asked(atom, (where,))
            return replace(pattern, pattern=asked, where=None) if relation else asked
        case _:
            return pattern


def _into_parts(join: Join, conditions: tuple[Expr, ...]) -> Join:
    parts = tuple(
        _asked(part, tuple(condition for condition in conditions if reads_only(condition, part.name)))
        if isinstance(part, Atom)
        else part
        for part in join.parts
    )
    names = [part.name for part in join.parts if isinstance(part, Atom)]
    left = tuple(condition for condition in conditions if not any(reads_only(condition, name) for name in names))
    return join if len(left) == len(conditions) else replace(join, parts=parts, candidate=conjunction(left))


def _asked(atom: Atom, conditions: tuple[Expr, ...]) -> Atom:
    already = () if atom.where is None else (atom.where,)
    return replace(atom, where=conjunction((*already, *conditions)))
