"""What must hold of a rule about background knowledge: it says nothing that is not known, and it comes to an end."""

from collections.abc import Iterator

from cepheid.diagnostics import CepheidError
from cepheid.languages.etalis.syntax import AtomText, RuleText
from cepheid.languages.etalis.walking import operations, variables
from cepheid.languages.shared.findings import refusal
from cepheid.languages.shared.term_meaning import check_call
from cepheid.languages.shared.terms import Name, Operation, Term


def check_clause(clause: RuleText) -> None:
    """Raise for a variable that no goal binds, and for anything computed where only constants can be."""
    atoms = [goal for goal in (clause.pattern, *clause.goals) if isinstance(goal, AtomText)]
    for atom in (clause.head, *atoms):
        _check_arguments(atom)
    bound = {name.name for atom in atoms for name in _names(atom)}
    for name in _names(clause.head):
        if name.name not in bound:
            raise _unbound(name)
    for condition in conditions_of(clause):
        for call in operations(condition):
            check_call(call)
        for name in variables(condition):
            if name.name not in bound:
                raise _unbound(name)


def conditions_of(clause: RuleText) -> list[Term]:
    """Return the comparisons among the goals of a clause."""
    return [goal for goal in clause.goals if not isinstance(goal, AtomText)]


def _names(atom: AtomText) -> Iterator[Name]:
    return (name for argument in atom.arguments for name in variables(argument))


def _check_arguments(atom: AtomText) -> None:
    for argument in atom.arguments:
        if isinstance(argument, Operation):
            message = "background knowledge is made of constants, nothing in it is computed"
            hint = "compute it in a condition of a rule for events: `WHERE (Limit * 2 < X)`"
            raise refusal("unsafe-condition", message, argument.span, "computed here", hint)


def _unbound(name: Name) -> CepheidError:
    message = f"no goal says what `{name.name}` is"
    return refusal("unbound-variable", message, name.span, "not bound", f"add a goal that has it: `known({name.name})`")
