"""Run a query over some input: read it, put it in order, reject what is no event, and emit the matches."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from os import PathLike
from typing import Any

from cepheid.analysis.plans.inputs import from_one_source
from cepheid.api.cores import threads_for
from cepheid.api.declarations import unseen_types
from cepheid.api.detectors import AnyDetector
from cepheid.api.finite import FiniteRun
from cepheid.api.intake import Intake, Summary
from cepheid.api.limits import at_least_one, counted, too_many
from cepheid.api.match_tables import MatchTables
from cepheid.api.notebook import page_of_run
from cepheid.api.noticing import Watch
from cepheid.api.one_order import in_one_order
from cepheid.api.outputs import Output, refuse_to_replace
from cepheid.api.pipe_values import check_pipe, read_already, taken
from cepheid.api.portions import AnyFound, Portion, Telling, portions
from cepheid.api.progress import MOST, PartialMatch, check_rule, partial_matches
from cepheid.api.runnable import Options, Runnable
from cepheid.api.streaming import StreamRun
from cepheid.api.told import Told
from cepheid.connectors import (
    Chunk,
    EventSource,
    Form,
    Input,
    Outlook,
    Reading,
    Report,
    is_read_again,
    of_templates,
    row_chunks,
    source_of,
    unnoted,
)
from cepheid.diagnostics import Diagnostic, missing_package
from cepheid.engine import (
    REACH,
    WORTH,
    Detector,
    Engine,
    Found,
    Given,
    OutOfReach,
    TieredDetector,
    TooManyMatches,
    Words,
    detector_for,
    found_of_matches,
    not_compiled,
    rule_numbers,
)
from cepheid.events import Value

Table = Any  # pyarrow, pandas and polars are not loaded for who does not ask for them


class Run:
    """The matches of a query over some input, found while they are asked for: as objects, or all of them as a table.

    Input without disorder is finite and is put in order. A stream is taken as it comes, and what is too late is
    rejected. `summary` counts along; `warnings` are known at the end.
    """

    def __init__(self, query: Runnable, events: Input, reading: Reading, options: Options) -> None:
        self._query, self._events, self._reading, self._options = query, events, reading, options
        by_source = reading.columns.source is not None and query.disorder is not None
        self._plan = query.plan if by_source else from_one_source(query.plan)
        self._source_column = reading.columns.source if by_source else None
        self._watch = Watch.over(query.plan.program)
        self._intake = Intake(
            strict=options.strict,
            on_reject=options.on_reject,
            heartbeat=options.heartbeat,
            on_chunk=self._watch.take,
            look=self._watch.shared,
        )
        self._evidence, self._ids = options.evidence, options.ids
        self._sort_buffer = at_least_one("sort_buffer", options.sort_buffer)
        self._on_excess, self._engine = options.on_excess, options.engine
        self._threads = threads_for(options.threads)
        self._detector: AnyDetector | None = None
        self._chosen = Engine.INTERPRETER
        self._form: Form = reading.unit
        self._words = Words()
        self._kept: list[Found] | None = None  # once somebody asked for a table
        self._kept_ids = False
        self._began = False
        self._matches: Iterator[Report] | None = None

    def __iter__(self) -> Iterator[Report]:
        if self._matches is None or self._kept is not None:
            self._matches = chain.from_iterable(portion.each() for portion in self.portions())
        return self._matches

    def _repr_html_(self) -> str:
        """Return the first matches as a notebook shows them; input that can be read once only is left alone."""
        return page_of_run(self._looked_at())

    @property
    def summary(self) -> Summary:
        """What the run has met so far."""
        return self._intake.summary

    @property
    def warnings(self) -> list[Diagnostic]:
        """What looks like a mistake, each said once.

        Rows that were rejected, types and attributes that the query reads and the input has not, comparisons that never
        hold, keys that are always null, events that share a time, times in another unit, broken rates, rounded times,
        far more matches than events, and files that were not read.
        """
        exceeded = [] if self._detector is None else list(self._detector.premises.warnings.values())
        unseen = unseen_types(self._plan.program, self.summary.types)
        self._watch.rejected = self._intake.first_reject
        noticed = self._watch.warnings(self.summary, self._form, self._reading.notes, self._reading.columns)
        return [*exceeded, *self._reading.rounding.warnings, *unseen, *noticed, *self._not_compiled]

    @property
    def _not_compiled(self) -> Sequence[Diagnostic]:
        """What is said where kernels would run if there were a compiler; a stream asks for them after some events."""
        many = self._query.disorder is None or self.summary.events >= WORTH
        return not_compiled(self._plan) if many and self._chosen is Engine.AUTO else ()

    @property
    def usage(self) -> tuple[int, int | None]:
        """How many entries of state are held now, and how many may be held at most; None where nobody knows."""
        each = () if self._detector is None else self._detector.usage()
        promised = [one.promised for one in each]
        known = [number for number in promised if number is not None]
        return sum(one.used for one in each), sum(known) if len(known) == len(promised) else None

    @property
    def form(self) -> Form:
        """The form in which times are reported: that of the input, once something was read."""
        return self._form

    def to_arrow(self) -> Table:
        """Return all matches as a table of Arrow: match, start, end, known, evidence and one column for each value.

        Times are timestamps where the input had some, and otherwise numbers of its unit. With `ids` there is a column
        of them. A value that is called like one of these columns is `values.` and its name.
        """
        return self._tables().whole()

    def to_pandas(self) -> Table:
        """Return all matches as a frame of pandas."""
        try:
            return self.to_arrow().to_pandas()
        except ImportError:
            raise missing_package("pandas", "pandas") from None

    def to_polars(self) -> Table:
        """Return all matches as a frame of polars."""
        try:
            import polars
        except ImportError:
            raise missing_package("polars", "polars") from None
        return polars.from_arrow(self.to_arrow())

    def tables(self) -> dict[str, Table]:
        """Return a table of matches for each rule, by its name."""
        return self._tables().by_rule()

    def count(self) -> int:
        """Return how many matches there are."""
        if self._kept is not None:
            return sum(map(len, self._kept))
        return sum(map(len, self._all(ids=self._ids)))

    def write(self, path: str | PathLike[str]) -> int:
        """Write all matches to a file, and return how many there are.

        The ending of its name says what it is: `.parquet` and `.arrow` have the columns of `to_arrow()`, `.csv` and
        `.jsonl` are text; matches always have their ids. It is there when all of it was written. At no time more
        matches are held than those of a portion of the input, and of one instant.
        """
        refuse_to_replace(self._events, str(path))
        fields = dict.fromkeys(name for rule in self._plan.program.rules for name in rule.fields)
        written = 0
        with Output(str(path), None, tuple(fields)) as output:
            for portion in self.portions():
                output.write(portion)
                written += len(portion)
            output.close(self.nothing())
        return written

    def batches(self) -> Iterator[list[Report]]:
        """Yield the matches portion by portion of the input, also where there are none."""
        for portion in self.portions():
            yield portion.reports()

    def portions(self) -> Iterator[Portion]:
        """Yield the matches portion by portion of the input, as they were found; each has its id."""
        kept = self._kept is not None and self._kept_ids
        every = iter(self._kept or ()) if kept else self._all(ids=True)
        for found in every:
            yield from portions(found, self._telling)

    def nothing(self) -> Portion:
        """Return a portion without matches."""
        return Portion([], self._telling)

    def progress(self, rule: str | None = None, most: int = MOST) -> list[PartialMatch]:
        """Read all of the input and return the matches that are not complete then: nothing has been closed yet."""
        check_rule(self._plan.program, rule)
        self._begin()
        for found in self._open(self._source(), Engine.INTERPRETER, ids=True):
            self._counted(found)
        assert isinstance(self._detector, Detector)
        return partial_matches(self._detector, rule, most, self._form)

    def values(self, pipe: str) -> list[Value]:
        """Read all of the input and return what a pipe of the program gives, in its order."""
        check_pipe(self._plan.program, pipe)
        self._begin()
        given: list[Value] = []
        for found in self._closed(self._source(), Engine.INTERPRETER, ids=True):
            self._counted(found)
            given += taken(self._detector, pipe)
        return given

    def _looked_at(self) -> Iterator[Portion] | None:
        """Return the matches for who only looks: those that are kept, or found by a run that nobody hears of."""
        if self._kept is not None:
            return (portion for found in self._kept for portion in portions(found, self._telling))
        if not is_read_again(self._events):
            return None
        options = replace(self._options, on_reject=None)
        return Run(self._query, self._events, unnoted(self._reading), options).portions()

    @property
    def _telling(self) -> Telling:
        return Telling(self._plan, self._form, self._evidence)

    def _tables(self) -> MatchTables:
        """Return all matches; where they cannot be found again, with their ids, for whom else asks."""
        if self._kept is None:
            self._kept_ids = self._ids or not is_read_again(self._events)
            found = [self._in_columns(one) for one in self._all(ids=self._kept_ids)]
            self._kept = [one for one in found if len(one)]
        telling = self._telling
        return MatchTables(self._kept, telling.fields, telling.form, evidence=telling.evidence, ids=self._ids)

    def _in_columns(self, found: AnyFound) -> Found:
        return found if isinstance(found, Found) else found_of_matches(found, rule_numbers(self._plan), self._words)

    def _all(self, *, ids: bool) -> Iterator[AnyFound]:
        """Yield what is found portion by portion of the input, also where that is nothing.

        Where kernels cannot go on, the interpreter does all of it once more, if the input can be read again.
        """
        self._begin()
        source = self._source()
        outlook = source.outlook(self._threads) if self._query.disorder is None else None
        surely = outlook is not None and outlook.is_within(REACH)
        told = Told(kept=not surely and self._engine is Engine.AUTO and is_read_again(self._events))
        try:
            for found in self._closed(source, self._engine, ids=ids or told.kept, outlook=outlook):
                yield self._counted(told.noted(found))
        except OutOfReach:
            if not told.kept:
                raise
            told.begin_again()
            self._intake.begin_again()
            for found in self._closed(self._source(), Engine.INTERPRETER, ids=True):
                yield self._counted(told.noted(found))

    def _begin(self) -> None:
        """Begin with the input, from its start each time."""
        if self._began and not is_read_again(self._events):
            raise read_already()
        if self._began:
            self._intake.summary = Summary()
        self._began = True

    def _counted(self, found: AnyFound) -> AnyFound:
        self.summary.matches += len(found)
        return found

    def _source(self) -> EventSource:
        return source_of(self._events, self._reading, live=self._query.disorder is not None)

    def _closed(
        self, source: EventSource, engine: Engine, *, ids: bool, outlook: Outlook | None = None
    ) -> Iterator[AnyFound]:
        found = self._to_the_end(source, engine, ids=ids, outlook=outlook)
        return in_one_order(found, self._plan) if self._query.disorder is None else found

    def _to_the_end(
        self, source: EventSource, engine: Engine, *, ids: bool, outlook: Outlook | None
    ) -> Iterator[AnyFound]:
        yield from self._open(source, engine, ids=ids, outlook=outlook)
        detector = self._detector
        assert detector is not None
        with counted(self._form):
            if isinstance(detector, TieredDetector) and detector.takes_columns:
                yield detector.close_columns()
            else:
                yield detector.close()

    def _open(
        self, source: EventSource, engine: Engine, *, ids: bool, outlook: Outlook | None = None
    ) -> Iterator[AnyFound]:
        is_finite = self._query.disorder is None
        found = self._finite(source, engine, ids, outlook) if is_finite else self._stream(source, engine)
        try:
            for some in found:
                self._form = source.form
                yield some
            self._form = source.form  # which a column may say that has no event
        except TooManyMatches as reason:
            raise too_many(reason, source.form) from None

    def _finite(self, source: EventSource, engine: Engine, ids: bool, outlook: Outlook | None) -> Iterator[AnyFound]:
        run = FiniteRun(
            self._plan,
            source,
            self._intake,
            lambda chosen: self._new_detector(source, chosen, ids),
            self._keep,
            self._sort_buffer,
            bool(self._reading.columns.order_by),
            self._query.templates,
            self._reading.fields or frozenset(),
            outlook,
            self._threads,
        )
        return run.found(engine)

    def _stream(self, source: EventSource, engine: Engine) -> Iterator[AnyFound]:
        detector = self._new_detector(source, engine, True)
        run = StreamRun(
            self._plan,
            detector,
            source,
            self._intake,
            max_jump=self._query.max_jump,
            source_column=self._source_column,
        )
        return run.found(self._of_templates(rows) for chunk in source.chunks() for rows in row_chunks(chunk))

    def _of_templates(self, rows: Chunk) -> Chunk:
        """Return a chunk with what is of no template among what was set aside."""
        templates = self._query.templates
        return rows if templates is None else of_templates(rows, templates, self._intake.heartbeat)

    def _keep(self, detector: AnyDetector) -> None:
        """Close that detector at the end, where there were several."""
        self._detector = detector

    def _new_detector(self, source: EventSource, engine: Engine, ids: bool) -> AnyDetector:
        disorder = self._query.disorder
        given = Given(
            self._evidence,
            source.identified and disorder is not None,
            disorder or 0,
            self._query.certificate,
            self._on_excess,
            max_matches=self._query.max_matches,
            ids=ids,
        )
        self._chosen = engine
        self._detector = detector_for(self._plan, engine, given, meanwhile=disorder is not None)
        return self._detector
