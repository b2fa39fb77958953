"""Compile a query: from its text to a plan with a certificate."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

from cepheid.algebra.nesting import limited_depth
from cepheid.algebra.programs import Program, Ties
from cepheid.algebra.validation import validate
from cepheid.analysis import Certificate, certify, plan_of
from cepheid.api.arguments import checks_arguments
from cepheid.api.declarations import declared, rates_of_nothing
from cepheid.api.own_words import in_own_words
from cepheid.api.queries import CompiledQuery
from cepheid.api.tables import Rows, TableInput, rows_of
from cepheid.api.texts import Compilable, QueryText, text_in, text_of
from cepheid.diagnostics import CepheidError, Diagnostic, close_match
from cepheid.events import MOST_JUMP, TICKS_PER_UNIT, Duration, TimeUnit, checked_unit, time_reader
from cepheid.languages.shared.understood import Understood
from cepheid.rewrites import rewrite

if TYPE_CHECKING:
    from cepheid.algebra.builder import Query, QueryProgram
    from cepheid.api.esql.queries import EsqlQuery

Given: TypeAlias = "QueryText | Program | Query | QueryProgram"
Length = str | int | Duration
_NUMBER = re.compile(r"\s*\d+(\.\d+)?\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Settings:
    """What can be said about a query and its input beside the query itself; `compile` explains each."""

    policy: str | None = None
    rates: Mapping[str, str] = field(default_factory=dict)
    time_unit: TimeUnit | None = None
    tick: Length | None = None
    disorder: Length | None = None
    intervals: bool = False
    allow_unbounded: bool = False
    tables: Mapping[str, TableInput] = field(default_factory=dict)
    ties: str | None = None
    max_jump: Length | None = Duration(MOST_JUMP)  # noqa: RUF009
    allow_files: tuple[str, ...] = ()


@overload
def compile(  # type: ignore[overload-overlap]  # noqa: A001  # one language gives values and no matches
    query: str,
    *,
    language: Literal["esql"],
    tables: Mapping[str, Any] | None = ...,  # rows, frames, or names of files
    allow_files: Sequence[str | PathLike[str]] = ...,
    allow_unbounded: bool = ...,
) -> "EsqlQuery": ...
@overload
def compile(  # noqa: A001
    query: Compilable,
    *,
    language: str | None = ...,
    policy: str | None = ...,
    rates: Mapping[str, str] | None = ...,
    time_unit: TimeUnit | None = ...,
    tick: Length | None = ...,
    disorder: Length | None = ...,
    intervals: bool = ...,
    allow_unbounded: bool = ...,
    tables: Mapping[str, TableInput] | None = ...,
    ties: Literal["simultaneous", "arrival"] | None = ...,
    max_jump: Length | None = ...,
    allow_files: Sequence[str | PathLike[str]] = ...,
) -> CompiledQuery: ...
@checks_arguments()
def compile(  # noqa: A001  # users write `cepheid.compile`
    query: Compilable,
    *,
    language: str | None = None,
    policy: str | None = None,
    rates: Mapping[str, str] | None = None,
    time_unit: TimeUnit | None = None,
    tick: Length | None = None,
    disorder: Length | None = None,
    intervals: bool = False,
    allow_unbounded: bool = False,
    tables: Mapping[str, TableInput] | None = None,
    ties: Literal["simultaneous", "arrival"] | None = None,
    max_jump: Length | None = "366 d",
    allow_files: Sequence[str | PathLike[str]] = (),
) -> "CompiledQuery | EsqlQuery":
    """Return a query that is ready to run: a text in a language, by default `cep`, or what the Python builder made.

    `rates` says how often events of a type come at most: `{"Button": "5/s"}`, `{"Beat": "every 10 ms"}`. Numbers
    without a unit are in `time_unit`, in a text and in the events: seconds, unless it says `"ms"` or `"us"`. What the
    builder made has its lengths already, and `Event` objects have ticks. `tick` is the step of time. With `disorder`
    the input is a stream, whose events may come that much after a later one. `intervals` says that input events may
    last. A query whose state has no bound is refused, unless it is allowed. `tables` are what a text looks things up
    in, by their names: rows, a frame, or a file of comma-separated values. `ties` says what holds for events of one
    time: none of them follows another (`"simultaneous"`, the default of the published languages), or they come one
    after the other as they arrive (`"arrival"`, the default of `cep`), and what an event completes is emitted by the
    push of that event. An event of a stream, or of a detector, that is ahead of all before it by more than `max_jump`
    waits until the next one agrees, and is rejected if it does not; None lets all pass. Files that a text names must
    lie below the working directory, or below one of `allow_files`. A query of `esql` is another kind, which gives
    values and no matches; of all this it knows `tables`, `allow_files` and `allow_unbounded`.

    >>> query = compile("first: Button then second: Button within 2 s")
    >>> [(match.start, match.end) for match in query.run([{"type": "Button", "time": time} for time in (1, 2, 9)])]
    [(1, 2)]
    """
    if language == "esql" and isinstance(query, str):
        from cepheid.api.esql.sessions import Session  # most queries are none of its own

        _refuse_for_values(policy, rates, time_unit, tick, disorder, intervals or None, ties)
        session = Session(tables=tables or {}, allow_files=allow_files, allow_unbounded=allow_unbounded)
        return session.compile(query)
    settings = Settings(policy, rates or {}, time_unit, tick, disorder, intervals, allow_unbounded, tables or {}, ties)
    settings = replace(settings, max_jump=max_jump, allow_files=tuple(map(str, allow_files)))
    return compiled(text_in(query, language) if isinstance(query, str) else query, settings)


def _refuse_for_values(*settings: object) -> None:
    """Raise where something is said about a query of eSQL that only matches have."""
    if any(one is not None for one in settings):
        message = "a query of `esql` gives values, and takes `tables`, `allow_files` and `allow_unbounded` alone"
        raise CepheidError(Diagnostic("conflicting-options", message, hints=("leave the other options out",)))


def load(argument: str, language: str | None = None, settings: Settings | None = None) -> CompiledQuery:
    """Return the query that is in the file of this name, or that is this text where there is no such file."""
    return compiled(text_of(argument, language), settings or Settings())


def check(
    query: Compilable,
    *,
    language: str | None = None,
    rates: Mapping[str, str] | None = None,
    intervals: bool = False,
    tables: Mapping[str, TableInput] | None = None,
) -> Certificate:
    """Return what a query can cost, bounded or not.

    >>> check("A then B within 5 s on user").bounded
    True
    """
    found = compile(query, language=language, rates=rates, intervals=intervals, tables=tables, allow_unbounded=True)
    return found.certificate


def compiled(query: Given, settings: Settings) -> CompiledQuery:
    """Return the query with its plan and its certificate."""
    if isinstance(query, QueryText):
        if query.language.NAME == "esql":
            message, hint = "a query of `esql` gives values, and here are matches", "write `cepheid run query.esql`"
            raise CepheidError(Diagnostic("conflicting-options", message, hints=(hint,)))
        query = replace(query, allowed=tuple(map(Path, settings.allow_files)))
    with limited_depth():
        return _compiled(query, settings)


def _compiled(query: Given, settings: Settings) -> CompiledQuery:
    text = query if isinstance(query, QueryText) else None
    unit = checked_unit(settings.time_unit or "s")
    tables = rows_of(settings.tables)
    read = _understood(query, unit, settings.policy, tables)
    max_jump = _not_negative("max_jump", settings.max_jump, unit)
    program = _declared(read.program, unit, settings)
    rewritten = rewrite(program, intervals=settings.intervals)
    plan = plan_of(rewritten, intervals=settings.intervals, written=program)
    disorder = _not_negative("disorder", settings.disorder, unit)
    certificate = in_own_words(certify(plan, disorder or 0), query)
    if text is not None:
        certificate = replace(certificate, viable=text.viable_sizes(program, certificate))
    if not settings.allow_unbounded:
        certificate.demand_bounded()
    return CompiledQuery(
        program=program,
        rewritten=rewritten,
        plan=plan,
        certificate=certificate,
        unit=unit,
        disorder=disorder,
        intervals=settings.intervals,
        max_jump=max_jump,
        text=text,
        templates=None if text is None else text.templates(),
        remarks=(*read.remarks, *rates_of_nothing(program, settings.rates)),
    )


def _understood(query: Given, unit: TimeUnit, policy: str | None, tables: Mapping[str, Rows]) -> Understood:
    if isinstance(query, QueryText):
        return query.understood(unit, policy, tables)
    if policy is not None:
        message = "the policy of what the builder made is set in the builder"
        raise CepheidError(Diagnostic("conflicting-options", message, hints=('write `query(pattern, policy="all")`',)))
    if tables:
        message = "the tables of what the builder made are set in the builder"
        raise CepheidError(Diagnostic("conflicting-options", message, hints=("write `program(query, tables=tables)`",)))
    from cepheid.algebra.builder import Query, QueryProgram  # whoever wrote a text has no need of it

    if isinstance(query, Query | QueryProgram):
        from cepheid.algebra.builder.times import in_unit

        return Understood(in_unit(query.program, TICKS_PER_UNIT[unit]))
    if isinstance(query, Program):
        return Understood(query)
    raise _not_a_query(query)


def _not_a_query(given: object) -> CepheidError:
    message = f"expected a query, got `{type(given).__name__}`"
    hint = "give a text such as `A then B within 5 s`, or what `query(pattern)` returns"
    return CepheidError(Diagnostic("not-a-query", message, hints=(hint,)))


def _declared(program: Program, unit: TimeUnit, settings: Settings) -> Program:
    tick = _ticks(settings.tick, unit)
    found = declared(program, settings.rates, _not_negative("disorder", settings.disorder, unit))
    found = found if tick is None else replace(found, tick=tick)
    found = found if settings.ties is None else replace(found, ties=_ties(settings.ties))
    validate(found)
    return found


def _ties(name: str) -> Ties:
    for known in Ties:
        if name == known.value:
            return known
    closest = close_match(name, [known.value for known in Ties]) or Ties.ARRIVAL.value
    message = f"`{name}` does not say what holds for events of one time"
    raise CepheidError(Diagnostic("unknown-ties", message, hints=(f'write `ties="{closest}"`',)))


def _ticks(length: object, unit: TimeUnit) -> int | None:
    """Return a length in ticks; a plain number is in the unit of time."""
    if length is None or isinstance(length, Duration):
        return None if length is None else length.ticks
    if not isinstance(length, int | str) or isinstance(length, bool):
        message = f"`{length}` is not a duration: expected a text, got `{type(length).__name__}`"
        raise CepheidError(Diagnostic("bad-duration", message, hints=('write `"5 s"`',)))
    if isinstance(length, int) or _NUMBER.fullmatch(length):
        return time_reader(unit)(length)
    return Duration.parse(length).ticks


def _not_negative(option: str, length: object, unit: TimeUnit) -> int | None:
    """Return a length in ticks, or refuse one that is less than nothing."""
    ticks = _ticks(length, unit)
    if ticks is not None and ticks < 0:
        message = f"`{option}` is less than nothing: `{length}`"
        raise CepheidError(Diagnostic("bad-duration", message, hints=("write `0 s` or longer",)))
    return ticks
