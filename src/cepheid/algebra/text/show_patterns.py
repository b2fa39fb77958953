"""Patterns as text: parts with what stands between them, then clauses.

    login then payment[amount > 100] within 5 min on login.user == payment.user
    a: A and b: {B, C} and c: *
    (a then b) unless c between a and b
    repeat r: 2..* of a gap start($next) - end($previous) <= 1 s with total = sum of a.value

Clauses belong to the parts that stand beside them without parentheses, so `a then b within 5 s` is a join with a window
and `(a then b) within 5 s` restricts the matches of a join.
"""

from typing import Final

from cepheid.algebra.expressions import Call, Expr
from cepheid.algebra.intervals import ALLEN, between, inside, keeps_order, par, within
from cepheid.algebra.patterns import (
    Atom,
    Chain,
    Collect,
    Distinct,
    Either,
    Instant,
    Join,
    Pattern,
    Repeat,
    Restrict,
    Select,
    Sieve,
    Skip,
    Step,
    Suppress,
    Unless,
)
from cepheid.algebra.policies import ALL, Choice, Policy
from cepheid.algebra.relations import Relation
from cepheid.algebra.text.layout import enclosed, hanging, indented, joined
from cepheid.algebra.text.show_clauses import condition_clause, entries_clause, on_clause, shown_policy
from cepheid.algebra.text.show_expressions import OPERAND, shown_expression, shown_expressions, shown_length
from cepheid.algebra.text.show_relations import Window, relation_clauses, window_of
from cepheid.algebra.text.words import shown_function, shown_member, shown_name, shown_names, shown_ticks

CONNECTIVES: Final = {**ALLEN, "par": par}
"""What may stand between the parts of a join, beside `and`."""

PATTERN, ABSENT = "$pattern", "$absent"
RESTRICTED: Final = window_of(PATTERN, PATTERN)
RUN: Final = window_of("$first", "$last")


def shown_pattern(pattern: Pattern) -> str:
    """Return a pattern as it stands alone or in parentheses."""
    match pattern:
        case Join(parts) if len(parts) >= 2:
            return _join(pattern)
        case Join(parts):
            return joined(
                enclosed("join [", [shown_item(part) for part in parts], "]"),
                *_join_clauses(pattern, pattern.relation, "and"),
            )
        case Select(selected, policy):
            return joined(shown_item(selected), f"choose {shown_policy(policy)}")
        case Restrict(restricted, relation, where):
            clauses = [*relation_clauses(relation, RESTRICTED), *condition_clause("where", where)]
            return joined(shown_item(restricted), *(clauses or ["relation none"]))
        case Suppress(suppressed, apart, by):
            keys = f" by {shown_expressions(by)}" if by else ""
            return joined(shown_item(suppressed), f"suppress {shown_ticks(apart)}{keys}")
        case Either(branches) if len(branches) >= 2:
            return joined(shown_item(branches[0]), *(f"or {shown_item(branch)}" for branch in branches[1:]))
        case Either(branches):
            return enclosed("either [", [shown_item(branch) for branch in branches], "]")
        case Unless():
            return _unless(pattern)
        case Repeat():
            return _repeat(pattern)
        case Collect():
            return _collect(pattern)
        case _:
            return shown_item(pattern)


def shown_item(pattern: Pattern) -> str:
    """Return a pattern as it stands beside others: in parentheses where it is made of several pieces."""
    match pattern:
        case Atom():
            return _atom(pattern)
        case Instant(name, schedule):
            return f"instant {shown_name(name)}: {_schedule(schedule)}"
        case Distinct(inner, by):
            keys = "" if by is None else f" by ({shown_expressions(by)})"
            return enclosed(f"distinct{keys} (", [shown_pattern(inner)], ")")
        case Skip(inner, to, per):
            keys = f" by ({shown_expressions(per)})" if per else ""
            return enclosed(f"skip to ({shown_expression(to)}){keys} (", [shown_pattern(inner)], ")")
        case Chain():
            return _chain(pattern)
        case Join() | Sieve() | Either() | Unless() | Repeat() | Collect():
            return enclosed("(", [shown_pattern(pattern)], ")")
        case _:
            raise TypeError(f"`{type(pattern).__name__}` is not a pattern that can be shown")


def _join(join: Join) -> str:
    """Return the parts with the one relation that holds between all neighbours, if there is one."""
    word, named = "and", 0
    for name in CONNECTIVES:
        block = neighbours(name, len(join.parts))
        if len(block) > named and join.relation[: len(block)] == block:
            word, named = name, len(block)
    first, *others = (shown_item(part) for part in join.parts)
    clauses = _join_clauses(join, join.relation[named:], word)
    return joined(joined(first, *(f"{word} {other}" for other in others)), *clauses)


