"""Detect a pattern separately for every value of some fields, wherever it stands.

    keyed(a then b, ["user"])   ==>   a then b on a.user == b.user

The parts of every join agree on the fields, an absent match blocks only a match with the same values, and every choice
is made per value. The key of a repetition becomes one of its folds, that of a chain one of its variables. For a whole
rule `Rule.per` says the same and gives positions per key as well.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cepheid.algebra.expressions import Aggregate, Call, Expr, Field, IsBound, Variable, conjunction
from cepheid.algebra.patterns import (
    Atom,
    Chain,
    Collect,
    Distinct,
    Either,
    Equalities,
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
from cepheid.algebra.policies import Choice, Policy


def keyed(pattern: Pattern, names: Sequence[str]) -> Pattern:
    """Return `pattern` so that all events of a match agree on the fields `names`."""
    for name in names:
        pattern = _keyed(pattern, name)
    return pattern


def key_of_pattern(pattern: Pattern, name: str) -> Expr | None:
    """Return the value that all events of a match of a keyed pattern have in the field `name`; None: it has none."""
    match pattern:
        case Atom(part):
            return Field(part, name)
        case Repeat(item=item):
            return None if key_of_pattern(item, name) is None else Field(pattern.name, _fold_name(pattern, name))
        case Chain():
            return Field(pattern.steps[pattern.first].lead.name, name)
        case Collect(anchor=inner) | Sieve(inner) | Unless(inner):
            return key_of_pattern(inner, name)
        case Join(parts):
            return next(iter(_keys(parts, name)), None)
        case Either(branches):
            return _one_of(_keys(branches, name))
        case _:
            return None


def _keyed(pattern: Pattern, name: str) -> Pattern:
    match pattern:
        case Join():
            return _keyed_join(pattern, name)
        case Select():
            inner = _keyed(pattern.pattern, name)
            return replace(pattern, pattern=inner, policy=_per(pattern.policy, key_of_pattern(inner, name)))
        case Collect():
            anchor, item = _keyed(pattern.anchor, name), _keyed(pattern.item, name)
            return replace(pattern, anchor=anchor, item=item, equal=_agreed(pattern.equal, (anchor, item), name))
        case Unless():
            inner, absent = _keyed(pattern.pattern, name), _keyed(pattern.absent, name)
            return replace(pattern, pattern=inner, absent=absent, equal=_agreed(pattern.equal, (inner, absent), name))
        case Repeat():
            return _keyed_repeat(pattern, name)
        case Chain():
            return _keyed_chain(pattern, name)
        case _:
            return _keyed_around(pattern, name)


def _keyed_around(pattern: Pattern, name: str) -> Pattern:
    """Return a keyed node that itself does not join."""
    match pattern:
        case Either(branches):
            return replace(pattern, branches=tuple(_keyed(branch, name) for branch in branches))
        case Restrict(inner):
            return replace(pattern, pattern=_keyed(inner, name))
        case Distinct(inner, by):
            below = _keyed(inner, name)
            key = key_of_pattern(below, name)
            return replace(pattern, pattern=below, by=by if by is None else _with(by, key))
        case Skip(inner, per=per):
            below = _keyed(inner, name)
            return replace(pattern, pattern=below, per=_with(per, key_of_pattern(below, name)))
        case Suppress(inner, by=by):
            below = _keyed(inner, name)
            return replace(pattern, pattern=below, by=_with(by, key_of_pattern(below, name)))
        case Atom() | Instant():
            return pattern
        case _:
            raise AssertionError(f"not a pattern: {pattern!r}")


def _keyed_join(join: Join, name: str) -> Join:
    parts = tuple(_keyed(part, name) for part in join.parts)
    key = next(iter(_keys(parts, name)), None)
    return replace(join, parts=parts, equal=_agreed(join.equal, parts, name), policy=_per(join.policy, key))


def _keyed_repeat(repeat: Repeat, name: str) -> Repeat:
    item = _keyed(repeat.item, name)
    key = key_of_pattern(item, name)
    if key is None:
        return replace(repeat, item=item)
    folds = {**repeat.folds, _fold_name(repeat, name): Aggregate("first", key)}
    return replace(repeat, item=item, per=_with(repeat.per, key), folds=folds)


def _keyed_chain(chain: Chain, name: str) -> Chain:
    """Return a chain whose first step remembers the key and whose other records all have it."""
    key = Variable(_variable_name(chain, name))
    followed = {follow for step in chain.steps.values() for follow in step.follow}
    steps = {
        label: _keyed_step(step, name, key, is_first=label == chain.first, is_followed=label in followed)
        for label, step in chain.steps.items()
    }
    return replace(chain, steps=steps)


def _keyed_step(step: Step, name: str, key: Variable, *, is_first: bool, is_followed: bool) -> Step:
    own = Field(step.lead.name, name)
    conditions: list[Expr] = []
    if is_first:
        conditions.append(Call("not", (Call("is_null", (own,)),)))
    if is_followed:
        same: Expr = Call("==", (own, key))
        conditions.append(Call("or", (Call("not", (IsBound(key.name),)), same)) if is_first else same)
    avoid = step.avoid and _also(step.avoid, Call("==", (Field(step.avoid.name, name), key)))
    lets = {key.name: own, **step.lets} if is_first else step.lets
    return replace(step, lead=_also(step.lead, *conditions), lets=lets, avoid=avoid)


def _also(atom: Atom, *conditions: Expr) -> Atom:
    already = () if atom.where is None else (atom.where,)
    return replace(atom, where=conjunction((*already, *conditions)))


def _keys(patterns: Iterable[Pattern], name: str) -> list[Expr]:
    return [key for pattern in patterns if (key := key_of_pattern(pattern, name)) is not None]


def _one_of(keys: list[Expr]) -> Expr | None:
    """Return the key of whichever branch was taken."""
    distinct = tuple(dict.fromkeys(keys))
    return Call("coalesce", distinct) if len(distinct) > 1 else next(iter(distinct), None)


def _agreed(equal: Equalities, parts: Iterable[Pattern], name: str) -> Equalities:
    """Return `equal` and that all parts with a key have that of the first."""
    keys = _keys(parts, name)
    new = [(keys[0], other) for other in keys[1:]]
    return (*equal, *(pair for pair in new if pair not in equal and pair[::-1] not in equal))


def _per(policy: Policy, key: Expr | None) -> Policy:
    return policy if policy.choice is Choice.ALL else replace(policy, per=_with(policy.per, key))


def _with(expressions: tuple[Expr, ...], key: Expr | None) -> tuple[Expr, ...]:
    return expressions if key is None or key in expressions else (*expressions, key)


def _fold_name(repeat: Repeat, name: str) -> str:
    """Return the fold that holds the key: named like the field unless the user has a fold of that name."""
    key = key_of_pattern(repeat.item, name)
    expected = None if key is None else Aggregate("first", key)
    return name if repeat.folds.get(name, expected) == expected else f"key_{name}"


def _variable_name(chain: Chain, name: str) -> str:
    taken = {*chain.initially, *(let for step in chain.steps.values() for let in step.lets)}
    found = f"key_{name}"
    while found in taken:
        found += "_"
    return found
