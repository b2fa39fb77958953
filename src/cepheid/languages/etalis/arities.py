"""Every predicate has one number of arguments, wherever it stands."""

from collections.abc import Iterator, Mapping, Sequence

from cepheid.diagnostics import CepheidError, Label
from cepheid.languages.etalis.syntax import AtomText, EventText, Fact, RuleText, Statement, TableText
from cepheid.languages.etalis.walking import atoms, conditions, operations
from cepheid.languages.shared.findings import counted, refusal
from cepheid.languages.shared.terms import Name

Use = tuple[Name, int]


def arities_of(statements: Sequence[Statement], background: frozenset[str]) -> Mapping[str, int]:
    """Return how many arguments each predicate has, or raise where it has more here than there."""
    first: dict[str, Use] = {}
    declared = [one for one in statements if isinstance(one, EventText | TableText)]
    others = [one for one in statements if not isinstance(one, EventText | TableText)]
    for statement in (*declared, *others):
        for name, count in _uses(statement, background):
            known = first.setdefault(name.name, (name, count))
            if known[1] != count:
                raise _clash(known, (name, count))
    return {name: count for name, (_, count) in first.items()}


def _uses(statement: Statement, background: frozenset[str]) -> Iterator[Use]:
    """Yield every predicate of a statement with the number of its arguments there."""
    match statement:
        case EventText(predicate, attributes):
            yield predicate, len(attributes)
        case TableText(predicate, columns):
            yield predicate, len(columns)
        case Fact(head):
            yield _use(head)
        case RuleText(head=head, pattern=pattern, goals=goals):
            yield _use(head)
            yield from map(_use, atoms(pattern))
            yield from (_use(goal) for goal in goals if isinstance(goal, AtomText))
            yield from _asked(statement, background)
        case _:
            return


def _asked(rule: RuleText, background: frozenset[str]) -> Iterator[Use]:
    for term in (*conditions(rule.pattern), *rule.head.arguments):
        for call in operations(term):
            if call.function in background:
                yield Name(call.function, call.place), len(call.arguments)


def _use(atom: AtomText) -> Use:
    return atom.predicate, len(atom.arguments)


def _clash(first: Use, second: Use) -> CepheidError:
    (one, few), (other, many) = first, second
    message = f"`{other.name}` has {counted(many, 'argument')} here and {few} elsewhere"
    others = (Label(one.span, f"{counted(few, 'argument')} here"),)
    written = ", ".join(["_"] * few)
    hint = f"give it as many everywhere, `_` for those that do not matter: `{other.name}({written})`"
    return refusal("arity-clash", message, other.span, counted(many, "argument"), hint, others=others)
