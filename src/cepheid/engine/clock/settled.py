"""How far the streams of a program are settled: the frontier of every source, of every type, and of derived events."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from cepheid.algebra.pipes import INPUT, Source
from cepheid.algebra.programs import Program
from cepheid.algebra.remembering import ByIdentity
from cepheid.algebra.traversal import event_types, walk
from cepheid.events import MAX_TIME, MIN_TIME, Disorder, Duration

ANYWHERE = ""


@dataclass
class Settled:
    """Frontiers by source and by derived type; an undeclared type comes from the source without a name.

    What has arrived before `arrived` is in its final order, although more may come there.
    """

    sources: dict[str, int]
    sources_of: Mapping[str, tuple[str, ...]]
    derived: dict[str, int] = field(default_factory=dict)
    horizon: int | None = None
    arrived: int = MIN_TIME

    @classmethod
    def of(cls, program: Program) -> "Settled":
        declared = {stream.name: stream.sources or (ANYWHERE,) for stream in program.streams}
        names = {source for sources in declared.values() for source in sources}
        if not names or _inputs(program) - set(declared):
            names.add(ANYWHERE)
        return cls(dict.fromkeys(sorted(names), MIN_TIME), declared)

    def expected(self, name: str) -> tuple[str, ...]:
        """Return the sources that events of a type may come from; of a type that nobody asks for, all of them."""
        undeclared = (ANYWHERE,) if ANYWHERE in self.sources else tuple(self.sources)
        return self.sources_of.get(name, undeclared)

    @property
    def by_type(self) -> Mapping[str, int]:
        """The frontier of every type that has one of its own."""
        if not self.derived and len(self.sources) == 1 and ANYWHERE in self.sources:
            return {}  # all have the one that is given
        return {name: self.frontier(name) for name in (*self.sources_of, *self.derived)}

    def least(self, types: Iterable[str] | None, derived: frozenset[str]) -> int:
        """Return the least frontier of some types, or of all inputs and the derived types that are read."""
        if len(self.sources) == 1 and not derived:
            return next(iter(self.sources.values()))
        if types is None:
            return min([*self.sources.values(), *(self.derived.get(name, MAX_TIME) for name in derived)])
        return min([MAX_TIME, *(self.frontier(name) for name in types)])

    def frontier(self, name: str) -> int:
        return min(self.given(name), self.derived.get(name, MAX_TIME))

    def given(self, name: str) -> int:
        """Return the frontier of the input events of a type."""
        return min(self.sources.get(source, MAX_TIME) for source in self.sources_of.get(name, (ANYWHERE,)))


def arrivals_of(program: Program, sources: Iterable[str], disorder: int, *, identified: bool) -> dict[str, Disorder]:
    """Return what judges the arrivals of each source: it may be as late as its streams may, and as `disorder`."""
    found = {}
    for source in sources:
        from_here = [stream.disorder for stream in program.streams if source in (stream.sources or (ANYWHERE,))]
        found[source] = Disorder(Duration(max([disorder, *from_here])), identified=identified)
    return found


@ByIdentity
def _inputs(program: Program) -> frozenset[str]:
    """Return the types that are read and that no rule emits; what reads any type reads more than can be named."""
    read = {name for rule in program.rules for name in event_types(rule.pattern)}
    read |= {node.stream for node in walk(program.pipes) if isinstance(node, Source)} - {INPUT, ""}
    return frozenset(read - {rule.emits for rule in program.rules})
