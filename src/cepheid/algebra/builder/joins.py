"""What only joins have, equalities and choices, and how to say so to those who ask it of something else."""

from collections.abc import Iterable
from dataclasses import replace

from cepheid.algebra.builder.conditions import not_an_equality, parts_read
from cepheid.algebra.builder.drafts import UNCHOSEN
from cepheid.algebra.builder.terms import Term
from cepheid.algebra.expressions import Call
from cepheid.algebra.patterns import Equalities, Join, Pattern, Select
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.relations import Relation
from cepheid.algebra.traversal import named_parts
from cepheid.diagnostics import CepheidError, Diagnostic, close_match


def joined(parts: tuple[Pattern, ...], relation: Relation = ()) -> Join:
    """Return a join that has no choice of its own yet."""
    return Join(parts, relation, policy=UNCHOSEN)


def join_of(draft: Pattern, method: str) -> Join:
    """Return the draft if it is a join, on which `method` can be called."""
    if isinstance(draft, Join):
        return draft
    raise _not_a_join(method)


def crossing(join: Join, equal: Equalities) -> Equalities:
    """Return the equalities if each has its sides in different parts of the join."""
    inside = [frozenset(named_parts(part)) for part in join.parts]
    for left, right in equal:
        if any(parts_read((left, right)) <= names for names in inside):
            raise not_an_equality(Call("==", (left, right)))
    return equal


def chosen(draft: Pattern, choice: str | Choice, per: Iterable[Term], tie: Iterable[Term]) -> Pattern:
    """Return the draft with a choice: a join's own, or above anything else the latest start."""
    policy = Policy(
        choice_named(choice), tuple(term.expression for term in per), tuple(term.expression for term in tie)
    )
    if isinstance(draft, Join):
        return replace(draft, policy=policy)
    if policy.choice is not Choice.LATEST_START:
        raise _misplaced_choice(policy.choice)
    return Select(draft, policy)


def choice_named(choice: str | Choice) -> Choice:
    """Return the choice of that name."""
    known = {one.value: one for one in Choice}
    if isinstance(choice, str) and choice not in known:
        raise _unknown_choice(choice, list(known))
    return Choice(choice)


def _unknown_choice(choice: str, known: list[str]) -> CepheidError:
    closest = close_match(choice, known)
    listed = ", ".join(f"`{name}`" for name in known)
    hint = f"did you mean `{closest}`?" if closest else f"choose one of {listed}"
    return CepheidError(Diagnostic("unknown-choice", f"there is no choice `{choice}`", hints=(hint,)))


def _not_a_join(method: str) -> CepheidError:
    message = f"`.{method}(...)` belongs to a join, and this is none"
    hint = f"call it on the join itself, before anything else: `(a >> b).{method}(a.x == b.x)`"
    return CepheidError(Diagnostic("not-a-join", message, hints=(hint,)))


def _misplaced_choice(choice: Choice) -> CepheidError:
    message = f"`{choice.value}` chooses between the candidates of a join, and this is none"
    hint = f'choose on the join itself, before anything else: `(a >> b).choose("{choice.value}")`'
    return CepheidError(Diagnostic("misplaced-choice", message, hints=(hint,)))
