"""How many keys there can be: declared for a stream, or nobody knows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cepheid.algebra.expressions import Expr, Field, Literal, Moment
from cepheid.algebra.patterns import Atom, Either, Instant, Pattern
from cepheid.algebra.programs import EVENT
from cepheid.algebra.text import show
from cepheid.algebra.traversal import event_types, walk
from cepheid.analysis.bounds.bound_algebra import product, total
from cepheid.analysis.bounds.bounds import ONE, Bound, Keys, Unbounded
from cepheid.analysis.bounds.wording import ADD_A_WINDOW
from cepheid.analysis.keys.key_hints import declare_keys
from cepheid.analysis.keys.keys import PartitionKey
from cepheid.analysis.plans.plan import Plan, RulePlan
from cepheid.diagnostics import Span


@dataclass(frozen=True, slots=True)
class KeyValues:
    """The number of values of keys, as far as the streams of a program declare it; of `within_key` only one counts."""

    plan: Plan
    within_key: PartitionKey | None = None

    def of_rule(self, rule: RulePlan) -> Bound:
        """Return the most keys that a rule is detected for."""
        if self.within_key is not None and self.within_key.expressions:
            return ONE
        pattern = rule.rule.pattern
        types = event_types(pattern)
        if any(_takes_any_key(node) for node in walk(pattern)):
            types |= {stream.name for stream in self.plan.program.streams}
        per, places = rule.rule.per, rule.rule.span
        keys = zip(per, places if len(places) == len(per) else (pattern.span,) * len(per), strict=True)
        return product(*(self._of_event(expression, types, place) for expression, place in keys))

    def of(self, expressions: Iterable[Expr], within: Pattern) -> Bound:
        """Return the most values that some expressions over the parts of a pattern have together."""
        return product(*(self._of(expression, within) for expression in expressions))

    def with_null(self, expressions: Iterable[Expr], within: Pattern) -> Bound:
        """Return the most values that some expressions have together where null is a value like any other."""
        values = [self._of(expression, within) for expression in expressions]
        # Of one value there is nothing else, unless it belongs to a part that need not be there.
        alone = not any(isinstance(node, Either) for node in walk(within))
        return product(*(value if value == ONE and alone else total(value, ONE) for value in values))

    def _of(self, expression: Expr, within: Pattern) -> Bound:
        match expression:
            case Field(part, name) if self._is_role(part, name):
                return ONE
            case Field(part, name):
                atoms = [node for node in walk(within) if isinstance(node, Atom) and node.name == part]
                types = frozenset().union(*(atom.types for atom in atoms))
                types = types if all(atom.types for atom in atoms) else frozenset()
                return self._known(name, types, expression, within.span)
            case Literal():
                return ONE
            case _:
                return _unknown(expression, within.span)

    def _is_role(self, part: str, name: str) -> bool:
        """Say whether a part holds the key in an attribute, where its events may hold it in others too."""
        return self.within_key is not None and self.within_key.has_roles and (part, name) in self.within_key.roles

    def _of_event(self, expression: Expr, types: frozenset[str], place: Span | None) -> Bound:
        if isinstance(expression, Field) and expression.part == EVENT:
            return self._known(expression.name, types, expression, place)
        return _unknown(expression, place)

    def _known(self, name: str, types: frozenset[str], expression: Expr, place: Span | None) -> Bound:
        key = self.within_key
        if key is not None and not key.has_roles and types and {(one, name) for one in types} <= set(key.by_type):
            return ONE
        declared = {stream.name for stream in self.plan.program.streams if stream.keys is not None}
        if types and types <= declared:
            return Keys(name, tuple(sorted(types)))
        return _unknown(expression, place, [declare_keys(self.plan.program, one) for one in sorted(types - declared)])


def _takes_any_key(node: object) -> bool:
    """Say whether events of every type bring a key: where any of them matches, and where a schedule runs for it."""
    return isinstance(node, Instant) or (isinstance(node, Atom) and not node.types)


def _unknown(expression: Expr, place: Span | None, hints: Sequence[str] = ()) -> Unbounded:
    """Return that nobody knows how many values an expression has; times have no end of them."""
    told = show(expression).replace(f"{EVENT}.", "")
    if any(isinstance(node, Moment) for node in walk(expression)):
        return Unbounded(f"`{told}` has a new value whenever time goes on", place, _TELL_APART)
    hint, *more = hints or [ADD_A_WINDOW]
    return Unbounded(f"nobody knows how many values `{told}` has", place, hint, tuple(more))


_TELL_APART = "distinguish matches by an attribute, for example `distinct by (a.user)`"
