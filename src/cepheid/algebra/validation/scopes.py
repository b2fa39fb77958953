"""What every expression of a rule may read: scopes, each some expressions and distances with the names they may use."""

from collections.abc import Iterator
from dataclasses import dataclass

from cepheid.algebra.patterns import (
    Atom,
    Chain,
    Collect,
    Distinct,
    Join,
    Pattern,
    Repeat,
    Restrict,
    Select,
    Skip,
    Step,
    Suppress,
    Unless,
)
from cepheid.algebra.programs import EVENT, HULL, Rule
from cepheid.algebra.validation.names import below, variables, visible

Names = frozenset[str]
NOTHING: Names = frozenset()

INSIDE = "the parts of an absence, of a repetition and of a collection are known only inside it"
IN_A_CHAIN = "a step of a chain reads its own record and the variables of the chain"
OF_NEIGHBOURS = "the items of a repetition are `$previous` and `$next` to each other"
OF_A_KEY = "a key is read of each event by itself, as `$event`"


@dataclass(frozen=True, slots=True)
class Scope:
    """What `reads` may use; `items` are the parts known inside an aggregate, None where none may stand.

    `rule` says why other parts cannot be read here.
    """

    reads: object
    pattern: Pattern
    parts: Names
    variables: Names = NOTHING
    items: Names | None = None
    rule: str = INSIDE


def scopes_of(rule: Rule) -> Iterator[Scope]:
    """Yield every scope of a rule, those of its pattern first; a schedule holds constants and has none."""
    yield from _scopes(rule.pattern)
    read = visible(rule.pattern) | {HULL}
    yield Scope((rule.start, rule.end, rule.fields), rule.pattern, read, variables(rule.pattern))
    yield Scope(rule.per, rule.pattern, frozenset({EVENT}), rule=OF_A_KEY)


def _scopes(pattern: Pattern) -> Iterator[Scope]:
    for inner in below(pattern):
        yield from _scopes(inner)
    parts, known = visible(pattern), variables(pattern)
    match pattern:
        case Atom(where=where):
            yield Scope(where, pattern, parts)
        case Join():
            hulls = {f"${index}" for index in range(len(pattern.parts))}
            yield Scope((pattern.relation, pattern.equal, pattern.candidate), pattern, parts | hulls, known)
            yield Scope((pattern.policy.per, pattern.where), pattern, parts, known)
            yield Scope(pattern.policy.tie, pattern, parts | {"$candidate"}, known)
        case Select():
            yield Scope(pattern.policy.per, pattern, parts, known)
        case Restrict():
            yield Scope((pattern.relation, pattern.where), pattern, parts | {HULL}, known)
        case Distinct(by=by) | Suppress(by=by):
            yield Scope(by, pattern, parts, known)
        case Skip(to=to, per=per):
            yield Scope((to, per), pattern, parts | {HULL}, known)
        case Unless():
            read = parts | visible(pattern.absent) | {HULL, "$absent"}
            reads = (pattern.relation, pattern.equal, pattern.where)
            yield Scope(reads, pattern, read, known | variables(pattern.absent))
        case Collect():
            yield from _collect_scopes(pattern)
        case Repeat():
            yield from _repeat_scopes(pattern)
        case Chain():
            yield from _chain_scopes(pattern)


def _collect_scopes(collect: Collect) -> Iterator[Scope]:
    anchor, known = visible(collect.anchor), variables(collect.anchor)
    both = anchor | visible(collect.item)
    reads = (collect.relation, collect.equal, collect.where)
    yield Scope(reads, collect, both | {"$anchor", "$item"}, known | variables(collect.item))
    yield Scope(collect.folds, collect, anchor, known, both)


def _repeat_scopes(repeat: Repeat) -> Iterator[Scope]:
    item = visible(repeat.item)
    yield Scope((repeat.gap, repeat.link), repeat, frozenset({"$previous", "$next"}), rule=OF_NEIGHBOURS)
    yield Scope(repeat.window, repeat, frozenset({"$first", "$last"}))
    yield Scope(repeat.per, repeat, item, variables(repeat.item))
    yield Scope(repeat.folds, repeat, NOTHING, variables(repeat.item), item)


def _chain_scopes(chain: Chain) -> Iterator[Scope]:
    yield Scope(chain.window, chain, frozenset({"$first", "$last"}), rule=IN_A_CHAIN)
    yield Scope(chain.initially, chain, NOTHING, rule=IN_A_CHAIN)
    for step in chain.steps.values():
        yield from _step_scopes(step, variables(chain))


def _step_scopes(step: Step, known: Names) -> Iterator[Scope]:
    yield Scope((step.lead.where, step.lets), step.lead, frozenset({step.lead.name}), known, rule=IN_A_CHAIN)
    if step.avoid is not None:
        yield Scope(step.avoid.where, step.avoid, frozenset({step.avoid.name}), known, rule=IN_A_CHAIN)
