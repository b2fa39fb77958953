"""What can be read of something that has a name: its fields, its times and its position."""

from dataclasses import dataclass

from cepheid.algebra.builder.terms import Term
from cepheid.algebra.expressions import Field, Moment
from cepheid.algebra.programs import HULL
from cepheid.algebra.relations import Axis, Edge, Endpoint


class Readable:
    """Fields as attributes: `a.user`, or `a["user"]` where Python or a method has taken the name."""

    __slots__ = ()
    _name: str

    @property
    def start(self) -> Term:
        return moment(self._name, Edge.START)

    @property
    def end(self) -> Term:
        return moment(self._name, Edge.END)

    @property
    def position(self) -> Term:
        """The place in the order of the stream, or of the key; of several records, that of the last."""
        return moment(self._name, Edge.END, Axis.POSITION)

    def _field(self, name: str) -> Term:
        return Term(Field(self._name, name))


@dataclass(frozen=True, slots=True, eq=False)
class Record(Readable):
    """A record under a special name, for example the previous one of a repetition."""

    _name: str

    def __getattr__(self, name: str) -> Term:
        return self._field(attribute(name))

    def __getitem__(self, name: str) -> Term:
        return self._field(name)


@dataclass(frozen=True, slots=True, eq=False)
class Extent:
    """From where to where something lies: the whole of a pattern, or one part of a join, whatever it is made of."""

    _name: str

    @property
    def start(self) -> Term:
        return moment(self._name, Edge.START)

    @property
    def end(self) -> Term:
        return moment(self._name, Edge.END)

    @property
    def first_position(self) -> Term:
        return moment(self._name, Edge.START, Axis.POSITION)

    @property
    def last_position(self) -> Term:
        return moment(self._name, Edge.END, Axis.POSITION)


hull = Extent(HULL)
"""The whole match, in the values of a query and in what is related to a pattern."""


def moment(name: str, edge: Edge, axis: Axis = Axis.TIME) -> Term:
    return Term(Moment(Endpoint(name, edge, axis)))


def attribute(name: str) -> str:
    """Return the field that an attribute names; names with `_` in front belong to Python."""
    if name.startswith("_"):
        raise AttributeError(name)
    return name
