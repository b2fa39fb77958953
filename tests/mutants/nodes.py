"""Plausible wrong meanings of the nodes that are no repetition and no chain."""

from tests.mutants.catalogue import Mutant

_PATTERNS = "cepheid.algebra.pattern_semantics"
_INSTANCES = "cepheid.algebra.instances"
_CHAINS = "cepheid.algebra.chain_semantics"
_SCHEDULES = "cepheid.algebra.schedules"

_LEAVES: tuple[Mutant, ...] = (
    Mutant(
        "an atom that names no type is no event",
        "Atom",
        _CHAINS,
        "return not atom.types or event.type in atom.types",
        "return event.type in atom.types",
    ),
    Mutant(
        "the condition of an atom is ignored",
        "Atom",
        _PATTERNS,
        "if is_of(atom, event) and holds(atom.where, history.scope(named(atom.name, record)))",
        "if is_of(atom, event)",
    ),
    Mutant(
        "a schedule is one tick late",
        "Instant",
        _SCHEDULES,
        "range(first + (offset - first) % period,",
        "range(first + (offset - first) % period + 1,",
    ),
    Mutant(
        "a schedule ends before the last event",
        "Instant",
        _SCHEDULES,
        "% period, last + 1, period)",
        "% period, last, period)",
    ),
    Mutant(
        "a fixed point must lie in the history",
        "Instant",
        _SCHEDULES,
        "        return [fixed]",
        "        return [fixed] if first is not None and last is not None and first <= fixed <= last else []",
    ),
    Mutant(
        "a calendar ends with the day before the last event",
        "Instant",
        _SCHEDULES,
        "_date(last, 2).toordinal() + 1",
        "_date(last, -1).toordinal()",
    ),
    Mutant(
        "all clocks show the time of Greenwich",
        "Instant",
        _SCHEDULES,
        "datetime.combine(current, at, tzinfo=where)",
        "datetime.combine(current, at, tzinfo=UTC)",
    ),
    Mutant(
        "every day is the day of the week",
        "Instant",
        _SCHEDULES,
        "if not day or DAYS[current.weekday()] == day[0]:",
        "if day is not None:",
    ),
)

_JOIN: tuple[Mutant, ...] = (
    Mutant(
        "the end of a hull is that of the last part",
        "Join",
        _INSTANCES,
        "max([one.end for",
        "members[-1].end or max([one.end for",
    ),
    Mutant(
        "the start of a hull is that of the first part",
        "Join",
        _INSTANCES,
        "min([one.start for",
        "members[0].start or min([one.start for",
    ),
    Mutant(
        "the greatest position is the least",
        "Join",
        _INSTANCES,
        "max([one.high for one in members",
        "min([one.high for one in members",
    ),
    Mutant(
        "a join is made of its first part",
        "Join",
        _INSTANCES,
        "frozenset().union(*(one.rests_on for one in members))",
        "members[0].rests_on",
    ),
    Mutant(
        "matches compare by their earliest event",
        "Join",
        _INSTANCES,
        "for key in member.order}, reverse=True))",
        "for key in member.order}))",
    ),
    Mutant(
        "the relation of a join is ignored",
        "Join",
        _PATTERNS,
        "return stands(join.relation, scope) and agree(join.equal",
        "return agree(join.equal",
    ),
    Mutant(
        "the equalities of a join are ignored",
        "Join",
        _PATTERNS,
        "and agree(join.equal, scope) and holds(join.candidate",
        "and holds(join.candidate",
    ),
    Mutant(
        "candidate conditions are ignored",
        "Join.candidate",
        _PATTERNS,
        "agree(join.equal, scope) and holds(join.candidate, scope)",
        "agree(join.equal, scope)",
    ),
    Mutant(
        "where comes before the choice",
        "Join.where",
        _PATTERNS,
        "return stands(join.relation, scope) and agree(join.equal, scope)",
        "return holds(join.where, scope) and stands(join.relation, scope) and agree(join.equal, scope)",
    ),
    Mutant(
        "candidate conditions come after the choice",
        "Join.candidate",
        _PATTERNS,
        """    return [hull for hull in chosen if holds(join.where, history.scope(hull))]


def _is_candidate(join: Join, parts: tuple[Instance, ...], history: History) -> bool:
    scope = history.scope(combined(parts), **{str(index): part for index, part in enumerate(parts)})
    return stands(join.relation, scope) and agree(join.equal, scope) and holds(join.candidate, scope)""",
        """    both = [hull for hull in chosen if holds(join.where, history.scope(hull))]
    return [hull for hull in both if holds(join.candidate, history.scope(hull))]


def _is_candidate(join: Join, parts: tuple[Instance, ...], history: History) -> bool:
    scope = history.scope(combined(parts), **{str(index): part for index, part in enumerate(parts)})
    return stands(join.relation, scope) and agree(join.equal, scope)""",
    ),
    Mutant(
        "the choice comes before the relation",
        "Join",
        _PATTERNS,
        "candidates = [parts for parts in product(*pools) if _is_candidate(join, parts, history)]",
        """candidates = list(product(*pools))
    if join.policy.choice is not Choice.ALL:
        taken = choose(join.policy, _pairs(join, candidates, history), history.tables)
        candidates = [(pair.left, pair.right) for pair in taken]
    candidates = [parts for parts in candidates if _is_candidate(join, parts, history)]""",
    ),
)

