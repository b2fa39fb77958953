"""Repetitions and the aggregates over their items.

    spike(S, avg(P)) <- ntimes(stock(S, P), 3).

A variable that occurs in an aggregate may differ from item to item; all others are the same for all items. Under
`unrestricted` every sequence of items counts, otherwise each item belongs to one run, which grows as long as it can.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from cepheid.algebra.expressions import Aggregate, Expr, Field
from cepheid.algebra.intervals import then
from cepheid.algebra.patterns import Repeat
from cepheid.algebra.policies import Choice
from cepheid.languages.etalis.meaning import Knowledge, Loose, Lowered, Meaning, Total, is_aggregate, total_of
from cepheid.languages.etalis.policies import Consumption
from cepheid.languages.etalis.syntax import Repetition, RuleText
from cepheid.languages.etalis.walking import conditions, operations, patterns, variables
from cepheid.languages.shared.findings import refusal
from cepheid.languages.shared.terms import Operation


@dataclass(frozen=True, slots=True)
class Repeating:
    """The aggregates of a rule, in the order of the text, and the variables they are over."""

    aggregates: tuple[Operation, ...]
    varying: frozenset[str]
    knowledge: Knowledge
    background: frozenset[str]

    def repeated(self, text: Repetition, item: Lowered, name: str, consumption: Consumption) -> Lowered:
        """Return a repetition with its folds: one for each variable that all items share, one for each aggregate."""
        same = sorted(
            ((value, variable) for variable, value in self._shared(item).items()), key=lambda one: repr(one[0])
        )
        keys = {variable: f"key{number}" for number, (_, variable) in enumerate(same, start=1)}
        totals = self._totals(item)
        folds: dict[str, Expr] = {keys[variable]: Aggregate("first", value) for value, variable in same}
        folds |= {f"value{number}": fold for number, fold in enumerate(totals.values(), start=1)}
        every = Choice.ALL if consumption.choice is Choice.ALL else Choice.NEXT
        repeat = Repeat(
            name,
            item.pattern,
            text.count or 1,
            text.count,
            gap=then("$previous", "$next"),
            choice=every,
            per=tuple(value for value, _ in same),
            folds=folds,
            span=text.span,
        )
        bound = {variable: Field(name, fold) for variable, fold in keys.items()}
        read = {total: Field(name, f"value{number}") for number, total in enumerate(totals, start=1)}
        return Lowered(repeat, bound, {**item.loose, **dict.fromkeys(self._differing(item), Loose.VARIES)}, read)

    def _shared(self, item: Lowered) -> Mapping[str, Expr]:
        return {name: value for name, value in item.bound.items() if name not in self.varying}

    def _differing(self, item: Lowered) -> list[str]:
        return [name for name in item.bound if name in self.varying]

    def _totals(self, item: Lowered) -> dict[Total, Aggregate]:
        meaning = Meaning(item, self.knowledge, self.background)
        found: dict[Total, Aggregate] = {}
        for call in self.aggregates:
            if not call.arguments:
                found.setdefault(total_of(call), Aggregate(call.function))
                continue
            names = [name.name for name in variables(call.arguments[0])]
            if names and all(name in item.bound for name in names):
                found.setdefault(total_of(call), Aggregate(call.function, meaning.of(call.arguments[0])))
        return found


def repeating_of(rule: RuleText, knowledge: Knowledge, background: frozenset[str]) -> Repeating:
    """Return the aggregates of a rule, first those of its conditions, then those of its head."""
    terms = (*conditions(rule.pattern), *rule.head.arguments)
    calls = tuple(call for term in terms for call in operations(term) if is_aggregate(call))
    names = frozenset(name.name for call in calls for argument in call.arguments for name in variables(argument))
    repetitions = [one for one in patterns(rule.pattern) if isinstance(one, Repetition)]
    for call in calls:
        if not call.arguments and len(repetitions) != 1:
            message = f"`{call.function}()` counts the items of a repetition, and here are {len(repetitions)}"
            hint = f"say whose items: `{call.function}(X)` with a variable of the repetition"
            raise refusal("aggregate-outside-folds", message, call.span, "of which repetition?", hint)
    return Repeating(calls, names, knowledge, background)
