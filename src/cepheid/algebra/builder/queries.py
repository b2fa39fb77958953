"""Queries and programs: patterns with a name and with values, that can be printed, kept and run."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from cepheid.algebra.builder.declarations import TableLike, table_of
from cepheid.algebra.builder.drafts import settled
from cepheid.algebra.builder.inputs import Input, events_of
from cepheid.algebra.builder.joins import choice_named
from cepheid.algebra.builder.names import canonical
from cepheid.algebra.builder.patterns import Part, checked
from cepheid.algebra.builder.pipes import Trace
from cepheid.algebra.builder.records import hull
from cepheid.algebra.builder.runners import run
from cepheid.algebra.builder.terms import Operand, Term, expression_of
from cepheid.algebra.builder.times import Length, ticks
from cepheid.algebra.expressions import Field
from cepheid.algebra.json_form import Json, program_to_json, to_json
from cepheid.algebra.matches import Match
from cepheid.algebra.nesting import limited_depth
from cepheid.algebra.patterns import Atom, Pattern
from cepheid.algebra.pipe_semantics import trace_of
from cepheid.algebra.pipes import Pipe
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import EVENT, Program, Rule, Stream
from cepheid.algebra.query_sizes import check_rule_size
from cepheid.algebra.text import show
from cepheid.algebra.validation import all_names, duplicates, validate, validate_rule
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.events import TimeUnit, Value


@dataclass(frozen=True, slots=True)
class Query:
    """A pattern that is looked for, under a name; every match of it is an event of that type."""

    rule: Rule

    @property
    def program(self) -> Program:
        """The program that has this query alone."""
        return Program((self.rule,))

    def run(self, events: Iterable[Input], on: str | None = None, *, time_unit: TimeUnit = "s") -> list[Match]:
        """Return the matches over some events, ordered by their end; the times of matches are in ticks.

        The engine finds them, whether the query is bounded or not; `on="definition"` says what they are by definition,
        and is slow. Times of events that are numbers are in `time_unit`; those of `Event` objects are ticks.
        """
        return run(self.program, events, on, time_unit)

    def to_json(self) -> Json:
        return to_json(self.rule)

    def __str__(self) -> str:
        return show(self.rule)


@dataclass(frozen=True, slots=True)
class QueryProgram:
    """Queries that may read each other's matches, with what is declared about their input."""

    program: Program

    def run(self, events: Iterable[Input], on: str | None = None, *, time_unit: TimeUnit = "s") -> list[Match]:
        """Return the matches of all queries over some events, ordered by their end; `Query.run` explains the rest."""
        return run(self.program, events, on, time_unit)

    def trace(self, name: str, events: Iterable[Input], *, time_unit: TimeUnit = "s") -> list[Value]:
        """Return the values of the pipe of that name over some events."""
        return trace_of(self.program, name, events_of(events, time_unit))

    def to_json(self) -> Json:
        return program_to_json(self.program)

    def __str__(self) -> str:
        return show(self.program)


def query(
    pattern: Part,
    *,
    name: str = "match",
    values: Mapping[str, Operand] | None = None,
    start: Term | None = None,
    end: Term | None = None,
    emits: str | None = None,
    by: str | Sequence[str] = (),
    policy: str | Choice = Choice.ALL,
) -> Query:
    """Look for a pattern.

    Every match has `values` and is an event of the type `emits` (unless said otherwise, the name), from `start` to
    `end` (those of the match). `by` detects separately for every value of some fields, `policy` is the choice of all
    joins that make none of their own.
    """
    keys = (*checked(pattern)._keys, *([by] if isinstance(by, str) else by))
    draft = Rule(
        name,
        pattern._draft,
        name if emits is None else emits,
        (hull.start if start is None else start).expression,
        (hull.end if end is None else end).expression,
        {key: expression_of(value) for key, value in (values or {}).items()},
        tuple(Field(EVENT, key) for key in keys),
    )
    with limited_depth():
        check_rule_size(draft)
        rule = canonical(settled(draft, choice_named(policy)))
        _refuse_duplicates(rule.pattern)
        validate_rule(rule)
    return Query(rule)


def program(
    *queries: Query,
    streams: Iterable[Stream] = (),
    tables: Mapping[str, TableLike] | None = None,
    tick: Length = 1,
    pipes: Mapping[str, Pipe | Trace] | None = None,
) -> QueryProgram:
    """Put queries together; one that looks for `event("Rise")` reads the matches of the query of that name.

    `tick` is the step of time: all times are multiples of it.
    """
    built = Program(
        tuple(one.rule for one in queries),
        tuple(streams),
        {name: one.pipe if isinstance(one, Trace) else one for name, one in (pipes or {}).items()},
        {name: table_of(content) for name, content in (tables or {}).items()},
        ticks(tick),
    )
    with limited_depth():
        validate(built)
    return QueryProgram(built)


def _refuse_duplicates(pattern: Pattern) -> None:
    found = [_duplicate(name, bearer, pattern) for name, bearer in duplicates(pattern)]
    if found:
        raise CepheidError(*dict.fromkeys(found))


def _duplicate(name: str, bearer: Pattern, pattern: Pattern) -> Diagnostic:
    """Return the finding, with a hint for Python."""
    taken = all_names(pattern)
    free = next(f"{name}{number}" for number in range(2, len(taken) + 3) if f"{name}{number}" not in taken)
    hint = f'give one of them another name: `name="{free}"`'
    if isinstance(bearer, Atom):
        types = ", ".join(f'"{one}"' for one in sorted(bearer.types))
        another = f'event({types}, name="{free}")' if types else f'any_event(name="{free}")'
        hint = f"make another event for the second place: `{another}`"
    return Diagnostic("duplicate-part", f"two parts are called `{name}`", hints=(hint,))
