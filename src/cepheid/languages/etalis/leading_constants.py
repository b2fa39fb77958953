"""The constants among the arguments of an event: the first conditions on it, in the order of its attributes."""

from collections.abc import Mapping, Sequence

from cepheid.algebra.expressions import Call, Expr, Field, Literal, conjuncts
from cepheid.algebra.patterns import Atom
from cepheid.events import Value


def leading_constants(atom: Atom, attributes: Sequence[str]) -> tuple[Mapping[str, Value], tuple[Expr, ...]]:
    """Return the constants that attributes must equal, and all conditions that do not say this."""
    constants: dict[str, Value] = {}
    conditions = conjuncts(atom.where)
    for place, condition in enumerate(conditions):
        match condition:
            case Call("==", (Field(atom.name, name), Literal(value))) if _may_follow(name, constants, attributes):
                constants[name] = value
            case _:
                return constants, conditions[place:]
    return constants, ()


def _may_follow(name: str, constants: Mapping[str, Value], attributes: Sequence[str]) -> bool:
    places = [attributes.index(one) for one in constants]
    return name in attributes and all(place < attributes.index(name) for place in places)
