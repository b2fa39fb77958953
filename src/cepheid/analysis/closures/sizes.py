"""How long single parts can be: events, repetitions and chains, whose insides the closure does not look into."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cepheid.algebra.patterns import Atom, Chain, Pattern, Repeat
from cepheid.algebra.relations import Axis, Difference, Edge, Endpoint, Relation
from cepheid.analysis.closures.closure import Closure, Constraint

Place = tuple[str, Edge]


@dataclass(frozen=True, slots=True)
class Lengths:
    """The greatest length of the events of each type: None is unbounded; types not named are as `default` says."""

    by_type: Mapping[str, int | None] = field(default_factory=dict)
    default: int | None = 0

    def of_atom(self, atom: Atom) -> int | None:
        some = [self.by_type.get(name, self.default) for name in sorted(atom.types)]
        lengths = some or [self.default, *self.by_type.values()]
        return None if None in lengths else max(length for length in lengths if length is not None)

    def longest(self, pattern: Pattern, axis: Axis) -> tuple[int | None, str]:
        """Return the greatest length of a part, None if there is none, and what says so."""
        match pattern:
            case Atom() if axis is Axis.TIME:
                return self.of_atom(pattern), f"`{pattern.name}` is an event"
            case Repeat():
                return self._of_repeat(pattern, axis), f"the limits of repetition `{pattern.name}`"
            case Chain():
                return self._of_chain(pattern, axis), "the window of the chain"
            case _:
                return 0, ""

    def shortest(self, pattern: Pattern, axis: Axis) -> int:
        if isinstance(pattern, Repeat) and axis is Axis.POSITION and isinstance(pattern.item, Atom):
            return pattern.least - 1
        return 0

    def item(self, repeat: Repeat, axis: Axis) -> int | None:
        """Return the greatest length of a repetition's item; only that of a plain event is looked at."""
        if isinstance(repeat.item, Atom):
            return self.longest(repeat.item, axis)[0]
        return None

    def chain_record(self, axis: Axis) -> int | None:
        """Return the greatest length of a chain's record, which may be of any type."""
        return self.of_atom(Atom("", frozenset())) if axis is Axis.TIME else 0

    def _of_repeat(self, repeat: Repeat, axis: Axis) -> int | None:
        item = self.item(repeat, axis)
        across = reach(repeat.window, "$last", "$first", item, axis).upper(("$last", Edge.END), ("$first", Edge.END))
        gap = reach(repeat.gap, "$next", "$previous", item, axis).upper(("$next", Edge.END), ("$previous", Edge.END))
        by_count = None if gap is None or repeat.most is None else gap * (repeat.most - 1)
        spans = [span for span in (across, by_count) if span is not None]
        return None if item is None or not spans else max(0, min(spans)) + item

    def _of_chain(self, chain: Chain, axis: Axis) -> int | None:
        record = self.chain_record(axis)
        across = reach(chain.window, "$last", "$first", record, axis).upper(("$last", Edge.END), ("$first", Edge.END))
        return None if record is None or across is None else max(0, across) + record


def reach(relation: Relation, later: str, earlier: str, longest: int | None, axis: Axis) -> Closure[Place]:
    """Return what a relation between two parts, each at most `longest` long, says about their edges."""
    constraints = [bound for name in (later, earlier) for bound in _length(name, longest)]
    for difference in relation:
        if difference.later.axis is axis and difference.earlier.axis is axis:
            constraints += _bounds(difference)
    return Closure(constraints)


def _length(name: str, longest: int | None) -> list[Constraint[Place]]:
    first, last = (name, Edge.START), (name, Edge.END)
    bounds = [Constraint(first, last, 0, "")]
    return bounds if longest is None else [*bounds, Constraint(last, first, longest, "")]


def _bounds(difference: Difference) -> list[Constraint[Place]]:
    x, y = _place(difference.later), _place(difference.earlier)
    bounds = []
    if difference.high is not None:
        bounds.append(Constraint(x, y, difference.high, ""))
    if difference.low is not None:
        bounds.append(Constraint(y, x, -difference.low, ""))
    return bounds


def _place(endpoint: Endpoint) -> Place:
    return (endpoint.part, endpoint.edge)
