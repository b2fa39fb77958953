"""The key of a chain: a variable that the first step sets for good, and that every later record agrees with."""

from collections.abc import Iterator

from cepheid.algebra.expressions import Call, Field, Variable, conjuncts
from cepheid.algebra.patterns import Atom, Chain

Attributes = frozenset[tuple[str, str]]


def chain_keys(chain: Chain) -> Iterator[tuple[Attributes, Attributes]]:
    """Yield the attributes that hold a key of a chain: by the names of leads, and by the types of events."""
    first = chain.steps[chain.first]
    later = {name: step for name, step in chain.steps.items() if name != chain.first}
    if any(chain.first in step.follow for step in chain.steps.values()):
        return
    for variable, value in first.lets.items():
        if not isinstance(value, Field) or value.part != first.lead.name:
            continue
        if any(variable in step.lets for step in later.values()):
            continue
        atoms = [step.lead for step in later.values()] + [s.avoid for s in chain.steps.values() if s.avoid is not None]
        agreeing = [_agreeing(atom, variable) for atom in atoms]
        if all(name is not None for name in agreeing):
            yield _attributes([first.lead, *atoms], [value.name, *(name for name in agreeing if name is not None)])


def _agreeing(atom: Atom, variable: str) -> str | None:
    """Return the attribute of an event that must equal a variable."""
    for condition in conjuncts(atom.where):
        match condition:
            case Call("==", (Field(part, name), Variable(other))) | Call(
                "==", (Variable(other), Field(part, name))
            ) if (part, other) == (atom.name, variable):
                return name
            case _:
                continue
    return None


def _attributes(atoms: list[Atom], names: list[str]) -> tuple[Attributes, Attributes]:
    pairs = list(zip(atoms, names, strict=True))
    seen = frozenset((atom.name, name) for atom, name in pairs)
    return seen, frozenset((kind, name) for atom, name in pairs for kind in atom.types or ("*",))
