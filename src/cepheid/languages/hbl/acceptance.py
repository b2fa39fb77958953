"""Which watchpoints are accepted: every name has one meaning, recursion is guarded, and it is linear.

Linear: the steps of an equation go on with at most one equation that lies on a cycle, or partial matches would double
with every round. Equations on no cycle are abbreviations; what they go on with is counted where they are used.
"""

from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from cepheid.diagnostics import CepheidError, Label, Span
from cepheid.languages.hbl import syntax
from cepheid.languages.hbl.syntax import Equation, Watchpoint
from cepheid.languages.shared.findings import refusal
from cepheid.languages.shared.spelling import misspelled
from cepheid.languages.shared.terms import Name

Equations = Mapping[str, Equation]


def check_statements(watchpoints: Sequence[Watchpoint]) -> None:
    """Raise for the first statement that is missing, or there twice."""
    _check_unique([one.name for one in watchpoints], "watchpoint")
    for watchpoint in watchpoints:
        _check_statements(watchpoint)


def check_equations(watchpoints: Sequence[Watchpoint]) -> None:
    """Raise for the first equation that is not accepted; compositions are written out already."""
    for watchpoint in watchpoints:
        equations = {one.name.name: one for one in watchpoint.equations}
        _check_names(watchpoint, equations)
        _check_linear(equations)


def references(equation: Equation, equations: Equations) -> list[Name]:
    """Return the names of equations that an equation goes on with, from left to right."""
    found = (one.reference for one in equation.expression.walk())
    return [name for name in found if name is not None and name.name in equations]


def reached(watchpoint: Watchpoint) -> set[str]:
    """Return the names of the equations that the main one goes on with, directly or through others."""
    equations = {one.name.name: one for one in watchpoint.equations}
    found, ahead = set[str](), [watchpoint.equations[0].name.name]
    while ahead:
        name = ahead.pop()
        if name in equations and name not in found:
            found.add(name)
            ahead += [one.name for one in references(equations[name], equations)]
            ahead += [one.lead.types[0].name for one in equations[name].expression.walk() if one.composes]
    return found


def _check_statements(watchpoint: Watchpoint) -> None:
    if not watchpoint.equations:
        message, hint = f"`{watchpoint.name.name}` watches for nothing", "write `main = login -> logout;` in it"
        raise refusal("incomplete-statement", message, watchpoint.name.span, "no equation stands in it", hint)
    _check_unique([one.name for one in watchpoint.equations], "equation")
    _check_unique([one.name for one in watchpoint.initially], "variable")
    for in_records in (False, True):
        of_kind = [one for one in watchpoint.windows if one.in_records is in_records]
        if len(of_kind) > 1:
            raise _twice("window", of_kind[1].span, of_kind[0].span)
    for alert in watchpoint.alerts[1:]:
        raise _twice("alert", alert.span, watchpoint.alerts[0].span)


def _check_unique(names: Iterable[Name], what: str) -> None:
    first: dict[str, Name] = {}
    for name in names:
        if first.setdefault(name.name, name) is not name:
            others = (Label(first[name.name].span, "first defined here"),)
            message, hint = f"two {what}s are called `{name.name}`", f"call one of them `{name.name}2`"
            raise refusal("duplicate-definition", message, name.span, "defined again", hint, others=others)


def _twice(what: str, again: Span, before: Span) -> CepheidError:
    others = (Label(before, "the first one"),)
    hint = "leave one of the two out"
    return refusal("bad-declaration", f"a watchpoint has two `{what}`", again, "the second one", hint, others=others)


def _check_names(watchpoint: Watchpoint, equations: Equations) -> None:
    for equation in watchpoint.equations:
        if equation.expression.reference is not None and equation.expression.reference.name in equations:
            raise _unguarded(equation, equation.expression.reference)
        for sequence in equation.expression.walk():
            _check_single(sequence.lead, equations, is_reference=sequence.reference is not None)
            if sequence.avoid is not None:
                _check_avoid(sequence.avoid, equations)


def _check_single(single: syntax.Single, equations: Equations, *, is_reference: bool) -> None:
    if is_reference and single.types[0].name in equations:
        return
    for name in single.types:
        meant = misspelled(name, equations)
        if meant is not None:
            hints = (f"did you mean `{meant}`?", f"for the records of a type called so, write `{{{name.name}}}`")
            label = "no equation has this name, and one is nearly called so"
            raise refusal("unknown-definition", f"`{name.name}` is not defined", name.span, label, *hints)
        if name.name in equations and not single.span.text.startswith("{"):
            label = "it can only stand after an arrow, by itself"
            hint = f"for the records of a type called so, write `{{{name.name}}}`"
            raise refusal("not-an-event", f"`{name.name}` is an equation, no record", name.span, label, hint)


def _check_avoid(avoid: syntax.Single, equations: Equations) -> None:
    _check_single(avoid, equations, is_reference=False)
    for setting in avoid.lets:
        message = "what is avoided is never there, so it sets nothing"
        hint = f"leave `letting {setting.name.name} = {setting.value.span.text}` out, or set it in a step"
        raise refusal("avoid-binds", message, setting.name.span, "set by a record that must not come", hint)


def _unguarded(equation: Equation, name: Name) -> CepheidError:
    message = f"`{equation.name.name}` begins with an equation and not with a record"
    hint = f"begin with a record: `{equation.name.name} = any -> {name.name};`"
    return refusal("unguarded", message, name.span, "no record stands before it", hint)


def _check_linear(equations: Equations) -> None:
    uses = {name: references(equation, equations) for name, equation in equations.items()}
    cyclic = _on_cycles({name: {one.name for one in used} for name, used in uses.items()})
    found: dict[str, list[Name]] = {}
    for name in [*_abbreviations_first(uses, cyclic), *cyclic]:
        loops = [loop for used in uses[name] for loop in _loops(used, cyclic, found)]
        if len(loops) > 1:
            raise _not_linear(equations[name], loops)
        found[name] = loops


def _loops(used: Name, cyclic: frozenset[str], found: Mapping[str, list[Name]]) -> list[Name]:
    """Return the places from which a cycle is entered by one use of an equation."""
    return [used] if used.name in cyclic else found[used.name]


def _on_cycles(uses: Mapping[str, set[str]]) -> frozenset[str]:
    """Return the equations that come back to themselves."""
    reached = {name: set(used) for name, used in uses.items()}
    for middle in uses:
        for name, ends in reached.items():
            if middle in ends:
                reached[name] = ends | reached[middle]
    return frozenset(name for name, ends in reached.items() if name in ends)


def _abbreviations_first(uses: Mapping[str, Sequence[Name]], cyclic: frozenset[str]) -> list[str]:
    below = {name: {one.name for one in used} - cyclic for name, used in uses.items() if name not in cyclic}
    try:
        return list(TopologicalSorter(below).static_order())
    except CycleError:  # pragma: no cover  # what is on a cycle was taken out
        raise AssertionError("an abbreviation is on a cycle") from None


def _not_linear(equation: Equation, loops: Sequence[Name]) -> CepheidError:
    first, second = loops[:2]
    name = equation.name.name
    same = first.span == second.span
    others = (Label(first.span, "the first one, reached in two ways" if same else "the first one"),)
    message = f"`{name}` goes on with itself in two ways, so partial matches may double with every record"
    if first.name != second.name or first.name != name:
        message = f"`{name}` goes on with a loop in two ways, so partial matches may double with every record"
    hint = "keep one of the two; a condition with `or` in one step can often say both"
    return refusal("not-linear", message, second.span, "the second one", hint, others=others)
