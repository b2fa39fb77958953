"""Plausible wrong meanings of rules and programs."""

from tests.mutants.catalogue import Mutant

_SEMANTICS = "cepheid.algebra.semantics"
_STRATA = "cepheid.algebra.strata"
_INSTANCES = "cepheid.algebra.instances"

PROGRAM_MUTANTS: tuple[Mutant, ...] = (
    Mutant("an event without a key is seen", "Rule.per", _SEMANTICS, "if key is not None:", "if key is not Ellipsis:"),
    Mutant("per is ignored", "Rule.per", _SEMANTICS, "if not rule.per:", "if rule is not None:"),
    Mutant(
        "a match may end before it starts",
        "Rule",
        _SEMANTICS,
        "not are_times(start, end)",
        "not are_times(min(start, end), max(start, end))",
    ),
    Mutant("matches that are equal share an id", "Rule", _SEMANTICS, "alike[same] += 1", "alike[same] += 0"),
    Mutant(
        "a rule reads all derived events",
        "Rule",
        _SEMANTICS,
        "in _emitted(rules, found) if event.type in types]",
        "in _emitted([one for one in rules if one is not rule], found)]",
    ),
    Mutant(
        "derived events lose their support",
        "Rule",
        _INSTANCES,
        "event.began, arrival_of(event), rests_on",
        "event.began, arrival_of(event), frozenset(((key, event.id),))",
    ),
    Mutant(
        "rules are evaluated as they stand", "Program", _STRATA, "if _is_ready(rule, left, reach))", "if rule in left)"
    ),
    Mutant(
        "what arrives with an event follows it",
        "Ties",
        "cepheid.algebra.evaluation",
        "return later > earlier if difference.low == 1 else",
        "return later >= earlier if difference.low == 1 else",
    ),
    Mutant(
        "by arrival, starts are compared by time",
        "Ties",
        "cepheid.algebra.choices",
        "return instance.first if policy.by_arrival else instance.start",
        "return instance.start",
    ),
    Mutant(
        "by arrival, ends are compared by time",
        "Ties",
        "cepheid.algebra.choices",
        "return instance.last if policy.by_arrival else instance.end",
        "return instance.end",
    ),
    Mutant(
        "by arrival, a match begins with its last arrival",
        "Ties",
        _INSTANCES,
        "min(one.first for one in members)",
        "max(one.first for one in members)",
    ),
    Mutant(
        "recursion takes one round",
        "Program",
        _SEMANTICS,
        "if not feeds_itself(group) or _ids(again) == _ids(found):",
        "if found:",
    ),
)
