"""From watchpoints to a program of the algebra: each is a rule over one chain.

Every single-width expression is a step. The lead of an equation is the step of its name, what follows inside it is
numbered. An equation that is used again is the same step again, so recursion is a cycle of steps.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from cepheid.algebra.builder.windows import run_window
from cepheid.algebra.expressions import Expr, Field, Literal, Moment
from cepheid.algebra.patterns import Atom, Chain, Step
from cepheid.algebra.programs import EVENT, HULL, Program, Rule, Ties
from cepheid.algebra.relations import Relation, end, start
from cepheid.languages.hbl.acceptance import check_equations, check_statements
from cepheid.languages.hbl.alerts import Told, told_of
from cepheid.languages.hbl.composition import written_out
from cepheid.languages.hbl.initial import initial_values
from cepheid.languages.hbl.kinds import Kind, Kinded, in_ticks
from cepheid.languages.hbl.meaning import Names
from cepheid.languages.hbl.streams import streams_of, tick_of, ties_said
from cepheid.languages.hbl.syntax import Sequence, Setting, Single, Text, Watchpoint
from cepheid.languages.hbl.variables import names_of

AVOIDED = "avoided"


def lower(text: Text, unit: int) -> Program:
    """Return the program that a text means."""
    check_statements(text.watchpoints)
    watchpoints = [written_out(one) for one in text.watchpoints]
    check_equations(watchpoints)
    rules = tuple(_rule(watchpoint, unit) for watchpoint in watchpoints)
    ties = ties_said(text) or Ties.ARRIVAL
    return Program(rules, streams_of(text.streams), tick=tick_of(text), ties=ties)


def _rule(watchpoint: Watchpoint, unit: int) -> Rule:
    names = names_of(watchpoint, unit)
    told = told_of(watchpoint, names)
    steps = _with_ends(_Steps(watchpoint, names), told)
    first = next(iter(steps))
    initially = initial_values(watchpoint, names)
    chain = Chain(steps, first, initially, _window(watchpoint), told.evidence, told.observed, span=watchpoint.name.span)
    per = tuple(Field(EVENT, name.name) for name in watchpoint.by)
    name, hull = watchpoint.name.name, (Moment(start(HULL)), Moment(end(HULL)))
    return Rule(name, chain, name, *hull, told.fields, per, span=tuple(one.span for one in watchpoint.by))


def value_of(setting: Setting, names: Names) -> Expr:
    """Return what a setting sets a variable to: where that is a time, a plain number counts units."""
    found = names.kinded(setting.value)
    if names.variables[setting.name.name] is Kind.PLAIN:
        return found.value
    return in_ticks(found, names.unit).value


def _window(watchpoint: Watchpoint) -> Relation:
    longest = {one.in_records: one.longest for one in watchpoint.windows}
    return run_window(longest.get(False), longest.get(True))


@dataclass(frozen=True, slots=True)
class _Steps:
    watchpoint: Watchpoint
    names: Names

    def every(self) -> dict[str, Step]:
        """Return all steps by their names, the main one first."""
        equations = {one.name.name for one in self.watchpoint.equations}
        steps: dict[str, Step] = {}
        for equation in self.watchpoint.equations:
            numbered = _numbered(equation.name.name, equation.expression, equations)
            for name, sequence, follow in numbered:
                steps[name] = self._step(name, sequence, follow)
        return steps

    def copy_of_main(self, name: str, follow: tuple[str, ...]) -> Step:
        """Return the main step under another name."""
        return self._step(name, self.watchpoint.equations[0].expression, follow)

    def _step(self, name: str, sequence: Sequence, follow: tuple[str, ...]) -> Step:
        lead = self._atom(lead_name(name, self.names.variables), sequence.lead)
        names = self.names.at(lead.name)
        lets = {one.name.name: value_of(one, names) for one in sequence.lead.lets}
        avoid = None if sequence.avoid is None else self._atom(AVOIDED, sequence.avoid)
        return Step(lead, lets, avoid, follow)

    def _atom(self, name: str, single: Single) -> Atom:
        types = frozenset(one.name for one in single.types)
        where = None if single.condition is None else self.names.at(name).condition(single.condition)
        return Atom(name, types, where, span=single.span)


def lead_name(step: str, variables: Mapping[str, object]) -> str:
    """Return what the record of a step is called: as the step, unless a variable has that name."""
    while step in variables:
        step += "'"
    return step


def _numbered(
    equation: str, expression: Sequence, equations: set[str]
) -> Iterator[tuple[str, Sequence, tuple[str, ...]]]:
    """Yield the steps of an equation with their names, and the names of those that follow, from left to right."""
    inside = [one for one in expression.walk() if not _is_reference(one, equations)]
    names = {id(one): equation if number == 1 else f"{equation}.{number}" for number, one in enumerate(inside, 1)}
    for one in inside:
        follow = (_target(each, names) for each in one.follow)
        yield names[id(one)], one, tuple(dict.fromkeys(follow))


def _is_reference(sequence: Sequence, equations: set[str]) -> bool:
    return sequence.reference is not None and sequence.reference.name in equations


def _target(sequence: Sequence, names: Mapping[int, str]) -> str:
    return names[id(sequence)] if id(sequence) in names else sequence.lead.types[0].name


def _with_ends(made: _Steps, told: Told) -> dict[str, Step]:
    """Return the steps, where the first and the last ones note what the alert says about their records."""
    steps = made.every()
    main, copied = next(iter(steps)), f"{next(iter(steps))}.0"
    if told.of_first and any(main in step.follow for step in steps.values()):
        # The main step is also one in between: a run begins with a copy that notes its record.
        steps = {copied: made.copy_of_main(copied, steps[main].follow), **steps}
    noted = {name: step if step.follow else _noting(step, told.of_last) for name, step in steps.items()}
    first = next(iter(noted))
    return {**noted, first: _noting(noted[first], told.of_first)}


def _noting(step: Step, noted: Mapping[str, Kinded]) -> Step:
    own = {name: _at(value.value, step.lead.name) for name, value in noted.items()}
    return replace(step, lets={**step.lets, **own})


def _at(value: Expr, lead: str) -> Expr:
    """Return what is noted of a record, read of the one that a lead takes."""
    match value:
        case Field(_, name):
            return Field(lead, name)
        case Moment(endpoint):
            return Moment(replace(endpoint, part=lead))
        case _:
            return Literal(None)