def neighbours(name: str, count: int) -> Relation:
    """Return the relation in which each of a join's parts stands to the next one."""
    between_two = CONNECTIVES[name]
    pairs = ((f"${index}", f"${index + 1}") for index in range(count - 1))
    return tuple(difference for pair in pairs for difference in between_two(*pair))


def join_window(word: str, count: int) -> Window:
    """Return what `within` means between parts that have this word between them."""
    return lambda longest, axis: within(count, longest, in_order=keeps_order(word, axis), axis=axis)


def _join_clauses(join: Join, relation: Relation, word: str) -> list[str]:
    return [
        *relation_clauses(relation, join_window(word, len(join.parts))),
        *on_clause(join.equal),
        *condition_clause("if", join.candidate),
        *([] if join.policy == ALL else [f"choose {shown_policy(join.policy)}"]),
        *condition_clause("where", join.where),
    ]


def _unless(unless: Unless) -> str:
    place, relation = _place_of_absence(unless.relation)
    return joined(
        shown_item(unless.pattern),
        " ".join([f"unless {shown_item(unless.absent)}", *place]),
        *relation_clauses(relation, None),
        *on_clause(unless.equal),
        *condition_clause("where", unless.where),
    )


def _place_of_absence(relation: Relation) -> tuple[list[str], Relation]:
    """Return the words for where the absent pattern would lie, and the differences they do not say."""
    if relation[:2] == inside(ABSENT, PATTERN):
        return ["inside"], relation[2:]
    if len(relation) >= 2:
        left, right = relation[0].earlier.part, relation[1].later.part
        if relation[:2] == between(ABSENT, left, right):
            return [f"between {shown_name(left)} and {shown_name(right)}"], relation[2:]
    return [], relation


def _repeat(repeat: Repeat) -> str:
    most = "*" if repeat.most is None else str(repeat.most)
    times = most if repeat.least == repeat.most else f"{repeat.least}..{most}"
    policy = Policy(repeat.choice, repeat.per)
    return joined(
        f"repeat {shown_name(repeat.name)}: {times} of {shown_item(repeat.item)}",
        *relation_clauses(repeat.gap, None, "gap"),
        *condition_clause("link", repeat.link),
        *relation_clauses(repeat.window, RUN, "window"),
        *([] if policy == Policy(Choice.NEXT) else [f"choose {shown_policy(policy)}"]),
        *entries_clause("with", repeat.folds),
    )


def _collect(collect: Collect) -> str:
    return joined(
        f"collect {shown_name(collect.name)}: all of {shown_item(collect.item)} for {shown_item(collect.anchor)}",
        *relation_clauses(collect.relation, None),
        *on_clause(collect.equal),
        *condition_clause("where", collect.where),
        *entries_clause("with", collect.folds),
    )


def _atom(atom: Atom) -> str:
    where = "" if atom.where is None else f"[{shown_expression(atom.where, own=atom.name)}]"
    if atom.types == {atom.name}:
        return shown_name(atom.name) + where
    types = [shown_member(name) for name in sorted(atom.types)]
    shown = "*" if not types else types[0] if len(types) == 1 else f"{{{', '.join(types)}}}"
    return f"{shown_name(atom.name)}: {shown}{where}"


def _schedule(schedule: Expr) -> str:
    match schedule:
        case Call("every" | "at" as function, arguments):
            lengths = (shown_length(argument, 0) for argument in arguments)
            return f"{shown_function(function)}({', '.join(lengths)})"
        case _:
            return shown_expression(schedule, OPERAND)


def _chain(chain: Chain) -> str:
    head = " ".join(
        [
            f"chain from {shown_name(chain.first)}",
            *entries_clause("let", chain.initially),
            *relation_clauses(chain.window, RUN, "window"),
            *([] if chain.reads_support else ["merged"]),
            *([] if chain.observed is None else [f"observing ({shown_names(chain.observed)})"]),
        ]
    )
    steps = "\n".join(_step(name, step) for name, step in chain.steps.items())
    return f"{head} {{\n{indented(steps)}\n}}" if steps else f"{head} {{}}"


def _step(name: str, step: Step) -> str:
    lead = f"step {shown_name(name)}: {'any ' if step.every else ''}{_atom(step.lead)}"
    clauses = [
        *entries_clause("let", step.lets),
        *([] if step.avoid is None else [f"avoid {_atom(step.avoid)}"]),
        *([f"then {' or '.join(map(shown_name, step.follow))}"] if step.follow else []),
    ]
    return hanging(lead, *clauses)
