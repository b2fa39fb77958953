"""Single events that chains and sequences wait for."""

from cepheid.algebra.builder.events import EventPart
from cepheid.algebra.builder.names import word_of
from cepheid.algebra.builder.patterns import draft_of
from cepheid.algebra.patterns import Atom
from cepheid.diagnostics import CepheidError, Diagnostic


def atom_of(event: EventPart) -> Atom:
    """Return the atom of an event that is nothing but that."""
    draft = draft_of(event)
    if not isinstance(draft, Atom):
        raise _not_a_lead(word_of(event._name))
    return draft


def _not_a_lead(name: str) -> CepheidError:
    message = f"a step of a chain waits for a single event, and `{name}` is more than that"
    hint = f"use the event with conditions only: `{name}.where({name}.x > 1)`"
    return CepheidError(Diagnostic("not-a-lead", message, hints=(hint,)))
