"""Apply the laws until none of them changes anything, and remember which did."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, TypeAlias

from cepheid.algebra.patterns import Collect, Either, Join, Pattern, Repeat, Select, Sieve, Unless
from cepheid.algebra.programs import Program, Rule
from cepheid.rewrites.bounded_memory import bounded_memory
from cepheid.rewrites.drop_idle_choice import drop_idle_choice
from cepheid.rewrites.drop_idle_distinct import drop_idle_distinct
from cepheid.rewrites.drop_loose_window import drop_loose_window
from cepheid.rewrites.flatten_either import flatten_either
from cepheid.rewrites.flatten_joins import flatten_joins
from cepheid.rewrites.lengths import EventLengths, event_lengths
from cepheid.rewrites.limit_chain import limit_chain
from cepheid.rewrites.merge_windows import merge_windows
from cepheid.rewrites.move_condition_into_atom import move_condition_into_atom
from cepheid.rewrites.move_restriction_into_where import move_restriction_into_where
from cepheid.rewrites.move_where_into_candidate import move_where_into_candidate
from cepheid.rewrites.narrow_absence import narrow_absence
from cepheid.rewrites.push_window_below_choice import push_window_below_choice
from cepheid.rewrites.push_window_into_distinct import push_window_into_distinct
from cepheid.rewrites.push_window_into_either import push_window_into_either
from cepheid.rewrites.push_window_into_join import push_window_into_join
from cepheid.rewrites.push_window_into_unless import push_window_into_unless
from cepheid.rewrites.split_absence_of_either import split_absence_of_either


@dataclass(frozen=True, slots=True)
class Context:
    """What a law may know beside the pattern: how long events are, and whether a choice stands right above."""

    lengths: EventLengths
    below_choice: bool = False


Law: TypeAlias = Callable[[Pattern, Context], Pattern]
"""Returns a pattern with the same matches; the pattern itself where the law has nothing to say."""

LAWS: Final[Mapping[str, Law]] = MappingProxyType(
    {
        "limit_chain": lambda pattern, context: limit_chain(pattern, context.lengths),
        "merge_windows": lambda pattern, _: merge_windows(pattern),
        "drop_loose_window": lambda pattern, context: drop_loose_window(
            pattern, context.lengths, below_choice=context.below_choice
        ),
        "drop_idle_choice": lambda pattern, _: drop_idle_choice(pattern),
        "drop_idle_distinct": lambda pattern, _: drop_idle_distinct(pattern),
        "push_window_below_choice": lambda pattern, _: push_window_below_choice(pattern),
        "push_window_into_either": lambda pattern, context: push_window_into_either(
            pattern, below_choice=context.below_choice
        ),
        "push_window_into_unless": lambda pattern, _: push_window_into_unless(pattern),
        "push_window_into_distinct": lambda pattern, _: push_window_into_distinct(pattern),
        "push_window_into_join": lambda pattern, context: push_window_into_join(pattern, context.lengths),
        "narrow_absence": lambda pattern, context: narrow_absence(pattern, context.lengths),
        "split_absence_of_either": lambda pattern, _: split_absence_of_either(pattern),
        "flatten_either": lambda pattern, context: flatten_either(pattern, below_choice=context.below_choice),
        "move_restriction_into_where": lambda pattern, _: move_restriction_into_where(pattern),
        "move_where_into_candidate": lambda pattern, _: move_where_into_candidate(pattern),
        "move_condition_into_atom": lambda pattern, _: move_condition_into_atom(pattern),
        "flatten_joins": lambda pattern, _: flatten_joins(pattern),
    }
)
"""All laws by their names, in the order in which they are tried; `bounded_memory` comes after them."""


@dataclass(frozen=True, slots=True)
class Firing:
    """A law that changed something: the rule, the law, and what it made of what."""

    rule: str
    law: str
    before: Pattern
    after: Pattern


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A program that was rewritten, and how."""

    program: Program
    firings: tuple[Firing, ...]


def rewrite(program: Program, *, intervals: bool = False) -> Program:
    """Return a program with the same matches that costs no more to run; `intervals`: input events may last."""
    return rewriting(program, intervals=intervals).program


def rewriting(program: Program, *, intervals: bool = False) -> Rewriting:
    """Return the rewritten program with every law that was applied, in order."""
    lengths = event_lengths(program, intervals=intervals)
    firings: list[Firing] = []
    rules = tuple(_rewritten_rule(rule, lengths, firings) for rule in program.rules)
    return Rewriting(replace(program, rules=rules), tuple(firings))


def _rewritten_rule(rule: Rule, lengths: EventLengths, firings: list[Firing]) -> Rule:
    pattern = rule.pattern
    while True:
        before = pattern
        pattern = _Pass(rule.name, lengths, firings).rewritten(pattern)
        bounded = bounded_memory(pattern, lengths).pattern
        if bounded != pattern:
            firings.append(Firing(rule.name, "bounded_memory", pattern, bounded))
            pattern = bounded
        if pattern == before:
            return rule if pattern == rule.pattern else replace(rule, pattern=pattern)


@dataclass(frozen=True, slots=True)
class _Pass:
    """One walk over a pattern, from its leaves up."""

    rule: str
    lengths: EventLengths
    firings: list[Firing]

    def rewritten(self, pattern: Pattern, *, below_choice: bool = False) -> Pattern:
        context = Context(self.lengths, below_choice)
        pattern = self._below(pattern)
        for name, law in LAWS.items():
            after = law(pattern, context)
            if after != pattern:
                self.firings.append(Firing(self.rule, name, pattern, after))
                return self.rewritten(after, below_choice=below_choice)
        return pattern

    def _below(self, pattern: Pattern) -> Pattern:
        """Return a node with what stands under it rewritten; steps of chains are left as they are."""
        match pattern:
            case Join(parts):
                return replace(pattern, parts=tuple(map(self.rewritten, parts)))
            case Either(branches):
                return replace(pattern, branches=tuple(map(self.rewritten, branches)))
            case Select(inner):
                return replace(pattern, pattern=self.rewritten(inner, below_choice=True))
            case Sieve(inner):
                return replace(pattern, pattern=self.rewritten(inner))
            case Unless(inner, absent):
                return replace(pattern, pattern=self.rewritten(inner), absent=self.rewritten(absent))
            case Collect(_, anchor, item):
                return replace(pattern, anchor=self.rewritten(anchor), item=self.rewritten(item))
            case Repeat(_, item):
                return replace(pattern, item=self.rewritten(item))
            case _:
                return pattern
