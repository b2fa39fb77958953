"""Random patterns in which laws fit: windows, choices, absences and branches above anything at all."""

from collections.abc import Callable, Mapping
from typing import Final

from hypothesis import strategies as st

from cepheid.algebra.expressions import Call, Field, Literal
from cepheid.algebra.intervals import inside, then
from cepheid.algebra.patterns import Atom, Distinct, Either, Join, Pattern, Restrict, Select, Unless
from cepheid.algebra.policies import LATEST_START, Choice, Policy
from cepheid.algebra.relations import length
from cepheid.algebra.traversal import named_parts, rename, walk
from cepheid.testing import Kind, Shape
from cepheid.testing.cases import Draw, random_pattern
from cepheid.testing.cases.detection_algebra import lowered, random_expression
from cepheid.testing.strategies import drawn

Maker = Callable[[Draw], Pattern]

_SMALL: Final = Shape(depth=1)
_JOINS: Final = Shape(kinds=frozenset([Kind.ATOM, Kind.JOIN]), depth=2, filters=100)
_NESTED: Final = Shape(
    kinds=frozenset([Kind.ATOM, Kind.JOIN]), choices=frozenset([Choice.ALL]), depth=3, positions=False
)
_MOST_ATOMS = 5


def situations(law: str) -> st.SearchStrategy[Pattern]:
    """Patterns in which a law has something to say more often than not, some of them under a choice."""
    return drawn(lambda draw: situation(draw, law))


def situation(draw: Draw, law: str) -> Pattern:
    """Return one of them."""
    found = _MAKERS[law](draw)
    while sum(isinstance(node, Atom) for node in walk(found)) > _MOST_ATOMS:
        found = _MAKERS[law](draw)
    return Select(found, LATEST_START) if draw.chance(30) else found


def _any(draw: Draw) -> Pattern:
    return random_pattern(draw, _SMALL)


def _window(draw: Draw, pattern: Pattern) -> Restrict:
    return Restrict(pattern, (length("$pattern", "$pattern", draw.integer(0, 6)),))


def _two(draw: Draw, left: Maker, right: Maker) -> tuple[Pattern, Pattern]:
    """Return two patterns that share no name."""
    made = zip((left, right), ("left", "right"), strict=True)
    one, two = (_renamed(make(draw), side) for make, side in made)
    return one, two


def _renamed(pattern: Pattern, side: str) -> Pattern:
    return rename(pattern, {name: f"{name}_{side}" for name in named_parts(pattern)})


def _unless(draw: Draw, left: Maker = _any, right: Maker = _any) -> Unless:
    return Unless(*_two(draw, left, right), inside("$absent", "$pattern"))


def _either(draw: Draw, left: Maker = _any, right: Maker = _any) -> Either:
    return Either(_two(draw, left, right))


def _join(draw: Draw) -> Pattern:
    parts = _two(draw, _any, _any)
    return Join(parts, draw.pick([(), then()]), policy=Policy(draw.pick(list(Choice))))


def _choice(draw: Draw, below: Maker = _any) -> Select:
    return Select(below(draw), LATEST_START)


def _chosen(draw: Draw) -> Pattern:
    """Return something that has one match for each end already."""
    kind = draw.pick(["choice", "join", "window", "absence"])
    if kind == "join":
        return Join(_two(draw, _any, _any), draw.pick([(), then()]), policy=LATEST_START)
    if kind == "window":
        return _window(draw, _choice(draw))
    return _choice(draw) if kind == "choice" else _unless(draw, _choice)


def _short(draw: Draw) -> Pattern:
    """Return something whose length is known."""
    return draw.pick([_window(draw, _any(draw)), _unless(draw, _windowed), _choice(draw, _windowed), _any(draw)])


def _windowed(draw: Draw) -> Pattern:
    return _window(draw, _any(draw))


def _chosen_either(draw: Draw) -> Pattern:
    return _choice(draw, _either)


def _nested_either(draw: Draw) -> Pattern:
    return draw.pick([_either(draw, _either), _choice(draw, lambda draw: _either(draw, _chosen_either))])


def _bounded(draw: Draw) -> Pattern:
    expression = random_expression(draw, ("A", "B", "C"), 3)
    return draw.pick([_window(draw, lowered(expression)), _unless(draw, _windowed, _join)])


def _conditional(draw: Draw) -> Pattern:
    """Return something that asks one event, and perhaps two, whatever it chooses."""
    if draw.chance(20):
        return Restrict(_asked_event(draw), where=_asked_of(draw))
    return _conditional_join(draw)


def _conditional_join(draw: Draw) -> Join:
    other = _any(draw)
    own, names = _asked_of(draw), list(named_parts(other))
    both = Call("<=", (Field("asked", "value"), Field(draw.pick(names), "value"))) if names else own
    asked = draw.pick([own, Call("and", (own, both)), Call("and", (both, own)), both])
    parts = (_asked_event(draw), other)
    return Join(parts, draw.pick([(), then()]), (), asked, Policy(draw.pick(list(Choice))))


def _asked_event(draw: Draw) -> Atom:
    return Atom("asked", frozenset(draw.some(("A", "B", "C"), 0, 2)))


def _asked_of(draw: Draw) -> Call:
    return Call(draw.pick([">", "=="]), (Field("asked", "value"), Literal(draw.integer(0, 2))))


_MAKERS: Final[Mapping[str, Maker]] = {
    "merge_windows": lambda draw: _window(draw, _window(draw, _any(draw))),
    "drop_loose_window": lambda draw: _window(draw, _short(draw)),
    "drop_idle_choice": lambda draw: _choice(draw, _chosen),
    "drop_idle_distinct": lambda draw: Distinct(draw.pick([_chosen(draw), Distinct(_any(draw))])),
    "push_window_below_choice": lambda draw: _window(draw, _choice(draw, draw.pick([_any, _either]))),
    "push_window_into_either": lambda draw: _window(draw, _either(draw)),
    "push_window_into_unless": lambda draw: _window(draw, _unless(draw)),
    "push_window_into_join": lambda draw: _window(draw, draw.pick([_join(draw), random_pattern(draw, _JOINS)])),
    "narrow_absence": lambda draw: _unless(draw, _windowed, draw.pick([_any, _join])),
    "split_absence_of_either": lambda draw: _unless(draw, _any, draw.pick([_either, _chosen_either])),
    "flatten_either": _nested_either,
    "move_restriction_into_where": lambda draw: Restrict(_conditional_join(draw), where=_asked_of(draw)),
    "move_where_into_candidate": lambda draw: random_pattern(draw, _JOINS),
    "move_condition_into_atom": _conditional,
    "flatten_joins": lambda draw: random_pattern(draw, _NESTED),
    "bounded_memory": _bounded,
}
