"""What must hold of a program before it can run, checked in one place for every language and for the builder.

Findings point into the text where the pattern came from one; all of them are told at once.
"""

from collections.abc import Iterable, Iterator, Mapping

from cepheid.algebra.expressions import Aggregate
from cepheid.algebra.patterns import Atom, Pattern
from cepheid.algebra.pipe_checks import check_pipe
from cepheid.algebra.programs import Program, Rule, Table
from cepheid.algebra.query_sizes import check_rule_size, check_sizes
from cepheid.algebra.traversal import walk
from cepheid.algebra.validation.calls import miscalled
from cepheid.algebra.validation.declarations import misdeclared
from cepheid.algebra.validation.finding import finding
from cepheid.algebra.validation.folds import groups_of, missing_folds
from cepheid.algebra.validation.names import all_names, duplicates, variables, visible
from cepheid.algebra.validation.nodes import misshapen
from cepheid.algebra.validation.reads import misread
from cepheid.algebra.validation.recursion import forbidden_cycles
from cepheid.algebra.validation.scopes import scopes_of
from cepheid.diagnostics import CepheidError, Diagnostic

__all__ = [
    "all_names",
    "duplicates",
    "findings",
    "rule_findings",
    "validate",
    "validate_rule",
    "variables",
    "visible",
]


def validate(program: Program) -> None:
    """Refuse a program that cannot run, with everything that is wrong with it; one that is too large at once."""
    check_sizes(program)
    _refuse(findings(program))


def validate_rule(rule: Rule) -> None:
    """Refuse a rule for what can be said without its program: nothing about tables and other rules."""
    check_rule_size(rule)
    _refuse(rule_findings(rule))


def findings(program: Program) -> Iterator[Diagnostic]:
    """Yield everything that is wrong with a program."""
    yield from misdeclared(program)
    for rule in program.rules:
        yield from rule_findings(rule, program.tables)
    repeated = [rule for place, rule in enumerate(program.rules) if rule.name in _names(program.rules[:place])]
    yield from (_duplicate_rule(rule, _names(program.rules)) for rule in repeated)
    if not repeated:
        yield from forbidden_cycles(program.rules)
    yield from _pipe_findings(program)


def rule_findings(rule: Rule, tables: Mapping[str, Table] | None = None) -> Iterator[Diagnostic]:
    """Yield everything that is wrong with one rule; without `tables` nothing is said about them."""
    for node in walk(rule.pattern):
        if isinstance(node, Pattern):
            yield from misshapen(node)
    for name, bearer in duplicates(rule.pattern):
        yield _duplicate_part(name, bearer, all_names(rule.pattern))
    groups = groups_of(rule.pattern)
    for scope in scopes_of(rule):
        yield from misread(scope, all_names(rule.pattern))
        yield from missing_folds(scope, groups)
        yield from miscalled(scope.reads, scope.pattern, tables)


def _pipe_findings(program: Program) -> Iterator[Diagnostic]:
    for pipe in program.pipes.values():
        try:
            check_pipe(pipe, program)
        except CepheidError as error:
            yield from error.diagnostics
        yield from miscalled(pipe, None, program.tables)
        if any(isinstance(node, Aggregate) for node in walk(pipe)):
            message = "a pipe aggregates over the items of a repetition, and it has none"
            yield finding("aggregate-outside-folds", message, None, "fold the values of the pipe instead")


def _refuse(found: Iterable[Diagnostic]) -> None:
    problems = list(dict.fromkeys(found))
    if problems:
        raise CepheidError(*problems)


def _names(rules: Iterable[Rule]) -> list[str]:
    return [rule.name for rule in rules]


def _duplicate_part(name: str, bearer: Pattern, taken: Iterable[str]) -> Diagnostic:
    other = _another(name, taken)
    is_short = isinstance(bearer, Atom) and bearer.types == {name} and bearer.span is not None
    hint = f"call one of them `{other}: {name}`" if is_short else f"call one of them `{other}`"
    return finding("duplicate-part", f"two parts are called `{name}`", bearer, hint)


def _duplicate_rule(rule: Rule, taken: Iterable[str]) -> Diagnostic:
    hint = f"call one of them `{_another(rule.name, taken)}`"
    return finding("duplicate-rule", f"two rules are called `{rule.name}`", rule.pattern, hint)


def _another(name: str, taken: Iterable[str]) -> str:
    names = set(taken)
    return next(f"{name}{number}" for number in range(2, len(names) + 3) if f"{name}{number}" not in names)
