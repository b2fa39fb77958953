"""How many bytes an entry takes, as an estimate: 16, and 24 for each of its events, and 16 for each field that is read.

That is what the flat form of the state needs: times and a link of the entry, id and times of an event, a value and its
kind. Objects in memory take a small multiple of it, the same for every query.
"""

from dataclasses import dataclass

from cepheid.algebra.expressions import Field
from cepheid.algebra.patterns import Chain, Pattern, Repeat, Suppress
from cepheid.algebra.programs import Rule
from cepheid.algebra.remembering import ByIdentity
from cepheid.algebra.traversal import named_parts, walk
from cepheid.analysis.bounds.bound_algebra import ONE, product, total
from cepheid.analysis.bounds.bounds import Bound, Number
from cepheid.analysis.bounds.spans import Margin, Span
from cepheid.analysis.counts.chain_counts import longest_way
from cepheid.analysis.counts.counts import Counts
from cepheid.analysis.counts.margins import margins
from cepheid.analysis.counts.run_counts import extent
from cepheid.analysis.plans.chain_spans import waiting_since
from cepheid.analysis.plans.plan import Kind, Operator, RulePlan

ENTRY, EVENT, FIELD = 16, 24, 16


@dataclass(frozen=True, slots=True)
class EntrySizes:
    """The sizes of the entries of one rule's operators."""

    counts: Counts
    rule: RulePlan

    def of(self, number: int) -> Bound:
        """Return the bytes that one instance of an operator takes when it is held."""
        events = self.events(number)
        fields = Number(FIELD * self._fields_read(self.rule.operators[number].pattern))
        return total(Number(ENTRY), product(Number(EVENT), events), fields)

    def of_key(self, pattern: Pattern) -> Bound:
        """Return the bytes that a suppression takes for one key and the end of its last match."""
        assert isinstance(pattern, Suppress)
        return Number(ENTRY + FIELD * len(pattern.by))

    def events(self, number: int) -> Bound:
        """Return the most events that one instance of an operator is made of."""
        operator = self.rule.operators[number]
        below = [self.events(one) for one in operator.inputs]
        match operator.kind:
            case Kind.SCAN | Kind.POINTS:
                return ONE
            case Kind.JOIN | Kind.CHOICE:
                return total(*below)
            case Kind.GATHER:
                return total(below[0], product(self._items(operator), below[1]))
            case Kind.RUNS:
                return product(self._run(operator), below[0])
            case Kind.CHAIN:
                return self._chain(operator)
            case Kind.UNION | Kind.LATEST:
                return _greatest(below)
            case _:
                return below[0]

    def _items(self, operator: Operator) -> Bound:
        """Return the most items that one anchor collects: they end around its end."""
        margin = margins(operator)[1]
        after, before = operator.reach[0, 1].ends, operator.reach[1, 0].ends
        ticks = None if after is None or before is None else max(after + before, 0)
        records = margin.records if ticks is None else None
        span = Span(ticks, None if records is None else Number(records), margin.gap)
        return self.counts.of_input(self.rule, operator, 1, span)

    def _run(self, operator: Operator) -> Bound:
        repeat = operator.pattern
        assert isinstance(repeat, Repeat)
        if repeat.most is not None:
            return Number(repeat.most)
        length = extent(operator, None)
        return self.counts.of_input(self.rule, operator, 0, _within(length))

    def _chain(self, operator: Operator) -> Bound:
        chain = operator.pattern
        assert isinstance(chain, Chain)
        steps = longest_way(chain)
        if steps is not None:
            return Number(steps)
        types = [step.lead.types for step in chain.steps.values()]
        every = frozenset().union(*types) if all(types) else frozenset()
        since = waiting_since(chain, operator.reach[0, 0])
        return total(*(self.counts.events(self.rule, every, _within(Margin(*limit))) for limit in since))

    def _fields_read(self, pattern: Pattern) -> int:
        """Return how many different fields of a pattern's parts the rule reads."""
        names = frozenset(named_parts(pattern))
        return len([part for part, _ in _read_by(self.rule.rule) if part in names])


@ByIdentity
def _read_by(rule: Rule) -> frozenset[tuple[str, str]]:
    """Return the fields that a rule reads, each with the part that it is read of."""
    return frozenset((one.part, one.name) for one in walk(rule) if isinstance(one, Field))


def _within(margin: Margin) -> Span:
    records = None if margin.records is None else Number(max(margin.records, 0) + 1)
    return Span(margin.ticks, records, margin.gap)


def _greatest(bounds: list[Bound]) -> Bound:
    numbers = [bound.number for bound in bounds if isinstance(bound, Number)]
    rest = [bound for bound in bounds if not isinstance(bound, Number)]
    return total(*rest) if rest else Number(max(numbers, default=1))
