"""What names of definitions stand for.

A name abbreviates its expression, as names do in the published algebra: where it is used, the expression is put in its
place. Only a definition that emits values is an event of its own, which other definitions see as such; see
`docs/decisions/0001-names-in-the-algebra.md`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from cepheid.algebra.query_sizes import MOST_PARTS, too_large
from cepheid.diagnostics import CepheidError, Diagnostic, Label
from cepheid.languages.algebra.syntax import By, Combination, Definition, Expression, Primitive, Within
from cepheid.languages.shared.depth import MOST_LEVELS, NAME_A_PART, too_deep
from cepheid.languages.shared.spelling import misspelled

MOST_DEFINITIONS = 1_000
Named = Mapping[str, Definition]


@dataclass(frozen=True, slots=True)
class Expanded:
    """An expression without abbreviations, how many levels it has, and how many parts."""

    expression: Expression
    levels: int
    parts: int


def expanded(definitions: Sequence[Definition]) -> dict[Definition, Expression]:
    """Return what each definition means in terms of events alone, each after the definitions it uses."""
    if len(definitions) > MOST_DEFINITIONS:
        message = f"there are {len(definitions):,} definitions, and {MOST_DEFINITIONS:,} are the most"
        raise too_large(message, definitions[MOST_DEFINITIONS].span, "make several queries of it")
    named = _named(definitions)
    _check_spelling(definitions, named)
    known: dict[str, Expanded] = {}
    for name in _in_order(named):
        known[name] = _expand(named[name].expression, named, known)
    bare = {found: _expand(found.expression, named, known) for found in definitions if found.name is None}
    meant = {named[name]: found for name, found in known.items()} | bare
    return {definition: found.expression for definition, found in meant.items()}


def primitives(expression: Expression) -> Iterator[Primitive]:
    """Yield the primitives of an expression from left to right."""
    match expression:
        case Primitive():
            yield expression
        case Combination(_, left, right):
            yield from primitives(left)
            yield from primitives(right)
        case Within(inner) | By(inner):
            yield from primitives(inner)


def _named(definitions: Sequence[Definition]) -> dict[str, Definition]:
    named: dict[str, Definition] = {}
    for found in definitions:
        if found.name is not None:
            first = named.setdefault(found.name.name, found)
            if first is not found:
                raise _duplicate(first, found)
    return named


def _duplicate(first: Definition, second: Definition) -> CepheidError:
    assert first.name is not None
    assert second.name is not None
    name = second.name.name
    labels = (Label(second.name.span, "defined again"), Label(first.name.span, "first defined here"))
    hint = f"call one of them `{name}2`"
    return CepheidError(Diagnostic("duplicate-definition", f"`{name}` is defined twice", labels, hints=(hint,)))


def _check_spelling(definitions: Sequence[Definition], named: Named) -> None:
    for found in definitions:
        for primitive in primitives(found.expression):
            meant = misspelled(primitive.type, named)
            if meant is not None:
                raise _unknown(primitive, meant)


def _unknown(primitive: Primitive, meant: str) -> CepheidError:
    name = primitive.type.name
    label = Label(primitive.type.span, "no definition has this name, and one is nearly called so")
    hints = (f"did you mean `{meant}`?", f"for the events of a type called so, write it in backticks: `{name}`")
    return CepheidError(Diagnostic("unknown-definition", f"`{name}` is not defined", (label,), hints=hints))


def _in_order(named: Named) -> list[str]:
    """Return the names so that each comes after those it uses."""
    uses = {name: [used.type.name for used in _references(found, named)] for name, found in named.items()}
    try:
        return list(TopologicalSorter(uses).static_order())
    except CycleError as error:
        raise _recursive(error.args[1][::-1], named) from None


def _references(definition: Definition, named: Named) -> list[Primitive]:
    return [used for used in primitives(definition.expression) if used.type.name in named]


def _recursive(cycle: Sequence[str], named: Named) -> CepheidError:
    """Return the error for names that stand for themselves; each name in `cycle` uses the next one."""
    first = min(range(len(cycle) - 1), key=lambda index: list(named).index(cycle[index]))
    turned = [*cycle[first:-1], *cycle[:first], cycle[first]]
    labels = []
    for name, used in pairwise(turned):
        place = next(found for found in _references(named[name], named) if found.type.name == used).type.span
        labels.append(Label(place, f"`{name}` uses `{used}`"))
    path = " -> ".join(turned)
    hint = f"define `{turned[-2]}` without `{turned[-1]}`"
    if len(turned) == 2:
        hint = f"call the definition `{turned[0]}2`; `{turned[0]}` is then a type of events"
    message = f"`{turned[0]}` is defined by itself: {path}"
    return CepheidError(Diagnostic("recursive-definition", message, tuple(labels), hints=(hint,)))


def _expand(expression: Expression, named: Named, known: Mapping[str, Expanded]) -> Expanded:
    match expression:
        case Primitive(name) if name.name in named and not named[name.name].emitted:
            return _substituted(expression, known[name.name])
        case Primitive():
            return Expanded(expression, 1, 1)
        case Combination(_, left, right):
            one, two = _expand(left, named, known), _expand(right, named, known)
            above = replace(expression, left=one.expression, right=two.expression)
            return _deeper(above, max(one.levels, two.levels), one.parts + two.parts)
        case Within(inner) | By(inner):
            below = _expand(inner, named, known)
            return _deeper(replace(expression, inner=below.expression), below.levels, below.parts)


def _deeper(expression: Expression, levels: int, parts: int) -> Expanded:
    """Return an expression above others of so many levels and parts; there are limits for both."""
    if levels > MOST_LEVELS:
        raise too_deep(expression.span)
    if parts >= MOST_PARTS:
        message = f"with its names replaced, this has {parts + 1:,} parts, and {MOST_PARTS} are the most"
        raise too_large(message, expression.span, NAME_A_PART)
    return Expanded(expression, levels + 1, parts + 1)


def _substituted(primitive: Primitive, meant: Expanded) -> Expanded:
    """Return the expression of a definition; its labels are its own and mean nothing outside."""
    name = primitive.type.name
    extra = primitive.label or primitive.condition
    if extra is not None:
        label = Label(primitive.span, f"`{name}` only abbreviates an expression")
        hint = f"let it emit events: end its definition with `emits`, as in `{name} = a:A ; B emits user = a.user`"
        what = "a name of its own" if primitive.label else "a condition"
        message = f"`{name}` is no event, so it cannot have {what} here"
        raise CepheidError(Diagnostic("not-an-event", message, (label,), hints=(hint,)))
    return Expanded(_unlabelled(meant.expression), meant.levels, meant.parts)


def _unlabelled(expression: Expression) -> Expression:
    match expression:
        case Primitive():
            return replace(expression, label=None)
        case Combination(_, left, right):
            return replace(expression, left=_unlabelled(left), right=_unlabelled(right))
        case Within(inner) | By(inner):
            return replace(expression, inner=_unlabelled(inner))
