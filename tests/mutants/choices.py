"""Plausible wrong choices: the wrong candidate, the wrong tie, the wrong time to decide."""

from tests.mutants.catalogue import Mutant

_CHOICES = "cepheid.algebra.choices"
_PATTERNS = "cepheid.algebra.pattern_semantics"

_LATEST_START: tuple[Mutant, ...] = (
    Mutant(
        "latest start is earliest start",
        "LATEST_START",
        _CHOICES,
        "best = max(pairs, key=lambda pair: _whole_rank(pair, policy))",
        "best = min(pairs, key=lambda pair: _whole_rank(pair, policy))",
    ),
    Mutant(
        "latest start chooses across keys",
        "LATEST_START",
        _CHOICES,
        "groups(pairs, lambda pair: (pair.key, end_of(pair.hull, policy)))",
        "groups(pairs, lambda pair: end_of(pair.hull, policy))",
    ),
    Mutant(
        "latest start chooses across ends",
        "LATEST_START",
        _CHOICES,
        "groups(pairs, lambda pair: (pair.key, end_of(pair.hull, policy)))",
        "groups(pairs, lambda pair: pair.key)",
    ),
    Mutant(
        "a stored match is replaced by its equal",
        "LATEST_START",
        _CHOICES,
        "first = min(end_of(_led(",
        "first = max(end_of(_led(",
    ),
    Mutant(
        "of parts that are tied the right one leads",
        "LATEST_START",
        _CHOICES,
        "start_of(left, policy) >= start_of(right, policy)",
        "start_of(left, policy) > start_of(right, policy)",
    ),
    Mutant(
        "the first of simultaneous events stands for them",
        "LATEST_START",
        _CHOICES,
        "return max(ranked, key=lambda entry: (start_of(entry[1], policy), entry[0], entry[1].rank))[1]",
        "return max(ranked, key=lambda entry: (start_of(entry[1], policy), entry[0]))[1]",
    ),
)

_SELECT: tuple[Mutant, ...] = (
    Mutant(
        "the left branch wins a tie",
        "Select",
        _CHOICES,
        "(start_of(entry[1], policy), entry[0], entry[1].rank)",
        "(start_of(entry[1], policy), -entry[0], entry[1].rank)",
    ),
    Mutant(
        "select takes the earliest start",
        "Select",
        _CHOICES,
        "return max(ranked, key=lambda entry: (start_of(entry[1], policy),",
        "return max(ranked, key=lambda entry: (-start_of(entry[1], policy),",
    ),
    Mutant(
        "select chooses across ends",
        "Select",
        _PATTERNS,
        "lambda entry: (entry[0], end_of(entry[2], policy))",
        "lambda entry: entry[0]",
    ),
    Mutant(
        "select chooses across keys",
        "Select",
        _PATTERNS,
        "lambda entry: (entry[0], end_of(entry[2], policy))",
        "lambda entry: end_of(entry[2], policy)",
    ),
)

_RECENT: tuple[Mutant, ...] = (
    Mutant(
        "recent goes by start",
        "RECENT",
        _CHOICES,
        "return (end_of(other, policy), _tie",
        "return (start_of(other, policy), _tie",
    ),
    Mutant(
        "recent takes the oldest",
        "RECENT",
        _CHOICES,
        "return (end_of(other, policy), _tie",
        "return (-end_of(other, policy), _tie",
    ),
    Mutant(
        "recent ignores the tie",
        "RECENT",
        _CHOICES,
        "(end_of(other, policy), _tie(other, policy, tables), other.rank)",
        "(end_of(other, policy), other.rank)",
    ),
    Mutant(
        "recent takes the first of those that ended together",
        "RECENT",
        _CHOICES,
        "_tie(other, policy, tables), other.rank)",
        "_tie(other, policy, tables))",
    ),
    Mutant(
        "recent is chosen per left match",
        "RECENT",
        _CHOICES,
        "(pair.key, pair.left_completes, pair.completing)",
        "(pair.key, pair.left)",
    ),
    Mutant(
        "the earlier part completes",
        "RECENT",
        _CHOICES,
        "return self.left.order > self.right.order",
        "return self.left.order < self.right.order",
    ),
    Mutant(
        "of parts that are tied the left one completes",
        "RECENT",
        _CHOICES,
        "return self.left.order > self.right.order",
        "return self.left.order >= self.right.order",
    ),
)

