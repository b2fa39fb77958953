"""Random patterns in which laws fit: windows, choices, absences and branches above anything at all."""

from collections.abc import Callable, Mapping
from typing import Final

from hypothesis import strategies as st

from cepheid.algebra.expressions import Call, Expr, Field, Literal
from cepheid.algebra.intervals import inside, then
from cepheid.algebra.patterns import Atom, Distinct, Either, Join, Pattern, Restrict, Select, Unless
from cepheid.algebra.policies import LATEST_START, Choice, Policy
from cepheid.algebra.relations import Difference, Edge, Endpoint, length
from cepheid.algebra.traversal import named_parts, rename, walk
from cepheid.testing import Kind, Shape
from cepheid.testing.cases import Draw, random_pattern
from cepheid.testing.cases.detection_algebra import lowered, random_expression
from cepheid.testing.strategies import drawn
from tests.rewrites.limited_chains import limited_chain
from tests.rewrites.windowed_nests import windowed_nest

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
    """Return an absence, mostly of what lies inside; else of what starts, or ends, or lies after it."""
    starts, ends = inside("$absent", "$pattern")
    relation = draw.weighted({(starts, ends): 7, (starts,): 1, (ends,): 1, then("$pattern", "$absent"): 1})
    return Unless(*_two(draw, left, right), relation)


def _either(draw: Draw, left: Maker = _any, right: Maker = _any) -> Either:
    return Either(_two(draw, left, right))


def _join(draw: Draw) -> Pattern:
    parts = _two(draw, _any, _any)
    return Join(parts, draw.pick([(), then()]), policy=Policy(draw.pick(list(Choice))))


def _windowed_join(draw: Draw) -> Pattern:
    return _window(draw, draw.pick([_join(draw), random_pattern(draw, _JOINS)]))


def _choice(draw: Draw, below: Maker = _any) -> Select:
    """Return a choice, sometimes per key of an event that is always there."""
    chosen = below(draw)
    keys: list[tuple[Expr, ...]] = [(), ()]
    if isinstance(chosen, Atom):
        keys.append((Field(chosen.name, "key"),))
    if isinstance(chosen, Select):
        keys.append(chosen.policy.per)
    return Select(chosen, Policy(Choice.LATEST_START, draw.pick(keys)))


def _keyed_event(draw: Draw) -> Pattern:
    event = _asked_event(draw)
    return Select(event, Policy(Choice.LATEST_START, (Field(event.name, "key"),)))


def _chosen(draw: Draw) -> Pattern:
    """Return something that has one match for each end already."""
    kind = draw.pick(["choice", "join", "window", "absence", "keyed"])
    if kind == "keyed":
        return _keyed_event(draw)
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
    """Return branches of branches, often of single events: these coincide, and then ties have to be decided."""
    leaf = draw.pick([_any, _event, _event])

    def pair(draw: Draw) -> Pattern:
        return _either(draw, leaf, leaf)

    def chosen_pair(draw: Draw) -> Pattern:
        return _choice(draw, pair)

    if draw.chance(50):
        return _either(draw, pair, leaf)
    return _choice(draw, lambda draw: _either(draw, chosen_pair, leaf))


def _event(draw: Draw) -> Pattern:
    return Atom("event", frozenset(draw.some(("A", "B", "C"), 1, 2)))


def _branches_of_events(draw: Draw) -> Pattern:
    return _either(draw, _event, _event)


def _algebra(draw: Draw) -> Pattern:
    expression = random_expression(draw, ("A", "B", "C"), 2)
    return rename(lowered(expression), {f"e{number}": f"part{number}" for number in range(1, 9)})


def _nested_join(draw: Draw) -> Pattern:
    """Return a join in a join with any bounds between the edges of the inner hull and the other part."""
    events = [Atom(name, frozenset(draw.some(("A", "B", "C"), 0, 2))) for name in ("one", "two", "three")]
    inner = Join((events[0], events[1]), draw.pick([(), then()]))
    count = draw.integer(1, 2)
    if draw.chance(50):
        return Join((events[2], inner), tuple(_difference(draw, "$1", "$0") for _ in range(count)))
    return Join((inner, events[2]), tuple(_difference(draw, "$0", "$1") for _ in range(count)))


def _difference(draw: Draw, one: str, other: str) -> Difference:
    pair = draw.pick([(one, other), (other, one), (one, one)])
    later, earlier = (Endpoint(part, draw.pick(list(Edge))) for part in pair)
    low = draw.integer(-2, 1) if draw.chance(60) else None
    return Difference(later, earlier, low, (low or 0) + draw.integer(0, 3) if draw.chance(60) else None)


def _bounded(draw: Draw) -> Pattern:
    """Return windows above sequences under latest-start, with other choices, absences and merging in between."""
    kind = draw.pick(["algebra", "absence", "join", "merged"])
    if kind == "absence":
        return _unless(draw, _windowed, _algebra)
    if kind == "join":
        parts = _two(draw, _algebra, _algebra)
        return _window(draw, Join(parts, draw.pick([(), then()]), policy=Policy(draw.pick(list(Choice)))))
    if kind == "merged":
        return _window(draw, Distinct(_algebra(draw), draw.pick([None, (Literal(1),)])))
    return _window(draw, lowered(random_expression(draw, ("A", "B", "C"), 3)))


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
    "limit_chain": limited_chain,
    "merge_windows": lambda draw: _window(draw, _window(draw, _any(draw))),
    "drop_loose_window": lambda draw: _window(draw, _short(draw)),
    "drop_idle_choice": lambda draw: _choice(draw, _chosen),
    "drop_idle_distinct": lambda draw: Distinct(draw.pick([_chosen(draw), Distinct(_any(draw))])),
    "push_window_below_choice": lambda draw: _window(draw, _choice(draw, draw.pick([_any, _either]))),
    "push_window_into_either": lambda draw: _window(draw, draw.pick([_either, _branches_of_events])(draw)),
    "push_window_into_unless": lambda draw: _window(draw, _unless(draw)),
    "push_window_into_distinct": lambda draw: _window(draw, Distinct(_any(draw), draw.pick([None, (Literal(1),)]))),
    "push_window_into_join": lambda draw: draw.pick([_windowed_join, windowed_nest])(draw),
    "narrow_absence": lambda draw: _unless(draw, _windowed, draw.pick([_any, _join])),
    "split_absence_of_either": lambda draw: _unless(draw, _any, draw.pick([_either, _chosen_either])),
    "flatten_either": _nested_either,
    "move_restriction_into_where": lambda draw: Restrict(_conditional_join(draw), where=_asked_of(draw)),
    "move_where_into_candidate": lambda draw: random_pattern(draw, _JOINS),
    "move_condition_into_atom": _conditional,
    "flatten_joins": lambda draw: _nested_join(draw) if draw.chance(60) else random_pattern(draw, _NESTED),
    "bounded_memory": lambda draw: draw.pick([_bounded, windowed_nest])(draw),
}
