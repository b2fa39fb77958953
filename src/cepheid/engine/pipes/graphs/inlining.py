"""Steps that are expressions of what they read: they stand in a pass as text, and no call is made for them."""

from typing import NamedTuple

from cepheid.algebra.expressions import Expr, Variable
from cepheid.algebra.graphs import operations as op
from cepheid.algebra.graphs.functions import Function
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operation import Apply
from cepheid.engine.pipes.graphs.closures import is_shallow
from cepheid.engine.pipes.graphs.schedules import Step
from cepheid.engine.pipes.sources_of_terms import TermSource


class Inlined(NamedTuple):
    """The text of a step over the wires that it reads, and the objects that it names."""

    text: str
    used: dict[str, Thing]


class _Inline(TermSource):
    """Writes terms in which the inputs are wires, and whose names are not those of other steps."""

    def __init__(self, place: int, wires: list[str]) -> None:
        super().__init__()
        self.place, self.wires = place, wires
        self.used = {}

    def written(self, node: Expr) -> str:
        if isinstance(node, Variable) and node.name.startswith("$"):
            return self.wires[int(node.name[1:])]
        return super().written(node)

    def _named(self, thing: Thing) -> str:
        name = f"x{self.place}_{len(self.used)}"
        self.used[name] = thing
        return name


def inlined(place: int, step: Step) -> Inlined | None:
    """Return a step as text; None where it keeps something, reads a context, or calls what a user wrote."""
    wires = [f"w{wire}" for wire in step.inputs]
    match step.operation:
        case op.Passthrough(1):
            return Inlined(wires[0], {})
        case op.Filter(1):
            return Inlined(f"({wires[0]} if {wires[1]} is True else nothing)", {})
        case op.Where(function) | Apply((function,)):
            return _term(function, _Inline(place, wires))
        case _:
            return None


def _term(function: Function, source: _Inline) -> Inlined | None:
    if function.call is not None or function.term is None or not is_shallow(function.term):
        return None
    text = source.written(function.term)
    return None if source.reads_context else Inlined(text, source.used)