_CHRONOLOGICAL: tuple[Mutant, ...] = (
    Mutant("chronological consumes nothing", "CHRONOLOGICAL", _CHOICES, "consumed |= _uses(pair)", "consumed |= set()"),
    Mutant(
        "chronological consumes the left part alone",
        "CHRONOLOGICAL",
        _CHOICES,
        """return {("left", id(pair.left)), ("right", id(pair.right))}""",
        """return {("left", id(pair.left))}""",
    ),
    Mutant(
        "chronological takes the newest",
        "CHRONOLOGICAL",
        _CHOICES,
        "first = min(start_of(pair.opposite, policy) for pair in pairs)",
        "first = max(start_of(pair.opposite, policy) for pair in pairs)",
    ),
    Mutant(
        "chronological serves the last one first",
        "CHRONOLOGICAL",
        _CHOICES,
        "sorted(waiting, key=_turn):",
        "sorted(waiting, key=_turn, reverse=True):",
    ),
    Mutant(
        "of matches that are tied the right one is served first",
        "CHRONOLOGICAL",
        _CHOICES,
        "(pair.completing.order, not pair.left_completes, pair.completing.rank)",
        "(pair.completing.order, pair.left_completes, pair.completing.rank)",
    ),
    Mutant(
        "chronological takes the smallest tie",
        "CHRONOLOGICAL",
        _CHOICES,
        "greatest = max(_tie(",
        "greatest = min(_tie(",
    ),
    Mutant(
        "chronological consumes across keys",
        "CHRONOLOGICAL",
        _CHOICES,
        "by_key = groups(pairs, lambda pair: pair.key)",
        "by_key = [list(pairs)]",
    ),
    Mutant(
        "only what where keeps is consumed",
        "Join.where",
        _PATTERNS,
        "agree(join.equal, scope) and holds(join.candidate, scope)",
        "agree(join.equal, scope) and holds(join.candidate, scope) and holds(join.where, scope)",
    ),
)

_NEXT_AND_STRICT: tuple[Mutant, ...] = (
    Mutant(
        "next takes the last",
        "NEXT",
        _CHOICES,
        "min(group, key=lambda pair: pair.right.rank)",
        "max(group, key=lambda pair: pair.right.rank)",
    ),
    Mutant(
        "next is chosen per right match",
        "NEXT",
        _CHOICES,
        "groups(pairs, lambda pair: (pair.key, pair.left))",
        "groups(pairs, lambda pair: (pair.key, pair.right))",
    ),
    Mutant(
        "next chooses across keys",
        "NEXT",
        _CHOICES,
        "groups(pairs, lambda pair: (pair.key, pair.left))",
        "groups(pairs, lambda pair: pair.left)",
    ),
    Mutant(
        "strict allows gaps",
        "STRICT",
        _CHOICES,
        "pair.right.low == pair.left.high + 1",
        "(pair.right.low or 0) > pair.left.high",
    ),
    Mutant(
        "strict allows the same record",
        "STRICT",
        _CHOICES,
        "pair.right.low == pair.left.high + 1",
        "pair.right.low in (pair.left.high, pair.left.high + 1)",
    ),
    Mutant(
        "strict counts from the first record of the left",
        "STRICT",
        _CHOICES,
        "return pair.left.high is not None and pair.right.low == pair.left.high + 1",
        "return pair.left.low is not None and pair.right.low == pair.left.low + 1",
    ),
)

_KEYS: tuple[Mutant, ...] = (
    Mutant(
        "a null key is a key",
        "Policy.per",
        _CHOICES,
        "return None if any(part is None for part in key) else key",
        "return key",
    ),
    Mutant(
        "latest start ignores the equalities of the join",
        "LATEST_START",
        _PATTERNS,
        "(*join.policy.per, *(one for one, _ in join.equal))",
        "join.policy.per",
    ),
    Mutant(
        "choices ignore per",
        "Policy.per",
        _PATTERNS,
        "(*join.policy.per, *(one for one, _ in join.equal))",
        "tuple(one for one, _ in join.equal)",
    ),
)

CHOICE_MUTANTS: tuple[Mutant, ...] = _LATEST_START + _SELECT + _RECENT + _CHRONOLOGICAL + _NEXT_AND_STRICT + _KEYS
