"""From declarations and rules to a program of the algebra, with all that is wrong about them told at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from cepheid.algebra.patterns import Pattern
from cepheid.algebra.programs import Program, Rule
from cepheid.algebra.validation import findings
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.languages.parte.abstractions import check_definitions
from cepheid.languages.parte.binding import Binding, Element
from cepheid.languages.parte.certainty import check_absence, check_aggregate, check_positives, idle_absences
from cepheid.languages.parte.definitions import Definitions
from cepheid.languages.parte.distinctness import same_event_twice
from cepheid.languages.parte.reactions import reaction_of, report, rule_names
from cepheid.languages.parte.rules import base_of, pattern_of
from cepheid.languages.parte.stratification import check_stratification
from cepheid.languages.parte.streams import streams_of
from cepheid.languages.parte.syntax import AggregatePattern, NegatedPattern, RuleText
from cepheid.languages.parte.tables import Rows, table_of
from cepheid.languages.parte.windows import check_line
from cepheid.languages.shared.files import Resolve

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Lowered:
    """A rule in the algebra: as many rules as it has reactions, and remarks on it."""

    text: RuleText
    elements: tuple[Element, ...]
    rules: tuple[Rule, ...]
    remarks: tuple[Diagnostic, ...]


def lower(
    definitions: Definitions, tables: Mapping[str, Rows], resolve: Resolve | None
) -> tuple[Program, tuple[Diagnostic, ...]]:
    """Return the program, and remarks on it; raise with everything that is wrong."""
    check_definitions(definitions)
    problems: list[Diagnostic] = []
    streams = _tried(problems, streams_of, definitions) or ()
    found = {
        name: table
        for name, text in definitions.tables.items()
        if (table := _tried(problems, table_of, text, tables, resolve)) is not None
    }
    lowered = [one for rule in definitions.rules if (one := _tried(problems, _rule, rule, definitions))]
    if not problems:
        _tried(problems, check_stratification, [(one.text, one.elements) for one in lowered])
    rules = tuple(rule for one in lowered for rule in one.rules)
    program = Program(rules, streams, tables=found, tick=definitions.tick)
    problems += [] if problems else findings(program)
    if problems:
        raise CepheidError(*dict.fromkeys(problems))
    return program, tuple(remark for one in lowered for remark in one.remarks)


def _tried(problems: list[Diagnostic], attempt: Callable[P, T], *given: P.args, **named: P.kwargs) -> T | None:
    """Return what an attempt gives; where it fails, note why."""
    try:
        return attempt(*given, **named)
    except CepheidError as error:
        problems += error.diagnostics
        return None


def _rule(rule: RuleText, definitions: Definitions) -> Lowered:
    binding = Binding(rule, definitions)
    elements = tuple(binding.elements())
    for line in rule.windows:
        check_line(line, binding.variables)
    base = base_of(elements, rule.windows, rule.span)
    _check_certainty(rule, elements, base)
    pattern = pattern_of(elements, rule.windows, base, rule.span)
    remarks = (*idle_absences(elements, rule.windows, base), *same_event_twice(elements, rule.windows, base))
    return Lowered(rule, elements, tuple(_reactions(rule, pattern, binding)), remarks)


def _check_certainty(rule: RuleText, elements: tuple[Element, ...], base: Pattern) -> None:
    check_positives(elements, rule.windows, base)
    for element in elements:
        if isinstance(element.pattern, NegatedPattern):
            check_absence(element, elements, rule.windows, base)
        elif isinstance(element.pattern, AggregatePattern):
            check_aggregate(element)


def _reactions(rule: RuleText, pattern: Pattern, binding: Binding) -> list[Rule]:
    name = rule.name.name
    emitted = [reaction_of(reaction, binding) for reaction in rule.reactions] or [report(rule, binding)]
    names = rule_names(name, [one.type for one in emitted])
    return [
        Rule(each, pattern, one.type, one.start, one.end, one.fields) for each, one in zip(names, emitted, strict=True)
    ]
