"""The pattern of a rule in its layers: what is in every match, and around it what is collected and what is absent."""

from dataclasses import dataclass

from cepheid.algebra.patterns import Atom, Collect, Instant, Join, Pattern, Restrict, Unless
from cepheid.algebra.policies import ALL
from cepheid.diagnostics import CepheidError
from cepheid.languages.shared.expressible import not_expressible

Around = Unless | Collect


@dataclass(frozen=True, slots=True)
class Layers:
    """All that is in every match, as it is and part by part, and what lies around it, the innermost first."""

    base: Pattern
    parts: tuple[Atom | Instant, ...]
    around: tuple[Around, ...] = ()


def layers_of(pattern: Pattern) -> Layers:
    """Return the layers of a pattern; raise where no rule of PARTElang has such a pattern."""
    around: list[Around] = []
    while True:
        match pattern:
            case Unless(below, Atom()) | Collect(anchor=below, item=Atom()):
                around.insert(0, pattern)
                pattern = below
            case Restrict(Collect() as below, ()) | Restrict(Instant() as below, ()):
                pattern = below
            case Atom() | Instant():
                return Layers(pattern, (pattern,), tuple(around))
            case Join(parts, policy=policy) if policy == ALL:
                return Layers(pattern, tuple(_part(part) for part in parts), tuple(around))
            case _:
                raise _refuse(pattern)


def _part(part: Pattern) -> Atom | Instant:
    if isinstance(part, Atom | Instant):
        return part
    raise _refuse(part)


def _refuse(pattern: Pattern) -> CepheidError:
    return not_expressible("parte", f"a pattern of the kind `{type(pattern).__name__}`")
