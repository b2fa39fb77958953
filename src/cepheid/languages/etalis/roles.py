"""Events happen and background knowledge holds: no predicate is both, and each stands where it belongs."""

from collections.abc import Iterable

from cepheid.diagnostics import CepheidError
from cepheid.languages.etalis.syntax import AtomText, EventText, RuleText
from cepheid.languages.etalis.walking import atoms
from cepheid.languages.shared.findings import refusal


def check_roles(rules: Iterable[RuleText], declared: Iterable[EventText], background: frozenset[str]) -> None:
    """Raise where background knowledge is used like an event, or an event like background knowledge."""
    for event in declared:
        if event.predicate.name in background:
            message = f"`{event.predicate.name}` is declared as an event, but there are facts of it"
            hint = f"leave the declaration out, or write `table {event.predicate.name}(X).`"
            raise refusal("not-an-event", message, event.predicate.span, "this is background knowledge", hint)
    for rule in rules:
        if rule.head.predicate.name in background:
            _check_clause(rule, background)
        else:
            _check_event_rule(rule, background)


def _check_clause(rule: RuleText, background: frozenset[str]) -> None:
    name = rule.head.predicate.name
    if not isinstance(rule.pattern, AtomText):
        message = f"`{name}` is background knowledge, so no pattern of events can derive it"
        hint = f"derive an event by another name: `{name}Seen(X) <- a(X) SEQ b(X).`"
        raise refusal("not-an-event", message, rule.pattern.span, "a pattern of events", hint)
    for goal in (rule.pattern, *rule.goals):
        if isinstance(goal, AtomText) and goal.predicate.name not in background:
            message = f"`{goal.predicate.name}` is an event, and background knowledge does not follow from events"
            hint = f"state facts of it: `{goal.predicate.name}(a).`, or derive an event by another name than `{name}`"
            raise refusal("not-an-event", message, goal.span, "not background knowledge", hint)
    if rule.policy is not None:
        message, hint = "background knowledge is not chosen from", "leave the policy out"
        raise refusal("misplaced-choice", message, rule.policy.span, "nothing is chosen here", hint)


def _check_event_rule(rule: RuleText, background: frozenset[str]) -> None:
    if rule.goals:
        raise _comma(rule, background)
    for atom in atoms(rule.pattern):
        if atom.predicate.name in background:
            message = f"`{atom.predicate.name}` is background knowledge and never happens"
            hint = f"ask it in a condition: `WHERE ({' '.join(atom.span.text.split())})`"
            raise refusal("not-an-event", message, atom.span, "not an event", hint)


def _comma(rule: RuleText, background: frozenset[str]) -> CepheidError:
    goal = rule.goals[0]
    asked = isinstance(goal, AtomText) and goal.predicate.name not in background
    written = " ".join(goal.span.text.split())
    hint = f"write `AND {written}`" if asked else f"write it as a condition: `WHERE ({written})`"
    message = "a comma does not combine events"
    return refusal("unknown-operator", message, goal.span, "a comma stands before this", hint)