_ABSENCE: tuple[Mutant, ...] = (
    Mutant(
        "an inclusive absence is exclusive",
        "Unless",
        _PATTERNS,
        "return stands(unless.relation, scope)",
        """stricter = tuple(replace(one, low=None if one.low is None else one.low + 1) for one in unless.relation)
        return stands(stricter, scope)""",
    ),
    Mutant(
        "the relation of an absence is ignored",
        "Unless",
        _PATTERNS,
        "return stands(unless.relation, scope) and agree(unless",
        "return agree(unless",
    ),
    Mutant(
        "the equalities of an absence are ignored",
        "Unless",
        _PATTERNS,
        "agree(unless.equal, scope) and holds(unless.where, scope)",
        "holds(unless.where, scope)",
    ),
    Mutant(
        "the condition of an absence is ignored",
        "Unless",
        _PATTERNS,
        "agree(unless.equal, scope) and holds(unless.where, scope)",
        "agree(unless.equal, scope)",
    ),
    Mutant(
        "only all absent events together block",
        "Unless",
        _PATTERNS,
        "not any(blocks(found, other) for other in absent)",
        "not (absent and all(blocks(found, other) for other in absent))",
    ),
    Mutant(
        "what is absent must not start before the match either",
        "Unless",
        _PATTERNS,
        "if not any(blocks(found, other) for other in absent)]",
        "if all(found.start <= other.start and not blocks(found, other) for other in absent)]",
    ),
    Mutant(
        "absent events are evidence",
        "Unless",
        _PATTERNS,
        "return [found for found in present if not any(blocks",
        """seen = frozenset().union(*(one.rests_on for one in absent))
    present = [replace(found, rests_on=found.rests_on | seen) for found in present]
    return [found for found in present if not any(blocks""",
    ),
)

_WRAPPERS: tuple[Mutant, ...] = (
    Mutant(
        "only the first branch counts",
        "Either",
        _PATTERNS,
        "for number, inner in enumerate(either.branches)",
        "for number, inner in enumerate(either.branches[:1])",
    ),
    Mutant(
        "a match of two branches is one",
        "Either",
        _PATTERNS,
        "return [found for some in _branches(pattern, history) for found in some]",
        """every = [found for some in _branches(pattern, history) for found in some]
            return list({found.identity: found for found in every}.values())""",
    ),
    Mutant(
        "the relation of a restriction is ignored",
        "Restrict",
        _PATTERNS,
        "return stands(restrict.relation, scope) and holds",
        "return holds",
    ),
    Mutant(
        "the condition of a restriction is ignored",
        "Restrict",
        _PATTERNS,
        "stands(restrict.relation, scope) and holds(restrict.where, scope)",
        "stands(restrict.relation, scope)",
    ),
    Mutant(
        "distinct ignores the end",
        "Distinct",
        _PATTERNS,
        "return (found.start, found.end, found.rests_on)",
        "return (found.start, found.rests_on)",
    ),
    Mutant(
        "distinct ignores the support",
        "Distinct",
        _PATTERNS,
        "return (found.start, found.end, found.rests_on)",
        "return (found.start, found.end)",
    ),
    Mutant(
        "distinct distinguishes assignments",
        "Distinct",
        _PATTERNS,
        "return (found.start, found.end, found.rests_on)",
        "return found.identity",
    ),
    Mutant(
        "distinct keeps the last",
        "Distinct",
        _PATTERNS,
        "return [group[0] for group in",
        "return [group[-1] for group in",
    ),
    Mutant(
        "distinct looks at the first value alone",
        "Distinct",
        _PATTERNS,
        "for expression in distinct.by)",
        "for expression in distinct.by[:1])",
    ),
)

NODE_MUTANTS: tuple[Mutant, ...] = _LEAVES + _JOIN + _ABSENCE + _WRAPPERS
