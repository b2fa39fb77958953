"""A query that is ready to run, with all that is known about it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from cepheid.algebra.programs import Program
from cepheid.analysis import Certificate, Plan
from cepheid.analysis.certificates.picture import picture
from cepheid.analysis.plans.inputs import fields_read, input_types
from cepheid.api.arguments import checks_arguments
from cepheid.api.explaining import Stage, described
from cepheid.api.ordering import demand_order
from cepheid.api.short_certificate import short_certificate
from cepheid.api.texts import QueryText
from cepheid.diagnostics import CepheidError, Diagnostic, Severity, html_block
from cepheid.events import MOST_JUMP, SORT_BUFFER, Templates, TimeUnit, checked_unit, order_columns

if TYPE_CHECKING:
    # What runs a query is heavy, and is loaded where one is run.
    from cepheid.api.detecting import QueryDetector
    from cepheid.api.running import Run
    from cepheid.connectors import Columns, Input, Reading, Reject

ColumnNames: TypeAlias = tuple[str, str, str | None, str | None, tuple[str, ...], str | None]


@dataclass(frozen=True, slots=True)
class CompiledQuery:
    """A program, its plan, and the certificate that says what a run of it can cost.

    `rewritten` is the program as it is run. `disorder`, in ticks, makes its input a stream, whose events may be ahead
    of each other by `max_jump`. Where there are `templates`, all input must be of one of them.
    """

    program: Program
    rewritten: Program = field(repr=False)
    plan: Plan = field(repr=False)
    certificate: Certificate = field(repr=False)
    unit: TimeUnit = "s"
    disorder: int | None = None
    intervals: bool = False
    max_jump: int | None = MOST_JUMP
    text: QueryText | None = field(default=None, repr=False)
    templates: Templates | None = field(default=None, repr=False)
    remarks: tuple[Diagnostic, ...] = field(default=(), repr=False)

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """What was found that does not stop the query: what is unbounded and allowed, what never matches."""
        findings = (replace(finding, severity=Severity.WARNING) for finding in self.certificate.findings)
        return (*findings, *self.remarks)

    @property
    def short_certificate(self) -> str:
        """The certificate in a few lines."""
        declared = {stream.name for stream in self.program.streams if stream.arrival is not None}
        return short_certificate(self.certificate, sorted(input_types(self.program) - declared))

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of all values that matches may have."""
        return tuple(dict.fromkeys(name for rule in self.program.rules for name in rule.fields))

    def _repr_html_(self) -> str:
        """Return the query as a notebook shows it: its text, or its algebra if it has none, and its certificate."""
        text = self.explain("algebra") if self.text is None else self.text.text
        return html_block(text) + html_block(self.short_certificate)

    @checks_arguments("warn", "fail")
    def run(
        self,
        events: "Input",
        *,
        type_column: str = "type",
        time_column: str = "time",
        start_column: str | None = None,
        id_column: str | None = None,
        order_by: str | Sequence[str] = (),
        strict: bool = False,
        on_reject: "Callable[[Reject], None] | None" = None,
        evidence: bool = True,
        sort_buffer: int = SORT_BUFFER,
        on_excess: Literal["warn", "fail"] = "warn",
        source_column: str | None = None,
        heartbeat_type: str | None = None,
        engine: Literal["auto", "interpreter", "kernels"] = "auto",
        time_unit: TimeUnit | None = None,
        max_matches: int | None = None,
        ids: bool = False,
        type: str | None = None,  # noqa: A002  # what users call it
        pattern: str | Sequence[str] | None = None,
        time_format: str | None = None,
        year: int | None = None,
        input_format: str | None = None,
        threads: int | None = None,
    ) -> "Run":
        """Return the matches over some events, found as they are asked for.

        Events are mappings, `Event` objects, paths or patterns of them (`logs/*.parquet`), files, Arrow, frames,
        queries of polars or DuckDB; columns say where they hold what, `time_unit` what times count. What is no event
        goes to `on_reject` and is counted, or, if `strict`, an error. `on_excess` says what becomes of events faster
        than declared; `max_matches` of one event are allowed. Each source of `source_column` in a stream has its own
        clock, which events of `heartbeat_type` only move on. `ids` are for tables. Rows without a type are of `type`;
        `pattern` (`%{IP:ip}`) or `input_format` (`"apache"`) reads lines, `time_format` times. `threads`: one for each
        core.
        """
        from cepheid.api import limits, reading_options, runnable, running

        columns = (type_column, time_column, start_column, id_column, order_columns(order_by), source_column)
        options = reading_options.ReadingOptions(type, pattern, time_format, year, input_format)
        reading = reading_options.with_options(self._reading(columns, time_unit, self._fields_read), options)
        chosen, excess = limits.engine_that_counts(engine, max_matches), limits.excess_of(on_excess)
        how = runnable.Options(strict, on_reject, evidence, ids, sort_buffer, excess, heartbeat_type, chosen, threads)
        return running.Run(runnable.runnable(self, max_matches), events, reading, how)

    @checks_arguments("warn", "fail", "wait")
    def detector(
        self,
        state: bytes | None = None,
        *,
        type_column: str = "type",
        time_column: str = "time",
        start_column: str | None = None,
        id_column: str | None = None,
        order_by: str | Sequence[str] = (),
        evidence: bool = True,
        on_excess: Literal["warn", "fail", "wait"] = "warn",
        limits: Mapping[tuple[str, str], int] | None = None,
        time_unit: TimeUnit | None = None,
        strict: bool = False,
        max_matches: int | None = None,
        engine: Literal["auto", "interpreter", "kernels"] = "auto",
    ) -> "QueryDetector":
        """Return a detector that events are pushed to one by one; with a state, it goes on where that was taken.

        An event that comes faster than declared is a warning or an error, or it is not taken and `Wait` is raised. With
        `"wait"` that also happens while there is no capacity for it, because its source runs ahead of another. `limits`
        gives histories less capacity than the certificate asks for, each by its rule and its variable. `time_unit` is
        as in `run`. With `strict`, an event that comes late or twice is an error as well. An event that completes more
        than `max_matches` of a rule is an error after which the detector is closed. Single events are the
        interpreter's; with `engine="auto"` a detector that is first pushed a table of many rows runs in kernels, where
        these run all of the query, and then gives no `progress` and no `histories`.
        """
        from cepheid.api.detecting import QueryDetector
        from cepheid.api.engine_settings import EngineSettings
        from cepheid.api.limits import at_least_one
        from cepheid.engine import Engine, Excess

        if max_matches is not None:
            at_least_one("max_matches", max_matches)
        reading = self._reading(
            (type_column, time_column, start_column, id_column, order_columns(order_by), None), time_unit
        )
        excess, allowed, chosen = Excess(on_excess), self.disorder or 0, Engine(engine)
        settings = EngineSettings(
            self.plan, self.certificate, allowed, evidence, excess, limits or {}, max_matches, chosen, self.intervals
        )
        return QueryDetector(settings, reading, state, templates=self.templates, strict=strict, max_jump=self.max_jump)

    def _reading(
        self, names: ColumnNames, time_unit: TimeUnit | None, fields: frozenset[str] | None = None
    ) -> "Reading":
        """Return how events are read, or refuse columns that this query was not compiled for."""
        from cepheid.connectors import Columns, Reading

        wanted = sorted(input_types(self.program))
        columns = Columns(*names, expected=wanted[0] if len(wanted) == 1 else "Event")
        if not columns.are_apart:
            raise _one_column_for_two(columns)
        if columns.start is not None and not self.intervals:
            raise _points_only()
        demand_order(self.program, columns, self.disorder)
        return Reading(columns, self._unit(time_unit), self.program.tick, fields)

    @property
    def _fields_read(self) -> frozenset[str] | None:
        """The fields that somebody looks at, slots of templates among them; None is all."""
        read = fields_read(self.rewritten)
        return read if read is None or self.templates is None else read | self.templates.fields

    def _unit(self, time_unit: TimeUnit | None) -> TimeUnit:
        return self.unit if time_unit is None else checked_unit(time_unit)

    def draw(self) -> str:
        """Return the rules as SVG; in PARTElang their join graph, with sizes at its nodes and rates on its edges."""
        return picture(self.program) if self.text is None else self.text.drawn(self.program)

    def explain(self, stage: Stage | str = "bounds") -> str:
        """Return what became of the query at a stage: parsed, algebra, rewritten, closure, plan or bounds."""
        return described(stage, self.text, self.program, self.rewritten, self.plan, self.disorder or 0)


def _one_column_for_two(columns: "Columns") -> CepheidError:
    named = [columns.type, columns.time, columns.start, columns.id, columns.source]
    twice = next(name for name in named if name is not None and named.count(name) > 1)
    hint = "name another column for one of them, or leave out its option"
    message = f"the column `{twice}` is named for two things"
    return CepheidError(Diagnostic("conflicting-options", message, hints=(hint,)))


def _points_only() -> CepheidError:
    message = "the query was compiled for events without a start of their own"
    return CepheidError(Diagnostic("conflicting-options", message, hints=("write `compile(text, intervals=True)`",)))
