"""Operations that are expressions of what they read: they stand in a function as text, and no call is made for them."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from cepheid.algebra.expressions import Expr, Literal, Variable
from cepheid.algebra.graphs import operations as op
from cepheid.algebra.graphs.functions import NOTHING, Function
from cepheid.algebra.graphs.objects import Thing, get
from cepheid.algebra.graphs.operation import Apply, Operation
from cepheid.engine.pipes.graphs.closures import is_shallow
from cepheid.engine.pipes.sources_of_terms import TermSource

EVERYWHERE: Final[Mapping[str, Thing]] = {"get": get, "nothing": NOTHING}
"""Objects that every text may name."""


class Inlined(NamedTuple):
    """The text of each output, and the objects that these name."""

    texts: tuple[str, ...]
    used: dict[str, Thing]


class Read(NamedTuple):
    """The variables that an operation reads, and those of all variables that are constants known beforehand."""

    names: Sequence[str]
    constants: Mapping[str, Thing] = {}


class _Inline(TermSource):
    """Writes terms in which the inputs are variables, and whose names are not those of others."""

    def __init__(self, label: str, read: Read) -> None:
        super().__init__()
        self.label, self.read = label, read
        self.used = {}

    def written(self, node: Expr) -> str:
        name = self._input(node)
        return super().written(node) if name is None else name

    def _literal(self, node: Expr) -> Literal | None:
        name = self._input(node)
        if name is None:
            return super()._literal(node)
        return Literal(self.read.constants[name]) if name in self.read.constants else None

    def _input(self, node: Expr) -> str | None:
        is_input = isinstance(node, Variable) and node.name.startswith("$")
        return self.read.names[int(node.name[1:])] if isinstance(node, Variable) and is_input else None

    def _named(self, thing: Thing) -> str:
        name = f"x{self.label}_{len(self.used)}"
        self.used[name] = thing
        return name


def inlined(label: str, operation: Operation, read: Read) -> Inlined | None:
    """Return what keeps nothing as text; None where it reads a context, or is none of those that are known."""
    names = tuple(read.names)
    match operation:
        case op.Passthrough():
            return Inlined(names, {})
        case op.Fork(count):
            return Inlined(names * count, {})
        case op.TurnInto(value):
            return Inlined((f"x{label}_0",), {f"x{label}_0": value})
        case op.Choose():
            return Inlined((f"({names[1]} if {names[0]} is True else {names[2]})",), {})
        case op.Filter():
            return Inlined(tuple(f"({name} if {names[-1]} is True else nothing)" for name in names[:-1]), {})
        case op.Collate() if not operation.names:
            return Inlined((f"({', '.join(names)},)",), {})
        case Apply(functions):
            return _all(label, functions, read)
        case _:
            return None


def _all(label: str, functions: tuple[Function, ...], read: Read) -> Inlined | None:
    texts, used = list[str](), dict[str, Thing]()
    for place, function in enumerate(functions):
        one = called(f"{label}_{place}", function, read)
        if one is None:
            return None
        texts += one.texts
        used |= one.used
    return Inlined(tuple(texts), used)


def called(label: str, function: Function, read: Read) -> Inlined | None:
    """Return a function of variables as text; None where it reads a context or cannot be written."""
    if function.call is not None:
        name = f"x{label}_call"
        return Inlined((f"{name}({', '.join(read.names[: function.arity])})",), {name: function.call})
    if function.term is None or not is_shallow(function.term):
        return None
    source = _Inline(label, read)
    text = source.written(function.term)
    return None if source.reads_context else Inlined((text,), source.used)


def held(label: str, function: Function, read: Read) -> Inlined | None:
    """Return whether a function of variables is True as text; None where it reads a context or cannot be written."""
    if function.term is None or not is_shallow(function.term):
        found = called(label, function, read)
        return None if found is None else Inlined((f"{found.texts[0]} is True",), found.used)
    source = _Inline(label, read)
    text = source.holding(function.term)
    return None if source.reads_context else Inlined((text,), source.used)
