"""Read differences of endpoints, relations of intervals, and lengths of time."""

from fractions import Fraction

from lark import Token, v_args

from cepheid.algebra.intervals import INTERVALS
from cepheid.algebra.relations import Axis, Difference, Edge, Endpoint, Relation
from cepheid.events import Duration
from cepheid.languages.cep.lengths import Bare, Length
from cepheid.languages.cep.placed import PlacedReader
from cepheid.languages.shared.lengths import MOST_DIGITS, beyond_counting, counted


def interval_named(word: str) -> str:
    """Return the one name that a relation of intervals has here."""
    return "then" if word == "before" else word


@v_args(inline=True)
class RelationReader(PlacedReader):
    """The rules of the grammar that make relations."""

    def relation(self, *related: Difference | Relation) -> Relation:
        return tuple(
            difference for some in related for difference in ((some,) if isinstance(some, Difference) else some)
        )

    def interval(self, token: Token) -> str:
        return interval_named(str(token))

    def in_interval(self, left: str, name: str, right: str) -> Relation:
        return INTERVALS[name](left, right)

    def unbounded(self, later: Endpoint, earlier: Endpoint) -> Difference:
        return Difference(later, earlier)

    def at_least(self, later: Endpoint, earlier: Endpoint, low: Length) -> Difference:
        return self._between(later, earlier, low, None)

    def at_most(self, later: Endpoint, earlier: Endpoint, high: Length) -> Difference:
        return self._between(later, earlier, None, high)

    def exactly(self, later: Endpoint, earlier: Endpoint, distance: Length) -> Difference:
        return self._between(later, earlier, distance, distance)

    def bounded(self, low: Length, later: Endpoint, earlier: Endpoint, high: Length) -> Difference:
        return self._between(later, earlier, low, high)

    def _between(self, later: Endpoint, earlier: Endpoint, low: Length | None, high: Length | None) -> Difference:
        axis = Axis.TIME if Axis.TIME in (later.axis, earlier.axis) else Axis.POSITION
        found = [None if length is None else self.in_time(length, axis) for length in (low, high)]
        return Difference(later, earlier, *found)

    def time(self, edge: Edge, part: str) -> Endpoint:
        return Endpoint(part, edge)

    def position(self, edge: Edge, part: str) -> Endpoint:
        return Endpoint(part, edge, Axis.POSITION)

    def edge(self, token: Token) -> Edge:
        return Edge(str(token))

    def ticks(self, token: Token) -> Length:
        if token.type == "INT":
            return Bare(Fraction(self.number_of(token)), self.place_of(token))
        if token.type == "FLOAT":
            return Bare(self._fraction(token), self.place_of(token))
        return Duration.parse(str(token), self.place_of(token)).ticks

    def _fraction(self, token: Token) -> Fraction:
        number = counted(str(token))
        if number is None or abs(number.adjusted()) > MOST_DIGITS:
            raise beyond_counting(self.place_of(token))
        return Fraction(number)
