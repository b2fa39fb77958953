"""Random programs whose parts hold a key in different attributes, and their events dealt out by role."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from zlib import crc32

from cepheid.algebra.expressions import Field
from cepheid.algebra.programs import Rule
from cepheid.algebra.traversal import transform
from cepheid.analysis.keys.common_keys import Key
from cepheid.analysis.keys.key_classes import ANY_TYPE
from cepheid.analysis.keys.roles import AGAIN, mark_of
from cepheid.events import Event, Value, values
from cepheid.testing import Case, Shape
from cepheid.testing.cases import Draw, draw_case, seeded

SWAPPED = {"key": "value", "value": "key"}
SHAPE = Shape(keyed=95, filters=10, positions=False, depth=2)


def role_case(seed: int, most_rules: int = 1) -> Case:
    """Return the case of this number, in which some parts read `value` where others read `key`."""
    return draw_role_case(seeded(seed), most_rules)


def draw_role_case(draw: Draw, most_rules: int = 1) -> Case:
    types = draw.pick((("A",), ("A", "B"), ("A", "B", "C")))
    case = draw_case(draw, replace(SHAPE, types=types, depth=draw.integer(2, 3)), most_rules)
    rules = tuple(_with_roles(draw, rule) for rule in case.program.rules)
    told = {event.id: _with_close_values(draw, event) for event in case.trace}
    return replace(
        case,
        program=replace(case.program, rules=rules),
        trace=tuple(told[event.id] for event in case.trace),
        arrivals=tuple(told[event.id] for event in case.arrivals),
    )


def _with_roles(draw: Draw, rule: Rule) -> Rule:
    """Return a rule in which some parts have their two attributes the other way round."""
    swapped: dict[str, bool] = {}

    def turned(node: object) -> object:
        if not isinstance(node, Field) or node.name not in SWAPPED or node.part.startswith("$"):
            return node
        if node.part not in swapped:
            swapped[node.part] = draw.chance(45)
        return replace(node, name=SWAPPED[node.name]) if swapped[node.part] else node

    return transform(rule, turned)


def _with_close_values(draw: Draw, event: Event) -> Event:
    """Return an event whose two attributes are of the same few values."""
    both: Mapping[str, Value] = {name: draw.pick((1, 1, 2, 2, 3, None)) for name in SWAPPED}
    return replace(event, fields={**event.fields, **both})


def dealt(events: Sequence[Event], key: Key, count: int) -> list[list[Event]]:
    """Return what each of so many buckets gets: events under each of their roles, marked with the others."""
    buckets: list[list[Event]] = [[] for _ in range(count)]
    for event in events:
        for number, marks in _copies(event, key, count):
            buckets[number].append(replace(event, fields={**event.fields, **marks}))
    return buckets


def _copies(event: Event, key: Key, count: int) -> Iterator[tuple[int, Mapping[str, Value]]]:
    names = key.get(event.type, key.get(ANY_TYPE))
    if names is None:
        return
    places = {name: crc32(repr(values.key_of(event.fields.get(name))).encode()) % count for name in names}
    wanted = list(dict.fromkeys(places.values())) if names else list(range(count))
    for number in wanted:
        marks: dict[str, Value] = {mark_of(name): True for name, place in places.items() if place != number}
        yield number, {**marks, AGAIN: True} if number != wanted[0] else marks
