"""Rules that can never fire: conditions on values that contradict each other, and events that no rule can derive."""

from collections.abc import Iterator, Mapping, Sequence

from cepheid.algebra.expressions import Call, Literal
from cepheid.algebra.patterns import Atom, Either, Instant, Join, Pattern, Repeat, Restrict, Unless
from cepheid.algebra.programs import Rule
from cepheid.algebra.relations import Difference
from cepheid.algebra.traversal import walk
from cepheid.analysis.closures.facts import facts_about
from cepheid.analysis.closures.sizes import Lengths
from cepheid.diagnostics import Diagnostic, Label, Severity, Source, Span
from cepheid.languages.etalis.classes import variables_of
from cepheid.languages.etalis.contradictions import contradiction
from cepheid.languages.etalis.given_rows import Rows
from cepheid.languages.etalis.lowering import Meant
from cepheid.languages.etalis.parsing import SECOND, meant
from cepheid.languages.etalis.pattern_printing import PatternPrinter
from cepheid.languages.etalis.printing import attributes_of, refuse
from cepheid.languages.shared.files import Resolve
from cepheid.languages.shared.findings import warning
from cepheid.languages.shared.understood import Understood

_LASTING = Lengths(default=None)


def remarks(
    text: str,
    *,
    name: str = "<query>",
    policy: str | None = None,
    time_unit: int = SECOND,
    tables: Mapping[str, Rows] | None = None,
    resolve: Resolve | None = None,
) -> tuple[Diagnostic, ...]:
    """Return the warnings about a text that is no mistake: rules that can never fire, and why."""
    options = {"name": name, "policy": policy, "time_unit": time_unit, "tables": tables, "resolve": resolve}
    return understood(text, **options).remarks  # type: ignore[arg-type]  # as they came


def understood(
    text: str,
    *,
    name: str = "<query>",
    policy: str | None = None,
    time_unit: int = SECOND,
    tables: Mapping[str, Rows] | None = None,
    resolve: Resolve | None = None,
) -> Understood:
    """Return what a text means and what is remarkable about it, from one reading."""
    found = meant(Source(name, text), policy, time_unit, tables, resolve)
    return Understood(found.program, never_firing(found))


def never_firing(text: Meant) -> tuple[Diagnostic, ...]:
    """Return a warning for every rule that can never match, other than for its times alone."""
    program = text.program
    own = {rule.name: tuple(_own_reasons(rule, text)) for rule in program.rules}
    dead = {
        rule.name for rule in program.rules if own[rule.name] or not facts_about(rule.pattern, _LASTING).satisfiable
    }
    found = [finding for findings in own.values() for finding in findings]
    return (*found, *_starved(program.rules, dead))


def _own_reasons(rule: Rule, text: Meant) -> Iterator[Diagnostic]:
    clash = contradiction(rule.pattern)
    if clash:
        attributes = attributes_of(text.program)
        variables = variables_of(rule, attributes)
        variables.call(text.variables[rule.name])
        printer = PatternPrinter(variables, attributes, refuse)
        yield _never(rule, tuple(f"`{printer.value(condition)}`" for condition in clash))
        return
    for join in (node for node in walk(rule.pattern) if isinstance(node, Join)):
        points = [_fixed(part) for part in join.parts]
        first, second = (points[0], points[1]) if len(points) == 2 else (None, None)
        if first is not None and second is not None and _is_never(join, first, second) and join.span is not None:
            message, label = f"rule `{rule.name}` can never match", "these points of time do not lie like this"
            yield warning("never-matches", message, join.span, label, "put the earlier point first: `0 SEQ 6`")


def _never(rule: Rule, notes: tuple[str, ...]) -> Diagnostic:
    said = "these conditions contradict each other" if len(notes) > 1 else "this condition is never true"
    span = rule.pattern.span
    labels = () if span is None else (Label(span, said),)
    message, hints = f"rule `{rule.name}` can never match", ("leave one of them out",)
    return Diagnostic("never-matches", message, labels, hints, notes, severity=Severity.WARNING)


def _fixed(pattern: Pattern) -> int | None:
    match pattern:
        case Instant(schedule=Call("at", (Literal(int() as time),))):
            return time
        case _:
            return None


def _is_never(join: Join, first: int, second: int) -> bool:
    times: Mapping[str, int] = {"$0": first, "$1": second}

    def holds(difference: Difference) -> bool:
        apart = times[difference.later.part] - times[difference.earlier.part]
        low, high = difference.low, difference.high
        return (low is None or low <= apart) and (high is None or apart <= high)

    return not all(map(holds, join.relation))


def _starved(rules: Sequence[Rule], dead: set[str]) -> Iterator[Diagnostic]:
    """Yield a warning for every rule that needs events which only rules derive that never match."""
    while True:
        dry = {rule.emits for rule in rules} - {rule.emits for rule in rules if rule.name not in dead}
        starved = [(rule, atom) for rule in rules if rule.name not in dead for atom in _missing(rule.pattern, dry)[:1]]
        if not starved:
            return
        for rule, atom in starved:
            dead.add(rule.name)
            [kind] = atom.types
            message = f"rule `{rule.name}` can never match, unless the input itself has `{kind}`"
            label = f"no rule that can match derives `{kind}`"
            yield warning("never-matches", message, _place(atom, rule), label, f"mend the rule for `{kind}` first")


def _place(atom: Atom, rule: Rule) -> Span:
    span = atom.span or rule.pattern.span
    assert span is not None
    return span


def _missing(pattern: Pattern, dry: set[str]) -> list[Atom]:
    """Return the events because of which a pattern cannot match where those of some kinds do not happen."""
    match pattern:
        case Atom(types=types):
            return [pattern] if types and types <= dry else []
        case Join(parts):
            return [atom for part in parts for atom in _missing(part, dry)]
        case Either(branches):
            each = [_missing(branch, dry) for branch in branches]
            return [atom for atoms in each for atom in atoms] if all(each) else []
        case Restrict(inner) | Unless(inner) | Repeat(item=inner):
            return _missing(inner, dry)
        case _:
            return []
